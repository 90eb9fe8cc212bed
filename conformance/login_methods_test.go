package conformance_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	. "github.com/socialfeed/conform/conformance"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// The first way to a session that works is taken, and the others cost nothing more.
func TestWaysOfEntry(t *testing.T) {
	withoutToken := func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Query().Get("withLogin") == "true" {
			r.URL.RawQuery = ""
		}
		return false
	}
	refused := func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Query().Get("withLogin") != "true" {
			return false
		}
		answer(w, 422, map[string]any{})
		return true
	}
	var f *fake
	strangers := func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Query().Get("withLogin") != "true" {
			return false
		}
		r.URL.RawQuery = ""
		created := httptest.NewRecorder()
		f.mu.Lock()
		f.create(created, r)
		f.mu.Unlock()
		_, _ = w.Write([]byte(strings.Replace(created.Body.String(), "{", `{"session_token":"of-nobody-at-all",`, 1)))
		return true
	}
	noUserName := func(before func(http.ResponseWriter, *http.Request) bool) func(http.ResponseWriter, *http.Request) bool {
		return func(w http.ResponseWriter, r *http.Request) bool {
			again := decodedBody(r)
			if r.URL.Path == "/0.2/user/login" && decoded(r)["email"] == nil {
				answer(w, 401, map[string]any{})
				return true
			}
			r.Body = again()
			return before(w, r)
		}
	}
	nothing := func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path == "/0.2/user/login" {
			answer(w, 401, map[string]any{})
			return true
		}
		return withoutToken(w, r)
	}
	for name, tc := range map[string]struct {
		instead func(http.ResponseWriter, *http.Request) bool
		status  result.Status
	}{
		"creating with login":      {nil, result.Pass},
		"no token with creation":   {withoutToken, result.Pass},
		"withLogin refused":        {refused, result.Pass},
		"a token of nobody":        {strangers, result.Pass},
		"by email alone":           {noUserName(withoutToken), result.Pass},
		"by email, create refused": {noUserName(refused), result.Pass},
		"no way at all":            {nothing, result.Blocked},
	} {
		t.Run(name, func(t *testing.T) {
			f = newFake(t)
			f.instead = tc.instead
			report := judged(t, f.config("users.me.get", "users.get.other"), func(s *Suite) {
				for _, rule := range []string{"users.me.get", "users.get.other"} {
					s.Scenario(rule, Covers(rule), func(t *T) {
						a, b := t.Actor(), t.Actor()
						t.Judge(rule, func(c *Check) {
							c.Status(t.Send(a, rules.GetMe), OneOf(200))
							c.Same("the reader", b.ID.String(), t.Send(b, rules.GetMe).Record().ID())
						})
					})
				}
			})
			for _, rule := range []string{"users.me.get", "users.get.other"} {
				check := expectRule(t, report, rule, tc.status, "").Checks[0]
				if tc.status == result.Blocked && check.BlockedBy != "sessions.login.user-name" {
					t.Errorf("blocked by %q", check.BlockedBy)
				}
			}
		})
	}
}
