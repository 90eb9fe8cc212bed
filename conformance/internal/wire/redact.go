package wire

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

	"github.com/socialfeed/conform/conformance/result"
)

// Redactor knows the run's secrets and keeps them out of everything that leaves
// the judge.
type Redactor struct {
	// Trust is what a command says so that the target's certificate is trusted, in
	// curl's words; "" where the system's authorities do.
	Trust []string

	app, second string // the app tokens

	mu       sync.RWMutex
	secrets  map[string]string // secret → the variable that stands for it
	patterns *patterns
	fields   *regexp.Regexp // the secret fields of a JSON text, whatever their values
	variable *regexp.Regexp // a value that was replaced already
}

// NewRedactor makes a redactor that knows the target's app tokens.
func NewRedactor(appToken, secondAppToken string) *Redactor {
	r := &Redactor{
		app: appToken, second: secondAppToken,
		secrets:  map[string]string{},
		patterns: newPatterns(),
		fields:   regexp.MustCompile(`"(?:password|session_token)"\s*:\s*"((?:[^"\\]|\\.)*)(?:"|\\?$)`),
		variable: regexp.MustCompile(`^\$(APP_TOKEN|SECOND_APP_TOKEN|SESSION_TOKEN|PASSWORD|SECRET)(_[A-Z]+)?$`),
	}
	r.Learn(appToken, "APP_TOKEN")
	r.Learn(secondAppToken, "SECOND_APP_TOKEN")
	return r
}

// MinSecretEcho is the length in bytes from which a secret's text in a body is no chance.
const MinSecretEcho = 6

// minSecret is the length in bytes below which a text is no secret worth hiding:
// replacing it would garble every report.
const minSecret = 3

// Learn adds a secret and the variable that stands for it.
func (r *Redactor) Learn(secret, name string) {
	if len(secret) < minSecret {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, known := r.secrets[secret]; !known {
		r.secrets[secret] = name
		r.patterns.add(secret, name)
	}
}

// LearnCredentials adds a request's encoded credentials, which are as good as the
// secrets in them.
func (r *Redactor) LearnCredentials(h http.Header) {
	encoded, ok := strings.CutPrefix(h.Get("Authorization"), "Basic ")
	if !ok || len(encoded) < MinSecretEcho {
		return
	}
	pair, ok := basicPair("Basic " + encoded)
	if !ok {
		return
	}
	pieces := r.pieces(pair)
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, known := r.secrets[encoded]; !known {
		r.secrets[encoded] = "CREDENTIALS"
		r.patterns.addOne(&pattern{text: encoded, name: "CREDENTIALS", encoded: pieces})
	}
}

// Text replaces every known secret, and what stands in secret fields.
func (r *Redactor) Text(s string) string { return result.Shown(r.pieces(s)) }

// pieces cuts a text at the secrets in it, however they are spelled.
func (r *Redactor) pieces(s string) []piece {
	matches := r.matches(s)
	return cutUp(s, append(matches, r.secretFields(s, matches)...))
}

// matches are the known secrets in a text.
func (r *Redactor) matches(s string) []match {
	r.mu.RLock()
	defer r.mu.RUnlock()
	matches := r.patterns.find(s, func(i int) int { return i })
	for mark, one := range map[string]escape{`\`: JSONEscape, "%": urlEscape, "+": formEscape, "&": htmlEscape} {
		if !strings.Contains(s, mark) {
			continue
		}
		if plain, at := Unescape(s, one); plain != s {
			matches = append(matches, r.patterns.find(plain, func(i int) int { return at[i] })...)
		}
	}
	return append(matches, r.patterns.halves(s)...)
}

// secretFields lists the values of secret fields that are not known by themselves.
func (r *Redactor) secretFields(s string, known []match) []match {
	if !strings.Contains(s, "password") && !strings.Contains(s, "session_token") {
		return nil
	}
	var found []match
	for _, at := range r.fields.FindAllStringSubmatchIndex(s, -1) {
		from, to := at[2], at[3]
		if from == to || r.variable.MatchString(s[from:to]) || slices.ContainsFunc(known, func(m match) bool { return m.from == from && m.to == to }) {
			continue
		}
		found = append(found, match{nil, from, to, "SECRET"})
	}
	return found
}

// exchange renders an exchange for a report.
func (r *Redactor) Exchange(x *Exchange) result.Exchange {
	shown := result.Exchange{
		Request: result.Request{
			Method:  x.Method,
			URL:     r.Text(x.URL.String()),
			Headers: r.headers(x.Header),
			Body:    r.body(x.Body, len(x.Body)),
		},
		StartedAt:  x.started.UTC(),
		DurationMS: float64(x.Took.Microseconds()) / 1000,
	}
	shown.Curl, _ = r.curl(x)
	if x.Err != nil {
		shown.Error = r.Text(x.Err.Error())
		return shown
	}
	shown.Response = &result.Response{Status: x.Status, Headers: r.headers(x.RespHeader), Body: r.body(x.RespBody, max(x.size, len(x.RespBody)))}
	return shown
}

// maxMessage is how much of a message a report has, in bytes.
const maxMessage = 4 << 10

// Message redacts a text that tells what went wrong, cut where it is long.
func (r *Redactor) Message(s string) string {
	whole := len(s)
	if whole > maxKept {
		s = s[:maxKept] + "…"
	}
	s = r.Text(strings.ToValidUTF8(s, "�"))
	if len(s) <= maxMessage && whole <= maxKept {
		return s
	}
	cut := strings.ToValidUTF8(s[:min(len(s), maxMessage-64)], "")
	return fmt.Sprintf("%s… (cut at %d of %d bytes)", cut, len(cut), whole)
}

// What a report has of a message's header fields at most.
const (
	maxFields      = 64
	maxFieldsBytes = 8 << 10
)

// headers redacts header fields. Of a flood of them the first by name are shown,
// and a field tells how many are left out.
func (r *Redactor) headers(h http.Header) http.Header {
	shown := make(http.Header, min(len(h), maxFields))
	fields, size, left := 0, 0, 0
	for _, name := range slices.Sorted(maps.Keys(h)) {
		for _, value := range h[name] {
			if fields++; fields > maxFields || size+len(name) > maxFieldsBytes {
				left++
				continue
			}
			if len(value) > maxShownBody {
				value = strings.ToValidUTF8(value[:maxShownBody], "") + "…"
			}
			if name == "Authorization" {
				value = r.authorization(value)
			}
			value = r.Text(value)
			size += len(name) + len(value)
			shown[name] = append(shown[name], value)
		}
	}
	if left > 0 {
		shown["X-Left-Out"] = []string{fmt.Sprintf("%d more header fields, left out by the judge", left)}
	}
	return shown
}

// authorization shows the shape of the credentials: a pair with its placeholders
// where it decodes, whatever the scheme it stands under.
func (r *Redactor) authorization(value string) string {
	scheme, encoded, _ := strings.Cut(value, " ")
	pair, err := base64.StdEncoding.DecodeString(encoded)
	if err == nil && len(pair) > 0 && utf8.Valid(pair) {
		if shown := r.Text(string(pair)); shown != string(pair) || scheme == "Basic" {
			return scheme + " base64(" + shown + ")"
		}
	}
	return r.Text(value)
}

// body is a body of so many bytes, as far as it is shown. It cuts first to a bound that leaves whole secrets in place, then redacts,
// then cuts to what is shown, so that no half secret survives the cut.
func (r *Redactor) body(b []byte, size int) string {
	s := r.whole(b)
	if len(s) <= maxShownBody && size == len(b) {
		return s
	}
	cut := strings.ToValidUTF8(s[:min(len(s), maxShownBody)], "")
	return fmt.Sprintf("%s… (cut at %d of %d bytes)", cut, maxShownBody, size)
}

// whole redacts a body, cut at a bound that no request of the judge reaches.
func (r *Redactor) whole(b []byte) string {
	if len(b) <= maxKept {
		return r.Text(strings.ToValidUTF8(string(b), "�"))
	}
	return r.Text(strings.ToValidUTF8(string(b[:maxKept]), "�") + "…")
}

// basicPair decodes an Authorization header of the scheme Basic.
func basicPair(header string) (string, bool) {
	encoded, ok := strings.CutPrefix(header, "Basic ")
	if !ok {
		return "", false
	}
	pair, err := base64.StdEncoding.DecodeString(encoded)
	return string(pair), err == nil && utf8.Valid(pair) && strings.Contains(string(pair), ":")
}

func basicOf(pair string) string {
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(pair))
}

// CredentialsOf takes apart an Authorization header.
func CredentialsOf(h http.Header) (app, session string, ok bool) {
	return (&http.Request{Header: h}).BasicAuth()
}
