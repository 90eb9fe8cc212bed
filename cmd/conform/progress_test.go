package main

import (
	"strings"
	"testing"
	"time"

	"github.com/socialfeed/conform/conformance"
)

// TestWhatIsWaitedForLeavesTheScreen has a terminal show what a run waits for until something else is shown, and a
// log keep it.
func TestWhatIsWaitedForLeavesTheScreen(t *testing.T) {
	t.Parallel()
	for live, want := range map[bool]string{true: "judging\n\r\x1b[Kwaiting\r\x1b[Kjudged\n\r\x1b[Kwaiting\r\x1b[K", false: "judging\nwaiting\njudged\nwaiting\n"} {
		var out strings.Builder
		p := newProgress(&out, false)
		p.live = live
		p.say("judging")
		p.wait("waiting")
		p.say("judged")
		p.wait("waiting")
		p.done()
		if out.String() != want {
			t.Errorf("live %v: %q, want %q", live, out.String(), want)
		}
	}
}

// TestProgressSaysHowFarARunIs in one line, of the scenarios and then of the stories of a deep run.
func TestProgressSaysHowFarARunIs(t *testing.T) {
	t.Parallel()
	for want, now := range map[string]conformance.Progress{
		"3 of 9 scenarios, failed checks: 1; last: a user posts":           {Scenario: "a user posts", Done: 3, Of: 9, Failed: 1},
		"9 of 9 scenarios, re-checking deletions":                          {Done: 9, Of: 9, WaitingToHold: true},
		"9 of 9 scenarios, waiting: the rate limit":                        {Done: 9, Of: 9, Waiting: "the rate limit"},
		"3m20s left, 57 stories, 812 states and values covered; last: one": {Scenario: "one", Done: 9, Of: 9, Stories: 57, Covered: 812, Left: 200*time.Second + time.Millisecond},
	} {
		var out strings.Builder
		p := newProgress(&out, false)
		p.shown = time.Time{}
		p.tell(now)
		if got := strings.TrimSpace(out.String()); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
