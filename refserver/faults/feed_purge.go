package faults

import (
	"slices"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// readers makes a function that names those in whose feeds a user's events are;
// it may watch the store for that.
type readers func(inner refserver.Store, s *overrides) func(app store.App, owner store.ID) []store.ID

// allFollowers are the followers, friends or not; allFriends are the friends.
func allFollowers(inner refserver.Store, _ *overrides) func(store.App, store.ID) []store.ID {
	return func(app store.App, owner store.ID) []store.ID { return idsOf(inner.Followers, app, owner) }
}

func allFriends(inner refserver.Store, _ *overrides) func(store.App, store.ID) []store.ID {
	return func(app store.App, owner store.ID) []store.ID { return idsOf(inner.Friends, app, owner) }
}

// lastFollowed is the last user whom a user follows.
func lastFollowed(inner refserver.Store, _ *overrides) func(store.App, store.ID) []store.ID {
	return func(app store.App, id store.ID) []store.ID {
		ids := idsOf(inner.Follows, app, id)
		return ids[max(0, len(ids)-1):]
	}
}

// followersAlone are the followers who are no friends.
func followersAlone(inner refserver.Store, _ *overrides) func(store.App, store.ID) []store.ID {
	return func(app store.App, owner store.ID) []store.ID {
		friends := idsOf(inner.Friends, app, owner)
		return slices.DeleteFunc(idsOf(inner.Followers, app, owner), func(id store.ID) bool { return slices.Contains(friends, id) })
	}
}

// lastFollower is the last of them.
func lastFollower(inner refserver.Store, s *overrides) func(store.App, store.ID) []store.ID {
	followers := followersAlone(inner, s)
	return func(app store.App, owner store.ID) []store.ID {
		ids := followers(app, owner)
		return ids[max(0, len(ids)-1):]
	}
}

// followedBack are those of them whom the user follows too.
func followedBack(inner refserver.Store, s *overrides) func(store.App, store.ID) []store.ID {
	followers := followersAlone(inner, s)
	return func(app store.App, owner store.ID) []store.ID {
		return slices.DeleteFunc(followers(app, owner), func(id store.ID) bool { return !among(inner.Follows, app, owner, id) })
	}
}

// friendsAlone are the friends who do not follow.
func friendsAlone(inner refserver.Store, _ *overrides) func(store.App, store.ID) []store.ID {
	return func(app store.App, owner store.ID) []store.ID {
		followers := idsOf(inner.Followers, app, owner)
		return slices.DeleteFunc(idsOf(inner.Friends, app, owner), func(id store.ID) bool { return slices.Contains(followers, id) })
	}
}

// friendsWhoFollow are those who are both.
func friendsWhoFollow(inner refserver.Store, _ *overrides) func(store.App, store.ID) []store.ID {
	return func(app store.App, owner store.ID) []store.ID {
		followers := idsOf(inner.Followers, app, owner)
		return slices.DeleteFunc(idsOf(inner.Friends, app, owner), func(id store.ID) bool { return !slices.Contains(followers, id) })
	}
}

// friendsAsked are the friends who do not follow, and whom the user had asked to be friends.
func friendsAsked(inner refserver.Store, s *overrides) func(store.App, store.ID) []store.ID {
	askedFirst, friends := whoAskedFirst(s), friendsAlone(inner, s)
	return func(app store.App, owner store.ID) []store.ID {
		return slices.DeleteFunc(friends(app, owner), func(id store.ID) bool { return !askedFirst(app, owner, id) })
	}
}

// The events of a user, the newest first, that a fault is about.
func allOf(events []store.Event) []store.Event { return events }

func allButNewest(events []store.Event) []store.Event { return events[min(1, len(events)):] }

func oldest(events []store.Event) []store.Event { return events[max(0, len(events)-1):] }

func changed(events []store.Event) []store.Event {
	return without(slices.Clone(events), func(event store.Event) bool { return !event.UpdatedAt.After(event.CreatedAt) })
}

// purgePassesOver lets a deletion leave events of the deleted user in feeds.
func purgePassesOver(events func([]store.Event) []store.Event, in readers, shows timing) mutation {
	return overrideStore(func(inner refserver.Store, s *overrides) { s.purgePassesOver(inner, events, in, shows) })
}

func (s *overrides) purgePassesOver(inner refserver.Store, events func([]store.Event) []store.Event, in readers, shows timing) {
	stale, readers := keepStaleReads(s), in(inner, s)
	s.deleteUser = func(app store.App, id store.ID) error {
		left := map[store.ID][]store.Event{}
		for _, reader := range readers(app, id) {
			left[reader] = events(ownedBy(inner, app, reader, id))
		}
		err := inner.DeleteUser(app, id)
		for reader, events := range left {
			if err == nil {
				stale.keep(app, reader, events, shows(time.Now()))
			}
		}
		return err
	}
}

// purgesForFollowers are the faults of the purge in the feeds of followers (the
// contract's part States, row 'user exists').
func purgesForFollowers() []Fault {
	return breaks("feed.purge.followers",
		fault("feed-purge-forgets-followers", "a deleted user's events stay in the feeds of its followers",
			purgePassesOver(allOf, followersAlone, atOnce)),
		fault("feed-purge-forgets-the-last-follower", "a deleted user's events stay in the feed of the last of its followers",
			purgePassesOver(allOf, lastFollower, atOnce)),
		fault("feed-purge-takes-the-newest-alone", "of a deleted user's events only the newest leaves the feeds of followers",
			purgePassesOver(allButNewest, followersAlone, atOnce)),
		fault("feed-purge-forgets-the-oldest", "the oldest of a deleted user's events stays in the feeds of followers",
			purgePassesOver(oldest, followersAlone, atOnce)),
		fault("feed-purge-forgets-changed-events", "those of a deleted user's events that were changed stay in the feeds of followers",
			purgePassesOver(changed, followersAlone, atOnce)),
		fault("feed-purged-return", "a deleted user's events are back in the feeds of followers a second later",
			purgePassesOver(allOf, followersAlone, aMomentLater)),
		fault("feed-purged-return-with-the-next-post", "a deleted user's events are back in the feeds of followers when somebody else posts",
			purgePassesOver(allOf, followersAlone, withTheNextPost)),
		fault("feed-purge-never-empties", "a deleted user's events stay in the feed of a follower who follows nobody else",
			purgePassesOver(allOf, followersAlone, whereNothingElseIs)),
		fault("feed-purge-forgets-who-was-followed-back", "a deleted user's events stay in the feeds of the followers whom it followed too",
			purgePassesOver(allOf, followedBack, atOnce)),
		fault("feed-purged-return-with-the-next-follow", "a deleted user's events are back in the feed of a follower who follows somebody else",
			overrideStore(func(inner refserver.Store, s *overrides) {
				stale, deleted := keepStaleReads(s), watchDeletions(inner, s)
				s.onConnect(func(app store.App, from, _ store.ID, _ store.ConnectionType) {
					for _, gone := range deleted.in(app) {
						if slices.Contains(gone.followers, from) {
							stale.keep(app, from, gone.events, atOnce(gone.at))
						}
					}
				})
			})),
		fault("feed-purged-show-every-other-time", "a deleted user's events are in the feeds of followers at every other reading",
			purgePassesOver(allOf, followersAlone, everyOtherTime)))
}

// purgesForFriends are the faults of the purge in the feeds of friends.
func purgesForFriends() []Fault {
	return breaks("feed.purge.friends",
		fault("feed-purge-forgets-friends", "a deleted user's events stay in the feeds of its friends", purgePassesOver(allOf, friendsAlone, atOnce)),
		fault("feed-purge-forgets-friends-who-follow", "a deleted user's events stay in the feed of a friend who also followed it",
			purgePassesOver(allOf, friendsWhoFollow, atOnce)),
		fault("feed-purge-forgets-friends-it-asked", "a deleted user's events stay in the feeds of the friends whom it had asked",
			purgePassesOver(allOf, friendsAsked, atOnce)),
		fault("feed-purge-takes-the-newest-from-friends", "of a deleted user's events only the newest leaves the feeds of friends",
			purgePassesOver(allButNewest, friendsAlone, atOnce)),
		fault("feed-purged-return-to-friends", "a deleted user's events are back in the feeds of friends a second later",
			purgePassesOver(allOf, friendsAlone, aMomentLater)),
		fault("feed-purged-return-to-friends-with-the-next-post", "a deleted user's events are back in the feeds of friends when somebody else posts",
			purgePassesOver(allOf, friendsAlone, withTheNextPost)))
}
