package faults

import (
	"bytes"
	"errors"
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
				}))),
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

// concurrencyErrors are the faults of an operation that fails where the same one is under
// way.
func concurrencyErrors() []Fault {
	return breaks("errors.no-5xx",
		fault("concurrency-two-logouts-fail", "two logouts of a session at once fail with 500", failsTwice(logsOut(), sessionIn)),
		fault("concurrency-two-deletions-of-event-fail", "two deletions of an event at once fail with 500", failsTwice(deletesEvent(), lastSegment)),
		fault("concurrency-two-follows-fail", "two connections to the same user at once fail with 500",
			failsTwice(connects(), func(r *http.Request) string { return sessionIn(r) + string(peekBody(r)) })),
		fault("concurrency-two-deletions-of-user-fail", "two deletions of a user at once fail with 500", failsTwice(deletesUser(), sessionIn)),
		fault("concurrency-second-update-of-user-is-stale", "of updates of one user that overlap the first to end is done, and the others fail with 500",
			overrideRacyStore(func(inner refserver.Store, s *overrides) {
				running := &overlaps{}
				s.updateUser = func(app store.App, id store.ID, change func(*store.User)) (user store.User, err error) {
					if _, ended := running.during(keyOf(app, id), func() {}); ended > 0 {
						return user, errors.New("attempted to update a stale object")
					}
					return inner.UpdateUser(app, id, change)
				}
			})))
}

// failsTwice answers requests of one key that overlap with 500.
func failsTwice(m match, key func(*http.Request) string) mutation {
	return func(o *refserver.Options) {
		running := &overlaps{}
		intercept(m, func(next http.Handler, r *http.Request) (resp *response) {
			if ever, _ := running.during(key(r), func() { resp = record(next, r) }); ever > 1 {
				resp.become(500, complaint("deadlock"))
			}
			return resp
		})(o)
	}
}

// concurrencyUsersSessions are the faults of logins, logouts, and writes of a user beside
// another operation: a session that lasts, an answer that is another's, an update that is
// lost.
func concurrencyUsersSessions() []Fault {
	return slices.Concat(
		breaks("sessions.login.user-name",
			fault("concurrency-login-answers-anothers-token", "of two logins by user name at once the first gets the session token of the other",
				latestOf(logsInByName(), "session_token"))),
		breaks("sessions.logout.destroys",
			fault("concurrency-token-used-during-logout-lasts", "a session token that is used while it is logged out goes on working",
				overrideRacyStore(func(inner refserver.Store, s *overrides) {
					running, cached := &overlaps{}, &memory[store.ID]{}
					s.closeSession = func(app store.App, token string) (err error) {
						running.during(token, func() { err = inner.CloseSession(app, token) })
						return err
					}
					s.session = func(app store.App, token string) (store.ID, error) {
						id, err := inner.Session(app, token)
						if err == nil && running.open(token) {
							cached.keep(keyOf(app)+token, id)
						}
						if cached, known := cached.lookup(keyOf(app) + token); err != nil && known {
							return cached, nil
						}
						return id, err
					}
				})),
			fault("concurrency-two-sessions-logged-out", "of two sessions of a user that are logged out at once one goes on working",
				overrideRacyStore(func(inner refserver.Store, s *overrides) {
					running := &overlaps{}
					s.closeSession = func(app store.App, token string) error {
						user, err := inner.Session(app, token)
						if err != nil {
							return inner.CloseSession(app, token)
						}
						if _, before := running.during(keyOf(app, user), func() {}); before > 0 {
							return nil
						}
						return inner.CloseSession(app, token)
					}
				}))),
		breaks("sessions.deleted-user",
			fault("concurrency-login-during-deletion-lasts", "the session of a login while its user is deleted goes on reading the feed",
				overrideRacyStore(func(inner refserver.Store, s *overrides) {
					running, survivors := &overlaps{}, &memory[store.ID]{}
					s.deleteUser = func(app store.App, id store.ID) (err error) {
						running.during(keyOf(app, id), func() { err = inner.DeleteUser(app, id) })
						return err
					}
					s.onLogin(func(app store.App, user store.ID, token string) {
						if running.open(keyOf(app, user)) {
							survivors.keep(keyOf(app)+token, user)
						}
					})
					s.session = func(app store.App, token string) (store.ID, error) {
						id, err := inner.Session(app, token)
						if user, known := survivors.lookup(keyOf(app) + token); err != nil && known {
							return user, nil
						}
						return id, err
					}
				}))),
		breaks("users.id-stable",
			fault("concurrency-create-answers-anothers-id", "of two users created at once the first is answered with the id of the other",
				latestOf(plainCreate(), "id"))),
		breaks("users.me.get",
			fault("concurrency-own-records-in-one-flight", "of two users who read their own records at once one is answered with the other's", ownRecordsInOneFlight)),
		breaks("users.me.update.applies",
			fault("concurrency-update-of-user-lost", "of two updates of a user at once the later one writes all fields as they were before the other",
				overrideRacyStore(func(inner refserver.Store, s *overrides) {
					s.updateUser = func(app store.App, id store.ID, change func(*store.User)) (store.User, error) {
						before, missing := inner.User(app, id)
						time.Sleep(window)
						return inner.UpdateUser(app, id, func(user *store.User) {
							if missing == nil {
								before.Password, before.LastLogin = user.Password, user.LastLogin
								*user = before
							}
							change(user)
						})
					}
				})),
			fault("concurrency-login-writes-over-update", "a login writes the user as it was when the login began, whatever an update has changed by then",
				overrideRacyStore(func(inner refserver.Store, s *overrides) {
					s.openSession = func(app store.App, id store.ID, verified []byte) (string, store.User, error) {
						before, missing := inner.User(app, id)
						time.Sleep(window)
						token, user, err := inner.OpenSession(app, id, verified)
						if err != nil || missing != nil || before.UpdatedAt.Equal(user.UpdatedAt) {
							return token, user, err
						}
						_, err = inner.UpdateUser(app, id, func(now *store.User) {
							now.FirstName, now.LastName, now.URL, now.CustomID = before.FirstName, before.LastName, before.URL, before.CustomID
							now.Metadata, now.SocialIDs, now.Activated = before.Metadata, before.SocialIDs, before.Activated
						})
						return token, user, err
					}
				}))),
		breaks("users.me.update.password",
			fault("concurrency-update-beside-new-password-brings-the-old-back", "an update of the user beside another that changes the password writes the password as it was before",
				overrideRacyStore(func(inner refserver.Store, s *overrides) {
					s.updateUser = func(app store.App, id store.ID, change func(*store.User)) (store.User, error) {
						before, missing := inner.User(app, id)
						time.Sleep(window)
						return inner.UpdateUser(app, id, func(user *store.User) {
							standing := user.Password
							change(user)
							if missing == nil && bytes.Equal(user.Password, standing) {
								user.Password = before.Password
							}
						})
					}
				}))),
	)
}

// ownRecordsInOneFlight answers own records that are asked for at once with the first.
func ownRecordsInOneFlight(o *refserver.Options) { inOneFlight(readsOwnRecord(), appIn)(o) }
