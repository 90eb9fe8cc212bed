package wire

import (
	"encoding/base64"
	"net/http"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
	"github.com/socialfeed/conform/internal/redact"
)

type piece = result.Piece

// Redactor knows the run's secrets and keeps them out of everything that leaves
// the judge.
type Redactor struct {
	// Trust is what a command says so that the target's certificate is trusted, in
	// curl's words; nil where the system's authorities do.
	Trust []string

	app, second string // the app tokens
	secrets     *redact.Secrets

	mu      sync.RWMutex
	encoded map[string][]piece // what credentials encode, by their base64
}

// NewRedactor makes a redactor that knows the target's app tokens.
func NewRedactor(appToken, secondAppToken string) *Redactor {
	r := &Redactor{app: appToken, second: secondAppToken, secrets: redact.New(publicTexts()...), encoded: map[string][]piece{}}
	r.Learn(appToken, "APP_TOKEN")
	r.Learn(secondAppToken, "SECOND_APP_TOKEN")
	return r
}

// publicTexts are what everybody knows: a secret may have a part of them without being told by it.
func publicTexts() []string {
	public := []string{
		"session_token", "password", "password_hash", "user_name", "app_token", "first_name", "last_name", "created_at", "updated_at", "last_login", "activated",
		"user_from_id", "user_to_id", "social_ids", "platform_user_id", "connection_ids", "confirmed_at", "metadata", "latitude", "longitude", "language", "location",
		"display_name", "application/json; charset=utf-8", "Authorization: Basic Bearer", "User-Agent", "Accept-Language", "Content-Type", "Set-Cookie", "X-Session-Token",
		"$APP_TOKEN $SECOND_APP_TOKEN $SESSION_TOKEN $PASSWORD $CREDENTIALS",
	}
	for _, e := range rules.Endpoints() {
		public = append(public, e.Path())
	}
	return public
}

// MinSecretEcho is the length in bytes from which a secret's text in a body is no chance.
const MinSecretEcho = 6

// minSecret is the length in bytes below which a secret is hidden in credentials alone: replacing
// every occurrence would garble reports.
const minSecret = 3

// Learn adds a secret and the variable that stands for it.
func (r *Redactor) Learn(secret, name string) { r.secrets.Add(secret, name) }

// LearnCredentials adds a request's encoded credentials, which are as good as the
// secrets in them.
func (r *Redactor) LearnCredentials(h http.Header) {
	for _, value := range h["Authorization"] {
		encoded, ok := strings.CutPrefix(value, "Basic ")
		if !ok || len(encoded) < MinSecretEcho {
			continue
		}
		if _, known := r.secrets.Name(encoded); known {
			continue
		}
		pair, ok := basicPair(value)
		if !ok {
			continue
		}
		pieces := r.pair(pair, r.pieces)
		r.mu.Lock()
		r.encoded[encoded] = pieces
		r.mu.Unlock()
		r.secrets.Add(encoded, "CREDENTIALS")
	}
}

// LearnAnswer adds the secrets that an answer names.
func (r *Redactor) LearnAnswer(header http.Header, body []byte) {
	r.learnHeader(header)
	r.secrets.LearnNamed(string(body), "SECRET", redact.Loose)
}

// Text replaces every known secret, and what a name tells to be one. It takes a text as
// it came: one that was redacted before would have its variables taken for secrets.
func (r *Redactor) Text(s string) string { return result.Shown(r.pieces(s)) }

// Write is a message, its quotations without their secrets.
func (r *Redactor) Write(m redact.Message) string {
	text := strings.ToValidUTF8(m.Write(func(quoted string) string { return result.Shown(r.data(bounded(quoted))) }), "�")
	return shortened(text, len(text))
}

// pieces cuts a text at the secrets in it, however they are spelled.
func (r *Redactor) pieces(s string) []piece { return r.cutUp(s, r.secrets.All(s, redact.Strict)) }

// data cuts a text that is no prose.
func (r *Redactor) data(s string) []piece { return r.cutUp(s, r.secrets.All(s, redact.Loose)) }

// cutUp cuts a text at its matches.
func (r *Redactor) cutUp(s string, matches []redact.Match) []piece {
	spans := redact.Cut(len(s), matches)
	pieces := make([]piece, len(spans))
	for i, span := range spans {
		pieces[i].Text = s[span.From:span.To]
		if m := span.Match; m != nil {
			pieces[i].Var = variableOf(*m)
			pieces[i].Base64 = r.encodedBy(*m)
		}
	}
	return pieces
}

// encodedBy is what whole credentials encode, nil for any other match.
func (r *Redactor) encodedBy(m redact.Match) []piece {
	if m.Part || m.Form != redact.Plain {
		return nil
	}
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.encoded[m.Secret]
}

// variableOf is the variable that stands where a text has a secret.
func variableOf(m redact.Match) string {
	name := m.Name
	switch m.Form {
	case redact.Unnamed:
		return "SECRET"
	case redact.Hex:
		name += "_HEX"
	case redact.Base64:
		name += "_BASE64"
	case redact.Recased:
		name += "_RECASED"
	}
	if m.Part {
		name += "_PART"
	}
	return name
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
	name, _ := r.secrets.Name(text)
	return name
}

func basicOf(pair string) string {
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(pair))
}

// CredentialsOf takes apart an Authorization header.
func CredentialsOf(h http.Header) (app, session string, ok bool) {
	return (&http.Request{Header: h}).BasicAuth()
}
