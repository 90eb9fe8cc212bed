package conformance_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	. "github.com/socialfeed/conform/conformance"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// A target that refuses users with further fields is blamed where nothing else is
// broken. Where another rule has failed, which users met it is chance, and the outcome
// of the rule stays that of its scenarios; a warning does not speak for it.
func TestWhatIsSeenInPassingIsNoOutcomeBesideAFailure(t *testing.T) {
	const unheard = http.StatusTeapot
	for name, want := range map[string]struct {
		alsoBroken string // a rule
		status     result.Status
		noted      bool
	}{
		"nothing else is broken": {"", result.Fail, false},
		"a must is broken":       {"users.me.get", result.Pass, true},
		"a should is broken":     {"feed.order", result.Blocked, false},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t)
			f.instead = refusesFurtherFields
			selected := []string{"users.create.status"}
			if want.alsoBroken != "" {
				selected = append(selected, want.alsoBroken)
			}
			report := judged(t, f.config(selected...), func(s *Suite) {
				s.Scenario("plain", Covers(selected...), func(t *T) {
					created := t.Send(t.AppOnly(), rules.CreateUser, JSON(t.NewUser(nil)))
					t.Judge("users.create.status", func(c *Check) { c.Status(created, OneOf(201)) })
					if want.alsoBroken != "" {
						t.Judge(want.alsoBroken, func(c *Check) { c.Status(created, OneOf(unheard)) })
					}
					t.Actors(24)
				})
			})
			expectRule(t, report, "users.create.status", want.status, "")
			noted := slices.ContainsFunc(report.Notes, func(n string) bool { return strings.Contains(n, "users.create.status (users.me.get)") })
			if noted != want.noted {
				t.Errorf("notes: %q", report.Notes)
			}
		})
	}
}

// refusesFurtherFields refuses users with more than a target may require.
func refusesFurtherFields(w http.ResponseWriter, r *http.Request) bool {
	if r.Method != http.MethodPost || r.URL.Path != rules.CreateUser.Path() {
		return false
	}
	body, err := io.ReadAll(r.Body)
	fields := map[string]any{}
	if err == nil {
		err = json.Unmarshal(body, &fields)
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	if err != nil || len(fields) <= 3 {
		return false
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusUnprocessableEntity)
	_, _ = io.WriteString(w, `{"errors":[{"code":1,"message":"no"}]}`)
	return true
}

// TestWhatIsSeenInPassingStopsAtFailures has a run end at its first failure where only the
// traffic checker sees it: no story is drawn any more.
func TestWhatIsSeenInPassingStopsAtFailures(t *testing.T) {
	f := newFake(t)
	f.instead = refusesFurtherFields
	config := f.config("users.create.status")
	config.MaxFailures = 1
	report := judged(t, config, func(s *Suite) {
		s.Scenario("plain", Covers("users.create.status"), func(t *T) {
			t.Judge("users.create.status", func(*Check) {})
			t.Actors(24)
		})
	})
	if expectRule(t, report, "users.create.status", result.Fail, ""); !strings.Contains(report.EndedBy, "stopped after 1 failure") {
		t.Errorf("ended by %q", report.EndedBy)
	}
}
