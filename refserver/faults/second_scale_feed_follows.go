package faults

import (
	"slices"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// scaleFeedFollows are the faults of follows and ends of follows with many followers or
// events.
func scaleFeedFollows() []Fault {
	return slices.Concat(
		breaks("feed.follow.new-events",
			fault("scale-feed-full-at-50", "a feed that has 50 events shows no newer ones",
				rewriteFeeds(func(_ reader, feed []store.Event) []store.Event { return feed[max(0, len(feed)-50):] })),
			fault("scale-fanout-to-15-followers", "new events reach the first 15 followers alone",
				overrideStore(func(_ refserver.Store, s *overrides) {
					since := firstFollows(s)
					s.hideFromFeeds(func(r reader, event store.Event) bool {
						return slices.Contains(fromPosition(idsOf(r.store.Followers, r.app, event.Owner), 15), r.id) &&
							event.CreatedAt.After(since(r.app, r.id, event.Owner))
					})
				})),
			fault("scale-post-reaches-fifteen-followers", "a new event is in the feeds of fifteen followers, and of no more",
				overrideStore(func(inner refserver.Store, s *overrides) {
					missed := &memory[bool]{} // by event and reader
					s.onCreateEvent(func(event store.Event) {
						followers := idsOf(inner.Followers, event.App, event.Owner)
						for _, reader := range followers[min(15, len(followers)):] {
							missed.keep(keyOf(event.App, event.ID, reader), true)
						}
					})
					s.hideFromFeeds(func(r reader, event store.Event) bool {
						return missed.get(keyOf(r.app, event.ID, r.id)) && !r.befriends(event.Owner)
					})
				}))),
		breaks("feed.follow.earlier-events",
			fault("scale-backfill-of-the-oldest", "of more than 15 events that a user posted before it was followed the newest is left out",
				overrideStore(func(_ refserver.Store, s *overrides) {
					since := firstFollows(s)
					s.rewriteFeeds(func(r reader, feed []store.Event) []store.Event {
						earlier := map[store.ID][]store.ID{}
						for _, event := range feed {
							if event.CreatedAt.Before(since(r.app, r.id, event.Owner)) {
								earlier[event.Owner] = append(earlier[event.Owner], event.ID)
							}
						}
						return without(feed, func(event store.Event) bool {
							ids := earlier[event.Owner]
							return len(ids) > 15 && ids[0] == event.ID
						})
					})
				}))),
		breaks("feed.unfollow",
			fault("scale-unfollow-takes-ten-events", "of the events of a user who is no longer followed the ten newest leave the feed",
				overrideStore(unfollowTakes(10))),
			fault("scale-unfollow-takes-newest-five-events", "the end of a follow takes the newest five events of the followed user out of the feed, and no older ones",
				overrideStore(unfollowTakes(5)))),
		breaks("feed.refollow",
			fault("scale-refollow-brings-five-back", "who follows a user again sees of its events so far the five newest alone",
				overrideStore(func(_ refserver.Store, s *overrides) {
					ended := endedAt(s)
					s.rewriteFeeds(func(r reader, feed []store.Event) []store.Event {
						back := map[store.ID]int{}
						return without(feed, func(event store.Event) bool {
							if !event.CreatedAt.Before(ended(r.app, r.id, event.Owner)) {
								return false
							}
							back[event.Owner]++
							return back[event.Owner] > 5
						})
					})
				}))),
	)
}

// unfollowTakes lets the end of a follow take so many events out of a feed, the newest first.
func unfollowTakes(n int) func(inner refserver.Store, s *overrides) {
	return func(inner refserver.Store, s *overrides) {
		stale, disconnect := keepStaleReads(s), s.disconnect
		s.disconnect = func(app store.App, from, to store.ID, types ...store.ConnectionType) error {
			left := fromPosition(ownedBy(inner, app, from, to), n)
			err := disconnect(app, from, to, types...)
			if err == nil {
				stale.keep(app, from, left, whileThere(inner, app, to))
			}
			return err
		}
		s.onConnect(func(app store.App, from, to store.ID, _ store.ConnectionType) { stale.forget(app, from, to) })
	}
}
