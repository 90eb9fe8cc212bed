package conformance_test

import (
	"net/http"
	"testing"

	. "github.com/socialfeed/conform/conformance"
	"github.com/socialfeed/conform/conformance/rules"
)

// TestCleanKeepsUsersWhomNobodyKnowsToBeGone cleans up after a run that left a user behind,
// on a target whose logins do not tell whether it is there.
func TestCleanKeepsUsersWhomNobodyKnowsToBeGone(t *testing.T) {
	for name, login := range map[string]func(http.ResponseWriter){
		"a server error":        func(w http.ResponseWriter) { answer(w, 500, map[string]any{}) },
		"a login without token": func(w http.ResponseWriter) { answer(w, 200, map[string]any{"id": "1"}) },
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t)
			broken := "DELETE /0.2/user"
			f.instead = func(w http.ResponseWriter, r *http.Request) bool {
				switch {
				case r.Method+" "+r.URL.Path != broken:
					return false
				case r.Method == http.MethodDelete:
					answer(w, 500, map[string]any{})
				default:
					login(w)
				}
				return true
			}
			config := f.config("users.me.get")
			config.UsersDir = t.TempDir()
			judged(t, config, func(s *Suite) { s.Scenario("a user reads itself", Covers("users.me.get"), readsItself) })
			left := f.left()
			clean := func() Cleaned {
				cleaned, err := newJudge(t, config, func(*Suite) {}).Clean(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				return cleaned
			}
			broken = "POST /0.2/user/login"
			if cleaned := clean(); cleaned.Deleted != 0 || len(cleaned.Left) != left || left == 0 {
				t.Errorf("of %d users %+v", left, cleaned)
			}
			broken = ""
			if cleaned := clean(); cleaned.Deleted != left || len(cleaned.Left) != 0 || f.left() != 0 {
				t.Errorf("of %d users %+v, and %d are there", left, cleaned, f.left())
			}
		})
	}
}

// TestCleanKnowsOfNoSecondApplicationWhereThereIsNone cleans up after a run that sent a create without
// any app token, as the rules about credentials have it, to a target of one application.
func TestCleanKnowsOfNoSecondApplicationWhereThereIsNone(t *testing.T) {
	f := newFake(t)
	stuck := true
	f.instead = func(w http.ResponseWriter, r *http.Request) bool {
		app, _, _ := r.BasicAuth()
		switch {
		case r.Method == http.MethodPost && r.URL.Path == "/0.2/users" && app == "":
			answer(w, 401, map[string]any{})
		case stuck && r.Method == http.MethodDelete:
			answer(w, 500, map[string]any{})
		default:
			return false
		}
		return true
	}
	config := f.config("users.me.get")
	config.UsersDir = t.TempDir()
	judged(t, config, func(s *Suite) {
		s.Scenario("a user reads itself", Covers("users.me.get"), func(t *T) {
			t.Send(Basic{}, rules.CreateUser, JSON(t.NewUser(nil)))
			readsItself(t)
		})
	})
	stuck = false
	cleaned, err := newJudge(t, config, func(*Suite) {}).Clean(t.Context())
	if err != nil || len(cleaned.Left) > 0 || cleaned.Deleted == 0 || f.left() > 0 {
		t.Errorf("cleaned up: %+v, %v; %d users are there", cleaned, err, f.left())
	}
}
