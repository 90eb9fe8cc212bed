package scenarios_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/socialfeed/conform/conformance"
	"github.com/socialfeed/conform/refserver"
)

// TestRunsStayBelowTheLimits plays runs of several seeds, whose stories differ, and sees that each sends
// fewer requests of a category than the contract's limit leaves room for, and that the scenarios of a
// third of them leave enough for a combined story, which finds more than others for its requests.
func TestRunsStayBelowTheLimits(t *testing.T) {
	const runs, most = 6, 900
	const covers = 100 // states and values that a combined story covers at least; others come to some 80
	combined := 0
	for seed := range int64(runs) {
		config := conformance.Config{Hold: time.Millisecond, Seed: seed + 1}
		report := judgedAs(t, config, refserver.Choices{}, func(served http.Handler) http.Handler { return served })
		if report.Stories != nil && report.Stories.Covered >= covers {
			combined++
		}
		sent := report.Summary.Requests
		for category, n := range map[string]int{"writing": sent["POST"] + sent["PUT"], "querying": sent["GET"], "deleting": sent["DELETE"]} {
			if n >= most {
				t.Errorf("seed %d: %d requests of the category %s, want fewer than %d", seed+1, n, category, most)
			}
		}
	}
	if combined < runs/3 {
		t.Errorf("%d of %d runs drew stories that cover %d states and values or more", combined, runs, covers)
	}
}
