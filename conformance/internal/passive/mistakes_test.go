package passive

import (
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// What the judge sent in the wrong type, and the target took, comes back without
// further blame; any other value of that type does not.
func TestOwnMistakesAreNoTypesOfTheTarget(t *testing.T) {
	outcome := func(shown string) result.Status {
		monitor := NewMonitor(testMark)
		monitor.See(answered(rules.CreateEvent, 201, `{"id":1,"user_id":2,"verb":7,"object":{"id":7}}`, sending(`{"verb":7,"object":{"id":7}}`)))
		monitor.See(answered(rules.Feed, 200, "["+shown+"]"))
		for _, o := range monitor.Outcomes() {
			if o.Rule == "events.types" && o.Broken > 0 {
				return result.Fail
			}
		}
		return result.Pass
	}
	const event = `{"id":1,"user_id":2,"verb":7,"object":{"id":7}}`
	for shown, want := range map[string]result.Status{
		event: result.Pass,
		strings.Replace(event, `"verb":7`, `"verb":8`, 1):                result.Fail,
		strings.Replace(event, `"verb":7`, `"verb":"a","priority":7`, 1): result.Fail,
		strings.Replace(event, `{"id":7}`, `{"id":8}`, 1):                result.Fail,
	} {
		if got := outcome(shown); got != want {
			t.Errorf("%s: %s, want %s", shown, got, want)
		}
	}
	monitor := NewMonitor(testMark)
	monitor.See(answered(rules.CreateUser, 201, `{"id":1,"activated":"true"}`, sending(`{"activated":"true"}`)))
	for _, o := range monitor.Outcomes() {
		if o.Rule == "users.types" && o.Broken == 0 {
			t.Error("activated is a string in requests, and none in answers")
		}
	}
}
