package faults

import (
	"net/http"
	"slices"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// onceEnded picks, of the readers, those who ended a connection to the user before
// and made another.
func onceEnded(in readers) readers {
	return func(inner refserver.Store, s *overrides) func(store.App, store.ID) []store.ID {
		ended, all := endedAt(s), in(inner, s)
		return func(app store.App, owner store.ID) []store.ID {
			return slices.DeleteFunc(all(app, owner), func(id store.ID) bool { return ended(app, id, owner).IsZero() })
		}
	}
}

// connectionSequences are the faults of connections that were made, ended or joined by others.
func connectionSequences() []Fault {
	return slices.Concat(
		breaks("connections.create.follow",
			fault("sequence-refollow-is-disabled", "who follows a user again gets a follow that is not enabled",
				afterEnd(func(again match) mutation { return rewriteObject(createsFollow().and(again), set("enabled", false)) }))),
		breaks("connections.create.friend",
			fault("sequence-refriend-is-a-follow", "who befriends a user after an ended connection gets a follow for an answer",
				afterEnd(func(again match) mutation {
					return rewriteObject(createsFriend().and(again), func(c map[string]any) {
						c["type"] = "follow"
						delete(c, "confirmed_at")
					})
				}))),
		breaks("connections.delete.unknown",
			fault("sequence-second-end-answers-200", "the end of a connection that was ended already is answered with 200",
				afterEnd(func(again match) mutation {
					return rewriteResponse(disconnects().and(again), replaceStatus(404, 200, "{}"))
				}))),
		breaks("connections.delete.removes",
			fault("sequence-second-end-leaves-follower", "who ends a follow for the second time stays among the followers",
				overrideStore(func(inner refserver.Store, s *overrides) {
					ends := &memory[int]{}
					stale := keepStaleUsers(&s.followers, inner.User)
					s.onConnect(func(app store.App, from, to store.ID, _ store.ConnectionType) { stale.forget(app, to, from) })
					s.onDisconnect(func(app store.App, from, to store.ID) {
						if tally(ends, keyOf(app, from, to)) >= 2 {
							stale.keep(app, to, from, 0)
						}
					})
				}))),
		breaks("connections.lists.follows",
			fault("sequence-refollowed-listed-twice", "a user who is followed again is listed twice among the follows",
				overrideStore(func(_ refserver.Store, s *overrides) {
					ended, follows := endedAt(s), s.follows
					s.follows = func(app store.App, id store.ID) ([]store.User, error) {
						users, err := follows(app, id)
						for _, user := range users {
							if !ended(app, id, user.ID).IsZero() {
								users = append(users, user)
							}
						}
						return users, err
					}
				}))),
		breaks("connections.lists.followers",
			fault("sequence-refollower-unlisted", "who follows a user again is not among its followers",
				overrideStore(func(_ refserver.Store, s *overrides) {
					ended := endedAt(s)
					filter(&s.followers, func(app store.App, id store.ID, follower store.User) bool {
						return !ended(app, follower.ID, id).IsZero()
					})
				}))),
		breaks("connections.friends.mutual",
			fault("sequence-refriended-listed-on-one-side", "of two users who are friends again the one who had ended it does not list the other",
				overrideStore(func(_ refserver.Store, s *overrides) {
					ended := endedAt(s)
					filter(&s.friends, func(app store.App, id store.ID, friend store.User) bool { return !ended(app, id, friend.ID).IsZero() })
				}))),
		breaks("connections.lists.after-user-delete",
			fault("sequence-deleted-stays-for-refollower", "a deleted user stays among the follows of who had followed it a second time",
				deletedStays(0, func(s *overrides) *members { return &s.follows }, onceEnded(allFollowers))),
			fault("sequence-deleted-stays-among-friends-who-follow", "a deleted user stays among the friends of a friend who also followed it",
				deletedStays(0, func(s *overrides) *members { return &s.friends }, friendsWhoFollow))),
		breaks("connections.lists.of-user",
			fault("sequence-lists-of-renamed-empty", "the followers of a user who was renamed are none in the eyes of others",
				func(o *refserver.Options) {
					names, renamed := &memory[string]{}, &memory[bool]{} // by id
					combine(
						rewriteObject(createsUser().or(updatesUser()), func(user map[string]any) {
							now := fieldText(user, "user_name")
							if was := names.keep(fieldText(user, "id"), now); was != "" && was != now {
								renamed.keep(fieldText(user, "id"), true)
							}
						}),
						rewriteResponse(readsFollowersOf().and(func(r *http.Request) bool { return renamed.get(userInPath(r)) }), replaceSuccess(200, "[]")),
					)(o)
				})),
		breaks("feed.refollow",
			fault("sequence-third-follow-shows-nothing", "who follows a user for the third time does not see what was posted before",
				overrideStore(func(_ refserver.Store, s *overrides) {
					ends, ended := &memory[int]{}, endedAt(s)
					s.onDisconnect(func(app store.App, from, to store.ID) { tally(ends, keyOf(app, from, to)) })
					s.hideFromFeeds(func(r reader, event store.Event) bool {
						return ends.get(keyOf(r.app, r.id, event.Owner)) >= 2 && event.CreatedAt.Before(ended(r.app, r.id, event.Owner))
					})
				}))),
		breaks("feed.only-connected",
			fault("sequence-feed-shows-who-others-follow", "who followed somebody and ended it sees the events of strangers whom others follow",
				overrideStore(func(inner refserver.Store, s *overrides) {
					all, ends, met := archived(s), &memory[bool]{}, &memory[bool]{}
					s.onConnect(func(app store.App, from, to store.ID, _ store.ConnectionType) { met.keep(keyOf(app, from, to), true) })
					s.onDisconnect(func(app store.App, from, _ store.ID) { ends.keep(keyOf(app, from), true) })
					s.addToFeeds(func(r reader, _ []store.Event) []store.Event {
						return all.of(r.app, func(owner store.ID) bool {
							stranger := owner != r.id && !met.get(keyOf(r.app, r.id, owner)) && !met.get(keyOf(r.app, owner, r.id))
							return stranger && ends.get(keyOf(r.app, r.id)) && len(idsOf(inner.Followers, r.app, owner)) > 0
						})
					})
				}))),
		breaks("feed.friends",
			fault("sequence-friends-after-follow-see-nothing", "friends who had followed before do not see each other's events",
				overrideStore(func(_ refserver.Store, s *overrides) {
					ended := endedAt(s)
					s.hideFromFeeds(func(r reader, event store.Event) bool {
						return r.befriends(event.Owner) && !r.follows(event.Owner) && !ended(r.app, r.id, event.Owner).IsZero()
					})
				}))),
		breaks("feed.no-duplicates",
			fault("sequence-follow-of-friend-repeats-events", "the events of a friend are shown twice to who followed it after that",
				overrideStore(func(inner refserver.Store, s *overrides) {
					friendFirst := &memory[bool]{}
					connect := s.connect
					s.connect = func(app store.App, from, to store.ID, typ store.ConnectionType) (store.Connection, bool, error) {
						if typ == store.Follow && among(inner.Friends, app, from, to) {
							friendFirst.keep(keyOf(app, from, to), true)
						}
						return connect(app, from, to, typ)
					}
					s.rewriteFeeds(func(r reader, feed []store.Event) []store.Event {
						again := without(slices.Clone(feed), func(event store.Event) bool {
							return !friendFirst.get(keyOf(r.app, r.id, event.Owner)) || !r.befriends(event.Owner) || !r.follows(event.Owner)
						})
						return newestFirst(append(feed, again...))
					})
				}))),
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

// afterEnd makes a mutation that knows the requests, by body or by path, about a
// user to whom the session's user ended a connection before.
func afterEnd(mutate func(again match) mutation) mutation {
	return func(o *refserver.Options) {
		ended := &memory[bool]{} // by session and id
		key := func(r *http.Request) string {
			if r.Method == http.MethodPost {
				return sessionIn(r) + fieldText(requestObject(r), "user_to_id")
			}
			return sessionIn(r) + lastSegment(r)
		}
		combine(
			mutate(func(r *http.Request) bool { return ended.get(key(r)) }),
			rewriteResponse(disconnects(), func(r *http.Request, resp *response) {
				if resp.status == 204 {
					ended.keep(key(r), true)
				}
			}),
		)(o)
	}
}
