package conformance

import (
	"context"
	"slices"

	"github.com/socialfeed/conform/conformance/explore"
	"github.com/socialfeed/conform/conformance/internal/wire"
	"github.com/socialfeed/conform/conformance/model/blame"
	"github.com/socialfeed/conform/conformance/model/story"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// playKept plays the stories that earlier runs have kept, before all others and to their end: what
// they take does not count as a part of what a plain run may send.
func (d *drawing) playKept(ctx context.Context) {
	if len(d.run.corpus) == 0 {
		return
	}
	d.drawn.Kept = &result.KeptStories{Of: len(d.run.corpus)}
	var jobs []explore.Job
	for _, k := range d.run.corpus {
		if j := explore.KeptJob(k); j.Story.Apps <= d.run.applications() {
			jobs = append(jobs, j)
		} else {
			d.drawn.Kept.Apart++
		}
	}
	before := d.run.sent()
	d.playAll(ctx, slices.Values(jobs))
	d.run.mu.Lock()
	defer d.run.mu.Unlock()
	d.run.uncounted = d.run.uncounted.Plus(d.run.sent().Minus(before))
}

// countKept counts a story that was kept for a rule, if it has been played to its end. Its rule could
// not be judged otherwise, unless the end of the run says so.
func (d *drawing) countKept(ctx context.Context, t *T, k *story.CorpusEntry, showed bool, err error) {
	if err == nil {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.drawn.Kept.Played++
		if showed {
			d.drawn.Kept.Showed++
		}
		return
	}
	place := rules.Place{Rule: k.Rule, At: k.Endpoint}
	if d.run.ended(ctx) != nil || d.isKnown(k.Rule) || !d.run.selected.Includes(place.Rule, place.At) {
		return
	}
	c := drawnCheck(t, place, blame.Difference{})
	c.end(&outcome{status: result.Error, message: "could not judge: a saved story for this rule was interrupted: " + wire.Trouble(err)})
	d.record(t, c, d.origin(t))
}
