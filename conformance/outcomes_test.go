package conformance_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/onsi/gomega"
	. "github.com/socialfeed/conform/conformance"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

func readsItself(t *T) {
	a := t.Actor()
	t.Judge("users.me.get", func(c *Check) { c.Status(t.Send(a, rules.GetMe), OneOf(200)) })
}

func TestConformantRun(t *testing.T) {
	f := newFake(t)
	report := judged(t, f.config("users.me.get", "transport.utf8"), func(s *Suite) {
		s.Scenario("a user reads itself", Covers("users.me.get"), readsItself)
	})
	if report.Verdict != result.Conformant || len(report.Rules) != rulesInAll(t) || len(report.Endpoints) != 22 || report.Seed != 1 || len(report.Notes) > 0 {
		t.Errorf("%s, %d rules, %d endpoints, seed %d, %q", report.Verdict, len(report.Rules), len(report.Endpoints), report.Seed, report.Notes)
	}
	expectRule(t, report, "users.me.get", result.Pass, "")
	expectRule(t, report, "transport.utf8", result.Pass, "")
	expectRule(t, report, "feed.order", result.Skipped, "not selected")
	if report.Summary.Rules[result.Pass] != 2 || report.Summary.Rules[result.Skipped] != rulesInAll(t)-2 || report.Summary.Requests["GET"] != f.times("GET /versions")+f.times("GET /0.2/user") {
		t.Errorf("summary %+v", report.Summary)
	}
	if f.left() != 0 {
		t.Errorf("%d users are left behind", f.left())
	}
}

func TestTheSuitesOwnFaultsAreErrors(t *testing.T) {
	f := newFake(t)
	report := judged(t, f.config("users.*", "versions.s*"), func(s *Suite) {
		s.Scenario("judges less than it names", Covers("users.me.get", "users.get.other"), readsItself)
		s.Scenario("judges more than it names", Covers("versions.status"), func(t *T) {
			t.Judge("versions.shape", func(*Check) {})
			t.Judge("versions.status", func(*Check) {})
		})
		s.Scenario("judges no rule", Covers("users.create.body"), func(t *T) {
			t.Judge("users.create.bodi", func(*Check) {})
			t.Judge("users.create.body", func(*Check) {})
		})
		s.Scenario("needs no rule", Covers("users.me.delete.status"), func(t *T) {
			t.Require("users.me.gett", func() bool { return true }, gomega.BeTrue())
			t.Judge("users.me.delete.status", func(*Check) {})
		})
		s.Scenario("is blocked by no rule", Covers("users.create.enabled"), func(t *T) {
			t.Judge("users.create.enabled", func(*Check) { t.Blocked("users.me.gett", "needs luck") })
		})
		s.Scenario("asserts in the open", Covers("users.create.echo"), func(t *T) {
			t.Send(Anonymous{}, rules.Versions).Expect().Status(http.StatusTeapot)
			t.Judge("users.create.echo", func(*Check) {})
		})
	})
	expectRule(t, report, "users.me.get", result.Pass, "")
	expectRule(t, report, "users.get.other", result.Error, "covers this rule and does not judge it")
	expectRule(t, report, "versions.status", result.Pass, "")
	expectRule(t, report, "versions.shape", result.Error, "judges a rule that it does not cover")
	expectRule(t, report, "users.create.body", result.Error, "users.create.bodi")
	expectRule(t, report, "users.me.delete.status", result.Error, "a defect of the suite: what the scenario names: there is no rule \"users.me.gett\"; did you mean users.me.get?")
	expectRule(t, report, "users.create.enabled", result.Error, "a defect of the suite: what the scenario names: there is no rule \"users.me.gett\"; did you mean users.me.get?")
	expectRule(t, report, "users.create.echo", result.Error, "an assertion outside of Judge")
	expectRule(t, report, "users.create.status", result.Error, "not judged")
	if report.Verdict != result.Incomplete {
		t.Errorf("the verdict is %s", report.Verdict)
	}
}

func TestChecksEndApart(t *testing.T) {
	f := newFake(t)
	register := func(s *Suite) {
		s.Scenario("everything at once", Covers("users.create.body", "users.create.enabled", "users.create.echo", "versions.disabled", "search.self", "search.blank-query",
			"users.get.other", "users.get.unknown", "users.me.get", "feed.status", "feed.empty"), func(t *T) {
			t.Judge("users.create.body", func(c *Check) { c.Fail("one thing", "another") })
			t.Judge("users.create.enabled", func(c *Check) { c.Warn("the best", "the second best") })
			t.Judge("users.create.echo", func(*Check) {})
			t.Judge("versions.disabled", func(c *Check) { c.True(false, "a should", "nothing of it") })
			t.Judge("search.self", func(c *Check) { c.Observe("listed among %d", 3) })
			t.Judge("search.blank-query", func(c *Check) { c.Fail("nothing in particular", "everybody") })
			t.Judge("users.get.other", func(*Check) { t.Skip("no second user") })
			t.Judge("users.get.unknown", func(*Check) { t.Blocked("users.create.status", "needs %s", "luck") })
			t.Judge("users.me.get", func(*Check) { panic("oh") })
			t.Judge("feed.status", func(c *Check) { t.Send(t.Actor(), rules.GetUser, IDText("nobody")).Record() })
			t.Judge("feed.empty", func(c *Check) { t.Send(Anonymous{}, rules.Versions).Expect().Status(http.StatusTeapot) })
		})
	}
	config := f.config("users.create.body", "users.create.e*", "versions.disabled", "search.self", "search.blank-query", "users.get.*", "users.me.get", "feed.status", "feed.empty")
	config.Selection.Skip = []string{"users.get.email-visible"}
	report := judged(t, config, register)
	for id, want := range map[string]struct {
		status result.Status
		says   string
	}{
		"users.create.body":    {result.Fail, "expected one thing; got another"},
		"users.create.enabled": {result.Warn, "expected the best; got the second best"},
		"users.create.echo":    {result.Pass, ""},
		"versions.disabled":    {result.Warn, "expected a should; got nothing of it"},
		"search.self":          {result.Observed, "listed among 3"},
		"search.blank-query":   {result.Observed, "everybody"},
		"users.get.other":      {result.Skipped, "no second user"},
		"users.get.unknown":    {result.Blocked, "needs luck"},
		"users.me.get":         {result.Error, "a defect of the suite: oh"},
		"feed.status":          {result.Blocked, "needs success from GET /0.2/users/{UserID}, which answered 404"},
		"feed.empty":           {result.Fail, "418"},
	} {
		expectRule(t, report, id, want.status, want.says)
	}
	if by := ruleOf(t, report, "feed.status").Checks[0].BlockedBy; by != "users.get.other" {
		t.Errorf("blocked by %q", by)
	}
	if c := ruleOf(t, report, "feed.status").Checks[0]; len(c.Exchanges) == 0 || c.Exchanges[len(c.Exchanges)-1].Response.Status != 404 {
		t.Errorf("the evidence does not end with the 404: %+v", c.Exchanges)
	}
	if len(report.Choices) != 2 || report.Verdict != result.NonConformant {
		t.Errorf("%s with the choices %+v", report.Verdict, report.Choices)
	}
}

func TestShouldsGateWhenAskedTo(t *testing.T) {
	f := newFake(t)
	for level, want := range map[rules.Level]result.Verdict{rules.Must: result.Conformant, rules.Should: result.NonConformant} {
		config := f.config("versions.disabled")
		config.FailOn = level
		report := judged(t, config, func(s *Suite) {
			s.Scenario("a should", Covers("versions.disabled"), func(t *T) {
				t.Judge("versions.disabled", func(c *Check) { c.Fail("a", "b") })
			})
		})
		if report.Verdict != want {
			t.Errorf("with --fail-on %s the verdict is %s", level, report.Verdict)
		}
	}
}

func TestWhatArrangingNeedsBlocks(t *testing.T) {
	f := newFake(t)
	f.instead = func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path != "/0.2/users" || r.Method != "POST" {
			return false
		}
		answer(w, 409, map[string]string{"reason": "closed"})
		return true
	}
	report := judged(t, f.config("users.me.get", "users.get.other", "versions.status"), func(s *Suite) {
		s.Scenario("needs a user first", Covers("users.me.get", "users.get.other"), func(t *T) {
			t.Judge("users.get.other", func(*Check) { t.Actor() })
			readsItself(t)
		})
		s.Scenario("needs none", Covers("versions.status"), func(t *T) {
			t.Judge("versions.status", func(c *Check) { c.Status(t.Send(Anonymous{}, rules.Versions), OneOf(200)) })
		})
	})
	expectRule(t, report, "versions.status", result.Pass, "")
	for _, id := range []string{"users.me.get", "users.get.other"} {
		check := expectRule(t, report, id, result.Blocked, "answered 409").Checks[0]
		if check.BlockedBy != "users.create.status" || len(check.Exchanges) == 0 || !strings.Contains(check.Exchanges[0].Response.Body, "closed") {
			t.Errorf("%s is blocked by %q on the evidence of %+v", id, check.BlockedBy, check.Exchanges)
		}
	}
	if report.Verdict != result.Incomplete {
		t.Errorf("the verdict is %s", report.Verdict)
	}
}

func TestAPanicCostsOneScenario(t *testing.T) {
	f := newFake(t)
	report := judged(t, f.config("users.me.get", "versions.status", "feed.status"), func(s *Suite) {
		s.Scenario("panics", Covers("versions.status", "feed.status"), func(t *T) {
			t.Judge("versions.status", func(*Check) {})
			t.Actor()
			panic("index out of range")
		})
		s.Scenario("goes on", Covers("users.me.get"), readsItself)
	})
	expectRule(t, report, "versions.status", result.Pass, "")
	expectRule(t, report, "feed.status", result.Error, "a defect of the suite: index out of range")
	expectRule(t, report, "users.me.get", result.Pass, "")
	if f.left() != 0 {
		t.Errorf("%d users are left behind", f.left())
	}
}
