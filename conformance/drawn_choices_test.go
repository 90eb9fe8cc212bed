package conformance

import (
	"testing"

	"github.com/socialfeed/conform/conformance/model/leeway"
	"github.com/socialfeed/conform/conformance/model/traffic"
	"github.com/socialfeed/conform/conformance/result"
)

// TestObservedChoicesAreAnswers sees that stories go by the last answer to a choice, and by no
// words that resemble one.
func TestObservedChoicesAreAnswers(t *testing.T) {
	const rule = "users.me.update.omitted-fields"
	observed := func(answer ChoiceAnswer) *Check {
		c := &Check{rule: rule}
		if ended := outcomeOf(func() { c.ObserveAnswer(answer) }); ended.status != result.Observed || ended.text() != string(answer) {
			t.Errorf("%q ends with %+v", answer, ended)
		}
		c.status = result.Observed
		return c
	}
	words := &Check{rule: rule, status: result.Observed, message: "kept"}
	undone := observed(FieldsKept)
	undone.status = result.Error
	for _, tc := range []struct {
		name   string
		checks []*Check
		want   leeway.Tri
	}{
		{"none", nil, leeway.Unknown},
		{"kept", []*Check{observed(FieldsKept)}, leeway.Yes},
		{"cleared", []*Check{observed(FieldsCleared)}, leeway.No},
		{"some of them", []*Check{observed("kept url; cleared last_name")}, leeway.Unknown},
		{"words", []*Check{words}, leeway.Unknown},
		{"the last", []*Check{observed(FieldsKept), observed(FieldsCleared)}, leeway.No},
		{"one that could not be judged", []*Check{undone}, leeway.Unknown},
	} {
		r := &run{traffic: traffic.NewChecker(), plays: plays{counted: []*T{{checks: tc.checks}}}}
		if got := r.observedChoices().KeepsUser; got != tc.want {
			t.Errorf("%s: %d, want %d", tc.name, got, tc.want)
		}
	}
	skipped := &run{traffic: traffic.NewChecker(), plays: plays{counted: []*T{{checks: []*Check{{rule: "feed.purge.no-return", status: result.Skipped}}}}}}
	if got := skipped.observedChoices().NamesRecur; got != leeway.No {
		t.Errorf("names recur: %d", got)
	}
}
