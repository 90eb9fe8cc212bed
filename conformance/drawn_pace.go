package conformance

import (
	"context"
	"net/http"
	"time"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
	"github.com/socialfeed/conform/conformance/setting"
	"github.com/socialfeed/conform/internal/loopback"
)

// mayServeMore reports whether it may be tried if the target serves more than the contract's limit: it is on this
// machine, where no one else is kept from using it, and no rate was set.
func (d *drawing) mayServeMore() bool {
	return !d.run.config.rateSet && d.run.config.Shard.Of <= 1 && loopback.IsHost(d.run.base.Hostname())
}

// findPace lifts the pace of a run, unless a rate was set, if the target is on this machine and
// serves more requests in a minute than the contract promises. It costs no wait: the scenarios
// have used up most of this minute's requests. The first 429 restores the pace.
func (d *drawing) findPace(ctx context.Context) {
	if !d.mayServeMore() {
		return
	}
	t := newT(ctx, d.run, &scenario{text: result.StoryPrefix + "whether the target limits requests"})
	defer d.cleanUpStory(ctx, t)
	session, there := d.anySession(t)
	if !there {
		return
	}
	end := time.Now().Add(time.Minute)
	if d.run.config.Deep > 0 && d.until.Before(end) {
		end = d.until
	}
	limit := d.run.config.RateLimitOf
	for range limit + limit/10 {
		req, err := t.request(ctx, http.MethodGet, d.run.url(rules.GetMe.Path()).String(), session)
		if err != nil || d.run.ended(ctx) != nil || time.Now().After(end) {
			return
		}
		x := t.send(req, nil, false)
		d.run.observe(ctx, x, true)
		if x.Err != nil || x.Status != http.StatusOK {
			return
		}
	}
	d.run.limiter.Lift()
	d.run.note(result.UnpacedNote(limit, d.run.called(setting.Rate)))
}

// anySession returns a session of a reusable user, or of a new one if that takes no wait.
func (d *drawing) anySession(t *T) (session Basic, there bool) {
	if user, there := t.reusableForStory(); there {
		return Basic{user.App, user.Session}, true
	}
	if d.room().Writes == 0 {
		return Basic{}, false
	}
	outcomeOf(func() { session, there = t.Actor().Session(), true }) // a user that is not created shows nothing
	return session, there
}
