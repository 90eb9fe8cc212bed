package faults

import (
	"slices"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// readers makes a function that names those in whose feeds a user's events are;
// it may watch the store for that.
type readers func(inner refserver.Store, s *swapped) func(app store.App, owner store.ID) []store.ID

// followersAlone are the followers who are no friends.
func followersAlone(inner refserver.Store, _ *swapped) func(store.App, store.ID) []store.ID {
	return func(app store.App, owner store.ID) []store.ID {
		friends := idsOf(inner.Friends, app, owner)
		return slices.DeleteFunc(idsOf(inner.Followers, app, owner), func(id store.ID) bool { return slices.Contains(friends, id) })
	}
}

// lastFollower is the last of them.
func lastFollower(inner refserver.Store, s *swapped) func(store.App, store.ID) []store.ID {
	return func(app store.App, owner store.ID) []store.ID {
		ids := followersAlone(inner, s)(app, owner)
		return ids[max(0, len(ids)-1):]
	}
}

// followedBack are those of them whom the user follows too.
func followedBack(inner refserver.Store, s *swapped) func(store.App, store.ID) []store.ID {
	followers := followersAlone(inner, s)
	return func(app store.App, owner store.ID) []store.ID {
		return slices.DeleteFunc(followers(app, owner), func(id store.ID) bool { return !among(inner.Follows, app, owner, id) })
	}
}

// friendsAlone are the friends who do not follow.
func friendsAlone(inner refserver.Store, _ *swapped) func(store.App, store.ID) []store.ID {
	return func(app store.App, owner store.ID) []store.ID {
		followers := idsOf(inner.Followers, app, owner)
		return slices.DeleteFunc(idsOf(inner.Friends, app, owner), func(id store.ID) bool { return slices.Contains(followers, id) })
	}
}

// friendsWhoFollow are those who are both.
func friendsWhoFollow(inner refserver.Store, _ *swapped) func(store.App, store.ID) []store.ID {
	return func(app store.App, owner store.ID) []store.ID {
		followers := idsOf(inner.Followers, app, owner)
		return slices.DeleteFunc(idsOf(inner.Friends, app, owner), func(id store.ID) bool { return !slices.Contains(followers, id) })
	}
}

// friendsAsked are the friends who do not follow, and whom the user had asked to be friends.
func friendsAsked(inner refserver.Store, s *swapped) func(store.App, store.ID) []store.ID {
	askedFirst, friends := whoAskedFirst(s), friendsAlone(inner, s)
	return func(app store.App, owner store.ID) []store.ID {
		return slices.DeleteFunc(friends(app, owner), func(id store.ID) bool { return !askedFirst(app, owner, id) })
	}
}

// The events of a purged user, the newest first, that a purge may pass over.
func allOf(events []store.Event) []store.Event { return events }

func allButNewest(events []store.Event) []store.Event { return events[min(1, len(events)):] }

func oldest(events []store.Event) []store.Event { return events[max(0, len(events)-1):] }

func changed(events []store.Event) []store.Event {
	return without(slices.Clone(events), func(event store.Event) bool { return !event.UpdatedAt.After(event.CreatedAt) })
}

// purgePassesOver lets a deletion leave events of the deleted user in feeds.
func purgePassesOver(events func([]store.Event) []store.Event, in readers, shows func(gone time.Time) haunting) func(*refserver.Options) {
	return swap(func(inner refserver.Store, s *swapped) {
		kept, readers := haunt(s), in(inner, s)
		s.deleteUser = func(app store.App, id store.ID) error {
			left := map[store.ID][]store.Event{}
			for _, reader := range readers(app, id) {
				left[reader] = events(ownedBy(inner, app, reader, id))
			}
			err := inner.DeleteUser(app, id)
			for reader, events := range left {
				if err == nil {
					kept.keep(app, reader, events, shows(time.Now()))
				}
			}
			return err
		}
	})
}

// purgesForFollowers are the faults of the purge in the feeds of followers (the
// contract's part States, row 'user exists').
func purgesForFollowers() []Fault {
	const rule = "feed.purge.followers"
	return []Fault{
		{
			Name: "feed-purge-forgets-followers", Rule: rule,
			Summary: "a deleted user's events stay in the feeds of its followers",
			Apply:   purgePassesOver(allOf, followersAlone, atOnce),
		},
		{
			Name: "feed-purge-forgets-the-last-follower", Rule: rule,
			Summary: "a deleted user's events stay in the feed of the last of its followers",
			Apply:   purgePassesOver(allOf, lastFollower, atOnce),
		},
		{
			Name: "feed-purge-takes-the-newest-alone", Rule: rule,
			Summary: "of a deleted user's events only the newest leaves the feeds of followers",
			Apply:   purgePassesOver(allButNewest, followersAlone, atOnce),
		},
		{
			Name: "feed-purge-forgets-the-oldest", Rule: rule,
			Summary: "the oldest of a deleted user's events stays in the feeds of followers",
			Apply:   purgePassesOver(oldest, followersAlone, atOnce),
		},
		{
			Name: "feed-purge-forgets-changed-events", Rule: rule,
			Summary: "those of a deleted user's events that were changed stay in the feeds of followers",
			Apply:   purgePassesOver(changed, followersAlone, atOnce),
		},
		{
			Name: "feed-purged-return", Rule: rule,
			Summary: "a deleted user's events are back in the feeds of followers a second later",
			Apply:   purgePassesOver(allOf, followersAlone, aMomentLater),
		},
		{
			Name: "feed-purged-return-with-the-next-post", Rule: rule,
			Summary: "a deleted user's events are back in the feeds of followers when somebody else posts",
			Apply:   purgePassesOver(allOf, followersAlone, withTheNextPost),
		},
		{
			Name: "feed-purge-never-empties", Rule: rule,
			Summary: "a deleted user's events stay in the feed of a follower who follows nobody else",
			Apply:   purgePassesOver(allOf, followersAlone, whereNothingElseIs),
		},
		{
			Name: "feed-purge-forgets-who-was-followed-back", Rule: rule,
			Summary: "a deleted user's events stay in the feeds of the followers whom it followed too",
			Apply:   purgePassesOver(allOf, followedBack, atOnce),
		},
		{
			Name: "feed-purged-return-with-the-next-follow", Rule: rule,
			Summary: "a deleted user's events are back in the feed of a follower who follows somebody else",
			Apply: swap(func(inner refserver.Store, s *swapped) {
				kept, d := haunt(s), watchDeletions(inner, s)
				s.connect = func(app store.App, from, to store.ID, typ store.ConnectionType) (store.Connection, bool, error) {
					d.any(app, func(gone deletion) bool {
						if slices.Contains(gone.followers, from) {
							kept.keep(app, from, gone.events, atOnce(gone.at))
						}
						return false
					})
					return inner.Connect(app, from, to, typ)
				}
			}),
		},
		{
			Name: "feed-purged-show-every-other-time", Rule: rule,
			Summary: "a deleted user's events are in the feeds of followers at every other reading",
			Apply:   purgePassesOver(allOf, followersAlone, everyOtherTime),
		},
	}
}

// purgesForFriends are the faults of the purge in the feeds of friends.
func purgesForFriends() []Fault {
	const rule = "feed.purge.friends"
	return []Fault{
		{
			Name: "feed-purge-forgets-friends", Rule: rule,
			Summary: "a deleted user's events stay in the feeds of its friends",
			Apply:   purgePassesOver(allOf, friendsAlone, atOnce),
		},
		{
			Name: "feed-purge-forgets-friends-who-follow", Rule: rule,
			Summary: "a deleted user's events stay in the feed of a friend who also followed it",
			Apply:   purgePassesOver(allOf, friendsWhoFollow, atOnce),
		},
		{
			Name: "feed-purge-forgets-friends-it-asked", Rule: rule,
			Summary: "a deleted user's events stay in the feeds of the friends whom it had asked",
			Apply:   purgePassesOver(allOf, friendsAsked, atOnce),
		},
		{
			Name: "feed-purge-takes-the-newest-from-friends", Rule: rule,
			Summary: "of a deleted user's events only the newest leaves the feeds of friends",
			Apply:   purgePassesOver(allButNewest, friendsAlone, atOnce),
		},
		{
			Name: "feed-purged-return-to-friends", Rule: rule,
			Summary: "a deleted user's events are back in the feeds of friends a second later",
			Apply:   purgePassesOver(allOf, friendsAlone, aMomentLater),
		},
		{
			Name: "feed-purged-return-to-friends-with-the-next-post", Rule: rule,
			Summary: "a deleted user's events are back in the feeds of friends when somebody else posts",
			Apply:   purgePassesOver(allOf, friendsAlone, withTheNextPost),
		},
	}
}
