package proof_test

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/socialfeed/conform/conformance"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/scenarios"
)

// TestApplicationsMayNumberTheSame draws stories of two applications on a server that keeps
// nothing of them together: the same ids stand for others in the one and in the other.
// The two even choose otherwise where the contract is silent.
func TestApplicationsMayNumberTheSame(t *testing.T) {
	t.Parallel()
	const deep = 10 * time.Second
	tokens := [2]string{"first-application-token", "second-application-token"}
	var servers [2]*refserver.Server
	for i, choices := range [2]refserver.Choices{{}, {UniqueUserNames: true, UniqueEmails: true, MutualFriends: true, ClearOmittedUserFields: true, SingleSession: true}} {
		var err error
		servers[i], err = refserver.New(refserver.Options{AppTokens: tokens[i : i+1], RateLimit: -1, PasswordCost: 1, Choices: choices})
		must(t, err)
	}
	ts := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if app, _, _ := r.BasicAuth(); app == tokens[1] {
			servers[1].ServeHTTP(w, r)
			return
		}
		servers[0].ServeHTTP(w, r)
	}))
	defer ts.Close()
	target := conformance.Target{BaseURL: ts.URL, AppToken: tokens[0], SecondAppToken: tokens[1],
		CACert: certificateOf(ts)}
	report, err := conformance.Run(t.Context(), conformance.Config{Target: target, Settle: time.Second, Rate: 100_000, Seed: 1, Deep: deep}, scenarios.Register)
	must(t, err)
	if report.Verdict != result.Conformant {
		for _, rule := range report.Rules {
			for _, check := range rule.Checks {
				if check.Status == result.Fail || check.Status == result.Warn || check.Status == result.Error {
					t.Errorf("%s at %s is %s: %s (%s)", rule.ID, check.Endpoint, check.Status, check.Message, check.Scenario)
				}
			}
		}
	}
	for i, server := range servers {
		if stats := server.Stats(); stats.Users > 0 {
			t.Errorf("application %d: %d users are left", i, stats.Users)
		}
	}
}
