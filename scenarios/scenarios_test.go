package scenarios_test

import (
	"encoding/pem"
	"net/http/httptest"
	"os"
	"testing"

	"github.com/socialfeed/conform/conformance"
	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/scenarios"
)

// TestReferenceServerIsConformant plays every scenario against the reference
// server. SCENARIO_RULE, a pattern over rule ids, narrows it while working on scenarios.
func TestReferenceServerIsConformant(t *testing.T) {
	tokens := []string{"first-application-token", "second-application-token"}
	server, err := refserver.New(refserver.Options{AppTokens: tokens})
	if err != nil {
		t.Fatal(err)
	}
	ts := httptest.NewTLSServer(server)
	defer ts.Close()
	config := conformance.Config{Target: conformance.Target{
		BaseURL: ts.URL, AppToken: tokens[0], SecondAppToken: tokens[1],
		CACert: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: ts.Certificate().Raw}),
	}}
	if rule := os.Getenv("SCENARIO_RULE"); rule != "" {
		config.Selection.Rules = []string{rule}
	}
	judge, err := conformance.New(config, scenarios.Register)
	if err != nil {
		t.Fatal(err)
	}
	report, err := judge.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Log(report.Verdict, report.Summary.Rules, report.Summary.Requests)
	if report.Verdict != conformance.Conformant {
		t.Errorf("the verdict is %s", report.Verdict)
	}
	for _, rule := range report.Rules {
		for _, check := range rule.Checks {
			switch check.Status {
			case conformance.Pass, conformance.Observed, conformance.Skipped:
			default:
				t.Errorf("%s %s at %s: %s %s", rule.ID, check.Status, check.Endpoint, check.Message, check.BlockedBy)
			}
		}
	}
	if stats, err := server.Stats(); err != nil || stats.Users+stats.Sessions+stats.Connections+stats.Events > 0 {
		t.Errorf("left behind on the server: %+v, %v", stats, err)
	}
}
