package faults

import (
	"slices"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// where narrows readers to those of whom a condition holds; watch prepares it.
func (in readers) where(watch func(inner refserver.Store, s *overrides) func(app store.App, owner, id store.ID) bool) readers {
	return func(inner refserver.Store, s *overrides) func(store.App, store.ID) []store.ID {
		is, all := watch(inner, s), in(inner, s)
		return func(app store.App, owner store.ID) []store.ID {
			return slices.DeleteFunc(all(app, owner), func(id store.ID) bool { return !is(app, owner, id) })
		}
	}
}

// onceEnded picks, of the readers, those who ended a connection to the user before
// and made another.
func onceEnded(in readers) readers {
	return func(inner refserver.Store, s *overrides) func(store.App, store.ID) []store.ID {
		ended, all := endedAt(s), in(inner, s)
		return func(app store.App, owner store.ID) []store.ID {
			return slices.DeleteFunc(all(app, owner), func(id store.ID) bool { return ended(app, id, owner).IsZero() })
		}
	}
}

// lostBefore reports whether the reader was asked about before: whether another
// user whose events were in its feed was deleted.
func lostBefore(refserver.Store, *overrides) func(store.App, store.ID, store.ID) bool {
	lost := &memory[bool]{}
	return func(app store.App, _, id store.ID) bool { return lost.keep(keyOf(app, id), true) }
}

func ownerRenamed(_ refserver.Store, s *overrides) func(store.App, store.ID, store.ID) bool {
	renamed := whoWasRenamed(s)
	return func(app store.App, owner, _ store.ID) bool { return renamed.get(keyOf(app, owner)) }
}

// leftByFriends watches ends of friendships. What it returns says when a user was
// last left by a friend; never, or befriended again since, is the zero time.
func leftByFriends(inner refserver.Store, s *overrides) func(app store.App, left, by store.ID) time.Time {
	at, disconnect := &memory[time.Time]{}, s.disconnect // by the one who was left and the other
	s.disconnect = func(app store.App, from, to store.ID, types ...store.ConnectionType) error {
		were := befriends(inner, app, from, to)
		err := disconnect(app, from, to, types...)
		if err == nil && were && !befriends(inner, app, from, to) {
			at.keep(keyOf(app, to, from), time.Now())
		}
		return err
	}
	s.onConnect(func(app store.App, from, to store.ID, typ store.ConnectionType) {
		if typ == store.Friend {
			at.keep(keyOf(app, from, to), time.Time{})
			at.keep(keyOf(app, to, from), time.Time{})
		}
	})
	return func(app store.App, left, by store.ID) time.Time { return at.get(keyOf(app, left, by)) }
}

// holdsEvent reports whether an event is among others.
func holdsEvent(events []store.Event, id store.ID) bool {
	return slices.ContainsFunc(events, func(event store.Event) bool { return event.ID == id })
}

// hideNewEvents leaves events out of the feeds of followers who are no friends, and who
// followed before the event was posted.
func (s *overrides) hideNewEvents(out func(event store.Event) bool) {
	since := firstFollows(s)
	s.hideFromFeeds(func(r reader, event store.Event) bool {
		followed := since(r.app, r.id, event.Owner)
		return !followed.IsZero() && event.CreatedAt.After(followed) && !r.befriends(event.Owner) && out(event)
	})
}

// firstAfterDeletion watches which events are the first that their owners post
// after the deletion of another.
func firstAfterDeletion(s *overrides) *memory[bool] {
	deleted, first := &memory[bool]{}, &memory[bool]{} // by owner; by event
	s.onDeleteEvent(func(app store.App, owner, _ store.ID) { deleted.keep(keyOf(app, owner), true) })
	s.onCreateEvent(func(event store.Event) {
		if deleted.keep(keyOf(event.App, event.Owner), false) {
			first.keep(keyOf(event.App, event.ID), true)
		}
	})
	return first
}

// deletionLeaves lets deleted events stay in the feeds of those readers for whom a condition holds.
func (s *overrides) deletionLeaves(inner refserver.Store, in readers, stays func(app store.App, reader store.ID, event store.Event) bool) {
	stale, readers := keepStaleReads(s), in(inner, s)
	s.deleteEvent = func(app store.App, owner, id store.ID) error {
		left := map[store.ID][]store.Event{}
		for _, reader := range readers(app, owner) {
			left[reader] = without(ownedBy(inner, app, reader, owner), func(event store.Event) bool {
				return event.ID != id || !stays(app, reader, event)
			})
		}
		err := inner.DeleteEvent(app, owner, id)
		for reader, events := range left {
			if err == nil {
				stale.keep(app, reader, events, atOnce(time.Now()))
			}
		}
		return err
	}
}
