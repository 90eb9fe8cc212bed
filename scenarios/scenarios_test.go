package scenarios_test

import (
	"encoding/json"
	"encoding/pem"
	"net/http/httptest"
	"os"
	"testing"
	"time"

	"github.com/socialfeed/conform/conformance"
	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/scenarios"
)

func TestDev(t *testing.T) {
	server, err := refserver.New(refserver.Options{AppTokens: []string{"app-one-token", "app-two-token"}})
	if err != nil {
		t.Fatal(err)
	}
	ts := httptest.NewTLSServer(server)
	defer ts.Close()
	ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: ts.Certificate().Raw})
	config := conformance.Config{Target: conformance.Target{BaseURL: ts.URL, AppToken: "app-one-token", SecondAppToken: "app-two-token", CACert: ca}, Settle: time.Second}
	if rule := os.Getenv("DEV_RULE"); rule != "" {
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
	t.Log(report.Verdict, report.Summary, report.Notes, report.DurationMS)
	stats, _ := server.Stats()
	t.Logf("%+v", stats)
	for _, r := range report.Rules {
		if r.Status == conformance.Skipped || r.Status == conformance.Pass || len(r.Checks) > 0 && r.Checks[0].Message == "not judged yet" {
			continue
		}
		for _, c := range r.Checks {
			if c.Status == conformance.Pass || c.Status == conformance.Skipped {
				continue
			}
			t.Logf("%-8s %s @ %s [%s]: %s %s", c.Status, r.ID, c.Endpoint, c.Scenario, c.Message, c.BlockedBy)
			if os.Getenv("DEV_X") != "" {
				data, _ := json.MarshalIndent(c.Exchanges, "  ", " ")
				t.Logf("%s", data)
			}
		}
	}
}
