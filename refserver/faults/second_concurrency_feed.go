package faults

import (
	"slices"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// concurrencyFeed are the faults of feeds that two requests write at once, or that one
// reads while another writes: posts that are lost, and deleted events that stay.
func concurrencyFeed() []Fault {
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
				})),
			fault("concurrency-post-beside-deletion-of-event-lost", "an event that is posted while its owner deletes another is in no feed",
				overrideRacyStore(func(inner refserver.Store, s *overrides) {
					running, lost := &overlaps{}, &memory[bool]{}
					s.deleteEvent = func(app store.App, owner, id store.ID) (err error) {
						running.during(keyOf(app, owner), func() { err = inner.DeleteEvent(app, owner, id) })
						return err
					}
					s.createEvent = func(app store.App, owner store.ID, event store.Event) (store.Event, error) {
						before := running.open(keyOf(app, owner))
						time.Sleep(window / 2)
						made, err := inner.CreateEvent(app, owner, event)
						if err == nil && (before || running.open(keyOf(app, owner))) {
							lost.keep(keyOf(app, made.ID), true)
						}
						return made, err
					}
					s.hideFromFeeds(func(r reader, event store.Event) bool { return lost.get(keyOf(r.app, event.ID)) })
				})),
			fault("concurrency-post-beside-follow-lost", "an event that is posted while somebody begins to follow its owner is not in that one's feed",
				overrideRacyStore(func(inner refserver.Store, s *overrides) {
					type span struct{ from, to time.Time }
					begun := &memory[span]{} // by follower and followed
					s.connect = func(app store.App, from, to store.ID, typ store.ConnectionType) (store.Connection, bool, error) {
						start := time.Now()
						time.Sleep(window)
						made, isNew, err := inner.Connect(app, from, to, typ)
						if err == nil && isNew && typ == store.Follow {
							begun.keep(keyOf(app, from, to), span{start, time.Now()})
						}
						return made, isNew, err
					}
					s.hideFromFeeds(func(r reader, event store.Event) bool {
						at, is := begun.lookup(keyOf(r.app, r.id, event.Owner))
						return is && event.CreatedAt.After(at.from) && event.CreatedAt.Before(at.to)
					})
				}))),
		breaks("feed.merge",
			fault("concurrency-posts-of-two-followed-lose-one", "of the events that two users post at once one is not in the feed of who follows both",
				overrideRacyStore(func(inner refserver.Store, s *overrides) {
					running, last, lost := &overlaps{}, &memory[store.ID]{}, &memory[store.ID]{} // who posted last, by application; beside whom, by event
					s.createEvent = func(app store.App, owner store.ID, event store.Event) (made store.Event, err error) {
						var other store.ID
						_, before := running.during(keyOf(app), func() {
							made, err = inner.CreateEvent(app, owner, event)
							other = last.keep(keyOf(app), owner)
						})
						if err == nil && before > 0 && other != owner {
							lost.keep(keyOf(app, made.ID), other)
						}
						return made, err
					}
					s.hideFromFeeds(func(r reader, event store.Event) bool {
						other, is := lost.lookup(keyOf(r.app, event.ID))
						return is && r.follows(event.Owner) && r.follows(other)
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
				})),
			fault("concurrency-two-deletions-take-one-event", "of two events that a user deletes at once the second stays in the feeds of followers",
				overrideRacyStore(func(inner refserver.Store, s *overrides) {
					running, stale, readers := &overlaps{}, keepStaleReads(s), followersAlone(inner, s)
					s.deleteEvent = func(app store.App, owner, id store.ID) (err error) {
						left := map[store.ID][]store.Event{}
						for _, reader := range readers(app, owner) {
							left[reader] = without(ownedBy(inner, app, reader, owner), func(event store.Event) bool { return event.ID != id })
						}
						_, before := running.during(keyOf(app, owner), func() { err = inner.DeleteEvent(app, owner, id) })
						for reader, events := range left {
							if err == nil && before > 0 {
								stale.keep(app, reader, events, whileThere(inner, app, owner))
							}
						}
						return err
					}
				})),
			fault("concurrency-deletion-beside-change-of-another-lost", "an event that is deleted while its owner changes another stays in the feeds of followers",
				overrideRacyStore(func(inner refserver.Store, s *overrides) {
					stale := keepStaleReads(s)
					s.updateEvent = func(app store.App, owner, id store.ID, change func(*store.Event)) (store.Event, error) {
						before := map[store.ID][]store.Event{}
						for _, reader := range idsOf(inner.Followers, app, owner) {
							before[reader] = ownedBy(inner, app, reader, owner)
						}
						time.Sleep(window)
						event, err := inner.UpdateEvent(app, owner, id, change)
						for reader, had := range before {
							if now := ownedBy(inner, app, reader, owner); err == nil && follows(inner, app, reader, owner) {
								stale.keep(app, reader, without(had, func(event store.Event) bool { return holdsEvent(now, event.ID) }), atOnce(time.Now()))
							}
						}
						return event, err
					}
				})),
			fault("concurrency-follow-copies-event-during-deletion", "an event that is deleted while somebody begins to follow its owner stays in that one's feed",
				overrideRacyStore(func(inner refserver.Store, s *overrides) {
					stale, all := keepStaleReads(s), archived(s)
					s.connect = func(app store.App, from, to store.ID, typ store.ConnectionType) (store.Connection, bool, error) {
						posted := func() []store.Event { return all.of(app, func(owner store.ID) bool { return owner == to }) }
						before := posted()
						time.Sleep(window)
						made, isNew, err := inner.Connect(app, from, to, typ)
						if now := posted(); err == nil && isNew && typ == store.Follow {
							stale.keep(app, from, without(before, func(event store.Event) bool { return holdsEvent(now, event.ID) }), whileThere(inner, app, to))
						}
						return made, isNew, err
					}
					s.onDisconnect(func(app store.App, from, to store.ID) { stale.forget(app, from, to) })
				}))),
	)
}
