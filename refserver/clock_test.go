package refserver_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/socialfeed/conform/refserver"
)

// TestLagWhileTheClockGoesBack: what was written is seen a lag later by the clock's
// own run, wherever it was set to meanwhile.
func TestLagWhileTheClockGoesBack(t *testing.T) {
	x := with(t, choices{Lag: time.Second})
	ann, bob := x.actor("ann"), x.actor("bob")
	ann.connect(bob, "follow")
	x.clock.Advance(-time.Hour)
	event := bob.post("like")
	x.clock.Advance(time.Second - time.Millisecond)
	equal(t, "feed before the lag is over", ann.list("/0.2/user/feed"))
	x.clock.Advance(time.Millisecond)
	equal(t, "feed after the lag", ann.list("/0.2/user/feed"), event)
}

// TestLimitWhileTheClockGoesBack: who has used up the quota waits a minute, not
// until the clock is where it was.
func TestLimitWhileTheClockGoesBack(t *testing.T) {
	x := limited(t, refserver.Choices{})
	versions := call{method: "GET", path: "/versions"}
	for range 3 {
		x.want(200, versions)
	}
	x.clock.Advance(-time.Hour)
	if wait := x.want(429, versions).header.Get("Retry-After"); wait != "60" {
		t.Errorf("Retry-After %q", wait)
	}
	x.clock.Advance(time.Minute)
	x.want(200, versions)
}

// TestSessionsExpire: by the clock's own run, and the oldest first where there are too many.
func TestSessionsExpire(t *testing.T) {
	x := with(t, choices{SessionLifetime: time.Hour, SessionsPerUser: 3})
	ann := x.actor("ann")
	x.clock.Advance(-24 * time.Hour)
	ann.must(200, "GET", "/0.2/user", nil)
	x.clock.Advance(time.Hour - 1)
	ann.must(200, "GET", "/0.2/user", nil)
	x.clock.Advance(1)
	ann.must(401, "GET", "/0.2/user", nil)
	ann.must(401, "DELETE", "/0.2/user/logout", nil)

	var sessions []string
	for range 4 {
		opened := ann.want(200, login(object{"user_name": "ann", "password": "pw-ann"})).object()
		sessions = append(sessions, opened["session_token"].(string))
	}
	for i, session := range sessions {
		want := 200
		if i == 0 {
			want = 401
		}
		x.want(want, call{method: "GET", path: "/0.2/user", session: session})
	}
	if counts := x.server.Stats(); counts.Sessions != 3 {
		t.Errorf("%+v", counts)
	}
}

// TestBigIDsAreOdd: every second number beyond 2^53 survives in a float64, and none of the ids does.
func TestBigIDsAreOdd(t *testing.T) {
	x := with(t, choices{UserIDs: refserver.BigIntegerIDs, EventIDs: refserver.BigIntegerIDs})
	for range 2 {
		ann := x.actor("ann")
		for _, id := range []string{ann.id, ann.post("like"), ann.post("like")} {
			var number uint64
			if _, err := fmt.Sscan(id, &number); err != nil || uint64(float64(number)) == number {
				t.Errorf("id %s survives as a float64 (%v)", id, err)
			}
		}
	}
}
