package conformance

import (
	"cmp"
	"context"
	"slices"
	"time"
)

// vigil is a second look that a check still owes: what was gone must stay gone.
// Vigils are kept after the last scenario, so that all wait together.
type vigil struct {
	since time.Time
	looks []func() Problem
}

// keepVigils takes the second looks of all trials, each once its hold time is over.
func (r *run) keepVigils(ctx context.Context) {
	var waiting []*Check
	for _, t := range r.trials {
		for _, c := range t.checks {
			if c.vigil != nil && (c.status == Pass || c.status == Warn) {
				waiting = append(waiting, c)
			}
		}
	}
	slices.SortFunc(waiting, func(a, b *Check) int { return cmp.Compare(a.vigil.since.UnixNano(), b.vigil.since.UnixNano()) })
	for _, c := range waiting {
		if err := pause(ctx, time.Until(c.vigil.since.Add(r.config.Hold))); err != nil {
			c.conclude(&stop{status: Error, message: unjudged(err).message})
			continue
		}
		c.trial.ctx = ctx
		c.perform(func(c *Check) {
			for _, look := range c.vigil.looks {
				if problem := look(); problem != (Problem{}) {
					c.Fail(problem.Expected, problem.Actual+", after it had been as expected before")
				}
			}
		})
	}
}
