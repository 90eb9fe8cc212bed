package conformance

import (
	"context"
	"iter"
	"slices"

	"github.com/socialfeed/conform/conformance/grid"
	"github.com/socialfeed/conform/conformance/model"
	"github.com/socialfeed/conform/conformance/result"
)

// pending is a check of a drawn story that counts only if nothing else is broken that explains it.
type pending struct {
	t    *T
	c    *Check
	text string
}

// playSelected plays what may show one of the selected rules broken, in a plain run of some rules whose
// scenarios have found nothing: about what a run of everything leaves to drawn stories. What it shows is
// judged as in that run: only if the other scenarios find nothing that would break a story too.
func (d *drawing) playSelected(ctx context.Context) {
	if !d.run.nothingFound() || len(d.blockers(nil)) > 0 || !d.showsSelected() || !d.probeChoices(ctx) {
		return
	}
	const share = 3
	d.left = model.Cost{Writes: plainMost / share, Reads: plainMost / share, Deletes: plainMost / share}
	d.playAll(ctx, d.selectedJobs())
	d.drawn.Covered = len(d.coverage)
	d.run.stories = &d.drawn
	if len(d.pending) == 0 || d.run.ended(ctx) != nil {
		d.recordPending()
		return
	}
	d.makeRoom(ctx, model.Cost{Writes: plainMost, Reads: plainMost, Deletes: plainMost})
	d.run.perform(ctx, d.run.unplayed())
	if d.obstacles = d.run.obstacles(); len(d.blockers(nil)) > 0 {
		d.run.stories = &result.DrawnStories{Seed: d.run.config.Seed, NoneSince: "rules that are not selected are broken, and would break a story too"}
		return
	}
	d.recordPending()
}

// nothingFound reports whether no check failed, and none was left without an outcome.
func (r *run) nothingFound() bool {
	found := false
	r.plays.each(func(c *Check) {
		found = found || c.status != result.Pass && c.status != result.Warn && c.status != result.Observed && c.status != result.Skipped
	})
	return !found
}

// showsSelected reports whether a story, or an input with a defect, can show a selected rule broken.
func (d *drawing) showsSelected() bool {
	selected := func(id string) bool { return d.run.selected.Reason(id) == "" }
	return slices.ContainsFunc(model.Rules(), selected) || len(d.selectedCases()) > 0
}

// selectedCases are the inputs with a defect of the selected rules.
func (d *drawing) selectedCases() []grid.Case {
	return slices.DeleteFunc(grid.Draw(uint64(d.run.config.Seed)), func(c grid.Case) bool {
		return !d.run.selected.Includes(c.Rule, c.Endpoint)
	})
}

// selectedJobs yields the largest story that fits, and the inputs of the selected rules.
func (d *drawing) selectedJobs() iter.Seq[job] {
	return func(yield func(job) bool) {
		for j := range d.plainStories() {
			if !yield(j) {
				return
			}
		}
		if cases := gridWithin(d.selectedCases(), d.left, plainCases); len(cases) > 0 {
			yield(job{cases: cases})
		}
	}
}

// unplayed are the scenarios that the run has not played, and that take no option.
func (r *run) unplayed() []*scenario {
	return slices.DeleteFunc(slices.Clone(r.suite.scenarios), func(sc *scenario) bool {
		return r.plays.named(sc.text) != nil || sc.alone || !r.suite.needsNothing(sc)
	})
}

// recordPending lets the checks count that were held back.
func (d *drawing) recordPending() {
	for _, p := range d.pending {
		d.count(p)
	}
}
