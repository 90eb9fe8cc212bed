package scenarios

import (
	"fmt"
	"strings"
	"time"

	. "github.com/socialfeed/conform/conformance"
	. "github.com/socialfeed/conform/conformance/rules"
)

func mergedFeeds(s *Suite) {
	// feed.merge: The events of all followed users are in one feed, each of them once.
	// feed.order (should): A feed is in order of time over all users in it, the newest event first.
	s.Scenario("the events of all followed users are in one feed, each once, the newest first",
		Covers("feed.merge", "feed.order"), func(t *T) {
			reader, a, b, z := t.Actor(), t.Actor(), t.Actor(), t.Actor()
			began := time.Now()
			// Events older than a follow may show in the feed later than newer ones.
			first := z.Post(nil)
			reader.Follow(a)
			merged := []string{a.Post(nil).ID()}
			t.Require("feed.follow.new-events", feedOf(t, reader), haveEvents(merged...)) // with nothing to merge
			reader.Follow(b)
			reader.Follow(z)
			alike := JSON(Fields{"verb": t.Unique(), "object": Fields{"id": t.Unique()}})
			var last Record
			for _, author := range []*Actor{a, z, b, z} {
				last = t.Send(author, CreateEvent, alike).Record()
				merged = append(merged, last.ID())
			}
			t.Judge("feed.merge", func(c *Check) {
				c.True(count(merged, last.ID()) == 1, "a separate event for each request, also for equal requests", last.ID()+" again")
				c.Eventually(feedOf(t, reader), haveEventsOnce(merged...))
				c.Eventually(feedOf(t, reader), repeatNoEvent())
			})
			t.Judge("feed.order", func(c *Check) {
				if sameField(first, last, "created_at") {
					nextSecond(t, began)
					merged = append(merged, z.Post(nil).ID())
				}
				z.Change(first, Fields{"priority": "high"}).Done() // a change does not make an event newer
				t.Require("feed.merge", feedOf(t, reader), haveEvents(merged...))
				newestFirst(t, c, t.Send(reader, Feed).Records())
			})
		})
}

// nextSecond waits until more than a second has passed since the given time: a
// target whose times are whole seconds then gives another one.
func nextSecond(t *T, since time.Time) {
	rest(t, time.Until(since.Add(1100*time.Millisecond)))
}

// rest waits, or until the run ends.
func rest(t *T, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-t.Context().Done():
	}
}

// newestFirst judges that a feed is in descending order of created_at; events of the same
// time may be in any order.
func newestFirst(t *T, c *Check, events []Record) {
	var times []string
	sorted := true
	var before time.Time
	seen := map[string]bool{}
	for i, event := range events {
		if seen[event.ID()] {
			continue // repeated: feed.merge judges that
		}
		seen[event.ID()] = true
		created, ok := event.Instant("created_at")
		if !ok {
			t.Blocked("transport.timestamps", "needs the times of creation in a feed, and event %s has %v", event.ID(), event["created_at"])
		}
		sorted = sorted && (i == 0 || !created.After(before))
		before = created
		times = append(times, fmt.Sprintf("%s (%s)", event.ID(), event.Text("created_at")))
	}
	c.True(sorted, "created_at never later than that of the event before, over all users", strings.Join(times, ", "))
}
