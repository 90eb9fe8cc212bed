package proof_test

import (
	"fmt"
	"testing"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/like"
	"golang.org/x/sync/errgroup"
)

// TestNoDialectIsBlamed judges the reference server in each of its dialects:
// every one follows the contract, so nothing may fail, warn or stay blocked, and
// the report must tell each choice as it was set.
func TestNoDialectIsBlamed(t *testing.T) {
	t.Parallel()
	var group errgroup.Group
	judges := startJudges(t, sideBySide)
	dialects, seed := refserver.Dialects(), int64(fromEnvironment(t, "PROOF_SEED", 1))
	reports := make([]*result.Report, len(dialects))
	for i, dialect := range dialects {
		group.Go(func() error {
			report, err := judges.judged(order{Dialect: dialect.Name, Seed: seed})
			if err != nil {
				return err
			}
			reports[i] = report
			for _, problem := range disagreements(dialect, report) {
				t.Errorf("dialect %s: %s", dialect.Name, problem)
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
	t.Run("and a comparison tells them apart", func(t *testing.T) { toldApart(t, dialects, reports) })
}

func disagreements(dialect refserver.Dialect, report *result.Report) []string {
	var problems []string
	if report.Verdict != result.Conformant {
		problems = append(problems, "the verdict is "+string(report.Verdict))
	}
	problems = append(problems, report.Notes...)
	for _, rule := range report.Rules {
		switch rule.Status {
		case result.Fail, result.Warn, result.Blocked, result.Error:
			problems = append(problems, fmt.Sprintf("%s is %s: %s", rule.ID, rule.Status, messages(rule)))
		}
	}
	answered := map[string]bool{}
	want := like.Answers(dialect.Choices)
	for _, choice := range report.Choices {
		answered[choice.Rule] = true
		if choice.Answer != want[choice.Rule] {
			problems = append(problems, fmt.Sprintf("%s at %s is told as %q, and was set to %q",
				choice.Rule, choice.Endpoint, choice.Answer, want[choice.Rule]))
		}
	}
	for rule := range want {
		if !answered[rule] {
			problems = append(problems, rule+" is not answered")
		}
	}
	return problems
}
