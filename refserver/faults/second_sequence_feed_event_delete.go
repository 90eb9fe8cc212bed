package faults

import (
	"errors"
	"slices"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// sequenceFeedEventDelete are the faults of deleted events that stay in feeds, or come
// back, after certain steps; and of deletions that take more.
func sequenceFeedEventDelete() []Fault {
	followers := readers(followersAlone)
	return breaks("feed.event-delete",
		fault("sequence-deleted-after-change-stays", "an event that was changed stays in the feeds of followers when it is deleted",
			deletionPassesOver(changed, followersAlone, atOnce)),
		fault("sequence-deletion-takes-the-same-object", "with a deleted event its owner's other events on the same object leave the feeds",
			overrideStore(func(_ refserver.Store, s *overrides) {
				objects, taken := &memory[string]{}, &memory[time.Time]{} // by event; by owner and object
				keep := func(event store.Event) {
					if event.Object != nil {
						objects.keep(keyOf(event.App, event.ID), event.Object.ID)
					}
				}
				s.onCreateEvent(keep)
				s.onUpdateEvent(keep)
				s.onDeleteEvent(func(app store.App, owner, id store.ID) {
					if object, known := objects.lookup(keyOf(app, id)); known {
						taken.keep(keyOf(app, owner)+object, time.Now())
					}
				})
				s.hideFromFeeds(func(r reader, event store.Event) bool {
					return event.Object != nil && event.CreatedAt.Before(taken.get(keyOf(r.app, event.Owner)+event.Object.ID))
				})
			})),
		fault("sequence-deleted-event-stays-for-refollower", "a deleted event stays in the feed of a follower who had ended the follow and made it again",
			deletionPassesOver(allOf, onceEnded(followersAlone), atOnce)),
		fault("sequence-refollow-brings-deleted-events-back", "who follows a user again sees the events that it deleted in between",
			overrideStore(refollowRestoresRows)),
		fault("sequence-change-of-deleted-event-restores-it", "a change of a deleted event is answered with 404, and the event is back in the feeds of followers",
			overrideStore(changeRestoresDeleted)),
		fault("sequence-deletion-stops-at-who-left", "a deleted event stays in the feeds of followers where one of them has ended the follow",
			deletionPassesOver(allOf, followers.where(func(_ refserver.Store, s *overrides) func(store.App, store.ID, store.ID) bool {
				left := &memory[bool]{}
				s.onDisconnect(func(app store.App, _, to store.ID) { left.keep(keyOf(app, to), true) })
				return func(app store.App, owner, _ store.ID) bool { return left.get(keyOf(app, owner)) }
			}), atOnce)),
		fault("sequence-follow-brings-deleted-events", "who follows a user for the first time also sees what that one had deleted before", overrideStore(followBringsDeleted(false))),
		fault("sequence-deleted-event-returns-with-a-change-of-another", "a deleted event is back in the feeds of followers when its owner changes another", overrideStore(changesBringDeletedBack)),
		fault("sequence-deletion-of-the-oldest-takes-the-newest", "where a user deletes the oldest of several events, the newest leaves the feeds, too, as the position before the first is the last", overrideStore(oldestTakesNewest)),
		fault("sequence-refollow-restores-events-deleted-meanwhile", "who follows a user again sees the events again that were there at the unfollow, also those deleted since",
			overrideStore(deletedRestored)),
		fault("sequence-deleted-event-of-before-friendship-stays", "an event posted before a friendship stays in the friend's feed when it is deleted", overrideStore(olderThanFriendshipStay)),
		fault("sequence-event-deleted-after-change-stays", "an event that was changed before its deletion stays in the feeds of those connected to its user",
			overrideStore(changedEventsStay)),
		fault("sequence-deleted-event-changed-after-follow-stays", "an event that was there before a follow, and was changed after it, stays in the follower's feed when it is deleted",
			overrideStore(changedSinceFollowStay)),
		fault("sequence-new-followers-get-deleted-events", "who follows a user finds in the feed also the events that the user had deleted before, as it is filled from a copy that deletions pass by",
			overrideStore(followBringsDeleted(true))),
		fault("sequence-delete-older-event", "a deleted event stays in the feeds of followers where its owner has posted another since",
			deletionPassesOver(allButNewest, allFollowers, atOnce)),
		fault("sequence-event-delete-late-follower", "a deleted event leaves the feeds that it was put into, and not those of who followed later",
			overrideStore(func(inner refserver.Store, s *overrides) {
				since := firstFollows(s)
				s.deletionLeaves(inner, followersAlone, func(app store.App, reader store.ID, event store.Event) bool {
					return since(app, reader, event.Owner).After(event.CreatedAt)
				})
			})))
}

// refollowRestoresRows shows, after a second follow, the rows that the end of the
// first had hidden, whatever became of their events since.
func refollowRestoresRows(inner refserver.Store, s *overrides) {
	hidden, deleted := &memory[[]store.Event]{}, &memory[bool]{} // by reader and owner; by event
	stale, disconnect := keepStaleReads(s), s.disconnect
	s.onDeleteEvent(func(app store.App, _, id store.ID) { deleted.keep(keyOf(app, id), true) })
	s.disconnect = func(app store.App, from, to store.ID, types ...store.ConnectionType) error {
		events := ownedBy(inner, app, from, to)
		err := disconnect(app, from, to, types...)
		if err == nil {
			stale.forget(app, from, to)
			hidden.keep(keyOf(app, from, to), events)
		}
		return err
	}
	s.onConnect(func(app store.App, from, to store.ID, _ store.ConnectionType) {
		rows := without(slices.Clone(hidden.keep(keyOf(app, from, to), nil)), func(event store.Event) bool { return !deleted.get(keyOf(app, event.ID)) })
		stale.keep(app, from, rows, func([]store.Event) bool {
			_, gone := inner.User(app, to)
			return gone == nil
		})
	})
}

// changeRestoresDeleted puts an event into feeds before it looks whether it is there.
func changeRestoresDeleted(inner refserver.Store, s *overrides) {
	gone, stale := &memory[map[store.ID]store.Event]{}, keepStaleReads(s) // by event, then by reader
	s.onDisconnect(func(app store.App, from, to store.ID) { stale.forget(app, from, to) })
	s.deleteEvent = func(app store.App, owner, id store.ID) error {
		left := map[store.ID]store.Event{}
		for _, reader := range idsOf(inner.Followers, app, owner) {
			for _, event := range ownedBy(inner, app, reader, owner) {
				if event.ID == id {
					left[reader] = event
				}
			}
		}
		err := inner.DeleteEvent(app, owner, id)
		if err == nil {
			gone.keep(keyOf(app, id), left)
		}
		return err
	}
	s.updateEvent = func(app store.App, owner, id store.ID, change func(*store.Event)) (store.Event, error) {
		event, err := inner.UpdateEvent(app, owner, id, change)
		for reader, left := range gone.get(keyOf(app, id)) {
			if errors.Is(err, store.ErrNotFound) && left.Owner == owner && follows(inner, app, reader, owner) {
				stale.keep(app, reader, []store.Event{left}, whileThere(inner, app, owner))
			}
		}
		return event, err
	}
}

// followBringsDeleted shows a user's deleted events to who follows it for the first time, or also again.
func followBringsDeleted(again bool) func(inner refserver.Store, s *overrides) {
	return func(inner refserver.Store, s *overrides) {
		all, deleted, followed := &memory[store.Event]{}, &memory[[]store.Event]{}, &memory[bool]{} // by event; by owner; by both
		stale := keepStaleReads(s)
		s.onCreateEvent(func(event store.Event) { all.keep(keyOf(event.App, event.ID), event) })
		s.onDeleteEvent(func(app store.App, owner, id store.ID) {
			if event, known := all.lookup(keyOf(app, id)); known {
				deleted.update(keyOf(app, owner), func(events []store.Event) []store.Event { return append(slices.Clip(events), event) })
			}
		})
		s.onConnect(func(app store.App, from, to store.ID, typ store.ConnectionType) {
			if typ == store.Follow && (!followed.keep(keyOf(app, from, to), true) || again) {
				stale.keep(app, from, deleted.get(keyOf(app, to)), whileThere(inner, app, to))
			}
		})
		s.onDisconnect(func(app store.App, from, to store.ID) { stale.forget(app, from, to) })
	}
}

// changesBringDeletedBack has a change write all of its owner's events as they were read
// when the first of them was deleted.
func changesBringDeletedBack(inner refserver.Store, s *overrides) {
	stale, gone := keepStaleReads(s), &memory[[]store.Event]{} // by owner
	all := archived(s)
	remove := s.deleteEvent
	s.deleteEvent = func(app store.App, owner, id store.ID) error {
		events := without(all.of(app, func(of store.ID) bool { return of == owner }), func(event store.Event) bool { return event.ID != id })
		err := remove(app, owner, id)
		if err == nil {
			gone.update(keyOf(app, owner), func(before []store.Event) []store.Event { return append(slices.Clip(before), events...) })
		}
		return err
	}
	s.onDisconnect(func(app store.App, from, to store.ID) { stale.forget(app, from, to) })
	s.onUpdateEvent(func(event store.Event) {
		back := gone.keep(keyOf(event.App, event.Owner), nil)
		for _, follower := range idsOf(inner.Followers, event.App, event.Owner) {
			stale.keep(event.App, follower, back, whileThere(inner, event.App, event.Owner))
		}
	})
}

// oldestTakesNewest counts the position before an event's, as a language does it in which
// negative ones begin at the end.
func oldestTakesNewest(_ refserver.Store, s *overrides) {
	const several = 3
	all, taken := archived(s), &memory[bool]{} // by event
	remove := s.deleteEvent
	s.deleteEvent = func(app store.App, owner, id store.ID) error {
		events := all.of(app, func(of store.ID) bool { return of == owner })
		err := remove(app, owner, id)
		if n := len(events); err == nil && n >= several && events[n-1].ID == id {
			taken.keep(keyOf(app, events[0].ID), true)
		}
		return err
	}
	s.hideFromFeeds(func(r reader, event store.Event) bool { return taken.get(keyOf(r.app, event.ID)) })
}

// deletedRestored puts the copies in a feed aside at an unfollow.
func deletedRestored(inner refserver.Store, s *overrides) {
	stale, aside, disconnect := keepStaleReads(s), &memory[[]store.Event]{}, s.disconnect // by reader and owner
	s.disconnect = func(app store.App, from, to store.ID, types ...store.ConnectionType) error {
		had := ownedBy(inner, app, from, to)
		err := disconnect(app, from, to, types...)
		if err == nil && len(ownedBy(inner, app, from, to)) == 0 {
			aside.keep(keyOf(app, from, to), had)
			stale.forget(app, from, to)
		}
		return err
	}
	s.onConnect(func(app store.App, from, to store.ID, _ store.ConnectionType) {
		standing := ownedBy(inner, app, from, to)
		gone := without(slices.Clone(aside.keep(keyOf(app, from, to), nil)), func(event store.Event) bool { return holdsEvent(standing, event.ID) })
		stale.keep(app, from, gone, func([]store.Event) bool { _, missing := inner.User(app, to); return missing == nil })
	})
}

// olderThanFriendshipStay deletes an event for those alone whom it was handed out to when it was new.
func olderThanFriendshipStay(inner refserver.Store, s *overrides) {
	since := &memory[time.Time]{}
	s.connect = func(app store.App, from, to store.ID, typ store.ConnectionType) (store.Connection, bool, error) {
		made, isNew, err := inner.Connect(app, from, to, typ)
		if err == nil && typ == store.Friend && !since.has(keyOf(app, from, to)) {
			since.keep(keyOf(app, from, to), made.CreatedAt)
			since.keep(keyOf(app, to, from), made.CreatedAt)
		}
		return made, isNew, err
	}
	s.deletionLeaves(inner, friendsAlone, func(app store.App, friend store.ID, event store.Event) bool {
		return event.CreatedAt.Before(since.get(keyOf(app, event.Owner, friend)))
	})
}

// changedSinceFollowStay tells the copies that came into a feed with a follow by the time of
// their last change.
func changedSinceFollowStay(inner refserver.Store, s *overrides) {
	since := firstFollows(s)
	s.deletionLeaves(inner, followersAlone, func(app store.App, reader store.ID, event store.Event) bool {
		at := since(app, reader, event.Owner)
		return event.CreatedAt.Before(at) && event.UpdatedAt.After(at)
	})
}

// changedEventsStay keeps deleted events that were changed before in the feeds of who
// was connected to their owner then, and still is.
func changedEventsStay(inner refserver.Store, s *overrides) {
	stale, changed := keepStaleReads(s), &memory[store.Event]{}
	s.onUpdateEvent(func(event store.Event) { changed.keep(keyOf(event.App, event.ID), event) })
	s.onDeleteEvent(func(app store.App, owner, id store.ID) {
		event, was := changed.lookup(keyOf(app, id))
		if !was {
			return
		}
		for _, reader := range append(idsOf(inner.Followers, app, owner), idsOf(inner.Friends, app, owner)...) {
			stale.keep(app, reader, []store.Event{event}, func([]store.Event) bool {
				return follows(inner, app, reader, owner) || befriends(inner, app, reader, owner)
			})
		}
	})
}
