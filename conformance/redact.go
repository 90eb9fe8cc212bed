package conformance

import (
	"encoding/base64"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// redactor knows the run's secrets and keeps them out of everything that leaves
// the judge.
type redactor struct {
	mu      sync.Mutex
	secrets map[string]string // secret → placeholder
	known   *known            // nil when secrets were added since
	fields  *regexp.Regexp    // the secret fields of a JSON text, whatever their values
}

// known are the secrets at one time.
type known struct {
	placeholders map[string]string
	longestFirst []string // so that none hides inside another
	replacer     *strings.Replacer
}

func newRedactor(target Target) *redactor {
	r := &redactor{
		secrets: map[string]string{},
		fields:  regexp.MustCompile(`("(?:password|session_token)"\s*:\s*)"((?:[^"\\]|\\.)*)(?:"|\\?$)`),
	}
	r.learn(target.AppToken, "$APP_TOKEN")
	r.learn(target.SecondAppToken, "$SECOND_APP_TOKEN")
	return r
}

// minSecret is the length in bytes below which a text is no secret worth hiding:
// replacing it would garble every report.
const minSecret = 3

// learn adds a secret and the placeholder that stands for it.
func (r *redactor) learn(secret, placeholder string) {
	if len(secret) < minSecret {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, known := r.secrets[secret]; !known {
		r.secrets[secret] = placeholder
		r.known = nil
	}
}

// learnCredentials adds a request's encoded credentials, which are as good as the
// secrets in them.
func (r *redactor) learnCredentials(h http.Header) {
	if encoded, ok := strings.CutPrefix(h.Get("Authorization"), "Basic "); ok && len(encoded) >= minEcho {
		r.learn(encoded, strings.TrimPrefix(r.authorization("Basic "+encoded), "Basic "))
	}
}

// text replaces every known secret, and what stands in secret fields.
func (r *redactor) text(s string) string {
	r.mu.Lock()
	if r.known == nil {
		r.known = r.build()
	}
	k := r.known
	r.mu.Unlock()
	s = k.replacer.Replace(s)
	if strings.Contains(s, `\`) {
		s = k.spelled(s, jsonEscape)
	}
	if strings.Contains(s, "%") {
		s = k.spelled(s, urlEscape)
	}
	s = k.halves(s)
	if !strings.Contains(s, "password") && !strings.Contains(s, "session_token") {
		return s
	}
	return r.fields.ReplaceAllStringFunc(s, func(field string) string {
		parts := r.fields.FindStringSubmatch(field)
		if parts[2] == "" || slices.Contains(placeholders(), parts[2]) {
			return field
		}
		return parts[1] + `"$SECRET"`
	})
}

func (r *redactor) build() *known {
	k := &known{placeholders: maps.Clone(r.secrets), longestFirst: slices.Collect(maps.Keys(r.secrets))}
	slices.SortFunc(k.longestFirst, func(a, b string) int { return len(b) - len(a) })
	pairs := make([]string, 0, 2*len(k.longestFirst))
	for _, secret := range k.longestFirst {
		pairs = append(pairs, secret, k.placeholders[secret])
	}
	k.replacer = strings.NewReplacer(pairs...)
	return k
}

// exchange renders an exchange for a report.
func (r *redactor) exchange(x *exchange) Exchange {
	shown := Exchange{
		Request: RequestRecord{
			Method:  x.method,
			URL:     r.text(x.url.String()),
			Headers: r.headers(x.header),
			Body:    r.body(x.body),
		},
		StartedAt:  x.started.UTC(),
		DurationMS: float64(x.took.Microseconds()) / 1000,
		Curl:       r.curl(x),
	}
	if x.err != nil {
		shown.Error = r.text(x.err.Error())
		return shown
	}
	shown.Response = &ResponseRecord{Status: x.status, Headers: r.headers(x.answer), Body: r.body(x.answered)}
	return shown
}

func (r *redactor) headers(h http.Header) http.Header {
	shown := make(http.Header, len(h))
	for name, values := range h {
		for _, value := range values {
			if name == "Authorization" {
				value = r.authorization(value)
			}
			shown[name] = append(shown[name], r.text(value))
		}
	}
	return shown
}

// authorization shows the shape of the credentials: a pair with its placeholders
// where it decodes, whatever the scheme it stands under.
func (r *redactor) authorization(value string) string {
	scheme, encoded, _ := strings.Cut(value, " ")
	pair, err := base64.StdEncoding.DecodeString(encoded)
	if err == nil && len(pair) > 0 && utf8.Valid(pair) {
		if shown := r.text(string(pair)); shown != string(pair) || scheme == "Basic" {
			return scheme + " base64(" + shown + ")"
		}
	}
	return r.text(value)
}

// body cuts first to a bound that leaves whole secrets in place, then redacts,
// then cuts to what is shown, so that no half secret survives the cut.
func (r *redactor) body(b []byte) string {
	s := r.whole(b)
	if len(s) <= maxShownBody {
		return s
	}
	cut := strings.ToValidUTF8(s[:maxShownBody], "")
	return fmt.Sprintf("%s… (cut at %d of %d bytes)", cut, maxShownBody, len(b))
}

// whole redacts a body, cut at a bound that no request of the judge reaches.
func (r *redactor) whole(b []byte) string {
	const bound = 16 * maxShownBody
	if len(b) <= bound {
		return r.text(strings.ToValidUTF8(string(b), "�"))
	}
	return r.text(strings.ToValidUTF8(string(b[:bound]), "�") + "…")
}

// curl writes the request as a command that a person can paste, after setting
// the variables that stand where the secrets stood.
func (r *redactor) curl(x *exchange) string {
	var b strings.Builder
	b.WriteString("curl -sS -i")
	if x.method != http.MethodGet {
		b.WriteString(" -X " + x.method)
	}
	if pair, ok := basicPair(x.header.Get("Authorization")); ok {
		b.WriteString(" -u " + pairQuoted(r.text(pair)))
	}
	for _, name := range slices.Sorted(func(yield func(string) bool) {
		for name := range x.header {
			if !yield(name) {
				return
			}
		}
	}) {
		value := x.header.Get(name)
		if _, ok := basicPair(value); name == "Authorization" && ok || name == "Accept-Encoding" || name == "User-Agent" {
			continue
		}
		b.WriteString(" -H " + quoted(name+": "+r.headers(http.Header{name: {value}})[name][0]))
	}
	if x.header.Get("User-Agent") == "" {
		b.WriteString(" -H 'User-Agent:'")
	}
	if x.header.Get("Accept") == "" {
		b.WriteString(" -H 'Accept:'")
	}
	if len(x.body) > 0 {
		b.WriteString(" --data-raw " + quoted(r.whole(x.body)))
	}
	b.WriteString(" " + quoted(r.text(x.url.String())))
	return b.String()
}

func basicPair(header string) (string, bool) {
	encoded, ok := strings.CutPrefix(header, "Basic ")
	if !ok {
		return "", false
	}
	pair, err := base64.StdEncoding.DecodeString(encoded)
	return string(pair), err == nil && utf8.Valid(pair) && strings.Contains(string(pair), ":")
}

// placeholders are what a person sets before pasting a command.
func placeholders() []string {
	return []string{"$APP_TOKEN", "$SECOND_APP_TOKEN", "$SESSION_TOKEN", "$PASSWORD"}
}

// quoted is a shell word that means the text, placeholders left for the shell to fill.
func quoted(s string) string {
	word := "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
	for _, name := range placeholders() {
		word = strings.ReplaceAll(word, name, `'"`+name+`"'`)
	}
	return word
}

// pairQuoted is the same for credentials, easier on the eye where it can be.
func pairQuoted(pair string) string {
	app, session, _ := strings.Cut(pair, ":")
	known := append(placeholders(), "")
	if slices.Contains(known, app) && slices.Contains(known, session) {
		return `"` + pair + `"`
	}
	return quoted(pair)
}
