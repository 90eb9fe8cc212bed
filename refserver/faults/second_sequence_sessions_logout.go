package faults

import (
	"bytes"
	"net/http"
	"slices"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// sequenceSessionsLogout are the faults of sessions that a logout does not end, or that
// come back, after certain steps.
func sequenceSessionsLogout() []Fault {
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
				})),
			fault("sequence-registration-token-outlives-logout", "the session of a create goes on working after its logout where its user has logged in since",
				overrideStore(func(inner refserver.Store, s *overrides) {
					registered, logins, first := &memory[bool]{}, &memory[int]{}, &memory[bool]{} // by user; by user; by token
					s.onCreateUser(func(user store.User) {
						registered.keep(keyOf(user.App, user.ID), !user.LastLogin.IsZero())
					})
					s.onLogin(func(app store.App, user store.ID, token string) {
						if tally(logins, keyOf(app, user)) == 1 && registered.get(keyOf(app, user)) {
							first.keep(token, true)
						}
					})
					s.closeSession = func(app store.App, token string) error {
						user, err := inner.Session(app, token)
						if err == nil && first.get(token) && logins.get(keyOf(app, user)) >= 2 {
							return nil
						}
						return inner.CloseSession(app, token)
					}
				})),
			fault("sequence-update-revives-destroyed-tokens", "an update of the user writes back the sessions that it had, and a token that was logged out works again", overrideStore(updatesReviveTokens)),
			fault("sequence-destroyed-token-opens-the-next-login", "the session token that was logged out last opens the session of the next other user who logs in, which takes its place in the table", overrideStore(placesOfTokensReused)),
			fault("sequence-logout-after-refusal-keeps-session", "a logout right after a refused request of the session is answered with 204 and rolled back with that one", refusalsKeepSessions),
			fault("sequence-second-logout-leaves-session", "a user's second logout leaves the session valid, as there is room for one ended session of each user",
				overrideStore(func(inner refserver.Store, s *overrides) {
					logouts := &memory[int]{} // by user
					s.closeSession = func(app store.App, token string) error {
						if id, err := inner.Session(app, token); err == nil && tally(logouts, keyOf(app, id)) > 1 {
							return nil
						}
						return inner.CloseSession(app, token)
					}
				})),
			fault("sequence-logout-after-rename-ends-nothing", "the logout from a session that was opened under a former user name is answered with 204, and the session goes on",
				overrideStore(logoutByNameAtLogin)),
			fault("sequence-password-change-revives-logged-out-sessions", "a change of the password renews all sessions of the user, those that were logged out before it, too",
				overrideStore(passwordRevivesSessions)),
			fault("sequence-logout-of-older-session-ends-the-newest", "a logout in an older session of a user ends the newest in its place", overrideStore(logoutEndsNewest)),
			fault("sequence-logout-after-login-with-details-ends-nothing", "the session of a login that asked for the user's details survives its logout, as it is cached with them", detailedSessionsStay)),
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
	)
}

// updatesReviveTokens saves, with a user, the list of its sessions as it was before.
func updatesReviveTokens(inner refserver.Store, s *overrides) {
	type end struct {
		user store.ID
		at   time.Time
	}
	ends, updated := &memory[end]{}, &memory[time.Time]{} // by token; by user
	s.onLogout(func(_ store.App, user store.ID, token string) { ends.keep(token, end{user, time.Now()}) })
	s.onUpdateUser(func(_, after store.User) { updated.keep(keyOf(after.App, after.ID), time.Now()) })
	s.session = func(app store.App, token string) (store.ID, error) {
		if ended, was := ends.lookup(token); was && updated.get(keyOf(app, ended.user)).After(ended.at) {
			if _, gone := inner.User(app, ended.user); gone == nil {
				return ended.user, nil
			}
		}
		return inner.Session(app, token)
	}
}

// placesOfTokensReused gives the place of a destroyed token to the next login.
func placesOfTokensReused(inner refserver.Store, s *overrides) {
	type place struct {
		token string
		user  store.ID
	}
	free, taken := &memory[place]{}, &memory[store.ID]{} // by application; by application and token
	s.onLogout(func(app store.App, user store.ID, token string) { free.keep(keyOf(app), place{token, user}) })
	s.onLogin(func(app store.App, user store.ID, _ string) {
		if last := free.get(keyOf(app)); last.token != "" && last.user != user {
			free.keep(keyOf(app), place{})
			taken.keep(keyOf(app)+last.token, user)
		}
	})
	s.session = func(app store.App, token string) (store.ID, error) {
		user, err := inner.Session(app, token)
		if other, is := taken.lookup(keyOf(app) + token); is && err != nil {
			if _, gone := inner.User(app, other); gone == nil {
				return other, nil
			}
		}
		return user, err
	}
}

// refusalsKeepSessions rolls a logout back where the session's request before it was refused.
func refusalsKeepSessions(o *refserver.Options) {
	refused := &memory[bool]{} // by token
	combine(
		rewriteResponse(insession, func(r *http.Request, resp *response) {
			refused.keep(sessionIn(r), resp.status/100 == 4 && resp.status != http.StatusUnauthorized)
		}),
		overrideStore(func(inner refserver.Store, s *overrides) {
			s.closeSession = func(app store.App, token string) error {
				if refused.get(token) {
					return nil
				}
				return inner.CloseSession(app, token)
			}
		}),
	)(o)
}

// logoutByNameAtLogin looks for the session to end under the name that the user has now.
func logoutByNameAtLogin(inner refserver.Store, s *overrides) {
	names, closeSession := &memory[string]{}, s.closeSession // by session
	s.onLogin(func(app store.App, id store.ID, token string) {
		if user, err := inner.User(app, id); err == nil {
			names.keep(keyOf(app)+token, user.UserName)
		}
	})
	s.closeSession = func(app store.App, token string) error {
		if id, err := inner.Session(app, token); err == nil {
			user, gone := inner.User(app, id)
			if name, known := names.lookup(keyOf(app) + token); known && gone == nil && name != user.UserName {
				return nil
			}
		}
		return closeSession(app, token)
	}
}

func passwordRevivesSessions(inner refserver.Store, s *overrides) {
	type end struct {
		user store.ID
		at   time.Time
	}
	ends, changes := &memory[end]{}, &memory[time.Time]{} // by token; by user
	s.onLogout(func(_ store.App, user store.ID, token string) { ends.keep(token, end{user, time.Now()}) })
	s.onUpdateUser(func(before, after store.User) {
		if !bytes.Equal(before.Password, after.Password) {
			changes.keep(keyOf(after.App, after.ID), time.Now())
		}
	})
	s.session = func(app store.App, token string) (store.ID, error) {
		if end, ended := ends.lookup(token); ended && changes.get(keyOf(app, end.user)).After(end.at) {
			if _, gone := inner.User(app, end.user); gone == nil {
				return end.user, nil
			}
		}
		return inner.Session(app, token)
	}
}

// logoutEndsNewest ends the session that a user opened last, whichever it logs out of.
func logoutEndsNewest(inner refserver.Store, s *overrides) {
	newest := &memory[string]{}
	s.onLogin(func(app store.App, user store.ID, token string) { newest.keep(keyOf(app, user), token) })
	s.closeSession = func(app store.App, token string) error {
		if user, err := inner.Session(app, token); err == nil {
			last := newest.get(keyOf(app, user))
			if _, ended := inner.Session(app, last); ended == nil {
				token = last
			}
		}
		return inner.CloseSession(app, token)
	}
}

// detailedSessionsStay ends no session of a login that asked for details.
func detailedSessionsStay(o *refserver.Options) {
	cached := &memory[bool]{} // by token
	combine(
		rewriteResponse(logsIn().and(detailed), inObject(func(user map[string]any) { cached.keep(fieldText(user, "session_token"), true) })),
		intercept(logsOut().and(not(lacksHeader("User-Agent"))), func(next http.Handler, r *http.Request) *response {
			if !cached.get(sessionIn(r)) || !call(next, r, http.MethodGet, "/0.2/user", nil).ok() {
				return record(next, r)
			}
			return answer(r, 204, "")
		}),
	)(o)
}
