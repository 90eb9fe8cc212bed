package wire

import (
	"encoding/base64"
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
	// curl's words; nil where the system's authorities do.
	Trust []string

	app, second string // the app tokens

	mu       sync.RWMutex
	secrets  map[string]string // secret → the variable that stands for it
	patterns *patterns
	fields   *regexp.Regexp // the secret fields of a JSON text, whatever their values
}

// NewRedactor makes a redactor that knows the target's app tokens.
func NewRedactor(appToken, secondAppToken string) *Redactor {
	r := &Redactor{
		app: appToken, second: secondAppToken,
		secrets:  map[string]string{},
		patterns: newPatterns(),
		fields:   regexp.MustCompile(`"(?:password|session_token)"\s*:\s*"((?:[^"\\]|\\.)*)(?:"|\\?$)`),
	}
	r.Learn(appToken, "APP_TOKEN")
	r.Learn(secondAppToken, "SECOND_APP_TOKEN")
	return r
}

// MinSecretEcho is the length in bytes from which a secret's text in a body is no chance.
const MinSecretEcho = 6

// minSecret is the length in bytes below which a secret is hidden in credentials alone: replacing
// every occurrence would garble reports.
const minSecret = 3

// Learn adds a secret and the variable that stands for it.
func (r *Redactor) Learn(secret, name string) {
	if secret == "" {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, known := r.secrets[secret]; known {
		return
	}
	r.secrets[secret] = name
	if len(secret) >= minSecret {
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
	pieces := r.pair(pair, r.pieces)
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, known := r.secrets[encoded]; !known {
		r.secrets[encoded] = "CREDENTIALS"
		r.patterns.addOne(&pattern{text: encoded, name: "CREDENTIALS", encoded: pieces})
	}
}

// Text replaces every known secret, and what stands in secret fields. It takes a text as
// it came: one that was redacted before would have its variables taken for secrets.
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
	return append(matches, r.patterns.cutOff(s)...)
}

// secretFields lists the values of secret fields that are not known by themselves.
func (r *Redactor) secretFields(s string, known []match) []match {
	if !strings.Contains(s, "password") && !strings.Contains(s, "session_token") {
		return nil
	}
	var found []match
	for _, at := range r.fields.FindAllStringSubmatchIndex(s, -1) {
		from, to := at[2], at[3]
		if from == to || slices.ContainsFunc(known, func(m match) bool { return m.from == from && m.to == to }) {
			continue
		}
		found = append(found, match{nil, from, to, "SECRET"})
	}
	return found
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

// pair cuts a user name and a password at their secrets: as any text, but where one of
// them is a secret too short to be looked for.
func (r *Redactor) pair(pair string, cut func(string) []piece) []piece {
	var pieces []piece
	found := false
	app, session, _ := strings.Cut(pair, ":")
	for i, half := range []string{app, session} {
		if i > 0 {
			pieces = append(pieces, piece{Text: ":"})
		}
		if name := r.shortSecret(half); name != "" {
			pieces, found = append(pieces, piece{Text: half, Var: name}), true
		} else if half != "" {
			pieces = append(pieces, cut(half)...)
		}
	}
	if !found {
		return cut(pair)
	}
	return pieces
}

// shortSecret is the variable of a secret that is too short to be looked for, "" for any
// other text.
func (r *Redactor) shortSecret(text string) string {
	if len(text) >= minSecret {
		return ""
	}
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.secrets[text]
}

func basicOf(pair string) string {
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(pair))
}

// CredentialsOf takes apart an Authorization header.
func CredentialsOf(h http.Header) (app, session string, ok bool) {
	return (&http.Request{Header: h}).BasicAuth()
}
