package result

import "testing"

func TestReplaceAddsUpAgain(t *testing.T) {
	t.Parallel()
	r := &Report{Rules: []Rule{
		{ID: "restarts.order", Level: "should", Status: Error, Checks: []Check{{Status: Error, Message: "not judged yet"}}},
		{ID: "restarts.ids", Level: "should", Status: Skipped, Checks: []Check{}},
	}}
	r.Replace([]CheckResult{{Rule: "restarts.order", Check: Check{Status: Warn}}, {Rule: "restarts.ids", Check: Check{Status: Warn}}})
	if r.Rules[0].Status != Warn || len(r.Rules[0].Checks) != 1 || r.Verdict != Conformant {
		t.Errorf("%+v, %s", r.Rules[0], r.Verdict)
	}
	if r.Rules[1].Status != Skipped {
		t.Error("a rule that was not selected is judged")
	}
}
