package faults

import (
	"slices"
	"sync"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// staleEvent is an event that is gone, and that a feed goes on showing.
type staleEvent struct {
	event store.Event
	shows showing
}

// showing decides at reading whether a stale event shows, given the feed without it.
type showing func(feed []store.Event) bool

// timing makes a showing from the time at which the events went.
type timing func(gone time.Time) showing

func atOnce(time.Time) showing { return func([]store.Event) bool { return true } }

func aMomentLater(gone time.Time) showing {
	return func([]store.Event) bool { return time.Since(gone) >= aMoment }
}

// withTheNextPost shows it once a later event is in the feed.
func withTheNextPost(gone time.Time) showing {
	return func(feed []store.Event) bool {
		return slices.ContainsFunc(feed, func(event store.Event) bool { return event.CreatedAt.After(gone) })
	}
}

// whereNothingElseIs shows it in a feed that would be empty.
func whereNothingElseIs(time.Time) showing {
	return func(feed []store.Event) bool { return len(feed) == 0 }
}

// everyOtherTime shows it at the first reading, the third and so on.
func everyOtherTime(time.Time) showing {
	var mu sync.Mutex
	shown := false
	return func([]store.Event) bool {
		mu.Lock()
		defer mu.Unlock()
		shown = !shown
		return shown
	}
}

// staleReads are the stale events by reader.
type staleReads struct{ kept memory[[]staleEvent] }

// keepStaleReads makes feeds show the stale events that are kept.
func keepStaleReads(s *overrides) *staleReads {
	stale := &staleReads{}
	s.addToFeeds(func(r reader, feed []store.Event) (shown []store.Event) {
		for _, each := range stale.kept.get(keyOf(r.app, r.id)) {
			if each.shows(feed) {
				shown = append(shown, each.event)
			}
		}
		return shown
	})
	return stale
}

// keep keeps events for a reader's feed.
func (stale *staleReads) keep(app store.App, reader store.ID, events []store.Event, shows showing) {
	stale.kept.update(keyOf(app, reader), func(kept []staleEvent) []staleEvent {
		kept = slices.Clip(kept)
		for _, event := range events {
			kept = append(kept, staleEvent{event, shows})
		}
		return kept
	})
}

// forget lets go of what is kept of a user's events for a reader's feed.
func (stale *staleReads) forget(app store.App, reader, owner store.ID) {
	stale.kept.update(keyOf(app, reader), func(kept []staleEvent) []staleEvent {
		return slices.DeleteFunc(slices.Clone(kept), func(each staleEvent) bool { return each.event.Owner == owner })
	})
}

// whileThere shows a stale event as long as its owner is there.
func whileThere(inner refserver.Store, app store.App, owner store.ID) showing {
	return func([]store.Event) bool {
		_, gone := inner.User(app, owner)
		return gone == nil
	}
}

// aWhile is after how long what was right turns wrong: longer than anybody waits
// who looks twice.
const aWhile = 5 * time.Second

func aWhileLater(gone time.Time) showing {
	return func([]store.Event) bool { return time.Since(gone) >= aWhile }
}
