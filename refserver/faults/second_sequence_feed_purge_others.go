package faults

import (
	"slices"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// sequenceFeedPurgeOthers are the faults of the purge in the feeds of friends, and of what
// it takes of others or lets return, after certain histories.
func sequenceFeedPurgeOthers() []Fault {
	friends := readers(allFriends)
	return slices.Concat(
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
				})),
			fault("sequence-purge-by-former-name", "the deletion of a user takes out of feeds what another posted while that one bore its user name",
				overrideStore(func(inner refserver.Store, s *overrides) {
					names, deleted := signedEvents(inner, s), &memory[time.Time]{} // by name
					s.onDeleteUser(func(user store.User) { deleted.keep(keyOf(user.App)+user.UserName, time.Now()) })
					s.hideFromFeeds(func(r reader, event store.Event) bool {
						name, known := names.lookup(keyOf(r.app, event.ID))
						at, gone := deleted.lookup(keyOf(r.app) + name)
						if !known || !gone || event.CreatedAt.After(at) {
							return false
						}
						owner, err := inner.User(r.app, event.Owner)
						return err == nil && owner.UserName != name
					})
				})),
			fault("sequence-purge-takes-events-of-refollowed", "with a deleted user's events those leave the feed of a follower whose owners it had unfollowed once, and follows again", overrideStore(purgeTakesRefollowed)),
			fault("sequence-deleted-follower-takes-events-of-the-next", "where a follower is deleted, what the followed user posted before leaves the feed of the follower who comes next on the list", overrideStore(nextFollowersEmptied)),
			fault("sequence-purge-takes-events-of-namesake-elsewhere", "with a deleted user's events those of a user by the same name in another application leave the feeds", acrossApps(purgeTakesNamesakes))),
		breaks("feed.purge.no-return",
			fault("sequence-namesake-with-same-email-brings-events-back", "a new user with name and email of a deleted one brings the old events back",
				returning(func(gone, user store.User) bool {
					return sameName(gone, user) && gone.Email == user.Email && user.Email != ""
				}, withCreate))),
	)
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

// purgeTakesRefollowed cleans, with the purge, what ended follows have left in the feeds.
func purgeTakesRefollowed(inner refserver.Store, s *overrides) {
	deleted, ended := watchDeletions(inner, s), endedAt(s)
	s.hideFromFeeds(func(r reader, event store.Event) bool {
		left := ended(r.app, r.id, event.Owner)
		return !left.IsZero() && slices.ContainsFunc(deleted.in(r.app), func(gone deletion) bool {
			return slices.Contains(gone.followers, r.id) && left.Before(gone.at) && gone.isOlder(event)
		})
	})
}

// nextFollowersEmptied clears the feeds that belong to the places of a deleted follower,
// when the next one has moved there.
func nextFollowersEmptied(inner refserver.Store, s *overrides) {
	cleared := &memory[time.Time]{} // by reader and owner
	s.onConnect(func(app store.App, from, to store.ID, _ store.ConnectionType) {
		cleared.keep(keyOf(app, from, to), time.Time{})
	})
	s.deleteUser = func(app store.App, id store.ID) error {
		next := map[store.ID]store.ID{} // reader by owner
		for _, owner := range idsOf(inner.Follows, app, id) {
			followers := idsOf(inner.Followers, app, owner)
			if i := slices.Index(followers, id); i >= 0 && i+1 < len(followers) {
				next[owner] = followers[i+1]
			}
		}
		err := inner.DeleteUser(app, id)
		for owner, reader := range next {
			if err == nil {
				cleared.keep(keyOf(app, reader, owner), time.Now())
			}
		}
		return err
	}
	s.hideFromFeeds(func(r reader, event store.Event) bool {
		return event.CreatedAt.Before(cleared.get(keyOf(r.app, r.id, event.Owner)))
	})
}

// purgeTakesNamesakes purges by user name, whatever the application.
func purgeTakesNamesakes(apps []store.App, inner refserver.Store, s *overrides) {
	deleted := watchDeletions(inner, s)
	s.hideFromFeeds(func(r reader, event store.Event) bool {
		owner, err := inner.User(r.app, event.Owner)
		return err == nil && slices.ContainsFunc(apps, func(app store.App) bool {
			return app != r.app && slices.ContainsFunc(deleted.in(app), func(gone deletion) bool {
				return sameName(gone.user, owner) && gone.isOlder(event)
			})
		})
	})
}
