package conformance

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"
	"time"
)

// played is a scenario in the pool: ready is closed when all its checks have their outcomes.
type played struct {
	*scenario
	t     *T
	ready chan struct{}

	owesControl bool // and no recheck
}

// playAll plays scenarios side by side: those with rechecks first, the longest of them before the
// others, since the hold time runs meanwhile, then other long ones, which would be left over in the end, and the
// rest in the order that the seed gives.
// Scenarios that must be alone follow after the last recheck, one after the other.
func (r *run) playAll(ctx context.Context, all []*played) {
	order := slices.Clone(all)
	random := rand.New(rand.NewPCG(uint64(r.config.Seed), 0)) //nolint:gosec // an order to be repeated, no secret
	random.Shuffle(len(order), func(i, k int) { order[i], order[k] = order[k], order[i] })
	slices.SortStableFunc(order, func(a, b *played) int {
		inTurn := cmp.Compare(a.turn(), b.turn())
		if inTurn == 0 && (a.early || a.long()) {
			return cmp.Compare(len(b.coverage), len(a.coverage))
		}
		return inTurn
	})

	r.plays.begin(len(all))
	together := slices.DeleteFunc(slices.Clone(order), func(p *played) bool { return p.alone })
	byCrew(r.crew, together, func(p *played) { r.playJob(ctx, p) })
	r.finish(ctx, together, len(together) == len(order)) // before those that are alone, which may use up what a target serves
	for _, p := range order {
		if p.alone {
			r.playJob(ctx, p)
		}
	}
}

// turn orders the scenarios of a run.
func (s *scenario) turn() int {
	switch {
	case s.alone:
		return 3
	case s.early:
		return 0
	case s.long():
		return 1
	}
	return 2
}

// long reports whether a scenario judges so much that it takes many requests, one after the other.
func (s *scenario) long() bool {
	const many = 16 // rules and endpoints
	return len(s.coverage) >= many
}

// playJob plays a scenario and cleans up after it, unless a recheck is still to come.
func (r *run) playJob(ctx context.Context, p *played) {
	p.t = r.play(ctx, p.scenario)
	if p.alone {
		r.runControls(ctx, p.t)
	}
	if !p.t.owesRecheck() {
		r.cleanUpBut(ctx, p.t)
		if p.owesControl = !p.alone && p.t.owesControl(); !p.owesControl {
			close(p.ready)
		}
	}
}

// finish sends the controls that are owed, and runs the rechecks, the longest awaited
// first; it cleans up after the scenarios that owed them. If these are the last, stories are drawn meanwhile.
func (r *run) finish(ctx context.Context, all []*played, last bool) {
	progress := r.plays.progress()
	progress.WaitingToHold = true
	r.report(progress)
	for _, p := range all {
		r.runControls(ctx, p.t)
		if p.owesControl {
			close(p.ready)
		}
	}
	watched := slices.DeleteFunc(slices.Clone(all), func(p *played) bool { return !p.t.owesRecheck() })
	if last && len(watched) > 0 {
		r.drawEarly(ctx, watched)
	}
	slices.SortFunc(watched, func(a, b *played) int { return a.t.watchedSince().Compare(b.t.watchedSince()) })
	byCrew(r.crew, watched, func(p *played) {
		p.t.runRechecks(ctx)
		r.runControls(ctx, p.t)
		if r.early != nil {
			r.setAside(p.t)
		} else {
			r.cleanUpBut(ctx, p.t)
		}
		close(p.ready)
	})
}

// owesRecheck reports whether a recheck of the scenario is still to come.
func (t *T) owesRecheck() bool { return !t.watchedSince().IsZero() }

// watchedSince is when the deletion that waits longest for its recheck was seen, zero where the
// scenario has no recheck.
func (t *T) watchedSince() time.Time {
	var first time.Time
	for _, c := range t.checks {
		if c.recheck != nil && (first.IsZero() || c.recheck.since.Before(first)) {
			first = c.recheck.since
		}
	}
	return first
}
