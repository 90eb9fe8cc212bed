package result

import (
	"strings"
	"testing"
	"time"

	"github.com/socialfeed/conform/conformance/rules"
)

// halfWaivable is a report with one cause, what it blocks directly and by a chain, and
// something blocked for another reason.
func halfWaivable() *Report {
	check := func(s Status, by string) []Check { return []Check{{Status: s, BlockedBy: by, Exchanges: []Exchange{}}} }
	r := &Report{FailOn: rules.Must, StartedAt: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), Rules: []Rule{
		{ID: "feed.status", Level: rules.Must, Checks: check(Fail, "")},
		{ID: "feed.empty", Level: rules.Must, Checks: check(Blocked, "feed.status")},
		{ID: "feed.order", Level: rules.Must, Checks: check(Blocked, "feed.empty")},
		{ID: "users.me.get", Level: rules.Must, Checks: check(Pass, "")},
	}}
	r.Summarize()
	return r
}

// TestConsequencesAreCoveredByTheirCause drafts one waiver for one cause, under which
// nothing is left, and tells the consequences apart; when the cause's waiver ends, so
// does theirs.
func TestConsequencesAreCoveredByTheirCause(t *testing.T) {
	catalogue := rules.Load()
	r := halfWaivable()
	drafted := DraftWaivers(r, r.StartedAt.AddDate(0, 0, 30))
	if len(drafted) != 1 || drafted[0].Rule != "feed.status" {
		t.Fatalf("drafted were %+v", drafted)
	}
	drafted[0].Reason = "known"
	drafted.Apply(r, catalogue, r.StartedAt)
	if r.Verdict != Conformant || r.Summary.Rules[Waived] != 3 || r.Waivers[0].Checks != 1 || r.Waivers[0].Consequences != 2 {
		t.Errorf("%s, %v, %+v", r.Verdict, r.Summary.Rules, r.Waivers)
	}
	if !strings.HasSuffix(r.Waivers[0].Message, ", and 2 that could not be judged for it") {
		t.Error(r.Waivers[0].Message)
	}
	for _, rule := range r.Rules[1:3] {
		if a := rule.Checks[0].Waived; a == nil || a.Cause != "feed.status" || a.Status != Blocked || a.Reason != "known" {
			t.Errorf("%s: %+v", rule.ID, a)
		}
	}
	if again := DraftWaivers(r, r.StartedAt); len(again) != 1 {
		t.Errorf("drafted again: %+v", again)
	}
	drafted.Apply(r, catalogue, r.StartedAt.AddDate(0, 0, 31))
	if r.Verdict != NonConformant || r.Summary.Rules[Blocked] != 2 {
		t.Errorf("after its last day: %s, %v", r.Verdict, r.Summary.Rules)
	}
}

// What is blocked for another reason than a failure that is waived has a waiver of its own.
func TestBlockedWithoutACauseIsDrafted(t *testing.T) {
	r := halfWaivable()
	r.Rules[0].Checks[0].Status = Skipped
	drafted := DraftWaivers(r, r.StartedAt)
	if len(drafted) != 2 || drafted[0].Status != Blocked {
		t.Errorf("%+v", drafted)
	}
}
