package faults

import (
	"slices"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// followedFeeds are the faults of what a follow brings into a feed (endpoint rules 3 to 5).
func followedFeeds() []Fault {
	// hiding hides events of followed users who are no friends; later says whether
	// an event was posted after the first follow.
	hiding := func(out func(feed []store.Event, event store.Event, later func(store.Event) bool) bool) mutation {
		return overrideStore(func(_ refserver.Store, s *overrides) {
			since := firstFollows(s)
			s.rewriteFeeds(func(r reader, feed []store.Event) []store.Event {
				later := func(event store.Event) bool { return event.CreatedAt.After(since(r.app, r.id, event.Owner)) }
				all := slices.Clone(feed)
				return without(feed, func(event store.Event) bool { return !r.befriends(event.Owner) && out(all, event, later) })
			})
		})
	}
	return slices.Concat(
		breaks("feed.follow.earlier-events",
			fault("feed-hides-earlier-events", "a follow shows only what is posted after it",
				hiding(func(_ []store.Event, event store.Event, later func(store.Event) bool) bool { return !later(event) })),
			fault("feed-shows-one-earlier-event", "of what a user posted before it was followed only the newest is shown",
				hiding(func(feed []store.Event, event store.Event, later func(store.Event) bool) bool {
					earlier := func(e store.Event) bool { return e.Owner == event.Owner && !later(e) }
					return earlier(event) && event.ID != feed[slices.IndexFunc(feed, earlier)].ID
				}))),
		breaks("feed.follow.new-events",
			fault("feed-hides-later-events", "a follow shows only what was posted before it",
				hiding(func(_ []store.Event, event store.Event, later func(store.Event) bool) bool { return later(event) })),
			fault("feed-forgets-last-follower", "of several followers the last gets no new events",
				overrideStore(func(_ refserver.Store, s *overrides) {
					since := firstFollows(s)
					s.hideFromFeeds(func(r reader, event store.Event) bool {
						return r.isLastFollower(event.Owner) && event.CreatedAt.After(since(r.app, r.id, event.Owner))
					})
				})),
			fault("feed-hides-events-with-objects", "events with an object are in no feed",
				hideFromFeeds(func(_ reader, event store.Event) bool { return event.Object != nil })).
				also("feed.follow.earlier-events", hasObjects).also("feed.friends", hasObjects).also("feed.merge", hasObjects).
				also("social.connects", hasObjects).also("feed.refollow", hasObjects).also("feed.update-visible", hasObjects),
			fault("feed-loses-changed-events", "a changed event leaves the feeds",
				hideFromFeeds(func(_ reader, event store.Event) bool { return event.UpdatedAt.After(event.CreatedAt) }))),
	)
}

// hasObjects is why a fault of events with objects shows in other feeds, too.
const hasObjects = "the events that its scenario creates may have objects"

// firstFollows watches follows. What it returns says when a user first followed another.
func firstFollows(s *overrides) func(app store.App, follower, followed store.ID) time.Time {
	since, connect := &memory[time.Time]{}, s.connect
	s.connect = func(app store.App, from, to store.ID, typ store.ConnectionType) (store.Connection, bool, error) {
		made, isNew, err := connect(app, from, to, typ)
		if err == nil && typ == store.Follow && !since.has(keyOf(app, from, to)) {
			since.keep(keyOf(app, from, to), made.CreatedAt)
		}
		return made, isNew, err
	}
	return func(app store.App, follower, followed store.ID) time.Time {
		return since.get(keyOf(app, follower, followed))
	}
}

// unfollows are the faults of what the end of a connection does to the reader's feed.
func unfollows() []Fault {
	always := func(refserver.Store, store.App, store.ID, store.ID) bool { return true }
	return breaks("feed.unfollow",
		fault("feed-unfollow-keeps-events", "what was in the feed stays after an unfollow, only new events do not come", unfollowedStay(atOnce, always)),
		fault("feed-unfollowed-returns", "the events of a user who is no longer followed are back a second later", unfollowedStay(aMomentLater, always)),
		fault("feed-unfollowed-returns-with-the-next", "the events of a user who is no longer followed are back when something is posted",
			unfollowedStay(withTheNextPost, always)),
		fault("feed-unfollow-never-empties", "the events of the only followed user stay after an unfollow", unfollowedStay(whereNothingElseIs, always)),
		fault("feed-unfriended-stays", "what was in the feed stays there when a friendship ends", unfollowedStay(atOnce, befriends)),
		fault("feed-unfollow-lets-new-events-in", "after an unfollow the events so far are gone, and new ones come",
			overrideStore(func(_ refserver.Store, s *overrides) {
				all, ended := archived(s), endedAt(s)
				s.addToFeeds(func(r reader, _ []store.Event) []store.Event {
					strangers := all.of(r.app, func(owner store.ID) bool { return !r.follows(owner) })
					return without(strangers, func(event store.Event) bool {
						at := ended(r.app, r.id, event.Owner)
						return at.IsZero() || !event.CreatedAt.After(at)
					})
				})
			})))
}

// unfollowedStay leaves the events of a user in the feed of one who ends a
// connection to it, where of says so of the two before that.
func unfollowedStay(shows timing, of permission) mutation {
	return overrideStore(func(inner refserver.Store, s *overrides) {
		stale := keepStaleReads(s)
		s.disconnect = func(app store.App, from, to store.ID, types ...store.ConnectionType) error {
			var left []store.Event
			if of(inner, app, from, to) {
				left = ownedBy(inner, app, from, to)
			}
			err := inner.Disconnect(app, from, to, types...)
			if err == nil {
				stale.keep(app, from, left, shows(time.Now()))
			}
			return err
		}
		s.connect = func(app store.App, from, to store.ID, typ store.ConnectionType) (store.Connection, bool, error) {
			stale.forget(app, from, to)
			return inner.Connect(app, from, to, typ)
		}
	})
}

// refollows are the faults of following a user again.
func refollows() []Fault {
	hiding := func(hidden func(older []store.Event) []store.Event) mutation {
		return overrideStore(func(_ refserver.Store, s *overrides) {
			ended := endedAt(s)
			s.rewriteFeeds(func(r reader, feed []store.Event) []store.Event {
				older := without(slices.Clone(feed), func(event store.Event) bool { return !event.CreatedAt.Before(ended(r.app, r.id, event.Owner)) })
				hide := map[store.ID]bool{}
				for _, event := range hidden(older) {
					hide[event.ID] = true
				}
				return without(feed, func(event store.Event) bool { return hide[event.ID] })
			})
		})
	}
	return breaks("feed.refollow",
		fault("feed-refollow-shows-only-new", "who follows a user again sees only what is posted from then on", hiding(allOf)),
		fault("feed-refollow-shows-the-newest", "who follows a user again sees only the newest of the events so far", hiding(allButNewest)))
}
