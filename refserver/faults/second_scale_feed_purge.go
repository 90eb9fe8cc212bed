package faults

import (
	"slices"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// scaleFeedPurge are the faults of the purge of many events, or for many readers.
func scaleFeedPurge() []Fault {
	return slices.Concat(
		breaks("feed.purge.followers",
			fault("scale-purge-of-15-events", "of a deleted user's events the 15 newest leave the feeds of followers",
				purgePassesOver(func(events []store.Event) []store.Event { return fromPosition(events, 15) }, followersAlone, atOnce)),
			fault("scale-purge-of-50-events", "of a deleted user's events the 50 newest leave the feeds of followers",
				purgePassesOver(func(events []store.Event) []store.Event { return fromPosition(events, 50) }, followersAlone, atOnce)),
			fault("scale-purge-for-15-followers", "a deleted user's events leave the feeds of its first 15 followers alone",
				purgePassesOver(allOf, beyondFirst(15, followersAlone), atOnce)),
			fault("scale-purge-for-30-followers", "a deleted user's events leave the feeds of its first 30 followers alone",
				purgePassesOver(allOf, beyondFirst(30, followersAlone), atOnce)),
			fault("scale-purge-looks-at-ten-of-a-feed", "a deleted user's events stay in the feed of a follower where ten or more events of anybody stand before them",
				overrideStore(func(inner refserver.Store, s *overrides) {
					stale, followers := keepStaleReads(s), followersAlone(inner, s)
					s.deleteUser = func(app store.App, id store.ID) error {
						left := map[store.ID][]store.Event{}
						for _, reader := range followers(app, id) {
							if feed, err := inner.Feed(app, reader); err == nil {
								left[reader] = without(slices.Clone(fromPosition(feed, 10)), func(event store.Event) bool { return event.Owner != id })
							}
						}
						err := inner.DeleteUser(app, id)
						for reader, events := range left {
							if err == nil {
								stale.keep(app, reader, events, atOnce(time.Now()))
							}
						}
						return err
					}
				})),
			fault("scale-purge-skips-every-other-page", "of a deleted user's events every second five stay in the feeds of followers, as each page is deleted before the next is counted off",
				purgePassesOver(everySecondPage, followersAlone, atOnce)),
			fault("scale-purge-ten-events", "the deletion of a user takes its ten oldest events out of the feeds of followers, and no further ten",
				purgePassesOver(func(events []store.Event) []store.Event { return events[:max(0, len(events)-10)] }, followersAlone, atOnce))),
		breaks("feed.purge.friends",
			fault("scale-purge-for-15-friends", "a deleted user's events leave the feeds of its first 15 friends alone",
				purgePassesOver(allOf, beyondFirst(15, allFriends), atOnce)),
			fault("scale-purge-batch-of-ten", "of a deleted user's events only the ten newest leave the feeds of friends",
				purgePassesOver(func(events []store.Event) []store.Event { return fromPosition(events, 10) }, friendsAlone, atOnce))),
		breaks("feed.purge.keeps-others",
			fault("scale-purge-of-many-takes-followed", "with the events of a deleted user who had more than 15 those of the users whom it followed leave the feeds",
				purgeTakes(func(gone deletion, _ store.ID, event store.Event) bool {
					return len(gone.events) > 15 && slices.Contains(gone.follows, event.Owner) && gone.isOlder(event)
				})),
			fault("scale-purge-takes-one-more", "where more than five events of a deleted user leave a follower's feed, the event that comes behind them leaves, too",
				overrideStore(purgeTakesOneMore(5))),
			fault("scale-purge-trims-feeds-to-ten", "the deletion of a user leaves, of what stood in the feeds of its followers, the ten newest events",
				overrideStore(func(inner refserver.Store, s *overrides) {
					deleted := watchDeletions(inner, s)
					s.rewriteFeeds(func(r reader, feed []store.Event) []store.Event {
						for _, gone := range deleted.in(r.app) {
							if kept := 0; slices.Contains(gone.followers, r.id) {
								feed = without(feed, func(event store.Event) bool {
									if gone.isOlder(event) {
										kept++
									}
									return gone.isOlder(event) && kept > 10
								})
							}
						}
						return feed
					})
				}))),
	)
}

// purgeTakesOneMore takes another's event along where a purge takes more than some number.
func purgeTakesOneMore(most int) func(inner refserver.Store, s *overrides) {
	return func(inner refserver.Store, s *overrides) {
		taken := &memory[bool]{} // by reader and event
		s.deleteUser = func(app store.App, id store.ID) error {
			next := map[store.ID]store.ID{} // an event by reader
			for _, reader := range idsOf(inner.Followers, app, id) {
				feed, err := inner.Feed(app, reader)
				own := ownedBy(inner, app, reader, id)
				if err != nil || len(own) <= most {
					continue
				}
				last := slices.IndexFunc(feed, func(event store.Event) bool { return event.ID == own[len(own)-1].ID })
				if last >= 0 && last+1 < len(feed) {
					next[reader] = feed[last+1].ID
				}
			}
			err := inner.DeleteUser(app, id)
			for reader, event := range next {
				taken.keep(keyOf(app, reader, event), err == nil)
			}
			return err
		}
		s.hideFromFeeds(func(r reader, event store.Event) bool { return taken.get(keyOf(r.app, r.id, event.ID)) })
	}
}

// everySecondPage picks the second five of events, the fourth and so on. Events have the
// newest first, pages the oldest.
func everySecondPage(events []store.Event) (left []store.Event) {
	const page = 5
	for i := range events {
		if (len(events)-1-i)/page%2 == 1 {
			left = append(left, events[i])
		}
	}
	return left
}
