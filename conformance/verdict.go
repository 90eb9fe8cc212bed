package conformance

import (
	"cmp"
	"fmt"
	"maps"
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
	Missing   string         `json:"-"`         // tells which shards have no result here

	// Secrets are those of the process, each with its placeholder: for the run to
	// withhold, never for a report.
	Secrets map[string]string `json:"secrets,omitempty"`
}

// Judgement is a check with the rule and the endpoint it belongs to.
type Judgement struct {
	Rule string   `json:"rule"`
	At   Endpoint `json:"at"`
	CheckReport
}

// merge puts the results of several processes together.
func merge(results []Result) Result {
	all := Result{Requests: map[string]int{}, Secrets: map[string]string{}}
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
		maps.Copy(all.Secrets, r.Secrets)
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
		Schema: ReportSchema, Tool: Tool{config.Version}, Target: TargetReport{BaseURL: config.Target.BaseURL},
		Seed: config.Seed, FailOn: config.FailOn, EndedBy: result.EndedBy, Notes: slices.Clone(result.Notes),
		Summary: Summary{Requests: result.Requests},
	}
	slices.SortStableFunc(result.Exchanges, func(a, b Exchange) int { return a.StartedAt.Compare(b.StartedAt) })
	report.Exchanges = result.Exchanges
	if result.EndedBy != "" {
		report.Notes = append(report.Notes, endedNote(result.EndedBy, result.Scenarios, result.Drawn))
	}
	byRule := map[string][]Judgement{}
	for _, j := range append(result.Checks, result.Traits.judgements(sel)...) {
		byRule[j.Rule] = append(byRule[j.Rule], j)
	}
	for _, rule := range c.rules {
		judgements := append(byRule[rule.ID], missing(rule, sel, byRule[rule.ID], result)...)
		if rule.Passive {
			judgements = fold(judgements)
		}
		inOrder(judgements)
		rr := RuleReport{ID: rule.ID, Level: rule.Level, Part: rule.Part(), Statement: rule.Statement,
			Source: rule.Source, Message: sel.reasons[rule.ID], Checks: []CheckReport{}}
		for _, j := range judgements {
			rr.Checks = append(rr.Checks, j.CheckReport)
		}
		report.Rules = append(report.Rules, rr)
	}
	report.reckon()
	return report
}

func endedNote(by string, played, drawn int) string {
	return fmt.Sprintf("the run ended early: %s; %d of %d scenarios were played", by, played, drawn)
}

// missing makes up for what a selected rule has no check of.
func missing(rule Rule, sel *selected, judged []Judgement, result Result) []Judgement {
	if _, skipped := sel.reasons[rule.ID]; skipped {
		return nil
	}
	if rule.Passive {
		if len(judged) > 0 && result.Missing == "" {
			return nil
		}
		return []Judgement{unseen(rule, sel, result)}
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
	if why := firstOf(result.Missing, result.EndedBy); why != "" {
		return "not judged: " + why
	}
	return "not judged yet"
}

// unseen is the outcome of a passive rule of which no exchange showed anything.
func unseen(rule Rule, sel *selected, result Result) Judgement {
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
	case result.EndedBy != "" || result.Missing != "" || exchanged == 0:
		j.Status, j.Message = Error, notJudged(result)
	case source == "": // then there is nothing to keep
	case len(sel.endpoints) == 0 && (sel.reasons[source] == "" || sel.onlyPassive()):
		j.Status, j.BlockedBy = Blocked, source
	default:
		j.Status, j.Message = Skipped, "nothing of what was selected shows it: select "+source+" as well"
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
			folded[i].Message, folded[i].Actual = j.Message+j.often(), j.Actual+j.often()
		}
	}
	return folded
}

// often tells how many responses broke a passive rule.
func (c *CheckReport) often() string { return fmt.Sprintf(" (%d of %d responses)", c.Broken, c.Seen) }

func inOrder(judgements []Judgement) {
	slices.SortStableFunc(judgements, func(a, b Judgement) int {
		return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Scenario, b.Scenario), cmp.Compare(a.Message, b.Message))
	})
}

// stamp adds when the run took place.
func (r *Report) stamp(started time.Time) {
	r.StartedAt = started.UTC()
	r.DurationMS = time.Since(started).Milliseconds()
}
