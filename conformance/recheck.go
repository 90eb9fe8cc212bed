package conformance

import (
	"context"
	"slices"
	"time"

	"github.com/onsi/gomega/types"
	"github.com/socialfeed/conform/conformance/internal/wire"
	"github.com/socialfeed/conform/conformance/result"
)

// recheck is what a check reads once more when the hold time is over: what was
// gone must stay gone. Rechecks follow the last scenario, so that all wait together.
type recheck struct {
	since    time.Time
	readings []reading
}

// reading is how to read a value, and the condition that it must meet.
type reading struct {
	read      any
	condition types.GomegaMatcher
}

// runRechecks runs the rechecks of a scenario once the hold time of all is over, so that one
// look can serve several of them.
func (t *T) runRechecks(ctx context.Context) {
	t.ctx = ctx
	defer t.shrink()
	waiting := slices.DeleteFunc(slices.Clone(t.checks), func(c *Check) bool {
		return c.recheck == nil || c.status != result.Pass && c.status != result.Warn
	})
	slices.SortFunc(waiting, func(a, b *Check) int { return a.recheck.since.Compare(b.recheck.since) })
	if len(waiting) == 0 {
		return
	}
	if cause := t.run.ended(ctx); cause != nil { // a run that has ended waits for nothing
		for _, c := range waiting {
			c.end(&outcome{status: result.Error, message: unjudged(cause).message})
		}
		return
	}
	over := waiting[len(waiting)-1].recheck.since.Add(t.run.hold())
	for _, c := range waiting {
		if err := wire.Pause(ctx, time.Until(over)); err != nil { // the first alone takes long
			c.end(&outcome{status: result.Error, message: unjudged(err).message})
			continue
		}
		t.run.RecordWatch(time.Since(c.recheck.since))
		c.perform(func(c *Check) {
			for _, again := range c.recheck.readings {
				// Within the settle time an old state may show once more.
				unsettled := time.Until(c.recheck.since.Add(t.run.config.Settle))
				if m := t.eventually(max(0, unsettled), c.recheck.since.Add(t.run.hold()), again.read, again.condition); m != (Mismatch{}) {
					c.Fail(m.Expected, m.Actual+", though an earlier read was as expected")
				}
			}
		})
	}
}

// hold is how long deleted things are checked to stay deleted: on a target that lags, what it did
// shows no sooner than its lag allows.
func (r *run) hold() time.Duration {
	if r.Lagged() > 0 {
		return max(r.config.Hold, r.config.Settle)
	}
	return r.config.Hold
}
