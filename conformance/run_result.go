package conformance

import (
	"context"
	"slices"

	"github.com/socialfeed/conform/conformance/internal/wire"
	"github.com/socialfeed/conform/conformance/result"
)

// result records every check that is selected.
func (r *run) result(ctx context.Context, drawn int) result.Outcomes {
	result := result.Outcomes{Requests: r.monitor.Requests, Traits: r.monitor.Choices, Scenarios: r.done, Drawn: drawn, Stories: r.stories,
		Weather: r.wire.Weather(), WatchedMS: r.watched.Milliseconds(), Implemented: r.implementedAt()}
	for _, note := range r.notes {
		result.Notes = append(result.Notes, r.redactor.Text(note))
	}
	if note := r.overshadowedNote(); note != "" {
		result.Notes = append(result.Notes, note)
	}
	if cause := r.ended(ctx); cause != nil {
		result.EndedBy = r.redactor.Text(wire.Trouble(cause))
	}
	left := r.left()
	if len(left) > 0 {
		result.Notes = append(result.Notes, r.redactor.Message(r.leftBehind(left)))
	}
	result.Checks = slices.Concat(r.playedJudgements(), r.passiveJudgements())
	for _, x := range r.kept {
		result.Exchanges = append(result.Exchanges, r.redactor.Exchange(x))
	}
	return result
}

// passiveJudgements are the outcomes of the passive rules that are selected.
func (r *run) passiveJudgements() []result.CheckResult {
	var all []result.CheckResult
	for _, o := range r.monitor.Outcomes() {
		if !r.selected.Includes(o.Rule, o.At) || r.missing.answers[o.At] != nil { // what is not there is told once
			continue
		}
		c := &Check{rule: o.Rule, endpoint: o.At, status: result.Pass, exchanges: o.Evidence}
		if o.Broken > 0 {
			c.deciding = o.Evidence[len(o.Evidence)-1]
			c.conclude(r.level(o.Rule), &outcome{status: result.Fail, expected: o.Expected, actual: o.Problem})
		}
		if o.Status == result.Warn {
			c.status = result.Warn
		}
		var story wire.Story
		for _, t := range r.played {
			if t.scenario.text == o.Scenario {
				story = t.story
			}
		}
		j := r.judgement(c, o.Scenario, story)
		j.Seen, j.Broken = o.Seen, o.Broken
		all = append(all, j)
	}
	return all
}

// judgement is a check as a report shows it: with its evidence unless it passed.
func (r *run) judgement(c *Check, scenario string, story wire.Story) result.CheckResult {
	j := result.CheckResult{Rule: c.rule, At: c.endpoint, Check: result.Check{
		Endpoint: c.endpoint.String(), Scenario: scenario, Drawn: c.drawn, Story: c.story, Status: c.status,
		Message: r.redactor.Message(c.message), Expected: r.redactor.Message(c.expected), Actual: r.redactor.Message(c.actual),
		BlockedBy: c.blockedBy, BlockedAt: c.blockedAt.String(), Exchanges: []result.Exchange{},
	}}
	if !r.config.KeepEvidence && (c.status == result.Pass || c.status == result.Observed || c.status == result.Skipped) {
		return j
	}
	for i, x := range c.evidence() {
		j.Exchanges = append(j.Exchanges, r.redactor.Exchange(x))
		if x == c.deciding {
			j.Deciding = &i
		}
	}
	if c.deciding != nil && (c.status == result.Fail || c.status == result.Warn || c.status == result.Error) {
		j.Reproduction = r.redactor.Reproduction(story, c.deciding, r.base.String(), c.expected)
	}
	return j
}

// evidence is what a report shows of the check's exchanges: the latest ones, among
// them the one that decided.
func (c *Check) evidence() []*wire.Exchange {
	const most = 8
	from := max(0, len(c.exchanges)-most)
	if slices.Contains(c.exchanges[:from], c.deciding) {
		return append([]*wire.Exchange{c.deciding}, c.exchanges[from+1:]...)
	}
	if c.deciding != nil && !slices.Contains(c.exchanges, c.deciding) { // it was made before the check began
		return append([]*wire.Exchange{c.deciding}, c.exchanges[max(0, len(c.exchanges)-most+1):]...)
	}
	return c.exchanges[from:]
}
