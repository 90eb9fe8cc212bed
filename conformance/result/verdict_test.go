package result

import (
	"testing"

	"github.com/socialfeed/conform/conformance/rules"
)

// TestWhatGatesDecidesTheVerdict has rules whose checks came out in different ways.
func TestWhatGatesDecidesTheVerdict(t *testing.T) {
	for _, tc := range []struct {
		level, failOn rules.Level
		checks        []Status
		want          Verdict
	}{
		{rules.Must, rules.Must, []Status{Pass, Observed, Skipped}, Conformant},
		{rules.Must, rules.Must, []Status{Error, Fail}, NonConformant},
		{rules.Must, rules.Should, []Status{Warn, Pass}, Conformant},
		{rules.Should, rules.Must, []Status{Warn, Error}, Incomplete},
		{rules.Should, rules.Should, []Status{Warn, Pass}, NonConformant},
		{rules.Should, rules.Should, []Status{Warn, Error}, NonConformant},
		{rules.Should, rules.Should, []Status{Blocked, Warn}, NonConformant},
		{rules.Should, rules.Should, []Status{Blocked, Waived}, Incomplete},
	} {
		rule := Rule{ID: "feed.status", Level: tc.level}
		for _, s := range tc.checks {
			rule.Checks = append(rule.Checks, Check{Status: s})
		}
		r := &Report{FailOn: tc.failOn, Rules: []Rule{rule}}
		if r.Summarize(); r.Verdict != tc.want {
			t.Errorf("%v of a %s under --fail-on %s: %s, want %s", tc.checks, tc.level, tc.failOn, r.Verdict, tc.want)
		}
		want := tc.want
		if want == Conformant {
			want = Incomplete
		}
		r.EndedBy = "the target stopped answering"
		if r.Summarize(); r.Verdict != want {
			t.Errorf("%v of a %s in a run that ended early: %s, want %s", tc.checks, tc.level, r.Verdict, want)
		}
	}
}
