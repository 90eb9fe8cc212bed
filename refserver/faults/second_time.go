package faults

import (
	"slices"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// aWhile is after how long what was right turns wrong: longer than anybody waits
// who looks twice.
const aWhile = 5 * time.Second

func aWhileLater(gone time.Time) showing {
	return func([]store.Event) bool { return time.Since(gone) >= aWhile }
}

// laterReturns are the faults of what was gone and is back a while later.
func laterReturns() []Fault {
	always := func(refserver.Store, store.App, store.ID, store.ID) bool { return true }
	return slices.Concat(
		breaks("feed.purge.followers",
			fault("time-purged-return-to-followers", "a deleted user's events are back in the feeds of followers five seconds later",
				purgePassesOver(allOf, followersAlone, aWhileLater))),
		breaks("feed.purge.friends",
			fault("time-purged-return-to-friends", "a deleted user's events are back in the feeds of friends five seconds later",
				purgePassesOver(allOf, allFriends, aWhileLater))),
		breaks("feed.event-delete",
			fault("time-deleted-event-returns", "a deleted event is back in the feeds of followers five seconds later",
				deletionPassesOver(allOf, followersAlone, aWhileLater))),
		breaks("feed.unfollow",
			fault("time-unfollowed-return", "the events of a user who is no longer followed are back in the feed five seconds later", unfollowedStay(aWhileLater, always))),
		breaks("connections.delete.removes",
			fault("time-ended-follow-returns", "who is no longer followed is back among the follows five seconds later",
				endedStays(aWhile, func(s *overrides) *members { return &s.follows }, func(from, to store.ID) (reader, shown store.ID) { return from, to }))),
		breaks("connections.lists.after-user-delete",
			fault("time-deleted-follower-returns", "a deleted user is back among the followers five seconds later",
				deletedStays(aWhile, func(s *overrides) *members { return &s.followers }, func(inner refserver.Store, _ *overrides) func(store.App, store.ID) []store.ID {
					return func(app store.App, id store.ID) []store.ID { return idsOf(inner.Follows, app, id) }
				}))),
		breaks("users.me.delete.gone",
			fault("time-deleted-record-returns", "a deleted user's record is shown again five seconds later", deletedShown(aWhile, nil))),
		breaks("search.deleted-excluded",
			fault("time-deleted-user-found-again", "five seconds after its deletion a search finds a user again", deletedFound(userName, aWhile))),
		breaks("sessions.logout.destroys",
			fault("time-destroyed-token-works-again", "a session token works again five seconds after its logout",
				endedServed(func(ended, _ time.Time) bool { return time.Since(ended) >= aWhile }))),
	)
}

// laterLosses are the faults of what was there and is gone a while later.
func laterLosses() []Fault {
	return slices.Concat(
		breaks("users.me.update.applies",
			fault("time-update-rolled-back", "five seconds after an update the first name is again what it was before",
				overrideStore(func(inner refserver.Store, s *overrides) {
					type change struct {
						before string
						at     time.Time
					}
					changes := &memory[change]{}
					s.onUpdateUser(func(before, after store.User) {
						if before.FirstName != after.FirstName {
							changes.keep(keyOf(after.App, after.ID), change{before.FirstName, time.Now()})
						}
					})
					s.user = func(app store.App, id store.ID) (store.User, error) {
						user, err := inner.User(app, id)
						if last, changed := changes.lookup(keyOf(app, id)); changed && time.Since(last.at) >= aWhile {
							user.FirstName = last.before
						}
						return user, err
					}
				}))),
		breaks("feed.update-visible",
			fault("time-change-of-event-rolled-back", "five seconds after a change feeds show an event as it was at first",
				staying(func(event *store.Event, first store.Event) {
					if event.UpdatedAt.After(event.CreatedAt) && time.Since(event.UpdatedAt) >= aWhile {
						*event = first
					}
				}, func(reader, store.ID) bool { return true }))),
		breaks("feed.follow.new-events",
			fault("time-events-leave-feeds", "events leave the feeds five seconds after they were posted",
				hideFromFeeds(func(_ reader, event store.Event) bool { return time.Since(event.CreatedAt) >= aWhile }))),
		breaks("connections.lists.followers",
			fault("time-followers-forgotten", "who follows a user is among its followers for five seconds",
				overrideStore(func(_ refserver.Store, s *overrides) {
					since := firstFollows(s)
					filter(&s.followers, func(app store.App, id store.ID, follower store.User) bool {
						at := since(app, follower.ID, id)
						return !at.IsZero() && time.Since(at) >= aWhile
					})
				}))),
		breaks("search.exact",
			fault("time-users-not-found-any-more", "a search finds users by the whole user name for five seconds after they were created",
				finding(func(user store.User, term string, found bool) bool {
					return found && !(user.UserName == term && time.Since(user.CreatedAt) >= aWhile)
				}))),
		breaks("feed.friends",
			fault("time-friends-forgotten", "friends see each other's events for five seconds",
				overrideStore(func(_ refserver.Store, s *overrides) {
					since := &memory[time.Time]{}
					s.onConnect(func(app store.App, from, to store.ID, typ store.ConnectionType) {
						if typ == store.Friend {
							since.keep(keyOf(app, min(from, to), max(from, to)), time.Now())
						}
					})
					s.hideFromFeeds(func(r reader, event store.Event) bool {
						at, known := since.lookup(keyOf(r.app, min(r.id, event.Owner), max(r.id, event.Owner)))
						return known && !r.follows(event.Owner) && time.Since(at) >= aWhile
					})
				}))),
	)
}
