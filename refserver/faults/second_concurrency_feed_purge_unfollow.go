package faults

import (
	"slices"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// concurrencyFeedPurgeUnfollow are the faults of what stays in feeds where it was posted,
// copied or read while its owner was deleted, or the follow ended.
func concurrencyFeedPurgeUnfollow() []Fault {
	return slices.Concat(
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
				})),
			fault("concurrency-post-beside-unfollow-stays", "an event that is posted while a follower ends the follow is in the feed of that one for good",
				overrideRacyStore(func(inner refserver.Store, s *overrides) {
					stale := keepStaleReads(s)
					s.createEvent = func(app store.App, owner store.ID, event store.Event) (store.Event, error) {
						readers := idsOf(inner.Followers, app, owner)
						time.Sleep(window)
						event, err := inner.CreateEvent(app, owner, event)
						for _, reader := range readers {
							if err == nil && !follows(inner, app, reader, owner) {
								stale.keep(app, reader, []store.Event{event}, atOnce(event.CreatedAt))
							}
						}
						return event, err
					}
					s.onConnect(func(app store.App, from, to store.ID, _ store.ConnectionType) { stale.forget(app, from, to) })
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
				})),
			fault("concurrency-two-purges-of-a-feed", "of two users deleted at once the events of the second stay in the feed of who followed both",
				overrideRacyStore(func(inner refserver.Store, s *overrides) {
					stale, under := keepStaleReads(s), &memory[int]{} // deletions under way, by reader
					s.deleteUser = func(app store.App, id store.ID) error {
						left := map[store.ID][]store.Event{}
						readers := idsOf(inner.Followers, app, id)
						for _, reader := range readers {
							if tally(under, keyOf(app, reader)) >= 2 {
								left[reader] = ownedBy(inner, app, reader, id)
							}
						}
						time.Sleep(window)
						err := inner.DeleteUser(app, id)
						for _, reader := range readers {
							under.update(keyOf(app, reader), func(n int) int { return n - 1 })
							if err == nil {
								stale.keep(app, reader, left[reader], atOnce(time.Now()))
							}
						}
						return err
					}
				})),
			fault("concurrency-purged-stay-where-another-is-followed", "a deleted user's events stay in the feed of a follower who follows somebody else during the deletion",
				duringDeletion(purgedStayAtConnect)),
			fault("concurrency-feed-read-during-purge-is-kept", "who reads the feed while a followed user is deleted goes on seeing that one's events",
				duringDeletion(func(inner refserver.Store, s *overrides, deleting func(store.App, store.ID) bool) {
					stale := keepStaleReads(s)
					s.rewriteFeeds(func(r reader, feed []store.Event) []store.Event {
						for _, event := range feed {
							if deleting(r.app, event.Owner) && !r.befriends(event.Owner) {
								stale.keep(r.app, r.id, []store.Event{event}, atOnce(event.CreatedAt))
							}
						}
						return feed
					})
				})),
			fault("concurrency-feed-read-beside-purge-kept", "a feed that is read while a followed user is deleted goes on showing that user's events", overrideRacyStore(feedKeptBesidePurge)),
			fault("concurrency-purge-skipped-beside-another", "of users who are deleted at the same time the first is purged, and the events of the others stay in their followers' feeds",
				overrideRacyStore(purgesSkipped))),
	)
}

// purgedStayAtConnect has a new connection write the reader's feed as it was read
// before, with the events of those who are deleted by then.
func purgedStayAtConnect(inner refserver.Store, s *overrides, deleting func(store.App, store.ID) bool) {
	stale := keepStaleReads(s)
	s.connect = func(app store.App, from, to store.ID, typ store.ConnectionType) (store.Connection, bool, error) {
		followed := map[store.ID][]store.Event{}
		for _, owner := range idsOf(inner.Follows, app, from) {
			if owner != to && !befriends(inner, app, from, owner) {
				followed[owner] = ownedBy(inner, app, from, owner)
			}
		}
		time.Sleep(window)
		made, isNew, err := inner.Connect(app, from, to, typ)
		for owner, events := range followed {
			if _, gone := inner.User(app, owner); err == nil && (gone != nil || deleting(app, owner)) {
				stale.keep(app, from, events, atOnce(time.Now()))
			}
		}
		return made, isNew, err
	}
}

// feedKeptBesidePurge keeps a page that was read before a purge and is written after it.
func feedKeptBesidePurge(inner refserver.Store, s *overrides) {
	stale := keepStaleReads(s)
	feed := s.feed
	s.feed = func(app store.App, id store.ID) ([]store.Event, error) {
		read, err := inner.Feed(app, id)
		if err != nil {
			return nil, err
		}
		if len(read) > 0 {
			time.Sleep(window)
		}
		purged := without(read, func(event store.Event) bool { _, gone := inner.User(app, event.Owner); return gone == nil })
		stale.keep(app, id, purged, atOnce(time.Now()))
		return feed(app, id)
	}
}

// purgesSkipped leaves out the purges that find another under way.
func purgesSkipped(inner refserver.Store, s *overrides) {
	purges, stale, readers := &overlaps{}, keepStaleReads(s), followersAlone(inner, s)
	s.deleteUser = func(app store.App, id store.ID) (err error) {
		left := map[store.ID][]store.Event{}
		for _, reader := range readers(app, id) {
			left[reader] = ownedBy(inner, app, reader, id)
		}
		_, before := purges.during(keyOf(app), func() { err = inner.DeleteUser(app, id) })
		for reader, events := range left {
			if err == nil && before > 0 {
				stale.keep(app, reader, events, atOnce(time.Now()))
			}
		}
		return err
	}
}
