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

// twist answers a request in the fake's place, or changes it and leaves it to the fake.
type twist = func(w http.ResponseWriter, r *http.Request) bool

func createsWithLogin(r *http.Request) bool { return r.URL.Query().Get("withLogin") == "true" }

// withoutToken creates users without logging them in.
func withoutToken(_ http.ResponseWriter, r *http.Request) bool {
	if createsWithLogin(r) {
		r.URL.RawQuery = ""
	}
	return false
}

// withLoginRefused refuses to create a user with a login.
func withLoginRefused(w http.ResponseWriter, r *http.Request) bool {
	if !createsWithLogin(r) {
		return false
	}
	answer(w, 422, map[string]any{})
	return true
}

// tokenOfNobody creates users with a session token that the fake does not know.
func tokenOfNobody(f *fake) twist {
	return func(w http.ResponseWriter, r *http.Request) bool {
		if !createsWithLogin(r) {
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
}

// byEmailAlone logs nobody in by user name, beside another twist.
func byEmailAlone(other twist) twist {
	return func(w http.ResponseWriter, r *http.Request) bool {
		again := decodedBody(r)
		if r.URL.Path == "/0.2/user/login" && decoded(r)["email"] == nil {
			answer(w, 401, map[string]any{})
			return true
		}
		r.Body = again()
		return other(w, r)
	}
}

// noLogin logs nobody in.
func noLogin(w http.ResponseWriter, r *http.Request) bool {
	if r.URL.Path == "/0.2/user/login" {
		answer(w, 401, map[string]any{})
		return true
	}
	return withoutToken(w, r)
}

// The first way to a session that works is taken, and the others cost nothing more.
func TestWaysOfEntry(t *testing.T) {
	always := func(instead twist) func(*fake) twist { return func(*fake) twist { return instead } }
	for name, tc := range map[string]struct {
		instead func(*fake) twist
		status  result.Status
	}{
		"creating with login":      {always(nil), result.Pass},
		"no token with creation":   {always(withoutToken), result.Pass},
		"withLogin refused":        {always(withLoginRefused), result.Pass},
		"a token of nobody":        {tokenOfNobody, result.Pass},
		"by email alone":           {always(byEmailAlone(withoutToken)), result.Pass},
		"by email, create refused": {always(byEmailAlone(withLoginRefused)), result.Pass},
		"no way at all":            {always(noLogin), result.Blocked},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t)
			f.instead = tc.instead(f)
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

// Where GET /0.2/user shows the same user to everybody, the sessions are the actors' all the
// same: what needs one is judged, and only what needs the own record is blocked.
func TestAWrongOwnRecordLeavesTheSessions(t *testing.T) {
	f := newFake(t)
	f.instead = func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method != http.MethodGet || r.URL.Path != "/0.2/user" {
			return false
		}
		answer(w, 200, map[string]any{"id": "another", "user_name": "somebody else"})
		return true
	}
	report := judged(t, f.config("users.get.other", "feed.status"), func(s *Suite) {
		for _, rule := range []string{"users.get.other", "feed.status"} {
			s.Scenario(rule, Covers(rule), func(t *T) {
				a := t.Actor()
				t.Judge(rule, func(c *Check) {
					c.Status(t.Send(a, rules.Feed), OneOf(200))
					c.Same("the user", a.UserName, t.Send(a, rules.GetUser, ID(a.ID)).Record().Text("user_name"))
				})
				fields := t.NewUser(nil) // who has no session but that of a login
				t.Send(t.AppOnly(), rules.CreateUser, JSON(fields)).Done()
				login := t.Send(t.AppOnly(), rules.Login, JSON(Fields{"user_name": fields["user_name"], "password": fields["password"]}))
				t.Send(Basic{App: t.AppToken(), Session: login.Record().Text("session_token")}, rules.GetMe)
			})
		}
	})
	for _, rule := range []string{"users.get.other", "feed.status"} {
		expectRule(t, report, rule, result.Pass, "")
	}
	if f.left() != 0 {
		t.Errorf("%d users are left behind", f.left())
	}
}
