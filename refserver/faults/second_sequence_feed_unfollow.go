package faults

import (
	"maps"
	"slices"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// sequenceFeedUnfollow are the faults of the end of a follow, and of a follow that is made
// again, after certain steps.
func sequenceFeedUnfollow() []Fault {
	return slices.Concat(
		breaks("feed.unfollow",
			fault("sequence-end-of-both-keeps-events", "what a friend posted who was also followed stays in the feed when both end",
				unfollowedStay(atOnce, func(inner refserver.Store, app store.App, user, owner store.ID) bool {
					return befriends(inner, app, user, owner) && follows(inner, app, user, owner)
				})),
			fault("sequence-end-of-friendship-leaves-the-others-feed", "what a friend posted who ends the friendship stays in the feed of the other, whatever that one ends too",
				overrideStore(theOthersFeedStays)),
			fault("sequence-second-unfollow-keeps-events", "what a user posted stays in the feed of who unfollows it for the second time",
				overrideStore(func(inner refserver.Store, s *overrides) {
					ends, stale := &memory[int]{}, keepStaleReads(s)
					s.onConnect(func(app store.App, from, to store.ID, _ store.ConnectionType) { stale.forget(app, from, to) })
					disconnect := s.disconnect
					s.disconnect = func(app store.App, from, to store.ID, types ...store.ConnectionType) error {
						left := ownedBy(inner, app, from, to)
						err := disconnect(app, from, to, types...)
						if err == nil && tally(ends, keyOf(app, from, to)) >= 2 {
							stale.keep(app, from, left, atOnce(time.Now()))
						}
						return err
					}
				})),
			fault("sequence-change-after-unfollow-brings-event-back", "an event that is changed is again in the feeds of those who followed its owner once",
				overrideStore(changesReachFormerFollowers)),
			fault("sequence-changed-events-stay-after-unfollow", "those of a user's events that were changed stay in the feed of who ends the follow", overrideStore(changedStay)),
			fault("sequence-second-unfollow-leaves-events", "who follows a user anew and ends that, too, goes on seeing the events that were there", overrideStore(secondUnfollowsLeaveEvents))),
		breaks("feed.refollow",
			fault("sequence-third-follow-shows-nothing", "who follows a user for the third time does not see what was posted before",
				overrideStore(func(_ refserver.Store, s *overrides) {
					ends, ended := &memory[int]{}, endedAt(s)
					s.onDisconnect(func(app store.App, from, to store.ID) { tally(ends, keyOf(app, from, to)) })
					s.hideFromFeeds(func(r reader, event store.Event) bool {
						return ends.get(keyOf(r.app, r.id, event.Owner)) >= 2 && event.CreatedAt.Before(ended(r.app, r.id, event.Owner))
					})
				}))),
	)
}

// theOthersFeedStays leaves the events of who ends a friendship in the feed of the other.
func theOthersFeedStays(inner refserver.Store, s *overrides) {
	all, left, disconnect := archived(s), &memory[time.Time]{}, s.disconnect // by the one who was left and the other
	s.disconnect = func(app store.App, from, to store.ID, types ...store.ConnectionType) error {
		were := befriends(inner, app, from, to)
		err := disconnect(app, from, to, types...)
		if err == nil && were && !befriends(inner, app, from, to) {
			left.keep(keyOf(app, to, from), time.Now())
		}
		return err
	}
	s.onConnect(func(app store.App, from, to store.ID, typ store.ConnectionType) {
		if left.keep(keyOf(app, from, to), time.Time{}); typ == store.Friend {
			left.keep(keyOf(app, to, from), time.Time{})
		}
	})
	s.addToFeeds(func(r reader, _ []store.Event) []store.Event {
		at := func(owner store.ID) time.Time { return left.get(keyOf(r.app, r.id, owner)) }
		posted := all.of(r.app, func(owner store.ID) bool {
			_, missing := inner.User(r.app, owner)
			return missing == nil && !at(owner).IsZero()
		})
		return without(posted, func(event store.Event) bool { return !event.CreatedAt.Before(at(event.Owner)) })
	})
}

// changesReachFormerFollowers shows changed events to those who ended their connection to the owner.
func changesReachFormerFollowers(inner refserver.Store, s *overrides) {
	left := &memory[map[store.ID]bool]{} // who ended a connection, by the user to whom
	back := &memory[bool]{}              // by reader and event
	keep := func(app store.App, from, to store.ID, gone bool) {
		left.update(keyOf(app, to), func(before map[store.ID]bool) map[store.ID]bool {
			after := map[store.ID]bool{}
			maps.Copy(after, before)
			after[from] = gone
			return after
		})
	}
	all := archived(s)
	s.onDisconnect(func(app store.App, from, to store.ID) { keep(app, from, to, true) })
	s.onConnect(func(app store.App, from, to store.ID, _ store.ConnectionType) { keep(app, from, to, false) })
	s.onUpdateEvent(func(event store.Event) {
		for id, gone := range left.get(keyOf(event.App, event.Owner)) {
			back.keep(keyOf(event.App, id, event.ID), gone)
		}
	})
	s.addToFeeds(func(r reader, _ []store.Event) []store.Event {
		changed := all.of(r.app, func(owner store.ID) bool {
			_, missing := inner.User(r.app, owner)
			return missing == nil && left.get(keyOf(r.app, owner))[r.id]
		})
		return without(changed, func(event store.Event) bool { return !back.get(keyOf(r.app, r.id, event.ID)) })
	})
}

// changedStay takes the first rows of events out of the feed of who unfollows, and not
// those that changes have added.
func changedStay(inner refserver.Store, s *overrides) {
	all, stays, disconnect := archived(s), &memory[bool]{}, s.disconnect // by reader and event
	s.disconnect = func(app store.App, from, to store.ID, types ...store.ConnectionType) error {
		for _, event := range ownedBy(inner, app, from, to) {
			stays.keep(keyOf(app, from, event.ID), event.UpdatedAt.After(event.CreatedAt))
		}
		return disconnect(app, from, to, types...)
	}
	s.addToFeeds(func(r reader, _ []store.Event) []store.Event {
		there := all.of(r.app, func(owner store.ID) bool { _, gone := inner.User(r.app, owner); return gone == nil })
		return without(there, func(event store.Event) bool { return !stays.get(keyOf(r.app, r.id, event.ID)) })
	})
}

// secondUnfollowsLeaveEvents cleans a feed at the first end of a follow alone.
func secondUnfollowsLeaveEvents(inner refserver.Store, s *overrides) {
	stale, ends, disconnect := keepStaleReads(s), &memory[int]{}, s.disconnect // by reader and owner
	s.disconnect = func(app store.App, from, to store.ID, types ...store.ConnectionType) error {
		were, had := follows(inner, app, from, to), ownedBy(inner, app, from, to)
		err := disconnect(app, from, to, types...)
		if were && err == nil && tally(ends, keyOf(app, from, to)) > 1 {
			stale.keep(app, from, had, func([]store.Event) bool { _, gone := inner.User(app, to); return gone == nil })
		}
		return err
	}
	s.onConnect(func(app store.App, from, to store.ID, _ store.ConnectionType) { stale.forget(app, from, to) })
}
