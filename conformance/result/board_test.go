package result

import (
	"fmt"
	"slices"
	"testing"
)

// What turned is told at once, what was not judged stays as it was.
func TestBoard(t *testing.T) {
	board := Board{}
	run := func(status ...Status) []string {
		r := &Report{}
		for i, s := range status {
			r.Rules = append(r.Rules, Rule{ID: fmt.Sprintf("rule.%d", i), Checks: []Check{{Endpoint: "GET /versions", Status: s}}})
		}
		var told []string
		for _, turn := range board.Update(r) {
			told = append(told, fmt.Sprintf("%s %s→%s %t", turn.Rule, turn.Was, turn.Is, turn.Green()))
		}
		return told
	}
	for i, step := range []struct {
		run  []Status
		want []string
	}{
		{[]Status{Pass, Fail, Blocked}, nil},
		{[]Status{Pass, Warn, Fail}, []string{"rule.2 blocked→fail false"}},
		{[]Status{Skipped, Pass, Skipped}, []string{"rule.1 warn→pass true"}},
		{[]Status{Error, Observed, Fail}, []string{"rule.0 pass→error false"}},
	} {
		if got := run(step.run...); !slices.Equal(got, step.want) {
			t.Errorf("run %d: %q, want %q", i+1, got, step.want)
		}
	}
}
