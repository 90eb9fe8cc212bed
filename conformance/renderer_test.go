package conformance_test

import (
	"encoding/json"
	"strings"
	"testing"

	. "github.com/socialfeed/conform/conformance"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// A secret that stands in a variable's name tells a text that is redacted again.
func TestNothingInAReportIsRedactedTwice(t *testing.T) {
	f := newFake(t)
	f.app = "SESSION"
	config := f.config("users.me.get", "users.create.status")
	config.Target.AppToken, config.KeepExchanges, config.KeepEvidence = f.app, true, true
	report := judged(t, config, func(s *Suite) {
		s.Scenario("tells a token", Covers("users.me.get", "users.create.status"), func(t *T) {
			a := t.Actor()
			t.Judge("users.me.get", func(c *Check) {
				c.Status(t.Send(a, rules.GetMe), OneOf(200))
				c.Fail("another than "+a.Token(), "the token "+a.Token())
			})
			t.Judge("users.create.status", func(c *Check) {
				c.Status(t.Send(a, rules.GetMe), OneOf(200))
				c.Warn("one", "the token "+a.Token())
			})
		})
	})
	expectRule(t, report, "users.me.get", result.Fail, "expected another than $SESSION_TOKEN; got the token $SESSION_TOKEN")
	text, err := json.Marshal(report)
	if err != nil {
		t.Fatal(err)
	}
	if again := strings.Count(string(text), "$$"); again > 0 || !strings.Contains(string(text), "$PASSWORD") {
		t.Errorf("%d texts are redacted twice: %s", again, text)
	}
}

func TestASecretOfAScenarioIsToldByAVariable(t *testing.T) {
	report := judged(t, newFake(t).config("users.me.get"), func(s *Suite) {
		s.Scenario("tells a secret", Covers("users.me.get"), func(t *T) {
			t.Judge("users.me.get", func(c *Check) { c.Fail("no secret", t.Secret("resembles-a-token")) })
		})
	})
	expectRule(t, report, "users.me.get", result.Fail, "expected no secret; got $SECRET")
}
