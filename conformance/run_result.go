package conformance

import (
	"context"
	"slices"

	"github.com/socialfeed/conform/conformance/internal/passive"
	"github.com/socialfeed/conform/conformance/internal/wire"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// result records every check that is selected.
func (r *run) result(ctx context.Context, picked int) result.Outcomes {
	out := result.Outcomes{Requests: r.monitor.Requests(), Choices: r.monitor.Choices(), Scenarios: r.plays.progress().Done, Picked: picked, Stories: r.stories,
		Weather: r.wire.Weather(), WatchedMS: r.WatchedFor().Milliseconds(), Jobs: r.crew.grewTo(), Implemented: r.implementedAt()}
	for _, note := range r.notes {
		out.Notes = append(out.Notes, r.redactor.Text(note))
	}
	if note := r.overshadowedNote(); note != "" {
		out.Notes = append(out.Notes, note)
	}
	if note := r.several.Note(); note != "" {
		out.Notes = append(out.Notes, r.redactor.Text(note))
	}
	if note := r.signIns.Note(); note != "" {
		out.Notes = append(out.Notes, note)
	}
	if note := longListsNote(r.wire.LongLists()); note != "" {
		out.Notes = append(out.Notes, note)
	}
	if cause := r.ended(ctx); cause != nil {
		said, why := reasonOf(cause)
		out.EndedBy, out.Ended = r.redactor.Text(said), why
	}
	if undeleted := r.undeleted(); len(undeleted) > 0 {
		out.Notes = append(out.Notes, r.redactor.Message(r.undeletedNote(undeleted)))
	}
	r.settleUnanswered()
	shown := newRenderer(r)
	shown.learn()
	out.Checks = slices.Concat(shown.played(), shown.passive(func(passive.Outcome) bool { return true }))
	for _, x := range r.kept {
		out.Exchanges = append(out.Exchanges, shown.exchange(x))
	}
	r.redactor.Sweep(&out)
	return out
}

// settleUnanswered leaves without a verdict what a request without an answer blocked, where nothing else
// speaks against the rule of its endpoint: a rule that holds blocks nothing.
func (r *run) settleUnanswered() {
	doubtful := map[string]bool{}
	r.plays.each(func(c *Check) {
		fine := c.status == result.Pass || c.status == result.Skipped || c.status == result.Observed
		doubtful[c.rule] = doubtful[c.rule] || !fine
	})
	r.plays.each(func(c *Check) {
		if c.unanswered && c.status == result.Blocked && !doubtful[c.blockedBy] {
			c.status, c.message, c.blockedBy, c.blockedAt = result.Error, couldNotJudge+c.message, "", rules.NoEndpoint
		}
	})
}

// evidence returns the exchanges that a report shows of the check: the latest ones, with the
// deciding one among them.
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
