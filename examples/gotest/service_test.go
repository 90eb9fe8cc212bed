// Package gotest shows the judge in a team's own go test: every rule of the
// contract, with a scenario of the team's own beside them.
package gotest

import (
	"encoding/pem"
	"log"
	"net/http/httptest"
	"testing"

	"github.com/onsi/gomega"
	"github.com/socialfeed/conform/conformance"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/scenarios"
)

// TestService fails for every rule that the service breaks, each under its own name.
func TestService(t *testing.T) {
	report, err := conformance.Run(t.Context(), target(t), scenarios.Register, own)
	if err != nil {
		t.Fatal(err)
	}
	for _, rule := range report.Rules {
		t.Run(rule.ID, func(t *testing.T) {
			if rule.Status == result.Skipped {
				t.Skip(rule.Message)
			}
			for _, check := range rule.Checks {
				switch check.Status {
				case result.Fail, result.Blocked, result.Error:
					t.Errorf("%s: %s", check.Endpoint, check.Message)
				}
			}
		})
	}
	if report.Verdict != result.Conformant {
		t.Errorf("the verdict is %s", report.Verdict)
	}
}

// own adds the team's scenarios. This one judges a rule of the contract where the
// others do not look: in the feed of somebody who follows a whole office.
func own(suite *conformance.Suite) {
	suite.Scenario("a feed shows what the whole office does", conformance.Covers("feed.follow.new-events"), func(t *conformance.T) {
		reader, office := t.Actor(), t.Actors(5)
		for _, colleague := range office {
			reader.Follow(colleague)
			colleague.Post(nil)
		}
		t.Judge("feed.follow.new-events", func(c *conformance.Check) {
			feed := func() []conformance.Record { return t.Send(reader, rules.Feed).Records() }
			c.Eventually(feed, gomega.HaveLen(len(office)))
		})
	})
}

// target starts the service. Here it is the reference server; yours goes in its place.
func target(t *testing.T) conformance.Config {
	service, err := refserver.New(refserver.Options{AppTokens: []string{"token"}})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewUnstartedServer(service)
	server.Config.ErrorLog = log.New(t.Output(), "", 0)
	server.StartTLS()
	t.Cleanup(server.Close)
	ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	return conformance.Config{Target: conformance.Target{BaseURL: server.URL, AppToken: "token", CACert: ca}}
}
