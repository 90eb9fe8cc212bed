package faults

import (
	"net/http"
	"slices"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// concurrencyConnectionsSocial are the faults of connections that are made or ended beside
// another operation: one of both is lost, stands twice, or stands on one side alone.
func concurrencyConnectionsSocial() []Fault {
	listsOfUsers := readsFollowsOf().or(readsFollowersOf()).or(readsFriendsOf())
	return slices.Concat(
		breaks("connections.delete.removes",
			fault("concurrency-two-unfollows-at-once", "of two users whom a user unfollows at once one goes on being followed",
				overrideRacyStore(func(inner refserver.Store, s *overrides) {
					running := &overlaps{}
					s.disconnect = func(app store.App, from, to store.ID, types ...store.ConnectionType) error {
						if !slices.Contains(types, store.Follow) || !follows(inner, app, from, to) {
							return inner.Disconnect(app, from, to, types...)
						}
						if _, before := running.during(keyOf(app, from), func() {}); before > 0 {
							return nil
						}
						return inner.Disconnect(app, from, to, types...)
					}
				})),
			fault("concurrency-end-of-follow-beside-new-follow-lost", "a user who is unfollowed while the follower begins to follow another goes on being followed",
				overrideRacyStore(func(inner refserver.Store, s *overrides) {
					s.connect = func(app store.App, from, to store.ID, typ store.ConnectionType) (store.Connection, bool, error) {
						before := idsOf(inner.Follows, app, from)
						time.Sleep(window)
						made, isNew, err := inner.Connect(app, from, to, typ)
						if err != nil || typ != store.Follow {
							return made, isNew, err
						}
						for _, followed := range before {
							if !follows(inner, app, from, followed) {
								_, _, _ = inner.Connect(app, from, followed, store.Follow) // who is deleted stays away
							}
						}
						return made, isNew, nil
					}
				})),
			fault("concurrency-follows-ended-at-once-leave-one", "of two follows that a user ends at once the one that ended last is among the follows again",
				overrideRacyStore(followsWrittenBack))),
		breaks("connections.lists.follows",
			fault("concurrency-follow-stands-twice", "a user who is followed twice at once is listed twice among the follows",
				overrideRacyStore(func(inner refserver.Store, s *overrides) {
					running, doubled := &overlaps{}, &memory[bool]{}
					s.connect = func(app store.App, from, to store.ID, typ store.ConnectionType) (made store.Connection, isNew bool, err error) {
						ever, _ := running.during(keyOf(app, from, to), func() { made, isNew, err = inner.Connect(app, from, to, typ) })
						if ever > 1 && typ == store.Follow {
							doubled.keep(keyOf(app, from, to), true)
						}
						return made, isNew, err
					}
					s.follows = func(app store.App, id store.ID) ([]store.User, error) {
						users, err := inner.Follows(app, id)
						for _, user := range users {
							if doubled.get(keyOf(app, id, user.ID)) {
								users = append(users, user)
							}
						}
						return users, err
					}
				})),
			fault("concurrency-one-of-two-follows-lost", "of two users whom a user follows at once one is not among its follows",
				overrideRacyStore(func(inner refserver.Store, s *overrides) {
					running, lost := &overlaps{}, &memory[bool]{}
					s.connect = func(app store.App, from, to store.ID, typ store.ConnectionType) (made store.Connection, isNew bool, err error) {
						_, before := running.during(keyOf(app, from), func() { made, isNew, err = inner.Connect(app, from, to, typ) })
						lost.keep(keyOf(app, from, to), before > 0 && isNew && typ == store.Follow)
						return made, isNew, err
					}
					filter(&s.follows, func(app store.App, id store.ID, user store.User) bool { return lost.get(keyOf(app, id, user.ID)) })
				})),
			fault("concurrency-follows-of-each-other-lose-one", "of two users who follow each other at once the second does not follow the first",
				overrideRacyStore(func(inner refserver.Store, s *overrides) {
					running := &overlaps{}
					s.connect = func(app store.App, from, to store.ID, typ store.ConnectionType) (made store.Connection, isNew bool, err error) {
						if typ != store.Follow {
							return inner.Connect(app, from, to, typ)
						}
						pair := keyOf(app, min(from, to), max(from, to))
						_, before := running.during(pair, func() { made, isNew, err = inner.Connect(app, from, to, typ) })
						if err == nil && isNew && before > 0 {
							err = inner.Disconnect(app, from, to, typ)
						}
						return made, isNew, err
					}
				})),
			fault("concurrency-follow-beside-update-of-user-lost", "a user who is followed while the follower updates itself is not among its follows",
				overrideRacyStore(func(inner refserver.Store, s *overrides) {
					lost := &memory[bool]{} // by follower and followed
					found := func(app store.App, from, to store.ID) { lost.keep(keyOf(app, from, to), false) }
					s.onConnect(func(app store.App, from, to store.ID, _ store.ConnectionType) { found(app, from, to) })
					s.onDisconnect(found)
					s.updateUser = func(app store.App, id store.ID, change func(*store.User)) (store.User, error) {
						before := idsOf(inner.Follows, app, id)
						time.Sleep(window)
						user, err := inner.UpdateUser(app, id, change)
						for _, to := range idsOf(inner.Follows, app, id) {
							if err == nil && !slices.Contains(before, to) {
								lost.keep(keyOf(app, id, to), true)
							}
						}
						return user, err
					}
					filter(&s.follows, func(app store.App, id store.ID, user store.User) bool { return lost.get(keyOf(app, id, user.ID)) })
				}))),
		breaks("connections.lists.followers",
			fault("concurrency-followers-lose-one", "of two users who follow a third at once one is not among its followers",
				overrideRacyStore(func(inner refserver.Store, s *overrides) {
					running, lost := &overlaps{}, &memory[bool]{}
					s.connect = func(app store.App, from, to store.ID, typ store.ConnectionType) (made store.Connection, isNew bool, err error) {
						if typ != store.Follow {
							return inner.Connect(app, from, to, typ)
						}
						_, before := running.during(keyOf(app, to), func() { made, isNew, err = inner.Connect(app, from, to, typ) })
						if isNew && err == nil {
							lost.keep(keyOf(app, from, to), before > 0)
						}
						return made, isNew, err
					}
					filter(&s.followers, func(app store.App, id store.ID, follower store.User) bool {
						return lost.get(keyOf(app, follower.ID, id))
					})
				})),
			fault("concurrency-follows-of-one-user-lose-a-follower", "of two users who follow the same one at once, one is not among the followers", overrideRacyStore(followersWrittenBack))),
		breaks("connections.lists.of-user",
			fault("concurrency-lists-of-two-users-are-one", "who reads a list of two users at once gets that of the first for both, as requests are brought together by their route",
				inOneFlight(listsOfUsers, func(r *http.Request) string { return sessionIn(r) + lastSegment(r) })),
			fault("concurrency-followers-of-users-in-one-flight", "who asks for the followers of a user while those of another are being read gets the same list",
				inOneFlight(readsFollowersOf(), appIn))),
		breaks("connections.lists.after-user-delete",
			fault("concurrency-follow-during-deletion-stays", "a user who is followed while it is deleted stays among the follows",
				duringDeletion(func(inner refserver.Store, s *overrides, deleting func(store.App, store.ID) bool) {
					known := &memory[store.User]{}
					stale := keepStaleUsers(&s.follows, func(app store.App, id store.ID) (store.User, error) { return known.get(keyOf(app, id)), nil })
					s.onConnect(func(app store.App, from, to store.ID, typ store.ConnectionType) {
						if user, err := inner.User(app, to); err == nil && typ == store.Follow && deleting(app, to) {
							known.keep(keyOf(app, to), user)
							stale.keep(app, from, to, 0)
						}
					})
				}))),
		breaks("connections.friends.mutual",
			fault("concurrency-friends-on-one-side", "of two users who befriend each other at once one does not list the other",
				overrideRacyStore(func(inner refserver.Store, s *overrides) {
					running, hidden := &overlaps{}, &memory[bool]{}
					s.connect = func(app store.App, from, to store.ID, typ store.ConnectionType) (made store.Connection, isNew bool, err error) {
						first, second := min(from, to), max(from, to)
						ever, _ := running.during(keyOf(app, first, second), func() { made, isNew, err = inner.Connect(app, from, to, typ) })
						if ever > 1 && typ == store.Friend {
							hidden.keep(keyOf(app, first, second), true)
						}
						return made, isNew, err
					}
					filter(&s.friends, func(app store.App, id store.ID, friend store.User) bool { return hidden.get(keyOf(app, id, friend.ID)) })
				})),
			fault("concurrency-friends-asking-at-once-unlisted", "two users who ask each other at once to be friends do not list each other", overrideRacyStore(friendsCrossed))),
		breaks("social.connects",
			fault("concurrency-second-social-connect-lost", "of two connectings by social identifiers of a user at once the second connects nobody",
				overrideRacyStore(func(inner refserver.Store, s *overrides) {
					running := &overlaps{}
					s.connectSocial = func(app store.App, from store.ID, platform string, ids []string, typ store.ConnectionType) error {
						if _, before := running.during(keyOf(app, from), func() {}); before > 0 {
							return nil
						}
						return inner.ConnectSocial(app, from, platform, ids, typ)
					}
				}))),
	)
}

// followersWrittenBack keeps the followers of a user as one list.
func followersWrittenBack(inner refserver.Store, s *overrides) {
	lost, connect := &memory[bool]{}, s.connect // by followed and follower
	s.connect = func(app store.App, from, to store.ID, typ store.ConnectionType) (store.Connection, bool, error) {
		if typ != store.Follow {
			return connect(app, from, to, typ)
		}
		read := idsOf(inner.Followers, app, to)
		time.Sleep(window)
		made, isNew, err := connect(app, from, to, typ)
		lost.keep(keyOf(app, to, from), false)
		for _, other := range idsOf(inner.Followers, app, to) {
			if err == nil && other != from && !slices.Contains(read, other) {
				lost.keep(keyOf(app, to, other), true)
			}
		}
		return made, isNew, err
	}
	filter(&s.followers, func(app store.App, id store.ID, follower store.User) bool {
		return lost.get(keyOf(app, id, follower.ID))
	})
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

// followsWrittenBack lists the later of two ended follows, as each end writes the list that both had read.
func followsWrittenBack(inner refserver.Store, s *overrides) {
	running, back := &overlaps{}, keepStaleUsers(&s.follows, inner.User)
	s.disconnect = func(app store.App, from, to store.ID, types ...store.ConnectionType) (err error) {
		followed := follows(inner, app, from, to)
		_, before := running.during(keyOf(app, from), func() { err = inner.Disconnect(app, from, to, types...) })
		if back.forget(app, from, to); followed && err == nil && before > 0 {
			back.keep(app, from, to, 0)
		}
		return err
	}
}
