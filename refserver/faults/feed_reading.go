package faults

import (
	"cmp"
	"slices"

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
