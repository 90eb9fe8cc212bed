package faults

import (
	"net/http"
	"slices"

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
			fault("sequence-logout-of-older-session-ends-the-newest", "a logout in an older session of a user ends the newest in its place", overrideStore(logoutEndsNewest)),
			fault("sequence-logout-after-login-with-details-ends-nothing", "the session of a login that asked for the user's details survives its logout, as it is cached with them", detailedSessionsStay),
			fault("sequence-lists-know-sessions-that-connected", "a session in which somebody was connected still reads the own lists of connections after its logout",
				func(o *refserver.Options) {
					connected := &memory[bool]{} // by session
					reads := readsFollows().or(readsFollowers()).or(readsFriends())
					combine(
						rewriteResponse(connects(), func(r *http.Request, resp *response) {
							if resp.ok() {
								connected.keep(sessionIn(r), true)
							}
						}),
						survivingLogout(func(isDestroyed match) mutation {
							known := reads.and(func(r *http.Request) bool { return connected.get(sessionIn(r)) })
							return rewriteRequest(isDestroyed.and(not(known)), func(r *http.Request) {
								r.SetBasicAuth(appIn(r), refserver.NewAppToken())
							})
						}),
					)(o)
				}),
			fault("sequence-session-of-update-outlives-logout", "the session in which the user was updated still works after its logout",
				survivingLogout(sessionsOfUpdatesLast))),
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

// sessionsOfUpdatesLast refuses destroyed sessions but for those in which a user was updated.
func sessionsOfUpdatesLast(isDestroyed match) mutation {
	updated := &memory[bool]{} // by token
	return combine(
		rewriteRequest(isDestroyed.and(func(r *http.Request) bool { return !updated.get(sessionIn(r)) }),
			func(r *http.Request) { r.SetBasicAuth(appIn(r), refserver.NewAppToken()) }),
		rewriteResponse(updatesUser(), func(r *http.Request, resp *response) {
			if resp.ok() {
				updated.keep(sessionIn(r), true)
			}
		}),
	)
}
