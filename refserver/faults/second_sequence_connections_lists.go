package faults

import (
	"fmt"
	"net/http"
	"slices"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// sequenceConnectionsLists are the faults of the follows that are listed, and of lists that
// other steps empty, keep or turn, after connections were made and ended.
func sequenceConnectionsLists() []Fault {
	return slices.Concat(
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
				})),
			fault("sequence-custom-id-brings-followers-back", "the followers of a deleted user follow a new one with the same custom_id",
				overrideStore(func(inner refserver.Store, s *overrides) {
					stale, deleted := keepStaleUsers(&s.follows, inner.User), watchDeletions(inner, s)
					s.onCreateUser(func(user store.User) {
						for _, gone := range deleted.in(user.App) {
							for _, follower := range gone.followers {
								if gone.user.CustomID == user.CustomID && user.CustomID != "" {
									stale.keep(user.App, follower, user.ID, 0)
								}
							}
						}
					})
					s.onDisconnect(func(app store.App, from, to store.ID) { stale.forget(app, from, to) })
				})),
			fault("sequence-follows-kept-while-as-many", "the own follows that a session has read are shown again as long as they are as many", followsKeptByCount),
			fault("sequence-end-of-first-follow-hides-the-last", "who ends the follow of the first of several on the list of follows does not see the last of them any more",
				overrideStore(func(inner refserver.Store, s *overrides) {
					hidden := &memory[bool]{} // by follower and followed
					shown := func(app store.App, from, to store.ID) { hidden.keep(keyOf(app, from, to), false) }
					s.onConnect(func(app store.App, from, to store.ID, _ store.ConnectionType) { shown(app, from, to) })
					s.onDisconnect(shown)
					disconnect := s.disconnect
					s.disconnect = func(app store.App, from, to store.ID, types ...store.ConnectionType) error {
						before := idsOf(inner.Follows, app, from)
						err := disconnect(app, from, to, types...)
						if err == nil && len(before) >= 3 && before[0] == to {
							hidden.keep(keyOf(app, from, before[len(before)-1]), true)
						}
						return err
					}
					filter(&s.follows, func(app store.App, id store.ID, user store.User) bool { return hidden.get(keyOf(app, id, user.ID)) })
				})),
			fault("sequence-follow-after-followed-user-left-not-listed", "after the deletion of a user whom one followed, the next follow is not among one's follows",
				overrideStore(nextFollowAfterDeletionUnlisted))),
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
				}),
			fault("sequence-friends-cached-for-others-of-who-is-asked", "once somebody has read a user's friends, others do not see there who makes a friend connection to the user later: that drops the cached list of the one who asks alone",
				friendsCached)),
		breaks("connections.lists.empty",
			fault("sequence-emptied-follows-not-found", "the follows of who ended the last of them are answered with 404",
				overrideStore(func(inner refserver.Store, s *overrides) {
					emptied, disconnect, list := &memory[bool]{}, s.disconnect, s.follows
					s.disconnect = func(app store.App, from, to store.ID, types ...store.ConnectionType) error {
						before := len(idsOf(inner.Follows, app, from))
						err := disconnect(app, from, to, types...)
						if err == nil && before > 0 {
							emptied.keep(keyOf(app, from), true)
						}
						return err
					}
					s.follows = func(app store.App, id store.ID) ([]store.User, error) {
						users, err := list(app, id)
						if err == nil && len(users) == 0 && emptied.get(keyOf(app, id)) {
							return nil, fmt.Errorf("the list %w", store.ErrNotFound)
						}
						return users, err
					}
				}))),
		breaks("connections.lists.one-way",
			fault("sequence-follow-back-makes-friends", "two users of whom one follows the other back are listed as friends",
				overrideStore(func(inner refserver.Store, s *overrides) {
					extend(&s.friends, func(app store.App, id store.ID) ([]store.User, error) {
						followers, err := inner.Followers(app, id)
						if err != nil {
							return nil, nil // the list of friends says so itself
						}
						return slices.DeleteFunc(followers, func(user store.User) bool { return !follows(inner, app, id, user.ID) }), nil
					})
				})),
			fault("sequence-follow-after-friendship-revives-it", "who follows a user after their friendship ended is its friend again",
				overrideStore(func(inner refserver.Store, s *overrides) {
					left, stale := leftByFriends(inner, s), keepStaleUsers(&s.friends, inner.User)
					s.onConnect(func(app store.App, from, to store.ID, typ store.ConnectionType) {
						if typ == store.Follow && !(left(app, from, to).IsZero() && left(app, to, from).IsZero()) {
							stale.keep(app, from, to, 0)
							stale.keep(app, to, from, 0)
						}
					})
					s.onDisconnect(func(app store.App, from, to store.ID) {
						stale.forget(app, from, to)
						stale.forget(app, to, from)
					})
				})),
			fault("sequence-follow-revives-the-ended-one-of-the-other", "who follows a user that has ended a follow in the other direction brings that one back as well", overrideStore(endedFollowsRevived))),
	)
}

// followsKeptByCount keeps a list until its length is another.
func followsKeptByCount(o *refserver.Options) {
	type page struct {
		body  []byte
		users int
	}
	kept := &memory[page]{} // by session
	rewriteResponse(readsFollows(), func(r *http.Request, resp *response) {
		list, _ := decode(resp.body).([]any)
		if !resp.ok() {
			return
		}
		if before, was := kept.lookup(sessionIn(r)); was && before.users == len(list) {
			resp.body = before.body
			return
		}
		kept.keep(sessionIn(r), page{resp.body, len(list)})
	})(o)
}

// endedFollowsRevived finds the row of an ended follow by its two ends, whichever way it goes.
func endedFollowsRevived(inner refserver.Store, s *overrides) {
	ended, disconnect := &memory[bool]{}, s.disconnect // by follower and followed
	s.disconnect = func(app store.App, from, to store.ID, types ...store.ConnectionType) error {
		was := follows(inner, app, from, to)
		err := disconnect(app, from, to, types...)
		if was && err == nil {
			ended.keep(keyOf(app, from, to), !follows(inner, app, from, to))
		}
		return err
	}
	s.onConnect(func(app store.App, from, to store.ID, typ store.ConnectionType) {
		if typ == store.Follow && ended.keep(keyOf(app, to, from), false) {
			_, _, _ = inner.Connect(app, to, from, store.Follow) // both are there
		}
	})
}

// friendsCached shows others, of a user's friends, those who were there when somebody first
// asked for them, until the user makes a friend connection of its own.
func friendsCached(o *refserver.Options) {
	cached := &memory[[]string]{} // by user
	combine(
		rewriteResponse(createsFriend(), func(_ *http.Request, resp *response) {
			cached.keep(fieldText(objectOf(resp.body), "user_from_id"), nil)
		}),
		intercept(connectsSocially(), func(next http.Handler, r *http.Request) *response {
			cached.keep(fieldText(ownRecord(next, r), "id"), nil)
			return record(next, r)
		}),
		rewriteResponse(readsFriendsOf(), onStatus(200, func(r *http.Request, resp *response) {
			friends := []string{}
			inEach(func(user map[string]any) { friends = append(friends, fieldText(user, "id")) })(r, resp)
			known := cached.get(userInPath(r))
			if known == nil {
				cached.keep(userInPath(r), friends)
				return
			}
			resp.list(func(list []any) []any {
				return slices.DeleteFunc(list, func(item any) bool {
					user, _ := item.(map[string]any)
					return !slices.Contains(known, fieldText(user, "id"))
				})
			})
		})),
	)(o)
}

// nextFollowAfterDeletionUnlisted hides what the followers of a deleted user follow next.
func nextFollowAfterDeletionUnlisted(inner refserver.Store, s *overrides) {
	bereaved, hidden, remove := &memory[bool]{}, &memory[bool]{}, s.deleteUser // by follower; by follower and followed
	s.deleteUser = func(app store.App, id store.ID) error {
		followers := idsOf(inner.Followers, app, id)
		err := remove(app, id)
		for _, follower := range followers {
			bereaved.keep(keyOf(app, follower), err == nil)
		}
		return err
	}
	s.onConnect(func(app store.App, from, to store.ID, typ store.ConnectionType) {
		hidden.keep(keyOf(app, from, to), typ == store.Follow && bereaved.keep(keyOf(app, from), false))
	})
	filter(&s.follows, func(app store.App, id store.ID, user store.User) bool { return hidden.get(keyOf(app, id, user.ID)) })
}
