package conformance_test

import (
	"net/http"
	"strings"
	"testing"

	. "github.com/socialfeed/conform/conformance"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// TestReproductionsSayWhichStatusesPass sees that the statuses which a check asks for reach its
// reproduction, where a status alone decided it.
func TestReproductionsSayWhichStatusesPass(t *testing.T) {
	for _, tc := range []struct {
		name, rule, want string
		judge            func(*T, *Actor, *Check)
	}{
		{"one of two", "users.get.other", "401 404", func(t *T, a *Actor, c *Check) { c.Status(t.Send(a, rules.GetMe), OneOf(401, 404)) }},
		{"a refusal", "users.get.other", result.AnyRefusal, func(t *T, a *Actor, c *Check) { c.Status(t.Send(a, rules.GetMe), Refused()) }},
		{"one that is tolerated", "users.get.other", "204", func(t *T, a *Actor, c *Check) { c.Status(t.Send(a, rules.GetMe), OneOf(204).Tolerating(200)) }},
		{"one that is tolerated, and something else", "users.get.other", "", func(t *T, a *Actor, c *Check) {
			c.Status(t.Send(a, rules.GetMe), OneOf(204).Tolerating(200))
			c.Fail("a house", "none")
		}},
		{"several attempts", "users.get.other", "422", func(t *T, a *Actor, c *Check) {
			attempts := c.Attempts(OneOf(422))
			attempts.Add("a read", t.Send(a, rules.GetMe))
			attempts.Judge()
		}},
		{"a header", "users.get.other", "", func(t *T, a *Actor, c *Check) {
			answer := t.Send(a, rules.GetMe)
			c.Decide(answer)
			answer.ExpectHeader("Content-Type").IsEqual("none")
		}},
		{"a status by hand", "users.get.other", "", func(t *T, a *Actor, c *Check) {
			answer := t.Send(a, rules.GetMe)
			c.Decide(answer)
			answer.Expect().Status(http.StatusTeapot)
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := newFake(t)
			report := judged(t, f.config(tc.rule), func(s *Suite) {
				s.Scenario("decided by a status", Covers(tc.rule), func(t *T) {
					a := t.Actor()
					t.Judge(tc.rule, func(c *Check) { tc.judge(t, a, c) })
				})
			})
			check := ruleOf(t, report, tc.rule).Checks[0]
			if check.Reproduction == nil {
				t.Fatalf("%s, without a reproduction", check)
			}
			if got := strings.Join(check.Reproduction.Passing, " "); got != tc.want {
				t.Errorf("%q passes, want %q", got, tc.want)
			}
		})
	}
}
