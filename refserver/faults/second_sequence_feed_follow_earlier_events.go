package faults

import (
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// sequenceFeedFollowEarlierEvents are the faults of events from before a follow that are
// not in the feed after certain steps.
func sequenceFeedFollowEarlierEvents() []Fault {
	return breaks("feed.follow.earlier-events",
		fault("sequence-empty-feed-cached", "who read an empty feed before the first connection sees nothing until somebody posts",
			overrideStore(func(inner refserver.Store, s *overrides) {
				empty, isNew := &memory[bool]{}, neverConnected(s)
				fill := func(event store.Event) {
					for _, id := range append(idsOf(inner.Followers, event.App, event.Owner), idsOf(inner.Friends, event.App, event.Owner)...) {
						empty.keep(keyOf(event.App, id), false)
					}
				}
				s.onCreateEvent(fill)
				s.onUpdateEvent(fill)
				s.rewriteFeeds(func(r reader, feed []store.Event) []store.Event {
					if len(feed) == 0 && isNew(r.app, r.id) {
						empty.keep(keyOf(r.app, r.id), true)
					}
					if empty.get(keyOf(r.app, r.id)) {
						return nil
					}
					return feed
				})
			})),
		fault("sequence-posted-between-follows-missing", "who follows a user again does not see what it posted in between", overrideStore(gapsBetweenFollows)),
		fault("sequence-read-feed-goes-on-from-its-newest", "who has read events in the feed does not see, of whom it follows after that, what is older than the newest of them",
			overrideStore(goingOnFromNewest)),
		fault("sequence-events-from-before-the-reader-missing", "what was posted before the reader was created is not in the reader's feed",
			hideFromFeeds(func(r reader, event store.Event) bool {
				user, err := r.store.User(r.app, r.id)
				return err == nil && event.CreatedAt.Before(user.CreatedAt)
			})),
		fault("sequence-follow-back-without-earlier-events", "who follows a follower back does not see what that one posted before", overrideStore(noEarlierForFollowBack)),
		fault("sequence-second-follower-without-earlier-events", "of a user's followers the first alone sees what was posted before the follow", overrideStore(earlierForFirstFollower)))
}

// gapsBetweenFollows hides what was posted between the end of a connection and the next.
func gapsBetweenFollows(_ refserver.Store, s *overrides) {
	resumed, ended := &memory[time.Time]{}, endedAt(s)
	s.onConnect(func(app store.App, from, to store.ID, _ store.ConnectionType) {
		if key := keyOf(app, from, to); !resumed.get(key).After(ended(app, from, to)) {
			resumed.keep(key, time.Now())
		}
	})
	s.hideFromFeeds(func(r reader, event store.Event) bool {
		at := ended(r.app, r.id, event.Owner)
		return !at.IsZero() && event.CreatedAt.After(at) && event.CreatedAt.Before(resumed.get(keyOf(r.app, r.id, event.Owner)))
	})
}

// goingOnFromNewest adds to a feed that was read what is newer alone.
func goingOnFromNewest(_ refserver.Store, s *overrides) {
	newest, seen := &memory[time.Time]{}, &memory[bool]{} // by reader; by reader and event
	s.rewriteFeeds(func(r reader, feed []store.Event) []store.Event {
		mark := newest.get(keyOf(r.app, r.id))
		feed = without(feed, func(event store.Event) bool {
			return event.CreatedAt.Before(mark) && !seen.get(keyOf(r.app, r.id, event.ID))
		})
		for _, event := range feed {
			seen.keep(keyOf(r.app, r.id, event.ID), true)
			if event.CreatedAt.After(mark) {
				mark = event.CreatedAt
			}
		}
		newest.keep(keyOf(r.app, r.id), mark)
		return feed
	})
}

// noEarlierForFollowBack takes the events of a pair for copied where it has a row already.
func noEarlierForFollowBack(inner refserver.Store, s *overrides) {
	since, connect := &memory[time.Time]{}, s.connect // by reader and owner
	s.connect = func(app store.App, from, to store.ID, typ store.ConnectionType) (store.Connection, bool, error) {
		made, isNew, err := connect(app, from, to, typ)
		if err == nil && isNew && typ == store.Follow && follows(inner, app, to, from) {
			since.keep(keyOf(app, from, to), made.CreatedAt)
		}
		return made, isNew, err
	}
	s.onDisconnect(func(app store.App, from, to store.ID) { since.keep(keyOf(app, from, to), time.Time{}) })
	s.hideFromFeeds(func(r reader, event store.Event) bool {
		return event.CreatedAt.Before(since.get(keyOf(r.app, r.id, event.Owner)))
	})
}

// earlierForFirstFollower copies a user's events into a feed when the user gets its first follower.
func earlierForFirstFollower(inner refserver.Store, s *overrides) {
	since, connect := &memory[time.Time]{}, s.connect // by reader and owner
	s.connect = func(app store.App, from, to store.ID, typ store.ConnectionType) (store.Connection, bool, error) {
		followed := len(idsOf(inner.Followers, app, to)) > 0
		made, isNew, err := connect(app, from, to, typ)
		if err == nil && isNew && typ == store.Follow && followed {
			since.keep(keyOf(app, from, to), made.CreatedAt)
		}
		return made, isNew, err
	}
	s.onDisconnect(func(app store.App, from, to store.ID) { since.keep(keyOf(app, from, to), time.Time{}) })
	s.hideFromFeeds(func(r reader, event store.Event) bool {
		return event.CreatedAt.Before(since.get(keyOf(r.app, r.id, event.Owner)))
	})
}
