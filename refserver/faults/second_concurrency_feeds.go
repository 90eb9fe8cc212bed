package faults

import (
	"slices"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// concurrentFeeds are the faults of feeds that are written and read at once.
func concurrentFeeds() []Fault {
	return slices.Concat(
		breaks("feed.follow.new-events",
			fault("concurrency-one-of-two-posts-lost", "of two events that a user posts at once one is in no feed",
				overrideRacyStore(func(inner refserver.Store, s *overrides) {
					running, lost := &overlaps{}, &memory[bool]{}
					s.createEvent = func(app store.App, owner store.ID, event store.Event) (made store.Event, err error) {
						_, before := running.during(keyOf(app, owner), func() { made, err = inner.CreateEvent(app, owner, event) })
						lost.keep(keyOf(app, made.ID), before > 0)
						return made, err
					}
					s.hideFromFeeds(func(r reader, event store.Event) bool { return lost.get(keyOf(r.app, event.ID)) })
				})),
			fault("concurrency-feed-read-during-post-is-kept", "who reads the feed while an event is posted does not see that event later either",
				overrideRacyStore(func(inner refserver.Store, s *overrides) {
					posting, hidden := &memory[bool]{}, &memory[bool]{}
					s.createEvent = func(app store.App, owner store.ID, event store.Event) (store.Event, error) {
						made, err := inner.CreateEvent(app, owner, event)
						posting.keep(keyOf(app, made.ID), true)
						time.Sleep(window)
						posting.keep(keyOf(app, made.ID), false)
						return made, err
					}
					s.hideFromFeeds(func(r reader, event store.Event) bool {
						if posting.get(keyOf(r.app, event.ID)) {
							hidden.keep(keyOf(r.app, r.id, event.ID), true)
						}
						return hidden.get(keyOf(r.app, r.id, event.ID))
					})
				}))),
		breaks("feed.purge.followers",
			fault("concurrency-post-during-deletion-stays", "an event that is posted while its user is deleted stays in the feeds of followers",
				duringDeletion(func(inner refserver.Store, s *overrides, deleting func(store.App, store.ID) bool) {
					stale := keepStaleReads(s)
					s.onCreateEvent(func(event store.Event) {
						for _, follower := range idsOf(inner.Followers, event.App, event.Owner) {
							if deleting(event.App, event.Owner) {
								stale.keep(event.App, follower, []store.Event{event}, atOnce(event.CreatedAt))
							}
						}
					})
				}))),
		breaks("connections.lists.after-user-delete",
			fault("concurrency-follow-during-deletion-stays", "a user who is followed while it is deleted stays among the follows",
				duringDeletion(func(inner refserver.Store, s *overrides, deleting func(store.App, store.ID) bool) {
					known := &memory[store.User]{}
					stale := keepStaleUsers(&s.follows, func(app store.App, id store.ID) (store.User, error) { return known.get(keyOf(app, id)), nil })
					s.onConnect(func(app store.App, from, to store.ID, typ store.ConnectionType) {
						if user, err := inner.User(app, to); err == nil && typ == store.Follow && deleting(app, to) {
							known.keep(keyOf(app, to), user)
							stale.keep(app, from, to, 0)
						}
					})
				}))),
		breaks("feed.unfollow",
			fault("concurrency-post-during-unfollow-stays", "an event that is posted while its user is unfollowed stays in the feed",
				overrideRacyStore(func(inner refserver.Store, s *overrides) {
					running, stale := &overlaps{}, keepStaleReads(s)
					s.disconnect = func(app store.App, from, to store.ID, types ...store.ConnectionType) (err error) {
						running.during(keyOf(app, from, to), func() { err = inner.Disconnect(app, from, to, types...) })
						return err
					}
					s.onConnect(func(app store.App, from, to store.ID, _ store.ConnectionType) { stale.forget(app, from, to) })
					s.onCreateEvent(func(event store.Event) {
						for _, follower := range idsOf(inner.Followers, event.App, event.Owner) {
							if running.open(keyOf(event.App, follower, event.Owner)) {
								stale.keep(event.App, follower, []store.Event{event}, atOnce(event.CreatedAt))
							}
						}
					})
				}))),
		breaks("feed.event-delete",
			fault("concurrency-change-during-deletion-stays", "an event that is changed while it is deleted stays in the feeds of followers",
				overrideRacyStore(func(inner refserver.Store, s *overrides) {
					running, stale := &overlaps{}, keepStaleReads(s)
					s.deleteEvent = func(app store.App, owner, id store.ID) (err error) {
						running.during(keyOf(app, id), func() { err = inner.DeleteEvent(app, owner, id) })
						return err
					}
					s.onUpdateEvent(func(event store.Event) {
						for _, follower := range idsOf(inner.Followers, event.App, event.Owner) {
							if running.open(keyOf(event.App, event.ID)) {
								stale.keep(event.App, follower, []store.Event{event}, atOnce(event.CreatedAt))
							}
						}
					})
				}))),
	)
}

// duringDeletion makes deletions of users last, and knows who is being deleted.
func duringDeletion(mutate func(inner refserver.Store, s *overrides, deleting func(store.App, store.ID) bool)) mutation {
	return overrideRacyStore(func(inner refserver.Store, s *overrides) {
		running := &overlaps{}
		s.deleteUser = func(app store.App, id store.ID) (err error) {
			running.during(keyOf(app, id), func() { err = inner.DeleteUser(app, id) })
			return err
		}
		mutate(inner, s, func(app store.App, id store.ID) bool { return running.open(keyOf(app, id)) })
	})
}
