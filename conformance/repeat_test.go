package conformance_test

import (
	"context"
	"net/http"
	"sync/atomic"
	"testing"

	. "github.com/socialfeed/conform/conformance"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// flaky judges a fake three times that answers GET /0.2/user as told each time.
func flaky(t *testing.T, statuses ...int) *result.Report {
	t.Helper()
	f := newFake(t)
	var turn atomic.Int64
	f.instead = func(w http.ResponseWriter, r *http.Request) bool {
		status := statuses[turn.Load()]
		if r.Method+" "+r.URL.Path != "GET /0.2/user" || status == http.StatusOK {
			return false
		}
		answer(w, status, map[string]any{})
		return true
	}
	config := f.config("users.me.get", "versions.status", "search.self", "transport.utf8")
	config.KeepEvidence = true
	j := newJudge(t, config, func(s *Suite) {
		s.Scenario("a user reads itself", Covers("users.me.get"), readsItself)
		s.Scenario("the versions are listed", Covers("versions.status"), func(t *T) {
			t.Judge("versions.status", func(c *Check) { c.Status(t.Send(Anonymous{}, rules.Versions), OneOf(200)) })
		})
		s.Scenario("a choice that comes and goes", Covers("search.self"), func(t *T) {
			t.Judge("search.self", func(c *Check) { c.Observe("answer %d", statuses[turn.Load()]) })
		})
	})
	r, err := result.Repeat(t.Context(), len(statuses), func(ctx context.Context) (*result.Report, error) {
		r, err := j.Run(ctx)
		if turn.Load() < int64(len(statuses)-1) {
			turn.Add(1)
		}
		return r, err
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestRepeatsThatAgree(t *testing.T) {
	r := flaky(t, 200, 200)
	rule := expectRule(t, r, "users.me.get", result.Pass, "")
	if r.Verdict != result.Conformant || r.Repeats != 2 || len(rule.Checks) != 1 || len(rule.Checks[0].Exchanges) > 0 {
		t.Errorf("%s after %d repeats, with %+v", r.Verdict, r.Repeats, rule.Checks)
	}
	if r.Summary.Rules[result.Pass] != 3 || r.Summary.Requests["GET"] < 6 {
		t.Errorf("%+v", r.Summary)
	}
	if r := flaky(t, 404, 404); r.Verdict != result.NonConformant {
		t.Errorf("what fails twice is %s", r.Verdict)
	}
}

func TestRepeatsThatDiffer(t *testing.T) {
	r := flaky(t, 200, 404, 200)
	rule := expectRule(t, r, "users.me.get", result.Unstable, "pass in 2 of 3 repeats (first in number 1); fail in 1 of 3 repeats (first in number 2): expected 200")
	var answers []int
	for _, x := range rule.Checks[0].Exchanges {
		answers = append(answers, x.Response.Status)
	}
	if len(answers) != 2 || answers[0] != 200 || answers[1] != 404 {
		t.Errorf("the exchanges of both are not there: %v", answers)
	}
	expectRule(t, r, "search.self", result.Unstable, "observed in 2 of 3 repeats (first in number 1): answer 200; observed in 1 of 3")
	expectRule(t, r, "versions.status", result.Pass, "")
	expectRule(t, r, "transport.utf8", result.Pass, "")
	if r.Verdict != result.Incomplete || len(r.Choices) > 0 {
		t.Errorf("%s, choices %v", r.Verdict, r.Choices)
	}
}
