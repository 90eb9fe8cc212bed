package report

import (
	"net/http"
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// TestTalesTellWhatWasSentAtTheSameTime has two writes at once, of which the second decides, or a
// read after both: who is told one after the other would look for something else.
func TestTalesTellWhatWasSentAtTheSameTime(t *testing.T) {
	step := func(method, path string, atOnce bool) result.Step {
		return result.Step{Method: method, Path: literal(path), Headers: plainFields(), AtOnce: atOnce}
	}
	change := step(http.MethodPut, rules.UpdateMe.Path(), false)
	again := step(http.MethodPut, rules.UpdateMe.Path(), true)
	for want, steps := range map[string][]result.Step{
		"nobody updates its own record; at the same time, which decides: nobody updates its own record again":        {change, again},
		"nobody updates its own record; at the same time nobody updates its own record again; decides: nobody lists": {change, again, step(http.MethodGet, rules.Versions.Path(), false)},
	} {
		check := result.Check{Drawn: true, Scenario: "drawn from seed 7: what the model says", Reproduction: &result.Reproduction{Steps: steps}}
		if got := tale(&check); !strings.Contains(got, want) {
			t.Errorf("told is %q, want %q", got, want)
		}
	}
}
