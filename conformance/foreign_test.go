package conformance_test

import (
	"net/http"
	"testing"

	. "github.com/socialfeed/conform/conformance"
	"github.com/socialfeed/conform/conformance/rules"
)

// Where a login gives another user's session, that user is not deleted in the place of the one who
// was to log in.
func TestTheUserOfAForeignSessionIsNotDeleted(t *testing.T) {
	f := newFake(t)
	var foreign string // a session of its own for each such login, so that it was never given to two
	f.instead = func(w http.ResponseWriter, r *http.Request) bool {
		_, token, _ := r.BasicAuth()
		if foreign != "" && token == foreign && r.Method == http.MethodDelete {
			t.Errorf("%s in a session of somebody else", r.URL.Path)
		}
		again := decodedBody(r)
		if email := decoded(r)["email"]; r.URL.Path != "/0.2/user/login" || email == nil {
			r.Body = again()
			return false
		}
		f.mu.Lock()
		defer f.mu.Unlock()
		for id, user := range f.users {
			if user["first_name"] == "the other" {
				foreign = f.session(id)
			}
		}
		answer(w, 200, map[string]any{"id": "1", "session_token": foreign})
		return true
	}
	judged(t, oneByOne(f.config("users.me.get")), func(s *Suite) {
		s.Scenario("a foreign session", Covers("users.me.get"), func(t *T) {
			t.ActorWith(Fields{"first_name": "the other"})
			fields := t.NewUser(nil)
			t.Send(t.AppOnly(), rules.CreateUser, JSON(fields)).Done()
			login := t.Send(t.AppOnly(), rules.Login, JSON(Fields{"email": fields["email"], "password": fields["password"]}))
			t.Judge("users.me.get", func(c *Check) {
				c.Status(t.Send(Basic{App: t.AppToken(), Session: login.Record().Text("session_token")}, rules.GetMe), OneOf(200))
			})
		})
	})
	if foreign == "" {
		t.Error("nobody logged in by email")
	}
	if f.left() != 0 {
		t.Errorf("%d users are left behind", f.left())
	}
}
