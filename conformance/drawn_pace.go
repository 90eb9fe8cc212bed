package conformance

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
	"github.com/socialfeed/conform/internal/loopback"
)

// findPace lifts the pace of a deep run, unless a rate was set, where the target is on this
// machine and serves more requests in a minute than the contract promises. Where it does not,
// nothing is lost: the scenarios have used up most of what may be sent in this minute. One that
// takes longer to serve them shows nothing. The first 429 puts the pace back.
func (d *drawing) findPace(ctx context.Context) {
	if d.config.rateSet || d.config.Shard.Of > 1 || !loopback.IsHost(d.base.Hostname()) {
		return
	}
	t := newT(ctx, d.run, &scenario{text: result.StoryPrefix + "whether the target limits requests"})
	defer d.leave(ctx, t)
	user, there := t.goOnWith()
	if !there {
		return
	}
	end := time.Now().Add(time.Minute)
	if d.until.Before(end) {
		end = d.until
	}
	limit := d.config.RateLimitOf
	for range limit + limit/10 {
		req, err := t.request(http.MethodGet, d.url(rules.GetMe.Path()).String(), Basic{user.App, user.Session})
		if err != nil || d.ended(ctx) != nil || time.Now().After(end) {
			return
		}
		x := t.send(req, nil, false)
		d.observe(ctx, x, true)
		if x.Err != nil || x.Status != http.StatusOK {
			return
		}
	}
	d.limiter.Lift()
	d.note(fmt.Sprintf("the target is on this machine and serves more than %d requests a minute: drawn stories were not paced (--rate)", limit))
}
