package refserver_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/socialfeed/conform/refserver"
)

func limited(t *testing.T, choices refserver.Choices) *target {
	t.Helper()
	return start(t, func(o *refserver.Options) { o.RateLimit, o.Choices = 3, choices })
}

func TestRateLimitsPerCategory(t *testing.T) {
	x := limited(t, refserver.Choices{})
	ann := x.actor("ann") // the first write
	event := ann.post("like")
	ann.must(200, "PUT", "/0.2/user/events/"+event, object{"verb": "share"})
	ann.must(429, "POST", "/0.2/user/events", object{"verb": "like"}) // one category with PUT
	if a := ann.must(429, "PUT", "/0.2/user/events/"+event, object{"verb": "x"}); a.header.Get("Retry-After") != "60" {
		t.Errorf("Retry-After %q", a.header.Get("Retry-After"))
	}
	for range 3 {
		ann.must(200, "GET", "/0.2/user", nil)
		ann.must(404, "DELETE", "/0.2/user/events/1", nil)
	}
	ann.must(429, "GET", "/0.2/user/feed", nil)
	ann.must(429, "DELETE", "/0.2/user", nil)
	x.want(201, call{method: "POST", path: "/0.2/users", app: otherToken, body: object{"user_name": "other"}})
}

func TestRateLimitSlides(t *testing.T) {
	x := limited(t, refserver.Choices{})
	versions := call{method: "GET", path: "/versions"}
	x.want(200, versions)
	x.clock.Advance(40 * time.Second)
	x.want(200, versions)
	x.want(200, versions)
	x.clock.Advance(20*time.Second - 1)
	if wait := x.want(429, versions).header.Get("Retry-After"); wait != "1" {
		t.Errorf("Retry-After %q a moment before the first leaves the window", wait)
	}
	x.clock.Advance(1)
	x.want(200, versions) // the first has left; the others have not
	if wait := x.want(429, versions).header.Get("Retry-After"); wait != "40" {
		t.Errorf("Retry-After %q", wait)
	}
	x.clock.Advance(40 * time.Second)
	x.want(200, versions)
	x.want(200, versions)
	x.want(429, versions)
}

func TestRefusedRequestsDoNotCount(t *testing.T) {
	x := limited(t, refserver.Choices{})
	for range 10 {
		x.want(401, call{method: "GET", path: "/0.2/user"})
		x.want(400, call{method: "POST", path: "/0.2/users", raw: "{"})
	}
	x.want(201, call{method: "POST", path: "/0.2/users", body: object{"user_name": "ann"}})
}

func TestRateScopes(t *testing.T) {
	for scope, second := range map[refserver.RateScope][2]int{ // the status for another user, and for another application
		refserver.PerApplication: {429, 200}, refserver.PerUser: {200, 200}, refserver.PerAddress: {429, 429},
	} {
		x := limited(t, refserver.Choices{RateScope: scope})
		ann, bob := x.actor("ann"), x.actor("bob")
		x.clock.Advance(time.Minute)
		other := x.want(201, call{method: "POST", path: "/0.2/users?withLogin=true", app: otherToken, body: object{"user_name": "cid"}}).object()
		for range 3 {
			ann.must(200, "GET", "/0.2/user", nil)
		}
		ann.must(429, "GET", "/0.2/user", nil)
		bob.must(second[0], "GET", "/0.2/user", nil)
		x.want(second[1], call{method: "GET", path: "/0.2/user", app: otherToken, session: other["session_token"].(string)})
	}
}

func TestRateHeaders(t *testing.T) {
	told := func(h http.Header) [4]string {
		return [4]string{h.Get("X-RateLimit-Limit"), h.Get("X-RateLimit-Remaining"), h.Get("X-RateLimit-Reset"), h.Get("Retry-After")}
	}
	for headers, want := range map[refserver.RateHeaders][2][4]string{
		refserver.RetryAfter:    {{}, {3: "60"}},
		refserver.NoRateHeaders: {{}, {}},
		refserver.QuotaAndRetry: {{"3", "2", "60"}, {"3", "0", "60", "60"}},
	} {
		x := limited(t, refserver.Choices{RateHeaders: headers})
		versions := call{method: "GET", path: "/versions"}
		first := told(x.want(200, versions).header)
		x.want(200, versions)
		x.want(200, versions)
		last := told(x.want(429, versions).header)
		if got := [2][4]string{first, last}; got != want {
			t.Errorf("headers %q: %v, want %v", headers, got, want)
		}
	}
}

func TestNoRateLimit(t *testing.T) {
	x := start(t, func(o *refserver.Options) { o.RateLimit = -1 })
	for range 1100 {
		x.want(200, call{method: "GET", path: "/versions"})
	}
}
