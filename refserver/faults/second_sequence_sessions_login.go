package faults

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// sequenceSessionsLogin are the faults of logins after names, emails or sessions were
// changed.
func sequenceSessionsLogin() []Fault {
	return slices.Concat(
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
				})),
			fault("sequence-name-tried-before-create-stays-unknown", "a user name with which somebody tried to log in before any user had it does not log in later", overrideStore(unknownNamesKept)),
			fault("sequence-login-after-rename-twice", "after a second change of the user name nobody logs in by the new one",
				renamed("user_name", func(former, _ *memory[string], login map[string]any) {
					name := fieldText(login, "user_name")
					if first, changed := former.lookup(name); changed && former.has(first) {
						login["user_name"] = "nobody@example.com"
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
				})),
			fault("sequence-given-up-email-logs-nobody-in", "nobody logs in by an email that another user gave up for a new one",
				overrideStore(func(inner refserver.Store, s *overrides) {
					givenUp := &memory[store.ID]{} // by email
					s.onUpdateUser(func(before, after store.User) {
						if before.Email != after.Email && before.Email != "" {
							givenUp.keep(keyOf(before.App)+before.Email, before.ID)
						}
					})
					s.identify = func(app store.App, name, email string, password []byte) (store.User, error) {
						user, err := inner.Identify(app, name, email, password)
						if by, is := givenUp.lookup(keyOf(app) + email); err == nil && name == "" && is && by != user.ID {
							return store.User{}, store.ErrNotFound
						}
						return user, err
					}
				})),
			fault("sequence-email-given-up-and-taken-back-logs-nobody-in", "a user who changes the email and then back to the former one cannot log in by it",
				overrideStore(func(inner refserver.Store, s *overrides) {
					givenUp := former(s, email)
					s.identify = func(app store.App, userName, mail string, password []byte) (store.User, error) {
						user, err := inner.Identify(app, userName, mail, password)
						if err == nil && userName == "" && givenUp.get(keyOf(app, user.ID)+mail) {
							return store.User{}, fmt.Errorf("user %w", store.ErrNotFound)
						}
						return user, err
					}
				})),
			fault("sequence-changed-email-does-not-log-in", "who changed the email cannot log in by the new one, as logins look the emails of new users up",
				overrideStore(changedEmailsUnknown))),
		breaks("sessions.login.details",
			fault("sequence-login-details-as-at-first-login", "the details of a login show the user as at the first login with details, whatever has been updated since", detailsAsAtFirst)),
		breaks("sessions.login.last-login",
			fault("sequence-relogin-unsets-last-login", "after a logout and a login the own record shows last_login as if there had been none", reloginUnsetsLastLogin),
			fault("sequence-update-after-login-unsets-last-login", "an update of the user writes back a last_login of never",
				overrideStore(func(inner refserver.Store, s *overrides) {
					s.updateUser = func(app store.App, id store.ID, change func(*store.User)) (store.User, error) {
						return inner.UpdateUser(app, id, func(user *store.User) {
							change(user)
							user.LastLogin = time.Time{}
						})
					}
				})),
			fault("sequence-update-of-password-resets-last-login", "an update with a password in it takes the last login away, until the next one",
				overrideStore(newPasswordsResetLastLogin))),
		breaks("sessions.create-with-login",
			fault("sequence-create-under-taken-email-opens-the-other", "the session token of a new user whose email another user has already opens that other user", overrideStore(emailOpensTheOther))),
	)
}

// deletedNames remembers the user names of deleted users.
func deletedNames(s *overrides) *memory[bool] {
	names := &memory[bool]{}
	s.onDeleteUser(func(user store.User) { names.keep(keyOf(user.App)+user.UserName, true) })
	return names
}

// unknownNamesKept remembers which user names nobody has, and asks no more.
func unknownNamesKept(inner refserver.Store, s *overrides) {
	unknown := &memory[bool]{}
	s.identify = func(app store.App, userName, email string, password []byte) (store.User, error) {
		key := fmt.Sprint(app, userName)
		if unknown.get(key) {
			return store.User{}, fmt.Errorf("user %w", store.ErrNotFound)
		}
		user, err := inner.Identify(app, userName, email, password)
		if err != nil && userName != "" {
			alike, unread := inner.Search(app, userName)
			named := slices.ContainsFunc(alike, func(other store.User) bool { return other.UserName == userName })
			unknown.keep(key, unread == nil && !named)
		}
		return user, err
	}
}

// detailsAsAtFirst keeps what a login tells of a user, but for the session and its time.
func detailsAsAtFirst(o *refserver.Options) {
	first := &memory[[]byte]{} // by application and id
	rewriteResponse(logsIn().and(detailed), func(r *http.Request, resp *response) {
		resp.object(func(user map[string]any) {
			key := appIn(r) + " " + fieldText(user, "id")
			before := objectOf(first.get(key))
			if before == nil {
				first.keep(key, encode(user))
				return
			}
			before["session_token"], before["last_login"] = user["session_token"], user["last_login"]
			clear(user)
			for field, value := range before {
				user[field] = value
			}
		})
	})(o)
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

// emailOpensTheOther logs a new user in as the first who has the email.
func emailOpensTheOther(inner refserver.Store, s *overrides) {
	bearers, others := &memory[store.ID]{}, &memory[store.ID]{} // by email; by new user
	s.createUser = func(app store.App, user store.User) (store.User, error) {
		made, err := inner.CreateUser(app, user)
		if err != nil || made.Email == "" {
			return made, err
		}
		key := keyOf(app) + made.Email
		first, gone := inner.User(app, bearers.get(key))
		switch {
		case gone != nil || first.Email != made.Email:
			bearers.keep(key, made.ID)
		case !user.LastLogin.IsZero(): // a session is opened next
			others.keep(keyOf(app, made.ID), first.ID)
		}
		return made, nil
	}
	s.openSession = func(app store.App, id store.ID, verified []byte) (string, store.User, error) {
		other, gone := inner.User(app, others.keep(keyOf(app, id), 0))
		if gone != nil {
			return inner.OpenSession(app, id, verified)
		}
		token, _, err := inner.OpenSession(app, other.ID, other.Password)
		user, missing := inner.User(app, id)
		return token, user, errors.Join(err, missing)
	}
}

// changedEmailsUnknown knows by their emails those users alone who have the first one.
func changedEmailsUnknown(inner refserver.Store, s *overrides) {
	changed := &memory[bool]{}
	s.onUpdateUser(func(before, after store.User) {
		if before.Email != "" && before.Email != after.Email {
			changed.keep(keyOf(after.App, after.ID), true)
		}
	})
	s.identify = func(app store.App, userName, email string, password []byte) (store.User, error) {
		user, err := inner.Identify(app, userName, email, password)
		if err == nil && userName == "" && changed.get(keyOf(app, user.ID)) {
			return store.User{}, fmt.Errorf("user %w", store.ErrNotFound)
		}
		return user, err
	}
}

// newPasswordsResetLastLogin has a new password come with a last login of never.
func newPasswordsResetLastLogin(inner refserver.Store, s *overrides) {
	s.updateUser = func(app store.App, id store.ID, change func(*store.User)) (store.User, error) {
		return inner.UpdateUser(app, id, func(user *store.User) {
			before := user.Password
			if change(user); before != nil && !slices.Equal(before, user.Password) {
				user.LastLogin = time.Time{}
			}
		})
	}
}
