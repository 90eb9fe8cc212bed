package journal

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode"

	"github.com/socialfeed/conform/internal/redact"
)

// MaxBody is how much of a body is kept, in bytes. Of a longer one only the size is shown:
// secrets cannot be hidden in a part of a body.
const MaxBody = 16 << 10

// Entry is a request and its answer. What is exported is fit to show; the rest
// may hold secrets, and View shows it without them.
type Entry struct {
	Seq      uint64
	World    string
	At       time.Time // by the machine's clock
	Duration time.Duration
	Method   string
	Endpoint int // of the contract, 0 where it has none
	Status   int // 0: the client was gone before an answer
	App      string
	Session  string // such as session:ada#1, never the token
	Why      *Why   // of a refusal
	Weather  string // the rules that acted

	url      *url.URL
	secrets  *redact.Secrets
	header   http.Header
	request  Body
	answer   Body
	ownNames func(token string) string
	text     encoded
}

// Why says why a request was refused, also where the response does not.
type Why struct {
	Stage  string `json:"stage"`
	Reason string `json:"reason"`
	Code   int    `json:"code,omitempty"`
}

// Body is a body as it went over the wire, its beginning at least.
type Body struct {
	Kept []byte
	Size int64
}

// Tokens are those of a request's credentials, blank for none.
type Tokens struct{ App, Session string }

// Record fills in what may hold secrets: the request and both bodies. Its secrets join those that are
// known, which hide them in every entry; names gives a session token its label.
func (e *Entry) Record(r *http.Request, sent Tokens, known *redact.Secrets, request, answer Body, names func(token string) string) {
	e.url, e.header, e.secrets = r.URL, r.Header, known
	e.request, e.answer, e.ownNames = request, answer, names
	e.learn(sent)
}

// learn adds the secrets of the request and of its answer to those that are known.
func (e *Entry) learn(sent Tokens) {
	e.secrets.Learn(sent.App, e.App)
	e.secrets.Learn(sent.Session, e.Session)
	const any = "hidden"
	e.secrets.LearnNamed(e.url.RequestURI(), any, redact.Loose)
	for name, values := range e.header {
		for _, value := range values {
			_, rest, several := strings.Cut(value, " ")
			switch {
			case redact.SecretName(name) && len(value) >= redact.Window:
				e.secrets.Learn(value, any)
				if several && len(rest) >= redact.Window {
					e.secrets.Learn(rest, any)
				}
			case !redact.SecretName(name):
				e.secrets.LearnNamed(value, any, redact.Loose)
			}
		}
	}
	for _, body := range []Body{e.request, e.answer} {
		var opened struct {
			SessionToken string `json:"session_token"`
		}
		if bytes.Contains(body.Kept, []byte("session_token")) && json.Unmarshal(body.Kept, &opened) == nil && opened.SessionToken != "" {
			e.secrets.Learn(opened.SessionToken, e.ownNames(opened.SessionToken))
		}
		e.secrets.LearnNamed(string(body.Kept), any, redact.Loose)
	}
}

// without is a text without the secrets that are known by now, and those that names tell of in it.
func (e *Entry) without(text string, care redact.Care) string {
	return withoutSecrets(text, e.secrets.All(text, care))
}

// WithoutSecrets is a text without the secrets that are known.
func WithoutSecrets(text string, known *redact.Secrets) string {
	return withoutSecrets(text, known.Matches(text))
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

func (e *Entry) size() int {
	return 512 + len(e.request.Kept) + len(e.answer.Kept) + len(e.url.RawQuery) + len(e.url.Path) + headerSize(e.header)
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

func (e *Entry) method() string { return clean(e.without(e.Method, redact.Loose)) }

// why is why the request was refused; the reason may quote it.
func (e *Entry) why() *Why {
	if e.Why == nil {
		return nil
	}
	shown := *e.Why
	shown.Reason = clean(e.without(shown.Reason, redact.Strict))
	return &shown
}

// Path is the request's path and query.
func (e *Entry) Path() string {
	path := e.url.EscapedPath()
	if e.url.RawQuery != "" {
		path += "?" + shownQuery(e.url.RawQuery)
	}
	return clean(e.without(path, redact.Loose))
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
func (e *Entry) Line() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s %s %d %.1fms", e.At.Format("15:04:05.000"), e.method(), e.Path(), e.Status, float64(e.Duration.Microseconds())/1000)
	for _, word := range []string{e.App, e.Session} {
		if word != "" {
			b.WriteString(" " + word)
		}
	}
	if e.World != "default" {
		b.WriteString(" world:" + e.World)
	}
	if why := e.why(); why != nil {
		fmt.Fprintf(&b, " | %s: %s", why.Stage, why.Reason)
	}
	if e.Weather != "" {
		b.WriteString(" | weather: " + clean(e.Weather))
	}
	return b.String()
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
			value = e.without(value, redact.Loose)
		}
		shown[clean(e.without(name, redact.Loose))] = clean(value)
	}
	return shown
}

// body shows a JSON body with its secrets hidden, and only the size of any other body.
func (e *Entry) body(body Body) any {
	if body.Size == 0 {
		return nil
	}
	var value any
	decoder := json.NewDecoder(bytes.NewReader(body.Kept))
	decoder.UseNumber()
	if int64(len(body.Kept)) < body.Size || !json.Valid(body.Kept) || decoder.Decode(&value) != nil {
		return fmt.Sprintf("[%d bytes]", body.Size)
	}
	return e.shown("", value)
}

func (e *Entry) shown(name string, value any) any {
	if token, isText := value.(string); isText && name == "session_token" {
		return e.ownNames(token)
	}
	if redact.SecretName(name) {
		return hidden
	}
	switch value := value.(type) {
	case map[string]any:
		shown := make(map[string]any, len(value))
		for field, inner := range value {
			shown[e.without(field, redact.Loose)] = e.shown(field, inner)
		}
		return shown
	case []any:
		for i := range value {
			value[i] = e.shown(name, value[i])
		}
		return value
	case string:
		return e.without(value, redact.Loose)
	case json.Number:
		if shown := e.without(value.String(), redact.Loose); shown != value.String() {
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
