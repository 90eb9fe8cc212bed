package faults

import (
	"slices"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// where narrows readers to those of whom a condition holds; watch prepares it.
func (in readers) where(watch func(inner refserver.Store, s *overrides) func(app store.App, owner, id store.ID) bool) readers {
	return func(inner refserver.Store, s *overrides) func(store.App, store.ID) []store.ID {
		is, all := watch(inner, s), in(inner, s)
		return func(app store.App, owner store.ID) []store.ID {
			return slices.DeleteFunc(all(app, owner), func(id store.ID) bool { return !is(app, owner, id) })
		}
	}
}

// purgeSequences are the faults of the purge after certain histories.
func purgeSequences() []Fault {
	followers, friends := readers(followersAlone), readers(allFriends)
	return slices.Concat(
		breaks("feed.purge.followers",
			fault("sequence-purge-forgets-refollowers", "a deleted user's events stay in the feed of a follower who had ended the follow and made it again",
				purgePassesOver(allOf, onceEnded(followersAlone), atOnce)),
			fault("sequence-purge-forgets-followers-of-renamed", "the events of a deleted user who had been renamed stay in the feeds of followers",
				purgePassesOver(allOf, followers.where(ownerRenamed), atOnce)),
			fault("sequence-purge-forgets-who-logged-in-since", "a deleted user's events stay in the feed of a follower who logged in after the follow",
				purgePassesOver(allOf, followers.where(loggedInSince), atOnce)),
			fault("sequence-purge-forgets-social-followers", "a deleted user's events stay in the feed of who followed it by social identifiers",
				purgePassesOver(allOf, followers.where(func(_ refserver.Store, s *overrides) func(store.App, store.ID, store.ID) bool {
					socially := connectedSocially(s)
					return func(app store.App, owner, id store.ID) bool { return socially(app, id, owner) }
				}), atOnce)),
			fault("sequence-purge-forgets-late-followers", "a deleted user's events stay in the feed of who followed it after its last event",
				purgePassesOver(allOf, followers.where(followedLate), atOnce)),
			fault("sequence-second-purge-is-forgotten", "the events of the second deleted user in a feed stay there",
				purgePassesOver(allOf, followers.where(lostBefore), atOnce)),
			fault("sequence-purge-from-second-session-forgets", "the events of a deleted user who had logged in twice stay in the feeds of followers",
				purgePassesOver(allOf, followers.where(ownerLoggedInTwice), atOnce))),
		breaks("feed.purge.friends",
			fault("sequence-purge-forgets-friends-who-followed-first", "a deleted user's events stay in the feed of a friend who had followed it before",
				purgePassesOver(allOf, friends.where(followedFirst), atOnce)),
			fault("sequence-purge-forgets-refriended", "a deleted user's events stay in the feed of a friend who had ended the friendship and made it again",
				purgePassesOver(allOf, onceEnded(friendsAlone), atOnce)),
			fault("sequence-purge-of-renamed-forgets-friends", "the events of a deleted user who had been renamed stay in the feeds of friends",
				purgePassesOver(allOf, friends.where(ownerRenamed), atOnce)),
			fault("sequence-purge-forgets-second-friend", "the events of the second deleted user in a friend's feed stay there",
				purgePassesOver(allOf, friends.where(lostBefore), atOnce))),
		breaks("feed.purge.keeps-others",
			fault("sequence-purge-takes-the-next-users", "with a deleted user's events those of the user created after it leave the feeds of its followers",
				purgeTakes(func(gone deletion, reader store.ID, event store.Event) bool {
					return slices.Contains(gone.followers, reader) && event.Owner == gone.user.ID+1 && gone.isOlder(event)
				})),
			fault("sequence-purge-takes-events-on-same-object", "with a deleted user's events those on the same objects leave the feeds of its followers",
				purgeTakes(func(gone deletion, reader store.ID, event store.Event) bool {
					return slices.Contains(gone.followers, reader) && event.Object != nil && gone.isOlder(event) &&
						slices.ContainsFunc(gone.events, func(e store.Event) bool { return e.Object != nil && e.Object.ID == event.Object.ID })
				}))),
		breaks("feed.purge.no-return",
			fault("sequence-namesake-with-same-email-brings-events-back", "a new user with name and email of a deleted one brings the old events back",
				returning(func(gone, user store.User) bool {
					return sameName(gone, user) && gone.Email == user.Email && user.Email != ""
				}, withCreate))),
	)
}

func ownerRenamed(_ refserver.Store, s *overrides) func(store.App, store.ID, store.ID) bool {
	renamed := whoWasRenamed(s)
	return func(app store.App, owner, _ store.ID) bool { return renamed.get(keyOf(app, owner)) }
}

func loggedInSince(_ refserver.Store, s *overrides) func(store.App, store.ID, store.ID) bool {
	since, logins := firstFollows(s), &memory[time.Time]{}
	s.onLogin(func(app store.App, user store.ID, _ string) { logins.keep(keyOf(app, user), time.Now()) })
	return func(app store.App, owner, id store.ID) bool {
		return logins.get(keyOf(app, id)).After(since(app, id, owner))
	}
}

func followedLate(inner refserver.Store, s *overrides) func(store.App, store.ID, store.ID) bool {
	since := firstFollows(s)
	return func(app store.App, owner, id store.ID) bool {
		events := ownedBy(inner, app, id, owner)
		return len(events) > 0 && events[0].CreatedAt.Before(since(app, id, owner))
	}
}

// lostBefore reports whether the reader was asked about before: whether another
// user whose events were in its feed was deleted.
func lostBefore(refserver.Store, *overrides) func(store.App, store.ID, store.ID) bool {
	lost := &memory[bool]{}
	return func(app store.App, _, id store.ID) bool { return lost.keep(keyOf(app, id), true) }
}

func ownerLoggedInTwice(_ refserver.Store, s *overrides) func(store.App, store.ID, store.ID) bool {
	logins := &memory[int]{}
	s.onLogin(func(app store.App, user store.ID, _ string) { tally(logins, keyOf(app, user)) })
	return func(app store.App, owner, _ store.ID) bool { return logins.get(keyOf(app, owner)) >= 2 }
}

// followedFirst reports whether the reader followed the user before it was a friend.
func followedFirst(inner refserver.Store, s *overrides) func(store.App, store.ID, store.ID) bool {
	first := &memory[bool]{}
	s.onConnect(func(app store.App, from, to store.ID, typ store.ConnectionType) {
		if typ == store.Follow && !among(inner.Friends, app, from, to) {
			first.keep(keyOf(app, from, to), true)
		}
	})
	return func(app store.App, owner, id store.ID) bool { return first.get(keyOf(app, id, owner)) }
}
