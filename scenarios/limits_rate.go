package scenarios

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	. "github.com/socialfeed/conform/conformance"
	. "github.com/socialfeed/conform/conformance/rules"
)

// rateLimits judges the rate limits in one scenario, since each category can be used up
// only once a minute. It ends with a minute's rest, so that cleaning up can delete.
func rateLimits(s *Suite) {
	// limits.rate.get: More reads in a minute than the limit allows are refused with 429.
	// limits.rate.write: More writes in a minute than the limit allows are refused with 429, POST and PUT counted together.
	// limits.rate.delete: More deletes in a minute than the limit allows are refused with 429.
	// limits.rate.separate (should): A category of requests that is used up leaves the other categories usable.
	// limits.rate.recovers (should): A minute after a category was used up the target serves it again.
	// limits.rate.scope (choice): Whether the rate limit is counted per application, user or address is left open.
	// limits.rate.headers (choice): Which headers tell the remaining quota or the time to wait is left open.
	s.ScenarioAlone("a category of requests is used up by its limit and served again a minute later, beside the others",
		Covers("limits.rate.write", "limits.rate.get", "limits.rate.scope", "limits.rate.delete", "limits.rate.separate",
			"limits.rate.recovers", "limits.rate.headers"), func(t *T) {
			user, others := t.Actor(), []*Actor{t.Actor()}
			if t.HasSecondApp() {
				others = append(others, t.ActorElsewhere())
			}
			event := user.Post(nil)
			unused := unusedEvent(t, user, event)
			r := &rates{t: t}
			create := func() *Answer { return t.Send(user, CreateEvent, JSON(Fields{"verb": t.Unique()})) }
			changes := &burst{method: http.MethodPut, send: func() *Answer { return update(t, user, event, Fields{"priority": "high"}) }}
			reads := &burst{method: http.MethodGet, send: func() *Answer { return t.Send(user, GetMe) }}
			removes := &burst{method: http.MethodDelete, send: func() *Answer { return t.Send(user, DeleteEvent, ID(unused)) }}
			t.Unpaced(func() {
				fresh := reads.serves() && removes.serves()
				t.Judge("limits.rate.write", func(c *Check) {
					r.exhaust(c, changes)
					r.countedTogether(c, create, changes.send)
				})
				t.Judge("limits.rate.get", func(c *Check) { r.exhaust(c, reads) })
				t.Judge("limits.rate.scope", func(c *Check) {
					reads.need(t, "limits.rate.get")
					r.scope(c, others, reads.send)
				})
				t.Judge("limits.rate.delete", func(c *Check) { r.exhaust(c, removes) })
				t.Judge("limits.rate.separate", func(c *Check) {
					changes.need(t, "limits.rate.write")
					reads.need(t, "limits.rate.get")
					if !fresh {
						t.Skip("the limits for reading and deleting were reached before the one for writing")
					}
					c.True(!tooMany(reads.first), "GET served after the limit for writing was reached", "429")
					c.True(!tooMany(removes.first), "DELETE served after the limits for writing and reading were reached", "429")
				})
				rest(t, patience(changes, reads, removes))
				t.Judge("limits.rate.recovers", func(c *Check) { recovery(t, c, changes, reads, removes) })
			})
			t.Judge("limits.rate.headers", r.observeHeaders)
		})
}

// recovery judges that a used-up category is served again.
func recovery(t *T, c *Check, bursts ...*burst) {
	reached := 0
	for _, b := range bursts {
		if b.refused == nil {
			continue // whether the limit is reached is judged by another rule
		}
		reached++
		c.True(!tooMany(b.send()), b.method+" served a minute after its limit was reached", "429 again")
	}
	if reached == 0 {
		t.Blocked("limits.rate.get", "needs a limit that was reached")
	}
}

// rates sends requests as fast as it can, and records the response headers about limits.
type rates struct {
	t       *T
	headers []string
}

// burst is a series of requests of a category, up to its limit.
type burst struct {
	method         string
	send           func() *Answer
	first, refused *Answer // refused is nil when the limit was not reached
}

// serves reports whether further requests succeed.
func (b *burst) serves() bool {
	const some = 5
	for range some {
		if tooMany(b.send()) {
			return false
		}
	}
	return true
}

// need blocks the check unless the limit was reached.
func (b *burst) need(t *T, rule string) {
	if b.refused == nil {
		t.Blocked(rule, "needs a limit that was reached")
	}
}

// exhaust sends requests until one gets 429. A burst may straddle two of the target's
// minutes: only more than twice the limit within one minute is certainly beyond it.
func (r *rates) exhaust(c *Check, b *burst) {
	began := time.Now()
	most := 2*r.t.RateLimit() + 10
	for range most {
		answer := b.send()
		r.recordHeaders(answer)
		if b.first == nil {
			b.first = answer
		}
		if tooMany(answer) {
			b.refused = answer
			return
		}
	}
	took := time.Since(began).Round(time.Millisecond)
	if took >= time.Minute {
		r.t.Skip("the target is too slow for its limit to be reached: %d requests took %s", most, took)
	}
	c.Fail(fmt.Sprintf("429 beyond %d %s requests a minute", r.t.RateLimit(), b.method),
		fmt.Sprintf("none in %d requests within %s", most, took))
}

// countedTogether judges that POST is refused once PUT has used up their common limit.
func (r *rates) countedTogether(c *Check, create, change func() *Answer) {
	const enough = 3 // the first may just have become possible again
	for range enough {
		if tooMany(create()) {
			return
		}
	}
	if !tooMany(change()) {
		r.t.Skip("a new minute began before POST could be tried beside PUT")
	}
	c.Fail("429 for POST, too, after PUT requests reached the limit", fmt.Sprintf("%d POST requests served while PUT gets 429", enough))
}

// scope observes who else is refused besides the user who reached the limit: another user
// of the application, a user of the second application where there is one.
func (r *rates) scope(c *Check, others []*Actor, read func() *Answer) {
	var hit []bool
	for _, other := range others {
		hit = append(hit, tooMany(r.t.Send(other, GetMe)))
	}
	if !tooMany(read()) {
		r.t.Skip("a new minute began before another user could be tried")
	}
	switch {
	case !hit[0]:
		c.Observe("per user")
	case len(hit) == 1:
		c.Observe("per application or address")
	case hit[1]:
		c.Observe("per address")
	}
	c.Observe("per application")
}

// recordHeaders records which response headers are about the limit.
func (r *rates) recordHeaders(answer *Answer) {
	for name := range answer.Headers() {
		plain := strings.ReplaceAll(strings.ToLower(name), "-", "")
		about := plain == "retryafter" || strings.Contains(plain, "ratelimit") || strings.Contains(plain, "quota")
		if about && !slices.Contains(r.headers, name) {
			r.headers = append(r.headers, name)
		}
	}
}

func (r *rates) observeHeaders(c *Check) {
	if len(r.headers) == 0 {
		c.Observe("none")
	}
	slices.Sort(r.headers)
	c.Observe("%s", strings.Join(r.headers, ", "))
}

func tooMany(answer *Answer) bool { return answer.Status() == http.StatusTooManyRequests }

// patience is a minute, or the time in Retry-After up to a bound.
func patience(bursts ...*burst) time.Duration {
	const minute, most = 61 * time.Second, 75 * time.Second
	wait := minute
	for _, b := range bursts {
		if b.refused == nil {
			continue
		}
		retryAfter := b.refused.Headers().Get("Retry-After")
		if seconds, err := strconv.Atoi(retryAfter); err == nil {
			wait = max(wait, min(time.Duration(seconds)*time.Second, most))
		} else if at, err := http.ParseTime(retryAfter); err == nil {
			wait = max(wait, min(time.Until(at), most))
		}
	}
	return wait
}
