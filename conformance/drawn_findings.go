package conformance

import (
	"cmp"
	"context"
	"fmt"

	"github.com/socialfeed/conform/conformance/explore"
	"github.com/socialfeed/conform/conformance/internal/wire"
	"github.com/socialfeed/conform/conformance/model/blame"
	"github.com/socialfeed/conform/conformance/model/play"
	"github.com/socialfeed/conform/conformance/model/story"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// confirmDifference confirms a difference, once for each rule at each endpoint, unless the rule
// is known to be broken or is not selected.
func (d *drawing) confirmDifference(ctx context.Context, t *T, j explore.Job, difference blame.Difference) error {
	place, known := d.run.placeOf(difference)
	if !known || !d.takes(place) {
		return nil
	}
	if d.first > 0 { // what this application will still serve is for the confirmation
		d.limited.Store(true)
	}
	f, err := d.confirm(ctx, t, j, difference)
	if err != nil {
		d.judgeUnconfirmed(t, place, play.Finding{Difference: difference, Story: j.Story}, cmp.Or(context.Cause(ctx), err))
		return fmt.Errorf("confirming a difference: %w", err)
	}
	if final, known := d.run.placeOf(f.Difference); known && final.Rule != place.Rule { // the shrunk story decides
		if place = final; !d.takes(place) {
			return nil
		}
	}
	d.judgeFinding(t, place, f)
	return nil
}

// makeRoom finds out, before a plain run sends more than it has left without a wait, whether the target
// serves as much.
func (d *drawing) makeRoom(ctx context.Context, cost story.Cost) {
	if d.run.config.Deep == 0 && d.first == 0 && !cost.Within(d.room()) {
		d.unpaced.Do(func() { d.findPace(ctx) })
	}
}

// claim marks that a rule at its endpoint is being judged, and reports whether it was not before:
// one difference decides for all of the same place.
func (d *drawing) claim(place rules.Place) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.known[place] {
		return false
	}
	d.known[place] = true
	return true
}

// confirm replays the story of a difference, with new users each time.
func (d *drawing) confirm(ctx context.Context, t *T, j explore.Job, difference blame.Difference) (play.Finding, error) {
	return d.player(t).Confirm(ctx, j.Story, difference, confirmations, shortenings)
}

// judgeFinding makes a check of a difference that was confirmed or not.
func (d *drawing) judgeFinding(t *T, place rules.Place, f play.Finding) {
	c := findingCheck(t, place, &f)
	var met []rules.Endpoint
	for _, x := range c.exchanges {
		met = append(met, x.Endpoint)
	}
	if f.Late > 0 {
		d.run.RecordLag(f.Late)
	}
	if !f.Stable && (f.Repeated || f.Late > 0) {
		return // it may have been stale
	}
	switch blockers := d.blockers(met); {
	case !f.Stable && f.Seen > 0 || !f.Stable && d.probedLag == 0:
		c.end(&outcome{status: result.Unstable, expected: f.Expected, actual: fmt.Sprintf("%s, in %d of %d tries", f.Actual, f.Seen+1, confirmations+1)})
	case !f.Stable: // it lasted longer than the settle time, once
		d.run.note("on a target that lags a drawn story showed what did not show again: " + place.Rule + " at " + place.At.String() + ": " + f.Actual)
		return
	case len(blockers) > 0 && len(met) > 0:
		if d.run.overshadowed(place.Rule, blockers) {
			return
		}
		c.end(&outcome{status: result.Blocked, blockedBy: blockers[0], message: "a drawn story failed, but depends on a broken rule: " + f.Actual})
	default:
		c.end(&outcome{status: result.Fail, expected: f.Expected, actual: f.Actual})
	}
	d.record(t, c, explore.StoryText(d.origin(t), f))
}

// judgeUnconfirmed makes a check of a difference whose confirmation was cut short: the run was
// ended, or the target did not answer. Its status is error, so that a broken target does not
// pass. Its story is kept as it was drawn, for a later run.
func (d *drawing) judgeUnconfirmed(t *T, place rules.Place, f play.Finding, err error) {
	c := findingCheck(t, place, &f)
	c.end(&outcome{status: result.Error, message: fmt.Sprintf("could not judge: in a drawn story expected %s; got %s; not confirmed by a second try: %s",
		f.Expected, f.Actual, wire.Trouble(err))})
	d.record(t, c, d.origin(t))
}

// findingCheck returns a check of a finding, with its story. The finding names users as a report does.
func findingCheck(t *T, place rules.Place, f *play.Finding) *Check {
	f.Expected, f.Actual = explore.UsersFromOne(f.Expected), explore.UsersFromOne(f.Actual)
	c := drawnCheck(t, place, f.Difference)
	c.story = explore.SavedStory(place, *f)
	return c
}

// drawnCheck returns a check of the rule that a difference is blamed on, with its exchanges.
func drawnCheck(t *T, place rules.Place, difference blame.Difference) *Check {
	exchanges := exchangesOf(difference)
	c := &Check{t: t, rule: place.Rule, endpoint: place.At, status: result.Pass, exchanges: exchanges, drawn: true}
	if len(exchanges) > 0 {
		c.deciding = exchanges[len(exchanges)-1]
	}
	return c
}

// record adds the check of a drawn story to what the run has played.
func (d *drawing) record(t *T, c *Check, text string) {
	t.mu.Lock()
	transcript := t.transcript.Of(c.exchanges)
	t.mu.Unlock()
	d.run.plays.end(&T{run: d.run, scenario: &scenario{text: text}, transcript: transcript, checks: []*Check{c}}, false, d.run.failuresAmong(c))
	d.run.stopAtFailures()
}

// origin says where a story comes from.
func (d *drawing) origin(t *T) string {
	if t.scenario.kept {
		return "drawn from the corpus"
	}
	return fmt.Sprintf("drawn from seed %d", d.run.config.Seed)
}
