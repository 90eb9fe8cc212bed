package scenarios_test

import (
	"encoding/pem"
	"net/http/httptest"
	"os"
	"testing"

	"github.com/onsi/gomega"
	"github.com/socialfeed/conform/conformance"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/scenarios"
)

// TestReferenceServerIsConformant plays every scenario against the reference
// server. SCENARIO_RULE, a pattern over rule ids, narrows it while working on scenarios.
func TestReferenceServerIsConformant(t *testing.T) {
	g := gomega.NewWithT(t)
	tokens := []string{"first-application-token", "second-application-token"}
	server, err := refserver.New(refserver.Options{AppTokens: tokens})
	g.Expect(err).NotTo(gomega.HaveOccurred())
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
	g.Expect(err).NotTo(gomega.HaveOccurred())

	report, err := judge.Run(t.Context())

	g.Expect(err).NotTo(gomega.HaveOccurred())
	for _, rule := range report.Rules {
		for _, check := range rule.Checks {
			g.Expect(check.Status).To(gomega.BeElementOf(result.Pass, result.Observed, result.Skipped),
				"%s at %s: %s %s", rule.ID, check.Endpoint, check.Message, check.BlockedBy)
		}
	}
	g.Expect(report.Verdict).To(gomega.Equal(result.Conformant))
	g.Expect(server.Stats()).To(gomega.BeZero(), "what is left behind on the server")
	t.Log(report.Summary.Rules, report.Summary.Requests)
}
