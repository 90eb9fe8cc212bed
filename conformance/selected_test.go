package conformance_test

import (
	"strings"
	"testing"

	. "github.com/socialfeed/conform/conformance"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// What is played again is one scenario of those that judge a rule.
func TestNamedScenariosAlonePlay(t *testing.T) {
	f := newFake(t)
	config := f.config("users.me.get", "transport.utf8")
	config.Selection.Scenarios = []string{"a user reads itself twice"}
	r := judged(t, config, severalStories)
	if rule := ruleOf(t, r, "users.me.get"); len(rule.Checks) != 1 || rule.Checks[0].Scenario != "a user reads itself twice" || r.Verdict != result.Conformant {
		t.Errorf("%s, %+v", r.Verdict, rule.Checks)
	}
	config.Selection = rules.Selection{Rules: []string{"transport.utf8"}, Scenarios: []string{"the feed works"}}
	r = judged(t, config, severalStories)
	if n := f.times("GET /0.2/user/feed"); n != 1 || r.Verdict != result.Conformant {
		t.Errorf("a passive rule: the feed was asked for %d times, %s", n, r.Verdict)
	}
	config.Selection.Scenarios = []string{"a tale of another suite"}
	if _, err := New(config, severalStories); err == nil || !strings.Contains(err.Error(), "a tale of another suite") {
		t.Errorf("a scenario that there is not: %v", err)
	}
}
