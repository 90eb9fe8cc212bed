package faults

import (
	"slices"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// eleventhScale are the faults of work that is done for the first of many alone.
func eleventhScale() []Fault {
	const reached, cleaned = 15, 8
	beyond := func(inner refserver.Store, _ *overrides) func(store.App, store.ID) []store.ID {
		return func(app store.App, owner store.ID) []store.ID {
			followers := idsOf(inner.Followers, app, owner)
			return followers[min(cleaned, len(followers)):]
		}
	}
	return slices.Concat(
		breaks("feed.follow.new-events",
			fault("scale-post-reaches-fifteen-followers", "a new event is in the feeds of fifteen followers, and of no more",
				overrideStore(func(inner refserver.Store, s *overrides) {
					missed := &memory[bool]{} // by event and reader
					s.onCreateEvent(func(event store.Event) {
						followers := idsOf(inner.Followers, event.App, event.Owner)
						for _, reader := range followers[min(reached, len(followers)):] {
							missed.keep(keyOf(event.App, event.ID, reader), true)
						}
					})
					s.hideFromFeeds(func(r reader, event store.Event) bool {
						return missed.get(keyOf(r.app, event.ID, r.id)) && !r.befriends(event.Owner)
					})
				}))),
		breaks("connections.lists.after-user-delete",
			fault("scale-deleted-user-leaves-eight-lists", "a deleted user is gone from the follows of eight of its followers, and stays in those of the others",
				deletedStays(0, func(s *overrides) *members { return &s.follows }, beyond))),
	)
}

// eleventhRepetition is the fault of a limit that nobody is told of.
func eleventhRepetition() []Fault {
	const most = 3
	return breaks("social.connects",
		fault("repetition-fourth-social-connecting-does-nothing", "from the fourth time on that a user connects by social identifiers, nobody is connected",
			overrideStore(func(inner refserver.Store, s *overrides) {
				times := &memory[int]{} // by user
				s.connectSocial = func(app store.App, from store.ID, platform string, ids []string, typ store.ConnectionType) error {
					if tally(times, keyOf(app, from)) > most {
						return nil
					}
					return inner.ConnectSocial(app, from, platform, ids, typ)
				}
			})))
}

// eleventhConcurrency are the faults of what is read, and decided on a while later.
func eleventhConcurrency() []Fault {
	return slices.Concat(
		breaks("connections.friends.mutual",
			fault("concurrency-friends-asking-at-once-unlisted", "two users who ask each other at once to be friends do not list each other", overrideRacyStore(friendsCrossed))),
		breaks("events.update.partial",
			fault("concurrency-change-beside-change-of-verb-restores-it", "a change of an event without a verb that runs beside one with a verb, and ends after it, brings the former verb back",
				overrideRacyStore(verbsWrittenBack))),
	)
}

// friendsCrossed has each of two requests wait for the other to be confirmed.
func friendsCrossed(_ refserver.Store, s *overrides) {
	asking, crossed, connect := &memory[bool]{}, &memory[bool]{}, s.connect // by who asks and who is asked
	s.connect = func(app store.App, from, to store.ID, typ store.ConnectionType) (store.Connection, bool, error) {
		if typ != store.Friend {
			return connect(app, from, to, typ)
		}
		one, other := keyOf(app, from, to), keyOf(app, to, from)
		asking.keep(one, true)
		time.Sleep(window)
		if asking.get(other) {
			crossed.keep(one, true)
			crossed.keep(other, true)
		}
		asking.keep(one, false)
		return connect(app, from, to, typ)
	}
	s.onDisconnect(func(app store.App, from, to store.ID) {
		crossed.keep(keyOf(app, from, to), false)
		crossed.keep(keyOf(app, to, from), false)
	})
	filter(&s.friends, func(app store.App, id store.ID, friend store.User) bool {
		return crossed.get(keyOf(app, id, friend.ID))
	})
}

// verbsWrittenBack has a change write the verb that it has read before.
func verbsWrittenBack(inner refserver.Store, s *overrides) {
	var all *archive
	s.updateEvent = func(app store.App, owner, id store.ID, change func(*store.Event)) (store.Event, error) {
		own := all.of(app, func(other store.ID) bool { return other == owner })
		i := slices.IndexFunc(own, func(event store.Event) bool { return event.ID == id })
		time.Sleep(window)
		return inner.UpdateEvent(app, owner, id, func(event *store.Event) {
			verb := event.Verb
			if change(event); i >= 0 && event.Verb == verb {
				event.Verb = own[i].Verb
			}
		})
	}
	all = archived(s)
}
