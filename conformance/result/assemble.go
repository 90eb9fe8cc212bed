package result

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/socialfeed/conform/conformance/rules"
)

// Outcomes is what a run, or a shard of one, judged, before it is completed with the catalogue.
type Outcomes struct {
	Checks    []CheckResult
	Requests  map[string]int // by method
	Notes     []string
	Choices   ObservedChoices
	EndedBy   string // why the run ended early, "" when it did not
	Ended     Reason // the same for machines
	Exchanges []Exchange
	Stories   *DrawnStories
	Scenarios int // played to their end
	Picked    int // scenarios that were to be played
	Weather   Weather
	WatchedMS int64
	Jobs      int    // scenarios at the same time, where the run chose more than it began with
	Missing   string // which shards have no result here
	// Implemented says which endpoints exist, for those where the run showed it.
	Implemented map[rules.Endpoint]bool
}

// CheckResult is a check with the rule and the endpoint it belongs to.
type CheckResult struct {
	Rule string
	At   rules.Endpoint
	Check
}

// merge puts the results of several shards together.
func merge(results []Outcomes) Outcomes {
	all := Outcomes{Requests: map[string]int{}, Implemented: map[rules.Endpoint]bool{}}
	for _, r := range results {
		all.Checks = append(all.Checks, r.Checks...)
		for method, n := range r.Requests {
			all.Requests[method] += n
		}
		for _, note := range r.Notes {
			if !slices.Contains(all.Notes, note) {
				all.Notes = append(all.Notes, note)
			}
		}
		for at, there := range r.Implemented {
			all.Implemented[at] = all.Implemented[at] || there
		}
		all.Exchanges = append(all.Exchanges, r.Exchanges...)
		all.Choices.Merge(r.Choices)
		all.Weather = all.Weather.Add(r.Weather)
		all.WatchedMS = shortest(all.WatchedMS, r.WatchedMS)
		all.Jobs = max(all.Jobs, r.Jobs)
		all.EndedBy, all.Ended = cmp.Or(all.EndedBy, r.EndedBy), cmp.Or(all.Ended, r.Ended)
		all.Stories = cmp.Or(all.Stories, r.Stories)
		all.Scenarios += r.Scenarios
		all.Picked += r.Picked
	}
	return all
}

// Assemble completes a report, of which tool, target, seed and gate are set, by what a run judged:
// every rule of the catalogue gets its status, and a selected one that nothing judged is an error.
func Assemble(report *Report, c *rules.Catalogue, sel *rules.Selected, result Outcomes) {
	report.Schema, report.EndedBy, report.Notes = Schema, result.EndedBy, slices.Clone(result.Notes)
	report.Summary = Summary{Requests: result.Requests}
	slices.SortStableFunc(result.Exchanges, func(a, b Exchange) int { return a.StartedAt.Compare(b.StartedAt) })
	report.Exchanges, report.Stories, report.WatchedMS = result.Exchanges, result.Stories, result.WatchedMS
	report.Jobs = result.Jobs
	if result.Weather.Any() {
		report.Weather = &result.Weather
	}
	if result.EndedBy != "" {
		report.NoVerdict = noVerdict(cmp.Or(result.Ended, EndedEarly))
		report.Notes = append(report.Notes, endedNote(result.EndedBy, result.Scenarios, result.Picked))
	}
	byRule := map[string][]CheckResult{}
	for _, j := range append(result.Checks, result.Choices.results(sel)...) {
		byRule[j.Rule] = append(byRule[j.Rule], j)
	}
	for _, rule := range c.Rules() {
		judgements := append(byRule[rule.ID], missingChecks(rule, sel, byRule[rule.ID], result)...)
		if rule.Passive {
			judgements = mergePassive(judgements)
		}
		sortChecks(judgements)
		rr := Rule{ID: rule.ID, Level: rule.Level, Part: rule.Part(), Statement: rule.Statement,
			Source: rule.Source, Message: sel.Reason(rule.ID), Checks: []Check{}}
		for _, j := range judgements {
			rr.Checks = append(rr.Checks, j.Check)
		}
		report.Rules = append(report.Rules, rr)
	}
	report.Claims = claimsOf(sel.Claimed())
	report.leaveUnclaimed(sel, result.Implemented)
	report.placeBlame(c)
	report.nameRootCauses()
	report.Summarize()
	report.NotJudged = report.gaps(c)
	report.setImplemented(result.Implemented)
	report.quoteContract()
}

func endedNote(by string, played, picked int) string {
	return fmt.Sprintf("the run ended early: %s; %d of %d scenarios were played", by, played, picked)
}

// missingChecks returns checks for the places of a selected rule that have none.
func missingChecks(rule rules.Rule, sel *rules.Selected, judged []CheckResult, result Outcomes) []CheckResult {
	if sel.Reason(rule.ID) != "" {
		return nil
	}
	if rule.Passive {
		if len(judged) > 0 && result.Missing == "" {
			return nil
		}
		return []CheckResult{unseen(rule, sel, result)}
	}
	var absent []CheckResult
	for _, at := range rule.Places() {
		if !sel.Includes(rule.ID, at) || slices.ContainsFunc(judged, func(j CheckResult) bool { return j.At == at }) {
			continue
		}
		absent = append(absent, CheckResult{Rule: rule.ID, At: at, Check: Check{
			Endpoint: at.String(), Status: Error, Message: notJudged(result), Exchanges: []Exchange{},
		}})
	}
	return absent
}

func notJudged(result Outcomes) string {
	if why := cmp.Or(result.Missing, result.EndedBy); why != "" {
		return "not judged: " + why
	}
	return "not judged yet"
}

// unseen is the outcome of a passive rule of which no exchange showed anything.
func unseen(rule rules.Rule, sel *rules.Selected, result Outcomes) CheckResult {
	j := CheckResult{Rule: rule.ID, Check: Check{
		Status: Pass, Message: "no response of the run shows anything that the rule is about", Exchanges: []Exchange{},
	}}
	exchanged := 0
	for _, n := range result.Requests {
		exchanged += n
	}
	switch {
	case result.EndedBy != "" || result.Missing != "" || exchanged == 0:
		j.Status, j.Message = Error, notJudged(result)
	case rule.ShownBy == "": // then no response can break it
	case sel.PlaysAll() || sel.Reason(rule.ShownBy) == "" && !sel.Narrowed():
		j.Status, j.BlockedBy = Blocked, rule.ShownBy
	default:
		j.Status, j.Message = Skipped, "nothing of what was selected shows it: select "+rule.ShownBy+" as well"
	}
	return j
}

// mergePassive makes one check of those that the shards have of a passive rule at the same
// endpoint: the worst of them, with how often it was seen.
func mergePassive(judgements []CheckResult) []CheckResult {
	var folded []CheckResult
	for _, j := range judgements {
		i := slices.IndexFunc(folded, func(f CheckResult) bool { return f.At == j.At })
		if i < 0 {
			folded = append(folded, j)
			continue
		}
		f := folded[i]
		seen, broken := f.Seen+j.Seen, f.Broken+j.Broken
		if Worst([]Status{f.Status, j.Status}) != f.Status {
			f = j
		}
		f.Seen, f.Broken = seen, broken
		folded[i] = f
	}
	for i, j := range folded {
		if j.Broken > 0 {
			folded[i].Message, folded[i].Actual = j.Message+j.often(j.Rule), j.Actual+j.often(j.Rule)
		}
	}
	return folded
}

// often says how many responses broke a passive rule, or how many requests of a client.
func (c *Check) often(rule string) string {
	what := "responses"
	if part, _, _ := strings.Cut(rule, "."); part == rules.ClientPart {
		what = "requests"
	}
	return fmt.Sprintf(" (%d of %d %s)", c.Broken, c.Seen, what)
}

// sortChecks puts first what a report shows of a rule: responses that broke it at an
// endpoint say more than those of what belongs to none, such as a browser's preflight.
func sortChecks(judgements []CheckResult) {
	place := func(j CheckResult) rules.Endpoint {
		if j.At == rules.NoEndpoint && j.Broken > 0 {
			return rules.Versions + 1
		}
		return j.At
	}
	slices.SortStableFunc(judgements, func(a, b CheckResult) int {
		return cmp.Or(cmp.Compare(place(a), place(b)), cmp.Compare(a.Scenario, b.Scenario), cmp.Compare(a.Message, b.Message))
	})
}
