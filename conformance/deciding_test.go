package conformance_test

import (
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/socialfeed/conform/conformance"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// decided is the check of a rule in a report, with the exchange that decided it.
func decided(t *testing.T, report *result.Report, rule string) (result.Check, result.Exchange) {
	t.Helper()
	for _, r := range report.Rules {
		if r.ID != rule {
			continue
		}
		for _, c := range r.Checks {
			if x := c.Decisive(); x != nil && c.Deciding != nil {
				return c, *x
			}
		}
	}
	t.Fatalf("no check of %s names the exchange that decided it", rule)
	return result.Check{}, result.Exchange{}
}

// A control that is accepted behind the refusal that is not one is no evidence,
// however many controls there are.
func TestDecidingExchangeIsTheOneDecidedOn(t *testing.T) {
	f := newFake(t)
	report, err := conformance.Run(t.Context(), f.config("auth.missing"), func(s *conformance.Suite) {
		s.Scenario("a refusal and its controls", conformance.CoversAt(rules.GetMe, "auth.missing"), func(tt *conformance.T) {
			ann := tt.Actor()
			tt.Judge("auth.missing", func(c *conformance.Check) {
				refused := tt.Send(conformance.Anonymous{}, rules.GetMe)
				for range 12 {
					c.Status(tt.Send(ann, rules.GetMe), conformance.OneOf(http.StatusOK))
				}
				c.True(refused.Status() == http.StatusForbidden, "403", "another status")
			})
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	check, x := decided(t, report, "auth.missing")
	if x.Request.Headers.Get("Authorization") != "" || x.Response == nil || x.Response.Status != http.StatusUnauthorized {
		t.Errorf("decided by %s %v", x.Curl, x.Response)
	}
	if len(check.Exchanges) > 8 {
		t.Errorf("%d exchanges are kept", len(check.Exchanges))
	}
}

// What blocks is the step that did not work, though it was taken in another judgement of the scenario and
// something else was looked at since.
func TestTheStepThatBlocksDecides(t *testing.T) {
	f := newFake(t)
	f.instead = func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method != http.MethodPost || r.URL.Path != "/0.2/user/events" {
			return false
		}
		answer(w, http.StatusConflict, map[string]string{"reason": "closed"})
		return true
	}
	report, err := conformance.Run(t.Context(), f.config("auth.missing", "auth.session-missing"), func(s *conformance.Suite) {
		covered := conformance.CoversAt(rules.GetMe, "auth.missing", "auth.session-missing")
		s.Scenario("two refusals and what both need", covered, func(tt *conformance.T) {
			posted := sync.OnceFunc(func() { tt.Actor().Post(nil) })
			for _, rule := range []string{"auth.session-missing", "auth.missing"} {
				tt.Judge(rule, func(c *conformance.Check) {
					c.Status(tt.Send(conformance.Anonymous{}, rules.GetMe), conformance.OneOf(http.StatusUnauthorized))
					posted()
				})
			}
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	check, x := decided(t, report, "auth.missing")
	if check.Status != result.Blocked || x.Request.Method != http.MethodPost || x.Response == nil || x.Response.Status != http.StatusConflict {
		t.Errorf("%s, decided by %s %v", check.Status, x.Curl, x.Response)
	}
}

// The request that a target does not survive is the one that a developer needs,
// also where it only arranges.
func TestRequestOfACrashIsShown(t *testing.T) {
	f := newFake(t)
	f.instead = func(_ http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path == rules.CreateConnection.Path() {
			panic(http.ErrAbortHandler)
		}
		return false
	}
	report, err := conformance.Run(t.Context(), f.config("feed.follow.new-events"), func(s *conformance.Suite) {
		s.Scenario("a follow that is fatal", conformance.CoversAt(rules.Feed, "feed.follow.new-events"), func(tt *conformance.T) {
			ann, bob := tt.Actor(), tt.Actor()
			ann.Follow(bob)
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	check, x := decided(t, report, "feed.follow.new-events")
	if check.Status != result.Error || x.Response != nil || !strings.Contains(x.Curl, "user_to_id") {
		t.Errorf("%s, shown is %s", check, x.Curl)
	}
}
