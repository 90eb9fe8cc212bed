package faults

import (
	"cmp"
	"slices"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// without leaves events out of a list.
func without(events []store.Event, out func(store.Event) bool) []store.Event {
	return slices.DeleteFunc(events, out)
}

// newestFirst sorts events as feeds do.
func newestFirst(events []store.Event) []store.Event {
	slices.SortStableFunc(events, func(a, b store.Event) int { return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), cmp.Compare(b.ID, a.ID)) })
	return events
}

// ownedBy are the events in a reader's feed that belong to a user.
func ownedBy(inner refserver.Store, app store.App, reader, owner store.ID) []store.Event {
	feed, err := inner.Feed(app, reader)
	if err != nil {
		return nil
	}
	return without(feed, func(event store.Event) bool { return event.Owner != owner })
}

// endedAt watches ends of connections. What it returns says when a user last
// ended one to another; never is the zero time.
func endedAt(s *overrides) func(app store.App, from, to store.ID) time.Time {
	ended := &memory[time.Time]{}
	s.onDisconnect(func(app store.App, from, to store.ID) { ended.keep(keyOf(app, from, to), time.Now()) })
	return func(app store.App, from, to store.ID) time.Time { return ended.get(keyOf(app, from, to)) }
}
