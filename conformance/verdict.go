package conformance

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// Result is what one process judged, before it is put together with others' and
// held against the catalogue: every check with its rule.
type Result struct {
	Checks    []Judgement    `json:"checks"`
	Requests  map[string]int `json:"requests"`
	Notes     []string       `json:"notes"`
	Traits    Traits         `json:"traits"`
	EndedBy   string         `json:"ended_by,omitempty"` // why the run ended early, "" when it did not
	Exchanges []Exchange     `json:"exchanges,omitempty"`
	Scenarios int            `json:"scenarios"` // played to their end
	Drawn     int            `json:"drawn"`     // that were to be played
}

// Judgement is a check with the rule and the endpoint it belongs to.
type Judgement struct {
	Rule string   `json:"rule"`
	At   Endpoint `json:"at"`
	CheckReport
	// Of a passive rule: how many responses it was about, and how many broke it.
	Seen   int `json:"seen,omitempty"`
	Broken int `json:"broken,omitempty"`
}

// merge puts the results of several processes together.
func merge(results []Result) Result {
	all := Result{Requests: map[string]int{}}
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
		all.Exchanges = append(all.Exchanges, r.Exchanges...)
		all.Traits.merge(r.Traits)
		all.EndedBy = firstOf(all.EndedBy, r.EndedBy)
		all.Scenarios += r.Scenarios
		all.Drawn += r.Drawn
	}
	return all
}

// settle holds a result against the catalogue: every rule gets its outcome, and
// a selected one that nothing judged is an error.
func settle(c *Catalogue, sel *selected, result Result, config Config) *Report {
	report := &Report{
		Schema: ReportSchema, Tool: Tool{config.Version}, Target: TargetReport{config.Target.BaseURL},
		Seed: config.Seed, FailOn: config.FailOn, Notes: slices.Clone(result.Notes),
		Summary: Summary{Rules: counts(), Checks: counts(), Requests: result.Requests},
		Choices: []ChoiceReport{},
	}
	slices.SortStableFunc(result.Exchanges, func(a, b Exchange) int { return a.StartedAt.Compare(b.StartedAt) })
	report.Exchanges = result.Exchanges
	if result.EndedBy != "" {
		report.Notes = append(report.Notes, fmt.Sprintf("the run ended early: %s; %d of %d scenarios were played",
			result.EndedBy, result.Scenarios, result.Drawn))
	}
	byRule := map[string][]Judgement{}
	for _, j := range append(result.Checks, result.Traits.judgements(sel)...) {
		byRule[j.Rule] = append(byRule[j.Rule], j)
	}
	byEndpoint := map[Endpoint][]Status{}
	for _, rule := range c.rules {
		judgements := append(byRule[rule.ID], missing(rule, sel, byRule[rule.ID], result)...)
		if rule.Passive {
			judgements = fold(judgements)
		}
		inOrder(judgements)
		rr := RuleReport{ID: rule.ID, Level: rule.Level, Part: rule.Part(), Statement: rule.Statement,
			Source: rule.Source, Message: sel.reasons[rule.ID], Checks: []CheckReport{}}
		var statuses []Status
		for _, j := range judgements {
			rr.Checks = append(rr.Checks, j.CheckReport)
			statuses = append(statuses, j.Status)
			byEndpoint[j.At] = append(byEndpoint[j.At], j.Status)
			report.Summary.Checks[j.Status]++
			if j.Status == Observed {
				report.Choices = append(report.Choices, ChoiceReport{rule.ID, j.Endpoint, j.Message})
			}
		}
		rr.Status = worst(statuses)
		report.Summary.Rules[rr.Status]++
		report.Rules = append(report.Rules, rr)
	}
	for _, e := range Endpoints() {
		er := EndpointReport{Number: int(e), Method: e.Method(), Path: e.Path(), Status: worst(byEndpoint[e]), Checks: counts()}
		for _, s := range byEndpoint[e] {
			er.Checks[s]++
		}
		report.Endpoints = append(report.Endpoints, er)
	}
	report.Verdict = verdict(report.Rules, config.FailOn)
	return report
}

// missing makes up for what a selected rule has no check of.
func missing(rule Rule, sel *selected, judged []Judgement, result Result) []Judgement {
	if _, skipped := sel.reasons[rule.ID]; skipped {
		return nil
	}
	if rule.Passive {
		if len(judged) > 0 {
			return nil
		}
		return []Judgement{unseen(rule, result)}
	}
	var absent []Judgement
	for _, at := range rule.at() {
		if !sel.includes(rule.ID, at) || slices.ContainsFunc(judged, func(j Judgement) bool { return j.At == at }) {
			continue
		}
		absent = append(absent, Judgement{Rule: rule.ID, At: at, CheckReport: CheckReport{
			Endpoint: at.String(), Status: Error, Message: notJudged(result), Exchanges: []Exchange{},
		}})
	}
	return absent
}

func notJudged(result Result) string {
	if result.EndedBy != "" {
		return "not judged: " + result.EndedBy
	}
	return "not judged yet"
}

// unseen is the outcome of a passive rule of which no exchange showed anything.
func unseen(rule Rule, result Result) Judgement {
	j := Judgement{Rule: rule.ID, CheckReport: CheckReport{
		Status: Pass, Message: "no response of the run shows anything that the rule is about", Exchanges: []Exchange{},
	}}
	exchanged := 0
	for _, n := range result.Requests {
		exchanged += n
	}
	source := ""
	for _, passive := range passiveRules("") {
		if passive.id == rule.ID {
			source = passive.source
		}
	}
	switch {
	case result.EndedBy != "" || exchanged == 0:
		j.Status, j.Message = Error, notJudged(result)
	case source != "":
		j.Status, j.BlockedBy = Blocked, source
	}
	return j
}

// fold makes one check of those that the processes have of a passive rule at the
// same endpoint: the worst of them, told with how often it was seen.
func fold(judgements []Judgement) []Judgement {
	var folded []Judgement
	for _, j := range judgements {
		i := slices.IndexFunc(folded, func(f Judgement) bool { return f.At == j.At })
		if i < 0 {
			folded = append(folded, j)
			continue
		}
		f := folded[i]
		seen, broken := f.Seen+j.Seen, f.Broken+j.Broken
		if worst([]Status{f.Status, j.Status}) != f.Status {
			f = j
		}
		f.Seen, f.Broken = seen, broken
		folded[i] = f
	}
	for i, j := range folded {
		if j.Broken > 0 {
			often := fmt.Sprintf(" (%d of %d responses)", j.Broken, j.Seen)
			folded[i].Message, folded[i].Actual = j.Message+often, j.Actual+often
		}
	}
	return folded
}

func inOrder(judgements []Judgement) {
	slices.SortStableFunc(judgements, func(a, b Judgement) int {
		return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Scenario, b.Scenario), cmp.Compare(a.Message, b.Message))
	})
}

// verdict adds the rules up: broken ones decide, then what could not be judged.
func verdict(rules []RuleReport, failOn Level) Verdict {
	incomplete := false
	for _, rule := range rules {
		switch {
		case rule.Status == Fail, rule.Status == Warn && rule.Level == Should && failOn == Should:
			return NonConformant
		case rule.Status == Error, rule.Status == Blocked:
			incomplete = true
		}
	}
	if incomplete {
		return Incomplete
	}
	return Conformant
}

func counts() map[Status]int {
	all := map[Status]int{}
	for _, s := range Statuses() {
		all[s] = 0
	}
	return all
}

// stamp adds when the run took place.
func (r *Report) stamp(started time.Time) {
	r.StartedAt = started.UTC()
	r.DurationMS = time.Since(started).Milliseconds()
}
