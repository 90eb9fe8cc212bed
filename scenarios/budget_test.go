package scenarios_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/socialfeed/conform/conformance"
	"github.com/socialfeed/conform/refserver"
)

// TestRunsStayBelowTheLimits plays runs of several seeds, whose stories differ, and sees that each sends
// fewer requests of a category than the contract's limit leaves room for.
func TestRunsStayBelowTheLimits(t *testing.T) {
	const most = 900
	for seed := range int64(6) {
		config := conformance.Config{Hold: time.Millisecond, Seed: seed + 1}
		sent := judgedAs(t, config, refserver.Choices{}, func(served http.Handler) http.Handler { return served }).Summary.Requests
		for category, n := range map[string]int{"writing": sent["POST"] + sent["PUT"], "querying": sent["GET"], "deleting": sent["DELETE"]} {
			if n >= most {
				t.Errorf("seed %d: %d requests of the category %s, want fewer than %d", seed+1, n, category, most)
			}
		}
	}
}
