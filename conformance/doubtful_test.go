package conformance_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	. "github.com/socialfeed/conform/conformance"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// TestUsersOfFailedCreationsAreDeleted has a target answer an error of its own to a creation
// that it has carried out, and to one that it has not.
func TestUsersOfFailedCreationsAreDeleted(t *testing.T) {
	for _, status := range []int{500, 504} {
		for _, creates := range []bool{true, false} {
			f := newFake(t)
			f.instead = func(w http.ResponseWriter, r *http.Request) bool {
				if r.Method != http.MethodPost || r.URL.Path != "/0.2/users" {
					return false
				}
				f.mu.Lock()
				defer f.mu.Unlock()
				if creates && len(f.users) == 0 { // a name is taken once
					f.create(httptest.NewRecorder(), r)
				}
				answer(w, status, map[string]any{})
				return true
			}
			report := judged(t, f.config("users.me.get"), func(s *Suite) { s.Scenario("a user reads itself", Covers("users.me.get"), readsItself) })
			expectRule(t, report, "users.me.get", result.Blocked, "")
			if f.left() != 0 || len(report.Notes) != 0 {
				t.Errorf("%d, carried out: %v: %d users are left behind, noted: %q", status, creates, f.left(), report.Notes)
			}
		}
	}
}

// TestATargetWithoutUsersLeavesNoneBehind has a target fail at everything about users.
func TestATargetWithoutUsersLeavesNoneBehind(t *testing.T) {
	f := newFake(t)
	f.instead = func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path == "/versions" {
			return false
		}
		answer(w, 500, map[string]any{})
		return true
	}
	report := judged(t, f.config("users.me.get"), func(s *Suite) { s.Scenario("a user reads itself", Covers("users.me.get"), readsItself) })
	if len(report.Notes) != 0 {
		t.Errorf("noted: %q", report.Notes)
	}
}

// TestAFailedCreationWithoutPasswordLeavesNobodyBehind has a target fail at a creation that
// lacks the password.
func TestAFailedCreationWithoutPasswordLeavesNobodyBehind(t *testing.T) {
	f := newFake(t)
	f.instead = func(w http.ResponseWriter, r *http.Request) bool {
		body := decodedBody(r)
		if fields := decoded(r); r.Method != http.MethodPost || r.URL.Path != "/0.2/users" || fields["password"] != nil {
			r.Body = body()
			return false
		}
		answer(w, 500, map[string]any{})
		return true
	}
	report := judged(t, f.config("users.me.get"), func(s *Suite) {
		s.Scenario("no password", Covers("users.me.get"), func(t *T) {
			a := t.Actor()
			t.Judge("users.me.get", func(*Check) { t.Send(t.AppOnly(), rules.CreateUser, JSON(Fields{"user_name": t.Unique()})).Status() })
			t.Send(a, rules.GetMe).Done()
		})
	})
	if f.left() != 0 || len(report.Notes) != 0 {
		t.Errorf("%d users are left behind, noted: %q", f.left(), report.Notes)
	}
}

// TestUsersOfOneNameAreBothDeleted has a target take a name twice, and end all sessions: each of the two
// users is deleted in a session of its own.
func TestUsersOfOneNameAreBothDeleted(t *testing.T) {
	f := newFake(t)
	report := judged(t, f.config("users.me.get"), func(s *Suite) {
		s.Scenario("namesakes", Covers("users.me.get"), func(t *T) {
			a := t.Actor()
			t.Send(t.AppOnly(), rules.CreateUser, JSON(t.NewUser(Fields{"user_name": a.UserName}))).Done()
			f.endSessions()
			t.Judge("users.me.get", func(c *Check) { c.Status(t.Send(a, rules.GetMe), OneOf(200)) })
		})
	})
	if f.left() != 0 || len(report.Notes) != 0 {
		t.Errorf("%d users are left behind, noted: %q", f.left(), report.Notes)
	}
}
