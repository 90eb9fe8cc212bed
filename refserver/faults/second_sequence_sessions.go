package faults

import (
	"net/http"
	"slices"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// sessionSequences are the faults of sessions after others.
func sessionSequences() []Fault {
	return slices.Concat(
		breaks("sessions.logout.destroys",
			fault("sequence-second-logout-keeps-session", "the second logout of a user is answered like the first, and ends no session",
				overrideStore(func(inner refserver.Store, s *overrides) {
					logouts := &memory[int]{}
					s.closeSession = func(app store.App, token string) error {
						user, err := inner.Session(app, token)
						if err == nil && tally(logouts, keyOf(app, user)) >= 2 {
							return nil
						}
						return inner.CloseSession(app, token)
					}
				})),
			fault("sequence-logout-after-new-password-keeps-session", "a logout ends no session of a user who changed the password in it",
				overrideStore(func(inner refserver.Store, s *overrides) {
					changed := &memory[bool]{}
					s.onUpdateUser(func(before, after store.User) {
						if string(before.Password) != string(after.Password) {
							changed.keep(keyOf(after.App, after.ID), true)
						}
					})
					s.closeSession = func(app store.App, token string) error {
						if user, err := inner.Session(app, token); err == nil && changed.get(keyOf(app, user)) {
							return nil
						}
						return inner.CloseSession(app, token)
					}
				}))),
		breaks("sessions.logout.relogin",
			fault("sequence-two-logouts-lock-out", "who logged out twice cannot log in any more",
				overrideStore(func(inner refserver.Store, s *overrides) {
					logouts := &memory[int]{}
					s.onLogout(func(app store.App, user store.ID, _ string) { tally(logouts, keyOf(app, user)) })
					s.openSession = func(app store.App, id store.ID, verified []byte) (string, store.User, error) {
						if logouts.get(keyOf(app, id)) >= 2 {
							return "", store.User{}, store.ErrStale
						}
						return inner.OpenSession(app, id, verified)
					}
				}))),
		breaks("sessions.login.user-name",
			fault("sequence-name-changed-back-unknown", "nobody logs in by a user name that was changed and changed back",
				overrideStore(func(inner refserver.Store, s *overrides) {
					was := former(s, userName)
					s.identify = func(app store.App, name, email string, password []byte) (store.User, error) {
						user, err := inner.Identify(app, name, email, password)
						if err == nil && name != "" && was.get(keyOf(app, user.ID)+name) {
							return store.User{}, store.ErrNotFound
						}
						return user, err
					}
				})),
			fault("sequence-namesake-cannot-log-in", "nobody logs in by the user name of a user who was deleted, though another bears it",
				overrideStore(func(inner refserver.Store, s *overrides) {
					names := deletedNames(s)
					s.identify = func(app store.App, name, email string, password []byte) (store.User, error) {
						if name != "" && names.get(keyOf(app)+name) {
							return store.User{}, store.ErrNotFound
						}
						return inner.Identify(app, name, email, password)
					}
				}))),
		breaks("sessions.login.email",
			fault("sequence-second-new-email-unknown", "nobody logs in by the email that a second change of it gave",
				overrideStore(func(inner refserver.Store, s *overrides) {
					changes := &memory[int]{}
					s.onUpdateUser(func(before, after store.User) {
						if before.Email != after.Email {
							tally(changes, keyOf(after.App, after.ID))
						}
					})
					s.identify = func(app store.App, name, email string, password []byte) (store.User, error) {
						user, err := inner.Identify(app, name, email, password)
						if err == nil && name == "" && changes.get(keyOf(app, user.ID)) >= 2 {
							return store.User{}, store.ErrNotFound
						}
						return user, err
					}
				}))),
		breaks("sessions.login.last-login",
			fault("sequence-relogin-unsets-last-login", "after a logout and a login the own record shows last_login as if there had been none", reloginUnsetsLastLogin)),
		breaks("sessions.deleted-user",
			fault("sequence-namesake-inherits-sessions", "the sessions of a deleted user open a new user of the same name",
				overrideStore(func(inner refserver.Store, s *overrides) {
					names, bearers := &memory[string]{}, &memory[store.ID]{} // a name by token; an id by name
					s.onLogin(func(app store.App, id store.ID, token string) {
						if user, err := inner.User(app, id); err == nil {
							names.keep(token, keyOf(app)+user.UserName)
						}
					})
					s.onCreateUser(func(user store.User) { bearers.keep(keyOf(user.App)+user.UserName, user.ID) })
					ended := &memory[bool]{}
					s.onLogout(func(_ store.App, _ store.ID, token string) { ended.keep(token, true) })
					s.session = func(app store.App, token string) (store.ID, error) {
						id, err := inner.Session(app, token)
						if name, known := names.lookup(token); err != nil && known && !ended.get(token) {
							if _, gone := inner.User(app, bearers.get(name)); gone == nil {
								return bearers.get(name), nil
							}
						}
						return id, err
					}
				}))),
	)
}

func reloginUnsetsLastLogin(o *refserver.Options) {
	owners, loggedOut := &memory[string]{}, &memory[bool]{} // an id by token; ids
	combine(
		opened(func(_ *http.Request, _ map[string]any, id, token string) { owners.keep(token, id) }),
		rewriteResponse(logsOut(), func(r *http.Request, resp *response) {
			if id, known := owners.lookup(sessionIn(r)); known && resp.ok() {
				loggedOut.keep(id, true)
			}
		}),
		rewriteObject(readsOwnRecord(), func(user map[string]any) {
			if loggedOut.get(fieldText(user, "id")) {
				user["last_login"] = neverLoggedIn
			}
		}),
	)(o)
}

// passwordsHad remembers the passwords of users in order, by email.
func passwordsHad(had *memory[[]string]) mutation {
	return rewriteResponse(createsUser().or(updatesUser()), func(r *http.Request, resp *response) {
		body := requestObject(r)
		password, email := fieldText(body, "password"), fieldText(body, "email")
		if !resp.ok() || password == "" {
			return
		}
		had.update(email, func(all []string) []string {
			if len(all) > 0 && all[len(all)-1] == password {
				return all
			}
			return append(slices.Clip(all), password)
		})
	})
}

func firstPasswordAgain(o *refserver.Options) {
	had := &memory[[]string]{}
	combine(passwordsHad(had), rewriteBody(logsInByEmail(), func(login map[string]any) {
		all := had.get(fieldText(login, "email"))
		if len(all) >= 3 && login["password"] == all[0] {
			login["password"] = all[len(all)-1]
		}
	}))(o)
}

func passwordChangedBackVoid(o *refserver.Options) {
	had := &memory[[]string]{}
	combine(rewriteBody(updatesUser(), func(body map[string]any) {
		all, password := had.get(fieldText(body, "email")), fieldText(body, "password")
		if i := slices.Index(all, password); i >= 0 && i < len(all)-1 {
			body["password"] = password + " "
		}
	}), passwordsHad(had))(o)
}
