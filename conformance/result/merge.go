package result

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/socialfeed/conform/conformance/rules"
)

// Shard says which part of a run a report is of, with what Merge needs beyond the checks.
type Shard struct {
	Index     int             `json:"index"` // from 1
	Of        int             `json:"of"`
	Selection rules.Selection `json:"selection"`
	Choices   ObservedChoices `json:"traits"`
	Scenarios int             `json:"scenarios"` // played to their end
	Picked    int             `json:"drawn"`     // scenarios that were to be played
}

func (s *Shard) String() string { return fmt.Sprintf("shard %d/%d", s.Index, s.Of) }

// LeftElsewhere is the message of checks that another shard judges.
const LeftElsewhere = "left to another shard"

// Merge makes one report of those of a run's shards: the one that a run of the whole would
// have given, but for the first contact that each made. What a missing shard would have judged
// is an error. Waivers are held against the whole, as of the day on which the run began.
func Merge(reports []*Report) (*Report, error) {
	catalogue := rules.Load()
	if err := sameRun(reports); err != nil {
		return nil, fmt.Errorf("merging the reports of shards: %w", err)
	}
	reports = slices.SortedFunc(slices.Values(reports), func(a, b *Report) int { return cmp.Compare(a.Shard.Index, b.Shard.Index) })
	first := reports[0]
	reasons := map[string]string{}
	for _, rule := range first.Rules {
		if _, known := catalogue.Rule(rule.ID); !known {
			return nil, fmt.Errorf("merging the reports of shards: there is no rule %q; use the version %s of the judge", rule.ID, first.Tool.Version)
		}
		if rule.Message != "" {
			reasons[rule.ID] = rule.Message
		}
	}
	var endpoints []rules.Endpoint
	for _, text := range first.Shard.Selection.Endpoints {
		if e, ok := rules.ParseEndpoint(text); ok {
			endpoints = append(endpoints, e)
		}
	}
	claimed, err := first.Shard.Selection.Claims.Resolve(catalogue, nil)
	if err != nil {
		return nil, fmt.Errorf("merging the reports of shards: %w", err)
	}
	var results []Outcomes
	for _, r := range reports {
		results = append(results, r.result(catalogue))
	}
	whole := merge(results)
	whole.Missing = missingShards(reports)
	merged := &Report{Tool: first.Tool.ofWhole(), Target: first.Target, Implementation: first.Implementation, Seed: first.Seed, FailOn: first.FailOn, Repeats: first.Repeats, Missing: whole.Missing}
	merged.StartedAt, merged.DurationMS = span(reports)
	Assemble(merged, catalogue, rules.Skipping(catalogue, reasons, endpoints, claimed), whole)
	var waivers Waivers
	for _, w := range first.Waivers {
		waivers = append(waivers, w.Waiver)
	}
	if len(waivers) > 0 {
		waivers.Apply(merged, catalogue, merged.StartedAt)
	}
	return merged, nil
}

// ofWhole is the judge of a shard as that of the whole run.
func (t Tool) ofWhole() Tool {
	t.Settings = maps.Clone(t.Settings)
	delete(t.Settings, "shard")
	return t
}

// mostShards bounds what a report can claim.
const mostShards = 100_000

// sameRun returns why reports are not those of the shards of one run, nil when they are.
func sameRun(reports []*Report) error {
	if len(reports) == 0 {
		return errors.New("there are none")
	}
	seen := map[int]bool{}
	for i, r := range reports {
		if r.Shard == nil || r.Shard.Index < 1 || r.Shard.Index > r.Shard.Of || r.Shard.Of > mostShards {
			return fmt.Errorf("report %d is of no shard", i+1)
		}
		if seen[r.Shard.Index] {
			return fmt.Errorf("two reports are of %s", r.Shard)
		}
		seen[r.Shard.Index] = true
		for _, both := range []struct{ what, a, b string }{
			{"number of shards", fmt.Sprint(reports[0].Shard.Of), fmt.Sprint(r.Shard.Of)},
			{"target", reports[0].Target.name(), r.Target.name()},
			{"implementation", implementationOf(reports[0]), implementationOf(r)},
			{"version of the judge", reports[0].Tool.String(), r.Tool.String()},
			{"seed", fmt.Sprint(reports[0].Seed), fmt.Sprint(r.Seed)},
			{"gate", string(reports[0].FailOn), string(r.FailOn)},
			{"number of repeats", fmt.Sprint(reports[0].Repeats), fmt.Sprint(r.Repeats)},
			{"selection", selectionOf(reports[0]), selectionOf(r)},
			{"file of waivers", waiversOf(reports[0]), waiversOf(r)},
		} {
			if both.a != both.b {
				return fmt.Errorf("%s and %s differ in the %s: %.200s and %.200s", reports[0].Shard, r.Shard, both.what, both.a, both.b)
			}
		}
	}
	return nil
}

// name identifies a target. Every shard that starts one of its own has another address.
func (t Target) name() string {
	if t.Embedded {
		return "an embedded one"
	}
	return t.BaseURL
}

func implementationOf(r *Report) string {
	if r.Implementation == nil {
		return "none"
	}
	return r.Implementation.String()
}

// selectionOf is what a report was to judge, in words that can be compared.
func selectionOf(r *Report) string {
	var reasons []string
	for _, rule := range r.Rules {
		if rule.Message != "" && rule.Message != rules.NotSelected {
			reasons = append(reasons, rule.ID+" "+rule.Message)
		}
	}
	return strings.TrimSpace(fmt.Sprintf("%+v %s", r.Shard.Selection, strings.Join(reasons, ", ")))
}

func waiversOf(r *Report) string {
	var all []string
	for _, w := range r.Waivers {
		all = append(all, fmt.Sprintf("%+v", w.Waiver))
	}
	return cmp.Or(strings.Join(all, ", "), "none")
}

// missingShards names the shards of a run that are not among the reports, "" where all are.
func missingShards(reports []*Report) string {
	var missing []string
	of := reports[0].Shard.Of
	for i := 1; i <= of; i++ {
		if !slices.ContainsFunc(reports, func(r *Report) bool { return r.Shard.Index == i }) {
			missing = append(missing, fmt.Sprintf("%d/%d", i, of))
		}
	}
	const most = 8
	switch {
	case len(missing) == 0:
		return ""
	case len(missing) == 1:
		return "shard " + missing[0] + " is missing"
	case len(missing) > most:
		return fmt.Sprintf("%d of %d shards are missing", len(missing), of)
	}
	return "shards " + strings.Join(missing, ", ") + " are missing"
}

// span is from the earliest start to the latest end, in milliseconds.
func span(reports []*Report) (time.Time, int64) {
	start, end := reports[0].StartedAt, time.Time{}
	for _, r := range reports {
		if r.StartedAt.Before(start) {
			start = r.StartedAt
		}
		if ended := r.StartedAt.Add(time.Duration(r.DurationMS) * time.Millisecond); ended.After(end) {
			end = ended
		}
	}
	return start, end.Sub(start).Milliseconds()
}

// result is what a shard's report was made of: without what was left to other
// shards, without its answers to what only the whole shows, unwaived.
func (r *Report) result(c *rules.Catalogue) Outcomes {
	s := r.Shard
	result := Outcomes{Requests: r.Summary.Requests, Choices: s.Choices, EndedBy: r.EndedBy, Exchanges: r.Exchanges,
		Scenarios: s.Scenarios, Picked: s.Picked, WatchedMS: r.WatchedMS, Jobs: r.Jobs, Implemented: r.implemented()}
	if r.EndedBy != "" && r.NoVerdict != nil {
		result.Ended = r.NoVerdict.Reason
	}
	if r.Weather != nil {
		result.Weather = *r.Weather
	}
	for _, note := range r.Notes {
		if note != endedNote(r.EndedBy, s.Scenarios, s.Picked) {
			result.Notes = append(result.Notes, note)
		}
	}
	for _, report := range r.Rules {
		rule, _ := c.Rule(report.ID)
		for _, check := range report.Checks {
			check.Status, check.Waived = check.original(), nil
			if check.Message == LeftElsewhere || rule.Passive && check.Status == Observed {
				continue
			}
			if check.Broken > 0 { // it is written again for the whole
				check.Message = strings.TrimSuffix(check.Message, check.often(report.ID))
				check.Actual = strings.TrimSuffix(check.Actual, check.often(report.ID))
			}
			at, _ := EndpointNamed(check.Endpoint) // none where it names none
			result.Checks = append(result.Checks, CheckResult{Rule: report.ID, At: at, Check: check})
		}
	}
	return result
}
