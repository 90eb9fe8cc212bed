package faults

import (
	"slices"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// dataFeedFollows are the faults of events with certain values that do not reach those who
// follow, or that stay with those who do no more.
func dataFeedFollows() []Fault {
	ofConnections := []string{"follow", "unfollow", "friend", "unfriend"}
	return slices.Concat(
		breaks("feed.follow.new-events",
			fault("data-feed-without-verbs-of-digits", "events whose verb is of digits are in no feed",
				hideFromFeeds(func(_ reader, event store.Event) bool { return isDigits(event.Verb) })),
			fault("data-feed-without-events-at-zero", "events with a coordinate of 0 are in no feed",
				hideFromFeeds(func(_ reader, event store.Event) bool {
					return event.Latitude != nil && *event.Latitude == 0 || event.Longitude != nil && *event.Longitude == 0
				})),
			fault("data-feed-without-three-letter-languages", "events in languages that have codes of three letters alone are in no feed",
				hideFromFeeds(func(_ reader, event store.Event) bool { return len(language(event.Language)) == len("fil") })),
			fault("data-feed-without-half-a-place", "events with a latitude and no longitude, or the other way round, are in no feed",
				hideFromFeeds(func(_ reader, event store.Event) bool { return (event.Latitude == nil) != (event.Longitude == nil) })),
			fault("data-feed-without-verbs-of-connections", "events whose verb is follow, unfollow, friend or unfriend are taken for notes of the service itself, and are in no feed",
				hideFromFeeds(func(_ reader, event store.Event) bool { return slices.Contains(ofConnections, folded(event.Verb)) })),
			fault("data-event-with-half-a-position-in-no-feed", "a new event that has a latitude and no longitude, or the other way round, reaches no follower",
				overrideStore(func(_ refserver.Store, s *overrides) {
					s.hideNewEvents(func(event store.Event) bool { return (event.Latitude == nil) != (event.Longitude == nil) })
				})),
			fault("data-events-on-the-follower-not-handed-out", "a new event whose object is a follower, by its custom_id, does not reach that follower's feed", overrideStore(aboutFollowersWithheld))),
		breaks("feed.unfollow",
			fault("data-unfollowed-events-with-priority-stay", "those events of a user who is no longer followed stay in the feed that have a priority", overrideStore(priorityOutlastsFollow)),
			fault("data-unfollow-leaves-events-on-objects", "those of a user's events that have an object stay in the feed of who ends the follow",
				overrideStore(func(inner refserver.Store, s *overrides) {
					stale, disconnect := keepStaleReads(s), s.disconnect
					s.onConnect(func(app store.App, from, to store.ID, _ store.ConnectionType) { stale.forget(app, from, to) })
					s.disconnect = func(app store.App, from, to store.ID, types ...store.ConnectionType) error {
						left := without(ownedBy(inner, app, from, to), func(event store.Event) bool { return event.Object == nil })
						err := disconnect(app, from, to, types...)
						if err == nil {
							stale.keep(app, from, left, whileThere(inner, app, to))
						}
						return err
					}
				}))),
	)
}

// aboutFollowersWithheld leaves to notifications, which there are none of, what is about the
// follower that it is handed out to.
func aboutFollowersWithheld(inner refserver.Store, s *overrides) {
	withheld := &memory[bool]{} // by reader and event
	s.onCreateEvent(func(event store.Event) {
		followers, err := inner.Followers(event.App, event.Owner)
		if err != nil || event.Object == nil {
			return
		}
		for _, follower := range followers {
			if follower.CustomID == event.Object.ID {
				withheld.keep(keyOf(event.App, follower.ID, event.ID), true)
			}
		}
	})
	s.hideFromFeeds(func(r reader, event store.Event) bool { return withheld.get(keyOf(r.app, r.id, event.ID)) })
}

// priorityOutlastsFollow keeps events with a priority in a table of their own, which the
// end of a follow does not touch.
func priorityOutlastsFollow(inner refserver.Store, s *overrides) {
	stale, disconnect := keepStaleReads(s), s.disconnect
	s.onConnect(func(app store.App, from, to store.ID, _ store.ConnectionType) { stale.forget(app, from, to) })
	s.disconnect = func(app store.App, from, to store.ID, types ...store.ConnectionType) error {
		urgent := without(ownedBy(inner, app, from, to), func(event store.Event) bool { return event.Priority == "" })
		followed := follows(inner, app, from, to)
		err := disconnect(app, from, to, types...)
		if err == nil && followed && !follows(inner, app, from, to) {
			stale.keep(app, from, urgent, whileThere(inner, app, to))
		}
		return err
	}
}
