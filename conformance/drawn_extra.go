package conformance

import (
	"context"
	"net/http"
	"slices"
	"sync/atomic"
	"time"

	"github.com/socialfeed/conform/conformance/explore"
	"github.com/socialfeed/conform/conformance/model/draw"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// What a plain run sends beyond the contract's limit.
const (
	extraMost  = 5000            // requests of a category
	secondMost = 600             // of those, in an application with a limit of its own, without confirmations
	secondRoom = 900             // with them: the scenarios have sent some, too
	extraTime  = 6 * time.Second // for a target that takes its time
)

// playExtra plays further stories where the target serves more than the contract's limit: Config.Rate says so, or
// it is on this machine and does, be it in its second application alone. It comes after the clean-up, which a
// limit would hold up.
func (d *drawing) playExtra(ctx context.Context) {
	config := d.run.config
	if config.Deep > 0 || config.Shard.Of > 1 || d.run.Lagged() > extraTime/10 || d.run.ended(ctx) != nil {
		return
	}
	d.until = time.Now().Add(extraTime)
	switch {
	case config.rateSet && config.Rate > contractRateLimit:
		d.most = min(extraMost, config.Rate-plainMost)
	case d.mayServeMore() && !d.limitsWrites(ctx):
		d.most = extraMost
		d.run.limiter.Lift()
	case d.mayServeMore() && d.run.applications() > 1:
		d.most, d.first = secondMost, 1
		d.run.limiter.Lift()
	default:
		return
	}
	d.run.discount()
	d.limited = new(atomic.Bool)
	if d.first > 0 && !d.switchToSecond(ctx) {
		return
	}
	plan := d.newPlan()
	jobs := plan.Fit(explore.Refusals(uint64(config.Seed)))
	candidates := explore.Candidates(draw.Extra(uint64(config.Seed), d.choices))
	for !d.limited.Load() && time.Now().Before(d.until) && d.run.ended(ctx) == nil {
		some, others := plan.Choose(candidates)
		if jobs = append(some, jobs...); len(jobs) == 0 {
			return
		}
		d.playAll(ctx, slices.Values(jobs))
		d.drawn.Covered = d.covered()
		plan, jobs, candidates = d.newPlan(), nil, others
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

// switchToSecond finds out the choices of the target's second application, for stories in it. It reports false
// where that application is limited together with the first.
func (d *drawing) switchToSecond(ctx context.Context) bool {
	t := newT(ctx, d.run, &scenario{text: result.StoryPrefix + "the choices of the second application"})
	defer d.cleanUpStory(ctx, t)
	first := d.choices
	choices, err := t.probeSecondChoices(&modelTarget{t: t, first: d.first, most: d.most, limited: d.limited}, d.options(nil))
	d.choices, d.secondChoices = choices, first
	return err == nil
}
