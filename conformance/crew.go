package conformance

import (
	"net/http"
	"sync"
	"time"

	"github.com/socialfeed/conform/conformance/internal/wire"
	"github.com/socialfeed/conform/conformance/rules"
	"golang.org/x/sync/errgroup"
)

// MostJobs is how many scenarios a crew plays at the same time that chooses their number itself. With more of them,
// fewer find users of earlier ones to reuse, and so fewer requests are left for drawn stories.
const MostJobs = 32

// crew decides how many scenarios are played at the same time: a number that was set, or as many as the target
// answers without getting slower. It then begins with DefaultJobs, which keep a target that is near busy.
type crew struct {
	fixed bool

	mu       sync.Mutex
	change   *sync.Cond    // a job has ended, or there may be more of them
	most     int           // at present
	peak     int           // of most
	busy     int           // jobs under way
	quickest time.Duration // of the answers, 0 before the first
	recent   time.Duration // their average, the latest ones first
}

// newCrew returns a crew of so many jobs, 0 for as many as the target serves.
func newCrew(jobs int) *crew {
	c := &crew{fixed: jobs > 0, most: jobs}
	if !c.fixed {
		c.most = DefaultJobs
	}
	c.peak = c.most
	c.change = sync.NewCond(&c.mu)
	return c
}

// largest is how many jobs there may come to be.
func (c *crew) largest() int {
	if c.fixed {
		return c.most
	}
	return MostJobs
}

// size is how many jobs there may be now.
func (c *crew) size() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.most
}

// grewTo is how many jobs there may have been at the same time, 0 where there were never more than in the beginning.
func (c *crew) grewTo() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.fixed || c.peak == DefaultJobs {
		return 0
	}
	return c.peak
}

// roundTrip is the shortest time that an answer took, 0 for unknown.
func (c *crew) roundTrip() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.quickest
}

// begin waits until one more job may begin.
func (c *crew) begin() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for c.busy >= c.most {
		c.change.Wait()
	}
	c.busy++
}

// end ends a job.
func (c *crew) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.busy--
	c.change.Broadcast()
}

// observe counts an answer whose time is that of the way and of little else.
func (c *crew) observe(x *wire.Exchange) {
	hashes := x.Endpoint == rules.CreateUser || x.Endpoint == rules.Login // a password, which takes its time
	preflight := x.Method == http.MethodOptions                           // a gateway before the target may answer it
	if x.Err == nil && x.Status/100 == 2 && !hashes && !preflight && x.OnWarmConnection() {
		c.answered(x.Took)
	}
}

// near is the time of an answer below which the judge's own work takes longer than the way.
const near = 5 * time.Millisecond

// distant reports whether the way to the target takes longer than the judge's own work.
func (c *crew) distant() bool { return c.roundTrip() >= near }

// answered counts the time of an answer. A crew grows by one with each while the target answers about as fast as it
// did alone, and shrinks once it takes several times as long: more jobs would only wait for one another there.
func (c *crew) answered(took time.Duration) {
	const (
		weight         = 8    // of the average against the latest answer
		growth, shrink = 2, 4 // times the quickest answer
	)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.quickest == 0 {
		c.quickest, c.recent = took, took
	}
	c.quickest = min(c.quickest, took)
	c.recent += (took - c.recent) / weight
	switch {
	case c.fixed:
	case c.quickest >= near && c.recent <= growth*c.quickest && c.most < MostJobs:
		c.most++
		c.peak = max(c.peak, c.most)
		c.change.Broadcast()
	case c.recent > shrink*c.quickest && c.most > DefaultJobs:
		c.most--
	}
}

// byCrew calls a function for each of several things, as many at the same time as there are jobs, and waits for
// all calls.
func byCrew[T any](c *crew, all []T, do func(T)) {
	var group sync.WaitGroup
	for _, one := range all {
		c.begin()
		group.Go(func() {
			defer c.end()
			do(one)
		})
	}
	group.Wait()
}

// sideBySide calls a function for each of several things, at most so many at the same time, and
// waits for all calls.
func sideBySide[T any](most int, all []T, do func(T)) {
	var group errgroup.Group
	group.SetLimit(most)
	for _, each := range all {
		group.Go(func() error { do(each); return nil })
	}
	_ = group.Wait() // always nil
}
