package proof_test

import (
	"context"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/socialfeed/conform/conformance"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/scenarios"
)

// A deep run of a target on this machine that limits nothing is not paced, one of a target
// that keeps the contract's limits is.
func TestADeepRunFindsItsPace(t *testing.T) {
	const promised = 1000
	for name, limit := range map[string]int{"no limit": -1, "the contract's": promised} {
		t.Run(name, func(t *testing.T) {
			server, err := refserver.New(refserver.Options{AppTokens: []string{"app-token"}, RateLimit: limit, PasswordCost: 1})
			must(t, err)
			ts := httptest.NewTLSServer(server)
			defer ts.Close()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var waited atomic.Bool
			config := conformance.Config{
				Target: conformance.Target{BaseURL: ts.URL, AppToken: "app-token",
					CACert: certificateOf(ts)},
				Seed: 1, Deep: 2 * time.Second,
				Progress: func(p conformance.Progress) {
					if p.Waiting != "" { // for the rest of a minute: what is to be seen was seen
						waited.Store(true)
						cancel()
					}
				},
			}
			report, err := conformance.Run(ctx, config, scenarios.Register)
			if report == nil {
				t.Fatal(err)
			}
			told := slices.ContainsFunc(report.Notes, func(note string) bool { return strings.Contains(note, "not paced") })
			if free := limit < 0; told != free || waited.Load() == free {
				t.Errorf("not paced: %t, waited: %t", told, waited.Load())
			}
			if limit < 0 && (report.Verdict != result.Conformant || report.Summary.Requests["GET"] < 2*promised) {
				t.Errorf("%s after %v", report.Verdict, report.Summary.Requests)
			}
		})
	}
}
