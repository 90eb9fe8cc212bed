package result

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
)

// Repeat runs so many times, stopping at an error and at the end of the context, and makes one
// report of what came out: a check that comes out differently between the repeats is unstable,
// and has what each of them says. One that a repeat could not judge is an error.
func Repeat(ctx context.Context, times int, run func(context.Context) (*Report, error)) (*Report, error) {
	var reports []*Report
	for range max(times, 1) {
		report, err := run(ctx)
		reports = append(reports, report)
		if err != nil || ctx.Err() != nil {
			return repeated(reports), err
		}
	}
	return repeated(reports), nil
}

// occurrence is a check of one of the repeats.
type occurrence struct {
	repeat int // from 1
	check  Check
}

// repeated folds the reports of a run's repeats into the first.
func repeated(reports []*Report) *Report {
	first := reports[0]
	if len(reports) == 1 || slices.Contains(reports, nil) {
		return reports[len(reports)-1]
	}
	first.Repeats = len(reports)
	for i := range first.Rules {
		rule := &first.Rules[i]
		var alike [][]occurrence
		index := map[string]int{}
		for n, r := range reports {
			rule.Message = cmp.Or(rule.Message, r.Rules[i].Message)
			met := map[string]int{}
			for _, c := range r.Rules[i].Checks {
				key := fmt.Sprintf("%s %s", c.Endpoint, scenarioKey(c))
				met[key]++
				key = fmt.Sprintf("%s %d", key, met[key])
				at, known := index[key]
				if !known {
					at = len(alike)
					index[key] = at
					alike = append(alike, nil)
				}
				alike[at] = append(alike[at], occurrence{n + 1, c})
			}
		}
		rule.Checks = []Check{}
		for _, occasions := range alike {
			rule.Checks = append(rule.Checks, steady(occasions, len(reports)))
		}
	}
	for _, r := range reports[1:] {
		first.absorb(r)
	}
	first.Summarize()
	return first
}

// scenarioKey distinguishes the checks of a rule at an endpoint. A passive rule has one check
// there, with the scenario that broke it.
func scenarioKey(c Check) string {
	if c.Seen > 0 {
		return ""
	}
	return c.Scenario
}

// steady is the check that the occasions agree on, or an unstable one.
func steady(occasions []occurrence, of int) Check {
	out := occasions[0].check
	var outcomes []occurrence // the first of each
	times := map[string]int{}
	for _, o := range occasions {
		out.Seen, out.Broken = max(out.Seen, o.check.Seen), max(out.Broken, o.check.Broken)
		if times[o.outcome()]++; times[o.outcome()] == 1 {
			outcomes = append(outcomes, o)
		}
	}
	if len(outcomes) == 1 {
		if out.Status == Pass || out.Status == Observed || out.Status == Skipped {
			out.Exchanges, out.Deciding = []Exchange{}, nil
		}
		return out
	}
	if i := slices.IndexFunc(outcomes, func(o occurrence) bool { return o.check.Status == Error }); i >= 0 {
		out = outcomes[i].check
		out.Message = fmt.Sprintf("in number %d of %d repeats: %s", outcomes[i].repeat, of, out.Message)
		return out
	}
	out.Status, out.Expected, out.Actual, out.BlockedBy, out.Exchanges, out.Deciding = Unstable, "", "", "", []Exchange{}, nil
	var told []string
	for _, o := range outcomes {
		told = append(told, strings.TrimSuffix(fmt.Sprintf("%s in %d of %d repeats (first in number %d): %s",
			o.check.Status, times[o.outcome()], of, o.repeat, o.check.Message), ": "))
		out.Scenario = cmp.Or(out.Scenario, o.check.Scenario)
		out.Exchanges = append(out.Exchanges, o.check.Exchanges...)
	}
	out.Message = strings.Join(told, "; ")
	return out
}

// outcome is what has to be the same in every repeat: of a choice also the answer.
func (o occurrence) outcome() string {
	if o.check.Status == Observed {
		return string(Observed) + " " + o.check.Message
	}
	return string(o.check.Status)
}

// absorb adds what another repeat has other than its checks.
func (r *Report) absorb(other *Report) {
	r.DurationMS = other.StartedAt.Sub(r.StartedAt).Milliseconds() + other.DurationMS
	if other.Weather != nil {
		sum := other.Weather.Add(*cmp.Or(r.Weather, &Weather{}))
		r.Weather = &sum
	}
	r.WatchedMS = shortest(r.WatchedMS, other.WatchedMS)
	r.Jobs = max(r.Jobs, other.Jobs)
	for method, n := range other.Summary.Requests {
		r.Summary.Requests[method] += n
	}
	for _, note := range other.Notes {
		if !slices.Contains(r.Notes, note) {
			r.Notes = append(r.Notes, note)
		}
	}
	if r.EndedBy == "" {
		r.EndedBy, r.NoVerdict = other.EndedBy, other.NoVerdict
	}
	r.Exchanges = append(r.Exchanges, other.Exchanges...)
	if r.Shard != nil && other.Shard != nil {
		r.Shard.Choices.Merge(other.Shard.Choices)
	}
}
