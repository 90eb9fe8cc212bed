package model

import (
	"time"

	"github.com/socialfeed/conform/conformance/rules"
)

// stagger is the pause between requests that are sent concurrently: long enough for them to arrive in
// the same order each time that a story is played, and short enough for the target still to work on
// one when the next arrives, or as long as the story says.
func (t *run) stagger(first rules.Endpoint) time.Duration {
	const least, most, longest = 200 * time.Microsecond, time.Millisecond, 100 * time.Millisecond
	if t.story.Stagger > 0 {
		return min(max(least, time.Duration(t.story.Stagger)*t.took[first]/4), longest)
	}
	return min(max(least, t.quickest/4), most)
}

// timed records how long the target took for a request that was sent alone, the shortest time for each
// endpoint and of all.
func (t *run) timed(at rules.Endpoint, took time.Duration) {
	if t.took == nil {
		t.took = map[rules.Endpoint]time.Duration{}
	}
	if before, known := t.took[at]; !known || took < before {
		t.took[at] = took
	}
	if t.quickest == 0 || took < t.quickest {
		t.quickest = took
	}
}
