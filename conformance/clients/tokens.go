package clients

import (
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/socialfeed/conform/conformance/internal/jsonvalue"
	"github.com/socialfeed/conform/conformance/rules"
)

// tokens are the tokens that requests carried or answers issued.
type tokens struct {
	app      string                  // the client's app token
	sessions *bounded[string, issue] // by the token
	fresh    bool                    // no session is older than the judge
	served   bool                    // a request with a session token succeeded
}

// issue is how a session token was issued.
type issue struct{ cookie bool } // the service also set it as a cookie

const maxSessions = 10_000

func newTokens(o Options) *tokens {
	return &tokens{app: o.AppToken, fresh: o.Fresh, sessions: newBounded[string, issue](maxSessions)}
}

func credentialsOf(h http.Header) credentials {
	value := h.Get("Authorization")
	c := credentials{there: value != ""}
	c.scheme, _, _ = strings.Cut(value, " ")
	c.app, c.session, c.pair = (&http.Request{Header: h}).BasicAuth()
	return c
}

// longestToken is the length in bytes up to which a session token is remembered: servers take no
// header field that is much longer.
const longestToken = 8 << 10

// opened is the session token that an answer issues, "" for none.
func (r *request) opened() string {
	if r.endpoint != rules.CreateUser && r.endpoint != rules.Login || !r.succeeded() {
		return ""
	}
	record, _ := jsonvalue.AsRecord(r.answer())
	token, _ := record["session_token"].(string)
	if len(token) > longestToken {
		return ""
	}
	return token
}

func (t *tokens) record(r *request) {
	token := r.opened()
	if token == "" {
		return
	}
	known, _ := t.sessions.get(token)
	known.cookie = known.cookie || slices.ContainsFunc(r.RespHeader.Values("Set-Cookie"), func(c string) bool { return strings.Contains(c, token) })
	t.sessions.put(token, known)
}

// swapped judges whether app token and session token are each in the right half of the
// credentials; basic judges the rest.
func (t *tokens) swapped(r *request) finding {
	f := basic(r)
	if !f.relevant || !f.problem.Empty() {
		return f
	}
	if _, issued := t.sessions.get(r.auth.app); issued && r.auth.app != t.app {
		return violation("the user name of Authorization is a session token")
	}
	if t.app != "" && r.auth.session == t.app && r.auth.app != t.app {
		return violation("the password half of Authorization is the app token")
	}
	return f
}

// both judges whether a request has a session token. A test may send a wrong one on purpose:
// one that was never issued counts only if no other ever worked.
func (t *tokens) both(r *request) finding {
	switch {
	case r.endpoint == rules.NoEndpoint, r.endpoint == rules.CreateUser, r.endpoint == rules.Login, r.endpoint == rules.Versions, !r.auth.pair:
		return finding{}
	case r.auth.session == "":
		return violation("the password half of Authorization is empty: there is no session token")
	case isPlaceholder(r.auth.session):
		return violation("the password half of Authorization is a placeholder that no session token was filled in for")
	}
	t.served = t.served || r.succeeded()
	if _, issued := t.sessions.get(r.auth.session); issued || !t.fresh || r.Status != http.StatusUnauthorized {
		return kept
	}
	f := violation("the password half of Authorization is no session token that the service issued, and no request of the client has one")
	f.doubt = func() bool { return t.served }
	return f
}

// placeholder matches what languages print for a value that is not there, and a variable of a template.
var placeholder = regexp.MustCompile(`^(null|undefined|None|nil|<nil>|NaN|\[object Object\]|\{\{.*\}\}|\$\{.*\}|\$[A-Z_]+)$`)

// isPlaceholder reports whether nothing was filled in for a token.
func isPlaceholder(token string) bool { return placeholder.MatchString(token) }

// minToken is the length from which a token's text elsewhere is no coincidence.
const minToken = 8

// minUnlikeName is the length from which a text cannot be an application's name.
const minUnlikeName = 16

// word matches the characters of a token in a text, part those in a path or a cookie.
var (
	word = regexp.MustCompile(`[A-Za-z0-9._~+/=-]{8,}`)
	part = regexp.MustCompile(`[A-Za-z0-9._~-]{8,}`)
)

// words are what tokens may be in a text, longer ones and their parts.
func words(text string) []string {
	if len(text) < minToken {
		return nil
	}
	return append(word.FindAllString(text, -1), part.FindAllString(text, -1)...)
}

func (t *tokens) confined(r *request) finding {
	for _, text := range r.texts() {
		for _, own := range []string{r.auth.app, r.auth.session, t.app} {
			if len(own) >= minToken && holdsWord(text.value, own) && !(text.where == "the header User-Agent" && len(own) < minUnlikeName) {
				return violation("a token stands in %s", text.where)
			}
		}
		if len(t.sessions.values) == 0 {
			continue
		}
		for _, w := range words(text.value) {
			if known, issued := t.sessions.get(w); issued && !(known.cookie && text.where == "the header Cookie") {
				return violation("a session token stands in %s", text.where)
			}
		}
	}
	return kept
}

// place is a part of a request outside of its credentials.
type place struct{ where, value string }

func (r *request) texts() []place {
	path, err := url.PathUnescape(r.path)
	if err != nil {
		path = r.path
	}
	all := []place{{"the path", path}}
	if r.rawQuery != "" {
		query, err := url.QueryUnescape(r.rawQuery)
		if err != nil {
			query = r.rawQuery
		}
		all = append(all, place{"the query", query})
	}
	for name, values := range r.Header {
		if name != "Authorization" {
			all = append(all, place{"the header " + jsonvalue.Cut(name, 60), strings.Join(values, " ")})
		}
	}
	if r.whole && r.broken == nil && r.sent != nil {
		walkTexts(r.sent, func(_, text string) bool {
			all = append(all, place{"the body", text})
			return true
		})
	} else if len(r.Body) > 0 {
		all = append(all, place{"the body", string(r.Body)})
	}
	return all
}

// holdsWord reports whether a text has a token as a whole word.
func holdsWord(text, token string) bool {
	for from := 0; ; {
		i := strings.Index(text[from:], token)
		if i < 0 {
			return false
		}
		i += from
		end := i + len(token)
		if (i == 0 || !isWordByte(text[i-1])) && (end == len(text) || !isWordByte(text[end])) {
			return true
		}
		from = i + 1
	}
}

func isWordByte(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b == '_' || b == '-'
}

// walkTexts calls visit for every string of a decoded body, keys included, with the name of
// its field, until visit returns false.
func walkTexts(value any, visit func(field, text string) bool) {
	walkIn("", value, visit)
}

func walkIn(field string, value any, visit func(field, text string) bool) bool {
	switch v := value.(type) {
	case string:
		return visit(field, v)
	case map[string]any:
		for _, key := range jsonvalue.SortedKeys(v) {
			if !visit(key, key) || !walkIn(key, v[key], visit) {
				return false
			}
		}
	case []any:
		for _, item := range v {
			if !walkIn(field, item, visit) {
				return false
			}
		}
	}
	return true
}
