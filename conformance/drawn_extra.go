package conformance

import (
	"context"
	"net/http"
	"slices"
	"sync/atomic"
	"time"

	"github.com/socialfeed/conform/conformance/model"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// What a plain run sends beyond the contract's limit.
const (
	extraMost = 1500            // requests of a category
	extraTime = 6 * time.Second // for a target that takes its time
)

// playExtra plays further stories where the target serves more than the contract's limit: Config.Rate says so, or
// it is on this machine and does. It comes after the clean-up, which a limit would hold up.
func (d *drawing) playExtra(ctx context.Context) {
	config := d.run.config
	if config.Deep > 0 || config.Shard.Of > 1 || d.run.lagged() > 0 || d.run.ended(ctx) != nil {
		return
	}
	d.until = time.Now().Add(extraTime)
	switch {
	case config.rateSet && config.Rate > contractRateLimit:
		d.most = min(extraMost, config.Rate-plainMost)
	case d.mayServeMore() && !d.limitsWrites(ctx):
		d.most = extraMost
		d.run.limiter.Lift()
	default:
		return
	}
	d.run.discount()
	d.limited = new(atomic.Bool)
	candidates := candidatesOf(model.ExtraStories(uint64(config.Seed), d.choices))
	for !d.limited.Load() && time.Now().Before(d.until) && d.run.ended(ctx) == nil {
		some, others := d.newPlan().choose(candidates)
		if candidates = others; len(some) == 0 {
			return
		}
		d.playAll(ctx, slices.Values(some))
		d.drawn.Covered = d.covered()
	}
}

// limitsWrites reports whether the target refuses writes beyond the contract's limit, as far as that can be
// found out in time, by updates that change nothing.
func (d *drawing) limitsWrites(ctx context.Context) (limits bool) {
	limit := d.run.config.RateLimitOf
	atLeast := limit / 2 // of what was sent before, a target may not count what it refused
	if time.Duration(atLeast)*d.run.crew.roundTrip() > time.Until(d.until) {
		return true
	}
	t := newT(ctx, d.run, &scenario{text: result.StoryPrefix + "whether the target limits requests"})
	defer d.cleanUpStory(ctx, t)
	limits = true
	outcomeOf(func() {
		user := t.Actor()
		update := JSON(Fields{"user_name": user.UserName, "email": user.Email})
		t.Unpaced(func() {
			for n := 0; n < atLeast || d.run.sent().Writes < limit+limit/20; n++ {
				if answer := t.Send(user, rules.UpdateMe, update); answer.Status() == http.StatusTooManyRequests || time.Now().After(d.until) {
					return
				}
			}
			limits = false
		})
	})
	return limits
}
