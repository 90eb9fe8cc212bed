package faults

import (
	"net/http"
	"slices"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// sequenceConnectionsCreate are the faults of connections and friendships that are made
// again, or after others.
func sequenceConnectionsCreate() []Fault {
	return slices.Concat(
		breaks("connections.create.follow",
			fault("sequence-refollow-is-disabled", "who follows a user again gets a follow that is not enabled",
				afterEnd(func(again match) mutation { return rewriteObject(createsFollow().and(again), set("enabled", false)) })),
			fault("sequence-follow-back-answers-the-others", "the answer to a follow of a user who follows already goes from that one to the user, as the first follow does",
				overrideStore(func(inner refserver.Store, s *overrides) {
					s.connect = func(app store.App, from, to store.ID, typ store.ConnectionType) (store.Connection, bool, error) {
						made, isNew, err := inner.Connect(app, from, to, typ)
						if typ == store.Follow && isNew && follows(inner, app, to, from) {
							made.From, made.To = made.To, made.From
						}
						return made, isNew, err
					}
				}))),
		breaks("connections.create.friend",
			fault("sequence-refriend-is-a-follow", "who befriends a user after an ended connection gets a follow for an answer",
				afterEnd(func(again match) mutation {
					return rewriteObject(createsFriend().and(again), func(c map[string]any) {
						c["type"] = "follow"
						delete(c, "confirmed_at")
					})
				})),
			fault("sequence-friend-of-follower-from-the-wrong-side", "a friend connection to a user who follows oneself is answered as if it went from that user",
				overrideStore(func(inner refserver.Store, s *overrides) {
					s.connect = func(app store.App, from, to store.ID, typ store.ConnectionType) (store.Connection, bool, error) {
						followed := follows(inner, app, to, from)
						made, isNew, err := inner.Connect(app, from, to, typ)
						if typ == store.Friend && followed {
							made.From, made.To = made.To, made.From
						}
						return made, isNew, err
					}
				}))),
		breaks("connections.confirmed-at",
			fault("sequence-follow-of-friend-is-confirmed", "the follow of a user who is a friend has a confirmed_at",
				intercept(createsFollow(), func(next http.Handler, r *http.Request) *response {
					friend := lists(next, r, "/0.2/user/friends", fieldText(requestObject(r), "user_to_id"))
					resp := record(next, r)
					if friend {
						resp.object(copied("confirmed_at", "created_at"))
					}
					return resp
				})),
			fault("sequence-follow-after-friendship-is-confirmed", "a follow of a former friend has confirmed_at, as it revives the row of the friendship",
				overrideStore(followRevivesFriendship))),
		breaks("connections.friends.mutual",
			fault("sequence-refriended-listed-on-one-side", "of two users who are friends again the one who had ended it does not list the other",
				overrideStore(func(_ refserver.Store, s *overrides) {
					ended := endedAt(s)
					filter(&s.friends, func(app store.App, id store.ID, friend store.User) bool { return !ended(app, id, friend.ID).IsZero() })
				})),
			fault("sequence-friends-after-crossed-follows-on-one-side", "of two users who followed each other before they became friends the one who asked last does not list the other",
				overrideStore(crossedFollowsHideFriend)),
			fault("sequence-friendship-asked-before-logout-unconfirmed", "two users of whom the one who asked first logged out before the other asked, too, do not list each other as friends",
				overrideStore(askedInEndedSession)),
			fault("sequence-renewed-friendship-lists-one-side", "where a friendship was ended and both ask again, the one who had ended it is not among the friends of the other",
				overrideStore(func(inner refserver.Store, s *overrides) {
					ended, disconnect := &memory[bool]{}, s.disconnect // by who was left, and by whom
					s.disconnect = func(app store.App, from, to store.ID, types ...store.ConnectionType) error {
						were := befriends(inner, app, from, to)
						err := disconnect(app, from, to, types...)
						if were && err == nil {
							ended.keep(keyOf(app, to, from), true)
						}
						return err
					}
					filter(&s.friends, func(app store.App, id store.ID, friend store.User) bool { return ended.get(keyOf(app, id, friend.ID)) })
				})),
			fault("sequence-second-friendship-one-sided", "where two users become friends again, the one who ended the friendship no longer lists the other", overrideStore(secondFriendshipOneSided)),
			fault("sequence-friends-again-unseen-by-who-ended-it", "who ended a friendship that both make again does not have the other among the friends", overrideStore(friendsAgainUnseen))),
	)
}

// crossedFollowsHideFriend hides friends from who asked them back and was followed by them.
func crossedFollowsHideFriend(inner refserver.Store, s *overrides) {
	asked, hidden := &memory[bool]{}, &memory[bool]{}
	s.onConnect(func(app store.App, from, to store.ID, typ store.ConnectionType) {
		if typ != store.Friend || asked.keep(keyOf(app, from, to), true) || !asked.get(keyOf(app, to, from)) {
			return
		}
		hidden.keep(keyOf(app, from, to), follows(inner, app, from, to) && follows(inner, app, to, from))
	})
	s.onDisconnect(func(app store.App, from, to store.ID) {
		for _, key := range []string{keyOf(app, from, to), keyOf(app, to, from)} {
			asked.keep(key, false)
			hidden.keep(key, false)
		}
	})
	filter(&s.friends, func(app store.App, id store.ID, friend store.User) bool { return hidden.get(keyOf(app, id, friend.ID)) })
}

// askedInEndedSession forgets who was asked to be a friend when the one who asked logs out.
func askedInEndedSession(_ refserver.Store, s *overrides) {
	asked, loggedOut, unconfirmed := &memory[time.Time]{}, &memory[time.Time]{}, &memory[bool]{} // by who asked and who was asked; by user; by both
	s.onLogout(func(app store.App, user store.ID, _ string) { loggedOut.keep(keyOf(app, user), time.Now()) })
	s.onConnect(func(app store.App, from, to store.ID, typ store.ConnectionType) {
		if typ != store.Friend {
			return
		}
		asked.keep(keyOf(app, from, to), time.Now())
		before := asked.get(keyOf(app, to, from))
		unconfirmed.keep(keyOf(app, min(from, to), max(from, to)), !before.IsZero() && loggedOut.get(keyOf(app, to)).After(before))
	})
	s.onDisconnect(func(app store.App, from, to store.ID) {
		asked.keep(keyOf(app, from, to), time.Time{})
		asked.keep(keyOf(app, to, from), time.Time{})
		unconfirmed.keep(keyOf(app, min(from, to), max(from, to)), false)
	})
	filter(&s.friends, func(app store.App, id store.ID, friend store.User) bool {
		return unconfirmed.get(keyOf(app, min(id, friend.ID), max(id, friend.ID)))
	})
}

// secondFriendshipOneSided lifts the mark of a deletion from one of two rows alone.
func secondFriendshipOneSided(inner refserver.Store, s *overrides) {
	ended, disconnect := &memory[bool]{}, s.disconnect // by who ended it, and the other
	s.disconnect = func(app store.App, from, to store.ID, types ...store.ConnectionType) error {
		were := befriends(inner, app, from, to)
		err := disconnect(app, from, to, types...)
		if err == nil && were && !befriends(inner, app, from, to) {
			ended.keep(keyOf(app, from, to), true)
		}
		return err
	}
	filter(&s.friends, func(app store.App, id store.ID, friend store.User) bool { return ended.get(keyOf(app, id, friend.ID)) })
}

// friendsAgainUnseen leaves a mark of the end of a friendship that its renewal does not take away.
func friendsAgainUnseen(inner refserver.Store, s *overrides) {
	ended, disconnect := &memory[bool]{}, s.disconnect // by who ended it and the other
	s.disconnect = func(app store.App, from, to store.ID, types ...store.ConnectionType) error {
		were := befriends(inner, app, from, to)
		err := disconnect(app, from, to, types...)
		if err == nil && were && !befriends(inner, app, from, to) {
			ended.keep(keyOf(app, from, to), true)
		}
		return err
	}
	filter(&s.friends, func(app store.App, id store.ID, friend store.User) bool { return ended.get(keyOf(app, id, friend.ID)) })
}

// followRevivesFriendship confirms the follows of those whose friendship the follower ended.
func followRevivesFriendship(inner refserver.Store, s *overrides) {
	were := &memory[bool]{} // by who ended it and the other
	s.disconnect = func(app store.App, from, to store.ID, types ...store.ConnectionType) error {
		friends := befriends(inner, app, from, to)
		err := inner.Disconnect(app, from, to, types...)
		if err == nil && friends {
			were.keep(keyOf(app, from, to), true)
		}
		return err
	}
	s.connect = func(app store.App, from, to store.ID, typ store.ConnectionType) (store.Connection, bool, error) {
		made, isNew, err := inner.Connect(app, from, to, typ)
		if typ == store.Follow && were.get(keyOf(app, from, to)) {
			made.ConfirmedAt = made.CreatedAt
		}
		return made, isNew, err
	}
}
