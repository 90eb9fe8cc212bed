package clients

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// Results are the checks of all exchanges: one for each rule at each endpoint where it was
// exercised. run names the sequence of exchanges, "" for the only one.
func (j *Judge) Results(run string) []result.CheckResult {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.countDoubts()
	var all []result.CheckResult
	for _, rule := range j.rules {
		for _, at := range append([]rules.Endpoint{rules.NoEndpoint}, rules.Endpoints()...) {
			if t := j.tallies[rules.Place{Rule: rule.id, At: at}]; t != nil {
				all = append(all, j.check(rule, at, t, run))
			}
		}
	}
	return all
}

// countDoubts counts the doubtful violations that nothing explains.
func (j *Judge) countDoubts() {
	for _, d := range j.doubts {
		if !d.explained() {
			j.tallies[d.at].add(d.violation)
		}
	}
	j.doubts = nil
}

func (j *Judge) check(rule rule, at rules.Endpoint, t *tally, run string) result.CheckResult {
	check := result.Check{Endpoint: at.String(), Scenario: run, Expected: rule.expected, Status: result.Pass,
		Exchanges: []result.Exchange{}, Seen: t.seen, Broken: t.broken}
	known, _ := j.catalogue.Rule(rule.id)
	switch {
	case t.broken > 0:
		check.Status = result.Fail
		if known.Level != rules.Must {
			check.Status = result.Warn
		}
		first := t.violations[0]
		check.Message = fmt.Sprintf("request %d: %s", first.Number, j.Write(first.Problem))
		check.Actual = check.Message
		check.Exchanges = j.Show(first.evidence)
		deciding := len(first.evidence) - 1
		check.Deciding = &deciding
	case t.seen == 0:
		check.Status, check.Message = result.Error, notJudged+t.lack
	}
	return result.CheckResult{Rule: rule.id, At: at, Check: check}
}

// The beginnings of messages about rules that were not judged.
const (
	notExercised = "unexercised: "
	notJudged    = "unjudged: "
)

// Complete adds a skipped check for each rule without one: not exercised is not passed. why
// has reasons for some rules, by id.
func Complete(c *rules.Catalogue, checks []result.CheckResult, why map[string]string) []result.CheckResult {
	for _, rule := range c.Rules() {
		if slices.ContainsFunc(checks, func(check result.CheckResult) bool { return check.Rule == rule.ID }) {
			continue
		}
		message := notExercised + cmp.Or(why[rule.ID], "no request showed what the rule is about")
		checks = append(checks, result.CheckResult{Rule: rule.ID, Check: result.Check{
			Status: result.Skipped, Message: message, Exchanges: []result.Exchange{}}})
	}
	return checks
}
