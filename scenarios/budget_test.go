package scenarios_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/socialfeed/conform/conformance"
	"github.com/socialfeed/conform/refserver"
)

// TestRunsStayBelowTheLimits plays runs of several seeds, whose stories differ, and sees that each sends
// fewer requests of a category than the contract's limit leaves room for, and that the scenarios leave
// enough for a combined story, which finds more than others for its requests.
func TestRunsStayBelowTheLimits(t *testing.T) {
	const most, drawn = 900, 330
	for seed := range int64(6) {
		config := conformance.Config{Hold: time.Millisecond, Seed: seed + 1}
		report := judgedAs(t, config, refserver.Choices{}, func(served http.Handler) http.Handler { return served })
		if report.Stories == nil || report.Stories.Requests < drawn {
			t.Errorf("seed %d: drawn stories of %+v, want at least %d requests", seed+1, report.Stories, drawn)
		}
		sent := report.Summary.Requests
		for category, n := range map[string]int{"writing": sent["POST"] + sent["PUT"], "querying": sent["GET"], "deleting": sent["DELETE"]} {
			if n >= most {
				t.Errorf("seed %d: %d requests of the category %s, want fewer than %d", seed+1, n, category, most)
			}
		}
	}
}
