package journal

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/socialfeed/conform/internal/redact"
)

// MaxBody is how much of a body is kept, in bytes. Of a longer one only the size is shown:
// secrets cannot be hidden in a part of a body.
const MaxBody = 16 << 10

// Entry is a request and its answer. Its exported fields hold no secrets; the
// others may, and View shows them without.
type Entry struct {
	Seq      uint64
	World    string
	At       time.Time // by the machine's clock
	Duration time.Duration
	Method   string
	Endpoint int // of the contract, 0 if it has none
	Status   int // 0: the client was gone before an answer
	App      string
	Session  string // such as session:ada#1, never the token
	Why      *Why   // of a refusal
	Weather  string // the rules that acted

	url     *url.URL
	header  http.Header
	request keptBody
	answer  keptBody
	secrets *Secrets
	labels  *Labels
	text    encoded
}

// Why says why a request was refused, also where the response does not.
type Why struct {
	Stage  string `json:"stage"`
	Reason string `json:"reason"`
	Code   int    `json:"code,omitempty"`
}

// Body is a body as it went over the wire, its beginning at least.
type Body struct {
	Kept []byte // which the caller may use again
	Size int64
}

// keptBody is a body as an entry keeps it: whole, or its size alone.
type keptBody struct {
	text string
	size int64
}

// Write takes the next bytes of the body.
func (b *Body) Write(p []byte) {
	b.Size += int64(len(p))
	if room := MaxBody - len(b.Kept); room > 0 {
		b.Kept = append(b.Kept, p[:min(room, len(p))]...)
	}
}

// Tokens are those of a request's credentials, blank for none.
type Tokens struct{ App, Session string }

// Record fills in what may hold secrets: the request and both bodies. Its secrets join those that are
// known, which hide them in every entry; labels name session tokens.
func (e *Entry) Record(r *http.Request, sent Tokens, secrets *Secrets, labels *Labels, request, answer Body) {
	e.url, e.header, e.secrets, e.labels = r.URL, r.Header, secrets, labels
	secrets.known.Learn(sent.App, e.App)
	secrets.known.Learn(sent.Session, e.Session)
	secrets.readTarget(r)
	secrets.readHeader(r.Header)
	e.request, e.answer = e.kept(request), e.kept(answer)
}

// kept learns the secrets of a body. Of one that is longer than what is shown only the size stays.
func (e *Entry) kept(body Body) keptBody {
	text := e.secrets.readBody(body.Kept, e.labels)
	if int64(len(text)) < body.Size {
		text = ""
	}
	return keptBody{text, body.Size}
}

func withoutSecrets(text string, matches []redact.Match) string {
	var b strings.Builder
	for _, span := range redact.Cut(len(text), matches) {
		switch {
		case span.Match == nil:
			b.WriteString(text[span.From:span.To])
		case span.Match.Name == "":
			b.WriteString(hidden)
		default:
			b.WriteString("[" + span.Match.Name + "]")
		}
	}
	return b.String()
}

// Size is about what the entry takes, in bytes.
func (e *Entry) Size() int {
	return 512 + len(e.request.text) + len(e.answer.text) + len(e.url.RawQuery) + len(e.url.Path) + headerSize(e.header)
}

func headerSize(header http.Header) int {
	n := 0
	for name, values := range header {
		for _, value := range values {
			n += len(name) + len(value)
		}
	}
	return n
}

// View is an entry as it is shown.
type View struct {
	Seq        uint64            `json:"seq"`
	World      string            `json:"world"`
	At         time.Time         `json:"at"`
	DurationMS float64           `json:"duration_ms"`
	Method     string            `json:"method"`
	Path       string            `json:"path"`
	Endpoint   int               `json:"endpoint,omitempty"`
	Status     int               `json:"status"`
	App        string            `json:"app,omitempty"`
	Session    string            `json:"session,omitempty"`
	Why        *Why              `json:"why,omitempty"`
	Weather    string            `json:"weather,omitempty"`
	Headers    map[string]string `json:"headers"`
	Request    any               `json:"request,omitempty"`
	Answer     any               `json:"answer,omitempty"`
}

// View shows the entry without its secrets.
func (e *Entry) View() View {
	return View{
		Seq: e.Seq, World: e.World, At: e.At, DurationMS: float64(e.Duration.Microseconds()) / 1000, Method: e.method(),
		Path: e.Path(), Endpoint: e.Endpoint, Status: e.Status, App: e.App, Session: e.Session, Why: e.why(), Weather: e.Weather,
		Headers: e.headers(), Request: e.body(e.request), Answer: e.body(e.answer),
	}
}

func (e *Entry) method() string { return clean(e.secrets.without(e.Method, redact.Loose)) }

// why is why the request was refused; the reason may quote it.
func (e *Entry) why() *Why {
	if e.Why == nil {
		return nil
	}
	shown := *e.Why
	shown.Reason = clean(e.secrets.without(shown.Reason, redact.Strict))
	return &shown
}

// Path is the request's path and query.
func (e *Entry) Path() string {
	path := e.url.EscapedPath()
	if e.url.RawQuery != "" {
		path += "?" + shownQuery(e.url.RawQuery)
	}
	return clean(e.secrets.without(path, redact.Loose))
}

// shownQuery is a query without the values of secrets. One that cannot be read is hidden as a
// whole: nobody knows the names of its parameters.
func shownQuery(raw string) string {
	query, err := url.ParseQuery(raw)
	if err != nil {
		return hidden
	}
	shown := raw
	for name, values := range query {
		if !redact.SecretName(name) {
			continue
		}
		for i := range values {
			values[i] = hidden
		}
		shown = query.Encode()
	}
	return shown
}

// Line is the entry as a line of a log.
func (e *Entry) Line() string { return string(e.AppendLine(nil)) }

// AppendLine appends the entry as a line of a log, without a line feed.
func (e *Entry) AppendLine(b []byte) []byte {
	b = append(e.At.AppendFormat(b, "15:04:05.000"), ' ')
	b = append(append(b, e.method()...), ' ')
	b = append(append(b, e.Path()...), ' ')
	b = append(strconv.AppendInt(b, int64(e.Status), 10), ' ')
	b = append(strconv.AppendFloat(b, float64(e.Duration.Microseconds())/1000, 'f', 1, 64), "ms"...)
	for _, word := range [...]string{e.App, e.Session} {
		if word != "" {
			b = append(append(b, ' '), word...)
		}
	}
	if e.World != "default" {
		b = append(append(b, " world:"...), e.World...)
	}
	if why := e.why(); why != nil {
		b = append(append(append(append(b, " | "...), why.Stage...), ": "...), why.Reason...)
	}
	if e.Weather != "" {
		b = append(append(b, " | weather: "...), clean(e.Weather)...)
	}
	return b
}

const hidden = "[hidden]"

func (e *Entry) headers() map[string]string {
	shown := make(map[string]string, len(e.header))
	for name, values := range e.header {
		value := strings.Join(values, ", ")
		switch {
		case name == "Authorization" && e.App != "":
			value = strings.TrimSpace("Basic " + e.App + " " + e.Session)
		case redact.SecretName(name):
			value = hidden
		default:
			value = e.secrets.without(value, redact.Loose)
		}
		shown[clean(e.secrets.without(name, redact.Loose))] = clean(value)
	}
	return shown
}

// body shows a JSON body with its secrets hidden, and only the size of any other body.
func (e *Entry) body(body keptBody) any {
	if body.size == 0 {
		return nil
	}
	var value any
	decoder := json.NewDecoder(strings.NewReader(body.text))
	decoder.UseNumber()
	if int64(len(body.text)) < body.size || !json.Valid([]byte(body.text)) || decoder.Decode(&value) != nil {
		return fmt.Sprintf("[%d bytes]", body.size)
	}
	return e.shown("", value)
}

func (e *Entry) shown(name string, value any) any {
	if token, isText := value.(string); isText && name == "session_token" {
		label, _ := e.labels.Find(token)
		return label
	}
	if redact.SecretName(name) {
		return hidden
	}
	switch value := value.(type) {
	case map[string]any:
		shown := make(map[string]any, len(value))
		for field, inner := range value {
			shown[e.secrets.without(field, redact.Loose)] = e.shown(field, inner)
		}
		return shown
	case []any:
		for i := range value {
			value[i] = e.shown(name, value[i])
		}
		return value
	case string:
		return e.secrets.without(value, redact.Loose)
	case json.Number:
		if shown := e.secrets.without(value.String(), redact.Loose); shown != value.String() {
			return shown
		}
	}
	return value
}

// clean makes a text from outside safe for a terminal and a log's line.
func clean(text string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '\ufffd'
		}
		return r
	}, text)
}
