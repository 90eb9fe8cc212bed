package faults

import (
	"slices"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// timeFeed are the faults of what is back in feeds, or leaves them or changes there, a
// while later.
func timeFeed() []Fault {
	always := func(refserver.Store, store.App, store.ID, store.ID) bool { return true }
	return slices.Concat(
		breaks("feed.follow.new-events",
			fault("time-events-leave-feeds", "events leave the feeds five seconds after they were posted",
				hideFromFeeds(func(_ reader, event store.Event) bool { return time.Since(event.CreatedAt) >= aWhile })),
			fault("time-events-long-after-follow-in-no-feed", "an event that is posted four seconds after a follow, or later, is not in the follower's feed",
				overrideStore(func(_ refserver.Store, s *overrides) {
					since := firstFollows(s)
					s.hideFromFeeds(func(r reader, event store.Event) bool {
						at := since(r.app, r.id, event.Owner)
						return !at.IsZero() && event.CreatedAt.Sub(at) >= 4*time.Second && !r.befriends(event.Owner)
					})
				}))),
		breaks("feed.friends",
			fault("time-friends-forgotten", "friends see each other's events for five seconds",
				overrideStore(func(_ refserver.Store, s *overrides) {
					since := &memory[time.Time]{}
					s.onConnect(func(app store.App, from, to store.ID, typ store.ConnectionType) {
						if typ == store.Friend {
							since.keep(keyOf(app, min(from, to), max(from, to)), time.Now())
						}
					})
					s.hideFromFeeds(func(r reader, event store.Event) bool {
						at, known := since.lookup(keyOf(r.app, min(r.id, event.Owner), max(r.id, event.Owner)))
						return known && !r.follows(event.Owner) && time.Since(at) >= aWhile
					})
				}))),
		breaks("feed.order",
			fault("time-older-events-in-reverse", "in a feed the events that were posted four seconds ago or earlier stand the oldest first, behind the newer ones",
				rewriteFeeds(func(_ reader, feed []store.Event) []store.Event {
					older := slices.IndexFunc(feed, func(event store.Event) bool { return time.Since(event.CreatedAt) >= 4*time.Second })
					if older >= 0 {
						slices.Reverse(feed[older:])
					}
					return feed
				}))),
		breaks("feed.event-shape",
			fault("time-old-events-lose-metadata", "in a feed events that were posted three seconds ago or earlier have no metadata, as what old ones are read from has no room for it",
				rewriteFeeds(func(_ reader, feed []store.Event) []store.Event {
					for i, event := range feed {
						if time.Since(event.CreatedAt) >= 3*time.Second {
							feed[i].Metadata = nil
						}
					}
					return feed
				})),
			fault("time-older-events-without-display-names", "in a feed the objects of events that were posted three seconds ago have no display names",
				rewriteEach(readsFeed(), func(event map[string]any) {
					if time.Since(timeIn(event, "created_at")) >= 3*time.Second {
						within("object", drop("display_name"))(event)
					}
				}))),
		breaks("feed.update-visible",
			fault("time-change-of-event-rolled-back", "five seconds after a change feeds show an event as it was at first",
				staying(func(event *store.Event, first store.Event) {
					if event.UpdatedAt.After(event.CreatedAt) && time.Since(event.UpdatedAt) >= aWhile {
						*event = first
					}
				}, func(reader, store.ID) bool { return true }))),
		breaks("feed.unfollow",
			fault("time-unfollowed-return", "the events of a user who is no longer followed are back in the feed five seconds later", unfollowedStay(aWhileLater, always)),
			fault("time-unfollow-leaves-older-events", "the end of a follow leaves events in the feed that were posted four seconds before it or earlier",
				overrideStore(olderStayUnfollowed))),
		breaks("feed.refollow",
			fault("time-late-removal-after-refollow", "who follows again within a second after the end of a follow loses the earlier events from the feed a second later",
				overrideStore(lateRemovals))),
		breaks("feed.event-delete",
			fault("time-deleted-event-returns", "a deleted event is back in the feeds of followers five seconds later",
				deletionPassesOver(allOf, followersAlone, aWhileLater))),
		breaks("feed.purge.followers",
			fault("time-purged-return-to-followers", "a deleted user's events are back in the feeds of followers five seconds later",
				purgePassesOver(allOf, followersAlone, aWhileLater))),
		breaks("feed.purge.friends",
			fault("time-purged-return-to-friends", "a deleted user's events are back in the feeds of friends five seconds later",
				purgePassesOver(allOf, allFriends, aWhileLater))),
	)
}

// olderStayUnfollowed takes out of a feed what was posted of late.
func olderStayUnfollowed(inner refserver.Store, s *overrides) {
	stale := keepStaleReads(s)
	s.disconnect = func(app store.App, from, to store.ID, types ...store.ConnectionType) error {
		older := without(ownedBy(inner, app, from, to), func(event store.Event) bool { return time.Since(event.CreatedAt) < 4*time.Second })
		err := inner.Disconnect(app, from, to, types...)
		if err == nil {
			stale.keep(app, from, older, whileThere(inner, app, to))
		}
		return err
	}
	s.onConnect(func(app store.App, from, to store.ID, _ store.ConnectionType) { stale.forget(app, from, to) })
}

// lateRemovals takes a user's events out of a feed a while after the follow ended, wanted or not.
func lateRemovals(_ refserver.Store, s *overrides) {
	const delay = time.Second
	ended, again := endedAt(s), &memory[time.Time]{} // by follower and followed
	s.onConnect(func(app store.App, from, to store.ID, typ store.ConnectionType) {
		if at := ended(app, from, to); typ == store.Follow && !at.IsZero() {
			again.update(keyOf(app, from, to), func(time.Time) time.Time {
				if time.Since(at) < delay {
					return time.Now()
				}
				return time.Time{}
			})
		}
	})
	s.hideFromFeeds(func(r reader, event store.Event) bool {
		at := again.get(keyOf(r.app, r.id, event.Owner))
		return event.CreatedAt.Before(at) && time.Since(at) >= delay && !r.befriends(event.Owner)
	})
}
