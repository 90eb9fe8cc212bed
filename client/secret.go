package client

import (
	"encoding/base64"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
)

const redaction = "[REDACTED]"

// secret keeps a token behind a function, so that no printing of a struct that
// holds one, however deep, can show it.
type secret func() string

func hide(s string) secret { return func() string { return s } }

// redacted is printed in place of a secret; "" for none.
func redacted(s string) string {
	if s == "" {
		return ""
	}
	return redaction
}

// tokens are the credentials of one call (Authentication, items 1 to 3): none,
// the app token alone, or both.
type tokens struct{ app, session secret }

func (t tokens) pair() (app, session string, ok bool) {
	if t.app == nil {
		return "", "", false
	}
	if t.session != nil {
		session = t.session()
	}
	return t.app(), session, true
}

// redactor replaces whatever this call keeps secret: its tokens, the header
// made of them, and the password in its body, also in escaped forms.
func (t tokens) redactor(body []byte) *strings.Replacer {
	app, session, credentials := t.pair()
	var sent struct {
		Password string `json:"password"`
	}
	if json.Unmarshal(body, &sent) != nil {
		sent.Password = "" // a body without a password to protect, such as a list
	}
	var known []string
	if credentials {
		known = append(known, base64.StdEncoding.EncodeToString([]byte(app+":"+session)))
	}
	for _, s := range []string{app, session, sent.Password} {
		if s != "" {
			known = append(known, s, url.QueryEscape(s), escaped(s, true), escaped(s, false))
		}
	}
	// The longest first: a secret may be the beginning of another.
	slices.SortFunc(known, func(a, b string) int { return len(b) - len(a) })
	pairs := make([]string, 0, 2*len(known))
	for _, s := range known {
		pairs = append(pairs, s, redaction)
	}
	return strings.NewReplacer(pairs...)
}

// escaped is s as it stands inside a JSON string.
func escaped(s string, html bool) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(html)
	if e.Encode(s) != nil {
		return s
	}
	quoted := strings.TrimSpace(b.String())
	return quoted[1 : len(quoted)-1]
}
