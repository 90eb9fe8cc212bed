package faults

import (
	"bytes"
	"slices"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

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
