package faults

import (
	"slices"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// edgeScale are the faults of what is done for the first of many alone.
func edgeScale() []Fault {
	const ended, shown = 10, 8
	followed := func(inner refserver.Store, _ *overrides) func(store.App, store.ID) []store.ID {
		return func(app store.App, id store.ID) []store.ID { return idsOf(inner.Follows, app, id) }
	}
	return slices.Concat(
		breaks("connections.lists.after-user-delete",
			fault("scale-deletion-ends-ten-follows", "a deleted user stays among the followers of all but the first ten whom it followed",
				deletedStays(0, func(s *overrides) *members { return &s.followers }, beyondFirst(ended, followed)))),
		breaks("feed.event-shape",
			fault("scale-feed-shows-eight-keys-of-metadata", "in a feed events have at most eight entries of metadata",
				rewriteEach(readsFeed(), within("metadata", firstKeys(shown))))),
	)
}

// edgeConcurrency are the faults of feeds that two requests write at once.
func edgeConcurrency() []Fault {
	return slices.Concat(
		breaks("feed.event-delete",
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
				}))),
		breaks("feed.follow.new-events",
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
	)
}
