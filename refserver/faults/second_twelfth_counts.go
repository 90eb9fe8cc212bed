package faults

import (
	"slices"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// twelfthScale are the faults of what is done for a batch, and of a limit in the wrong place.
func twelfthScale() []Fault {
	const batch, mostKeys = 10, 10
	return slices.Concat(
		breaks("feed.event-delete",
			fault("scale-event-deletion-reaches-ten-followers", "a deleted event leaves the feeds of ten followers, and stays in those of further ones",
				deletionPassesOver(allOf, func(inner refserver.Store, s *overrides) func(store.App, store.ID) []store.ID {
					followers := followersAlone(inner, s)
					return func(app store.App, owner store.ID) []store.ID {
						ids := followers(app, owner)
						return ids[min(batch, len(ids)):]
					}
				}, atOnce))),
		breaks("events.create.echo",
			fault("scale-display-names-limited-like-metadata", "a display name of a new event's object keeps ten languages, as many as metadata has keys",
				rewriteBody(createsEvent(), within("object", within("display_name", firstKeys(mostKeys)))))),
	)
}

// twelfthRepetition is the fault of a filter for what is posted over and over.
func twelfthRepetition() []Fault {
	const most = 2
	return breaks("feed.follow.new-events",
		fault("repetition-third-event-alike-kept-from-feeds", "of a user's events of the same verb on the same object the third and further ones are in no feed",
			overrideStore(func(_ refserver.Store, s *overrides) {
				alike, spam := &memory[int]{}, &memory[bool]{} // by owner, verb and object; by event
				s.onCreateEvent(func(event store.Event) {
					if event.Object != nil && tally(alike, keyOf(event.App, event.Owner)+event.Verb+"\n"+event.Object.ID) > most {
						spam.keep(keyOf(event.App, event.ID), true)
					}
				})
				s.hideFromFeeds(func(r reader, event store.Event) bool { return spam.get(keyOf(r.app, event.ID)) })
			})))
}

// twelfthConcurrency are the faults of lists and pages that are read, and written back later.
func twelfthConcurrency() []Fault {
	return slices.Concat(
		breaks("connections.lists.followers",
			fault("concurrency-follows-of-one-user-lose-a-follower", "of two users who follow the same one at once, one is not among the followers", overrideRacyStore(followersWrittenBack))),
		breaks("feed.purge.followers",
			fault("concurrency-feed-read-beside-purge-kept", "a feed that is read while a followed user is deleted goes on showing that user's events", overrideRacyStore(feedKeptBesidePurge))),
	)
}

// followersWrittenBack keeps the followers of a user as one list.
func followersWrittenBack(inner refserver.Store, s *overrides) {
	lost, connect := &memory[bool]{}, s.connect // by followed and follower
	s.connect = func(app store.App, from, to store.ID, typ store.ConnectionType) (store.Connection, bool, error) {
		if typ != store.Follow {
			return connect(app, from, to, typ)
		}
		read := idsOf(inner.Followers, app, to)
		time.Sleep(window)
		made, isNew, err := connect(app, from, to, typ)
		lost.keep(keyOf(app, to, from), false)
		for _, other := range idsOf(inner.Followers, app, to) {
			if err == nil && other != from && !slices.Contains(read, other) {
				lost.keep(keyOf(app, to, other), true)
			}
		}
		return made, isNew, err
	}
	filter(&s.followers, func(app store.App, id store.ID, follower store.User) bool {
		return lost.get(keyOf(app, id, follower.ID))
	})
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
