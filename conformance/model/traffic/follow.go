package traffic

import (
	"container/heap"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/socialfeed/conform/conformance/model/blame"
	"github.com/socialfeed/conform/conformance/rules"
)

// Presumptions say what a Follower relies on.
type Presumptions struct {
	// AllTraffic says that it sees every exchange of the service since it began: whatever it did not see
	// written was not written. Without it only that is judged which no other client can have changed.
	AllTraffic bool
	Settle     time.Duration // how long an answer may lag behind a write
	Remembered int           // how many users, events and sessions it remembers, each
}

// Follower checks what clients are shown against what clients wrote before, in a stream of
// exchanges. What it does not know is not judged: what was written before it began, what requests at the
// same time or without an answer may have done, and what it has forgotten. It sends no requests, and
// is safe for concurrent use.
type Follower struct {
	mu       sync.Mutex
	presumed Presumptions
	checker  *Checker
	written  *scenarioTraffic
	facts    *facts
	told     int // differences that were returned

	unrecorded, unjudged window
	recorded             time.Time // before which every write was recorded
}

// NewFollower returns a Follower that has observed nothing.
func NewFollower(p Presumptions) *Follower {
	f := &Follower{presumed: p, checker: NewChecker(), unrecorded: window{order: byStart}, unjudged: window{order: byEnd}}
	f.checker.kept, f.checker.broken = map[rules.Place]int{}, map[rules.Place]int{}
	f.forget(time.Time{})
	return f
}

// mostWaiting is how many exchanges may wait for one that is under way: one that takes longer makes
// everything unknown.
const mostWaiting = 4096

// See takes an exchange. Every write that began before a time has been passed to See, this one
// included. It returns the differences that this makes certain.
func (f *Follower) See(x Observation, seen time.Time) []blame.Difference {
	f.mu.Lock()
	defer f.mu.Unlock()
	x.Doubtful = x.Doubtful || x.Changes && x.Endpoint != rules.Login && (x.Unread || f.checker.readOtherwise(x))
	switch {
	case x.writes() && x.From.Before(f.recorded): // it took too long
		f.forget(x.To)
	case len(f.unjudged.all)+len(f.unrecorded.all) >= mostWaiting:
		seen = x.To
		f.release(seen)
		f.forget(seen)
	default:
		heap.Push(&f.unrecorded, x)
	}
	f.release(seen)
	return f.news()
}

// Finish judges what waits for further exchanges, of which there are none.
func (f *Follower) Finish() []blame.Difference {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.release(endOfTime())
	return f.news()
}

// news are the differences that were not returned yet.
func (f *Follower) news() []blame.Difference {
	found := slices.Clone(f.checker.found[f.told:])
	f.told = len(f.checker.found)
	return found
}

// Differences returns what was shown otherwise than it was written, each rule at each endpoint
// once.
func (f *Follower) Differences() []blame.Difference { return f.checker.Differences() }

// Counts return how often answers kept and broke rules.
func (f *Follower) Counts() (kept, broken map[rules.Place]int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return maps.Clone(f.checker.kept), maps.Clone(f.checker.broken)
}

// FollowedRules are the ids of the rules that a Follower judges.
func FollowedRules() []string {
	return []string{
		"transport.unicode-roundtrip", "sessions.login.details", "sessions.logout.destroys", "sessions.deleted-user",
		"users.create.body", "users.create.echo", "users.me.get", "users.me.update.applies", "users.me.update.keeps-identity", "users.me.delete.gone", "users.get.other", "users.id-stable",
		"search.status", "search.deleted-excluded",
		"connections.create.follow", "connections.create.friend", "connections.delete.removes", "connections.lists.follows", "connections.lists.followers", "connections.lists.friends", "connections.lists.of-user", "connections.lists.after-user-delete",
		"events.create.body", "events.create.owner", "events.create.echo", "events.create.coordinates", "events.update.status", "events.update.applies", "events.update.keeps-identity",
		"feed.follow.new-events", "feed.follow.earlier-events", "feed.friends", "feed.only-connected", "feed.event-shape", "feed.unfollow", "feed.refollow", "feed.event-delete",
		"feed.purge.followers", "feed.purge.friends",
	}
}

// release records the writes that began before a time, and judges the exchanges that ended before it: every
// write that may have come before them is recorded.
func (f *Follower) release(seen time.Time) {
	if seen.Before(f.recorded) {
		return
	}
	f.recorded = seen
	for len(f.unrecorded.all) > 0 && f.unrecorded.all[0].From.Before(seen) {
		x := heap.Pop(&f.unrecorded).(Observation)
		f.record(x)
		heap.Push(&f.unjudged, x)
	}
	for len(f.unjudged.all) > 0 && f.unjudged.all[0].To.Before(seen) {
		f.judge(heap.Pop(&f.unjudged).(Observation))
	}
}

func (f *Follower) record(x Observation) {
	x = f.facts.spelled(x)
	if x.undocumented() { // it may do anything
		f.forget(x.To)
	}
	if x.writes() && !x.From.After(f.facts.begin) {
		return // it may have come before what made everything unknown
	}
	if !f.facts.record(x) {
		f.forget(x.To)
		return
	}
	f.written.follow(x)
}

func (f *Follower) judge(x Observation) {
	x = f.facts.spelled(x)
	if x.Partial || x.Doubtful || !x.From.After(f.facts.begin) {
		return
	}
	f.checker.recordUnset(x)
	if objects, ok := x.Objects(); ok {
		f.checker.lengths.Saw(x.Endpoint, len(objects))
	}
	f.written.judge(x)
	f.facts.judge(x)
}

// forget makes everything unknown that was written before a time, and for good what was there before it.
func (f *Follower) forget(before time.Time) {
	f.facts = newFacts(f.checker, f.presumed, before)
	f.written = newScenarioTraffic(f.checker)
	f.written.facts = f.facts
	f.facts.dropped = func(r resource) { delete(f.written.resources, r) }
}

// writes reports whether the exchange may have changed something.
func (x Observation) writes() bool {
	switch {
	case x.Endpoint == rules.NoEndpoint:
		return x.undocumented()
	case x.reads():
		return false
	}
	return x.OK() || x.Doubtful || x.mayBeDone()
}

// mayBeDone reports whether a refused request may have been carried out before, by one that an intermediary sent
// again: what it was to delete is not there.
func (x Observation) mayBeDone() bool {
	return x.Status == 404 || x.Status == 409 || x.Status == 410
}

// mayOpenSession reports whether a client may have a session token by an answer that could not be read here.
func (x Observation) mayOpenSession() bool {
	return (x.Endpoint == rules.Login || x.Endpoint == rules.CreateUser) && (x.Status == 0 || x.Status/100 == 2)
}

// undocumented reports whether an exchange may have changed something in a way that the contract does
// not tell.
func (x Observation) undocumented() bool {
	return x.Endpoint == rules.NoEndpoint && x.Changes && (x.Doubtful || x.Status < 400)
}

// window are exchanges that wait, the first in an order first.
type window struct {
	all   []Observation
	order func(a, b Observation) int
}

func byStart(a, b Observation) int { return a.From.Compare(b.From) }
func byEnd(a, b Observation) int   { return a.To.Compare(b.To) }

// Len, Less, Swap, Push and Pop make it a heap.
func (w *window) Len() int           { return len(w.all) }
func (w *window) Less(i, j int) bool { return w.order(w.all[i], w.all[j]) < 0 }
func (w *window) Swap(i, j int)      { w.all[i], w.all[j] = w.all[j], w.all[i] }
func (w *window) Push(x any)         { w.all = append(w.all, x.(Observation)) }

func (w *window) Pop() any {
	last := w.all[len(w.all)-1]
	w.all[len(w.all)-1] = Observation{}
	w.all = w.all[:len(w.all)-1]
	return last
}
