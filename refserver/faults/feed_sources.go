package faults

import (
	"slices"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// friendsFeeds are the faults of what friends bring into a feed (endpoint rule 4).
func friendsFeeds() []Fault {
	return slices.Concat(
		breaks("feed.friends",
			fault("feed-hides-friends", "friends see each other's events only where they follow",
				hideFromFeeds(func(r reader, event store.Event) bool { return !r.follows(event.Owner) })),
			fault("feed-hides-friends-from-who-was-asked", "of two friends only the one who asked first sees the other's events",
				overrideStore(func(_ refserver.Store, s *overrides) {
					askedFirst := whoAskedFirst(s)
					s.hideFromFeeds(func(r reader, event store.Event) bool {
						return askedFirst(r.app, event.Owner, r.id) && !r.follows(event.Owner)
					})
				}))),
		breaks("feed.no-duplicates",
			fault("feed-friends-followed-twice", "the events of a friend who is also followed are shown twice",
				repeatedInFeeds(func(r reader, owner store.ID) bool { return r.befriends(owner) && r.follows(owner) })),
			fault("feed-friends-twice", "the events of a friend are shown once for each side's connection", repeatedInFeeds(reader.befriends))),
	)
}

// repeatedInFeeds shows the events of some users twice.
func repeatedInFeeds(of func(r reader, owner store.ID) bool) mutation {
	return rewriteFeeds(func(r reader, feed []store.Event) []store.Event {
		again := without(slices.Clone(feed), func(event store.Event) bool { return !of(r, event.Owner) })
		return newestFirst(append(feed, again...))
	})
}

// strangersInFeeds are the faults of feeds that show the events of those whom
// the reader has nothing to do with.
func strangersInFeeds() []Fault {
	follows, followers, friends := refserver.Store.Follows, refserver.Store.Followers, refserver.Store.Friends
	return breaks("feed.only-connected",
		fault("feed-shows-followers", "a feed shows the events of those who follow the reader", showingEventsOf(followers, nil)),
		fault("feed-shows-followed-of-followed", "a feed shows the events of those whom the followed users follow", showingEventsOf(follows, follows)),
		fault("feed-shows-followed-of-friends", "a feed shows the events of those whom the reader's friends follow", showingEventsOf(friends, follows)),
		fault("feed-shows-friends-of-friends", "a feed shows the events of the friends of friends", showingEventsOf(friends, friends)),
		fault("feed-shows-whom-others-follow", "the feed of one who follows somebody also shows the newest event of a stranger whom somebody else follows",
			overrideStore(func(inner refserver.Store, s *overrides) {
				all := archived(s)
				s.addToFeeds(func(r reader, feed []store.Event) []store.Event {
					if len(feed) == 0 {
						return nil
					}
					near := slices.Concat(idsOf(inner.Follows, r.app, r.id), idsOf(inner.Friends, r.app, r.id), []store.ID{r.id})
					strangers := all.of(r.app, func(owner store.ID) bool {
						return !slices.Contains(near, owner) && len(idsOf(inner.Followers, r.app, owner)) > 0
					})
					return strangers[:min(1, len(strangers))]
				})
			})),
		fault("feed-shows-strangers", "the feed of one who follows somebody also shows the events of users without any connection",
			overrideStore(func(inner refserver.Store, s *overrides) {
				all, alone := archived(s), neverConnected(s)
				s.addToFeeds(func(r reader, _ []store.Event) []store.Event {
					followsSomebody := len(idsOf(inner.Follows, r.app, r.id)) > 0
					return all.of(r.app, func(owner store.ID) bool { return followsSomebody && alone(r.app, owner) })
				})
			})))
}

// listOf is one of a store's lists of users.
type listOf func(s refserver.Store, app store.App, id store.ID) ([]store.User, error)

// showingEventsOf adds the events of the users on a list of the reader, and of those on a
// list of theirs.
func showingEventsOf(near, nearer listOf) mutation {
	return overrideStore(func(inner refserver.Store, s *overrides) {
		all := archived(s)
		ids := func(list listOf, app store.App, id store.ID) []store.ID {
			return idsOf(func(app store.App, id store.ID) ([]store.User, error) { return list(inner, app, id) }, app, id)
		}
		s.addToFeeds(func(r reader, _ []store.Event) []store.Event {
			owners := ids(near, r.app, r.id)
			for _, middle := range slices.Clone(owners) {
				if nearer != nil {
					owners = append(owners, ids(nearer, r.app, middle)...)
				}
			}
			return all.of(r.app, func(owner store.ID) bool { return owner != r.id && slices.Contains(owners, owner) })
		})
	})
}
