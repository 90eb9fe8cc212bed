package result

import (
	"testing"
)

// TestWhatFailedFirstAndThenHeldIsUnstable has a part of a run find a rule broken that the whole finds
// kept: neither verdict is told as if the other had not been there.
func TestWhatFailedFirstAndThenHeldIsUnstable(t *testing.T) {
	of := func(status Status) *Report {
		r := &Report{Rules: []Rule{{ID: "feed.order", Level: "must",
			Checks: []Check{{Endpoint: "GET /0.2/user/feed", Status: status, Message: "expected one order; got another"}}}}}
		r.Summarize()
		return r
	}
	for name, run := range map[string]struct {
		part  *Report
		whole Status
		want  Verdict
	}{
		"broken, then kept":   {of(Fail), Pass, Incomplete},
		"broken both times":   {of(Fail), Fail, NonConformant},
		"kept both times":     {of(Pass), Pass, Conformant},
		"nothing came before": {nil, Pass, Conformant},
	} {
		whole := of(run.whole)
		if whole.DoubtWhatFailedIn(run.part); whole.Verdict != run.want {
			t.Errorf("%s: %s, want %s", name, whole.Verdict, run.want)
		}
	}
}
