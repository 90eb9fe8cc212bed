package view

import (
	"testing"

	"github.com/socialfeed/conform/conformance/result"
)

// TestAlikeIsWhatHasTheSameAnswer keeps three 500s apart that say different things, and not two that differ
// by an id alone.
func TestAlikeIsWhatHasTheSameAnswer(t *testing.T) {
	of := func(body string) *Check {
		return &Check{Status: result.Fail, Expected: "204", Result: &result.Check{
			Exchanges: []result.Exchange{{Response: &result.Response{Status: 500, Body: body}}}}}
	}
	checks := []*Check{of(`{"error":"no table follows"}`), of(`{"error":"user 12 is locked"}`), of(`{"error":"user 13 is locked"}`), of(`{"error":"out of memory"}`)}
	if got := violationsOf(checks, result.Fail, EndpointIndex{}); len(got) != 3 {
		t.Errorf("%d kinds of failure, want 3", len(got))
	}
}
