package wire

import (
	"encoding/base64"
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/internal/redact"
)

// learnHeader adds what header fields hold that name a secret.
func (r *Redactor) learnHeader(header http.Header) {
	for name, values := range header {
		for _, value := range values {
			switch {
			case name == "Set-Cookie" || name == "Cookie":
				for part := range strings.SplitSeq(value, ";") {
					if _, secret, ok := strings.Cut(part, "="); ok && redact.SecretName(part[:len(part)-len(secret)]) {
						r.learnValue(secret, "SECRET")
					}
				}
			case redact.SecretName(name):
				r.learnValue(value, "SECRET")
			default:
				r.secrets.LearnNamed(value, "SECRET", redact.Loose)
			}
		}
	}
}

// learnValue adds a secret that is long enough not to be a word.
func (r *Redactor) learnValue(value, name string) {
	if value = strings.Trim(value, "\"' "); len(value) >= redact.Window {
		r.secrets.Learn(value, name)
	}
}

// LearnRequest adds the secrets of a request that somebody else sent: each token of its Authorization, and
// what names tell of.
func (r *Redactor) LearnRequest(target string, header http.Header, body []byte) {
	for _, value := range header["Authorization"] {
		r.learnAuthorization(value)
	}
	for name, values := range header {
		if name != "Authorization" {
			r.learnHeader(http.Header{name: values})
		}
	}
	r.secrets.LearnNamed(target, "SECRET", redact.Loose)
	r.secrets.LearnNamed(string(body), "SECRET", redact.Loose)
}

// learnAuthorization adds the credentials of any scheme, and of none.
func (r *Redactor) learnAuthorization(value string) {
	scheme, rest, parts := strings.Cut(strings.TrimSpace(value), " ")
	if !parts || !isScheme(scheme) {
		rest = value
	}
	rest = strings.TrimSpace(rest)
	if _, known := r.secrets.Name(rest); known {
		return
	}
	if pair, ok := decoded(rest); ok {
		app, session, both := strings.Cut(pair, ":")
		if !both {
			app, session = "", pair
		}
		r.secrets.Learn(app, "APP_TOKEN")
		r.secrets.Learn(session, "SESSION_TOKEN")
		r.LearnCredentials(http.Header{"Authorization": {value}})
	}
	r.secrets.Learn(rest, "TOKEN")
	for _, word := range strings.FieldsFunc(rest, func(c rune) bool { return strings.ContainsRune(" ,;=:\"'", c) }) {
		if len(word) >= redact.Window {
			r.secrets.Learn(word, "TOKEN")
		}
	}
}

// isScheme reports whether a word is a scheme of Authorization that may be shown.
func isScheme(word string) bool {
	switch strings.ToLower(word) {
	case "basic", "bearer", "digest", "token", "negotiate", "ntlm", "apikey", "oauth", "hoba", "mutual":
		return true
	}
	return false
}

// decoded is what base64 encodes, with its padding or without.
func decoded(text string) (string, bool) {
	plain, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(text, "="))
	return string(plain), err == nil && len(plain) > 0 && utf8.Valid(plain)
}

// field cuts a header field at its secrets. Of one that names a secret nothing is shown but the secrets'
// variables, and in Authorization the scheme and the shape.
func (c *cutting) fieldPieces(name, value string) []piece {
	switch {
	case name == "Authorization":
		return c.pieces(value)
	case redact.SecretName(name) && value != "" && !hidden(c.pieces(value)):
		return []piece{{Text: value, Var: "SECRET"}}
	}
	return c.pieces(value)
}

// hidden reports whether nothing of a text is shown.
func hidden(pieces []piece) bool {
	for _, p := range pieces {
		if p.Var == "" && strings.Trim(p.Text, " ,;") != "" {
			return false
		}
	}
	return true
}

// authorization shows the shape of the credentials: a pair with its placeholders
// where it decodes, whatever the scheme it stands under.
func (c *cutting) authorization(value string) string {
	scheme, encoded, _ := strings.Cut(value, " ")
	pair, err := base64.StdEncoding.DecodeString(encoded)
	if err == nil && len(pair) > 0 && utf8.Valid(pair) {
		if shown := result.Shown(c.pair(string(pair))); shown != string(pair) || scheme == "Basic" {
			return c.text(scheme) + " base64(" + shown + ")"
		}
	}
	return c.text(value)
}
