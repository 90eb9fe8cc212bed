package scenarios_test

import (
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"time"

	"github.com/onsi/gomega"
	"github.com/socialfeed/conform/conformance"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/scenarios"
)

// TestReferenceServerIsConformant plays every scenario against the reference
// server. SCENARIO_RULE, a pattern over rule ids, narrows it while working on scenarios.
func TestReferenceServerIsConformant(t *testing.T) {
	g := gomega.NewWithT(t)
	report := judged(t, func(served http.Handler) http.Handler { return served })
	for _, rule := range report.Rules {
		for _, check := range rule.Checks {
			g.Expect(check.Status).To(gomega.BeElementOf(result.Pass, result.Observed, result.Skipped),
				"%s at %s: %s %s", rule.ID, check.Endpoint, check.Message, check.BlockedBy)
		}
	}
	g.Expect(report.Verdict).To(gomega.Equal(result.Conformant))
	t.Log(report.Summary.Rules, report.Summary.Requests)
}

// TestWarningsStopNoStory judges a server that refuses all by one status, as many do: it
// is warned, and looked at as closely as any other.
func TestWarningsStopNoStory(t *testing.T) {
	g := gomega.NewWithT(t)
	report := judged(t, func(served http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			served.ServeHTTP(oneRefusal{w}, r)
		})
	})
	g.Expect(report.Verdict).To(gomega.Equal(result.Conformant))
	g.Expect(report.Summary.Rules[result.Warn]).NotTo(gomega.BeZero(), "rules with a warning")
	g.Expect(report.Summary.Rules[result.Fail]).To(gomega.BeZero(), "broken rules")
	g.Expect(report.Stories).NotTo(gomega.BeNil())
	g.Expect(report.Stories.Stories).NotTo(gomega.BeZero(), "drawn stories")
}

// oneRefusal answers 400 for 422.
type oneRefusal struct{ http.ResponseWriter }

func (w oneRefusal) WriteHeader(status int) {
	if status == http.StatusUnprocessableEntity {
		status = http.StatusBadRequest
	}
	w.ResponseWriter.WriteHeader(status)
}

// TestAFeedFromBeforeAnUpdateDecidesNothing judges a server that clears what an update does not
// send, whose feed still shows the event as it was before, and shows it updated later.
func TestAFeedFromBeforeAnUpdateDecidesNothing(t *testing.T) {
	const lag = 300 * time.Millisecond
	choices := refserver.Choices{Lag: lag, ClearOmittedEventFields: true}
	report := judgedWith(t, choices, func(served http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPut {
				time.Sleep(lag / 2) // which the feed then lags behind the update, and not behind the event
			}
			served.ServeHTTP(w, r)
		})
	}, "events.update.wrong-type", "events.update.others")
	for _, rule := range report.Rules {
		if rule.Status != result.Pass && rule.Status != result.Skipped {
			t.Errorf("%s is a %s: %s", rule.ID, rule.Status, rule.Checks[0].Message)
		}
	}
}

// judged judges the reference server behind a handler of the test's own, and sees that
// nothing is left behind on it.
func judged(t *testing.T, behind func(http.Handler) http.Handler) *result.Report {
	t.Helper()
	var rules []string
	if rule := os.Getenv("SCENARIO_RULE"); rule != "" {
		rules = append(rules, rule)
	}
	return judgedWith(t, refserver.Choices{}, behind, rules...)
}

// judgedWith is judged for a reference server that chooses otherwise, and for some rules alone.
func judgedWith(t *testing.T, choices refserver.Choices, behind func(http.Handler) http.Handler, ids ...string) *result.Report {
	t.Helper()
	return judgedAs(t, conformance.Config{Selection: rules.Selection{Rules: ids}}, choices, behind)
}

// judgedAs is judgedWith for a configuration but for the target.
func judgedAs(t *testing.T, config conformance.Config, choices refserver.Choices, behind func(http.Handler) http.Handler) *result.Report {
	t.Helper()
	return judgedOn(t, config, refserver.Options{Choices: choices, RateLimit: -1}, behind)
}

// judgedOn is judgedAs on a server of the given options.
func judgedOn(t *testing.T, config conformance.Config, options refserver.Options, behind func(http.Handler) http.Handler) *result.Report {
	t.Helper()
	g := gomega.NewWithT(t)
	tokens := []string{"first-application-token", "second-application-token"}
	options.AppTokens = tokens
	server, err := refserver.New(options)
	g.Expect(err).NotTo(gomega.HaveOccurred())
	ts := httptest.NewTLSServer(behind(server))
	defer ts.Close()
	config.Target = conformance.Target{
		BaseURL: ts.URL, AppToken: tokens[0], SecondAppToken: tokens[1],
		CACert: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: ts.Certificate().Raw}),
	}
	judge, err := conformance.New(config, scenarios.Register)
	g.Expect(err).NotTo(gomega.HaveOccurred())
	report, err := judge.Run(t.Context())
	g.Expect(err).NotTo(gomega.HaveOccurred())
	g.Expect(server.Stats()).To(gomega.BeZero(), "what is left behind on the server")
	return report
}
