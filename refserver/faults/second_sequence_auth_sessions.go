package faults

import (
	"net/http"
	"slices"

	"github.com/socialfeed/conform/refserver/store"
)

// sequenceAuthSessions are the faults of sessions and logins that work in another
// application after certain steps.
func sequenceAuthSessions() []Fault {
	return breaks("auth.app-isolation",
		fault("sequence-session-of-second-login-works-everywhere", "a session of a user's second login and those after it work under the token of any application",
			withTokens(secondLoginEverywhere)),
		fault("sequence-deleted-name-logs-in-elsewhere", "the names of a deleted user log in to the other application where somebody is called so",
			withTokens(deletedLogsInElsewhere)),
		fault("sequence-session-of-deleted-works-elsewhere", "the sessions of a deleted user open the other application's user of the same name",
			mixed(func(apps applications, s *overrides) {
				names := &memory[string]{} // by token
				s.onLogin(func(app store.App, id store.ID, token string) {
					if user, err := apps.inner.User(app, id); err == nil {
						names.keep(token, user.UserName)
					}
				})
				deleted := &memory[store.App]{} // by name
				s.onDeleteUser(func(user store.User) { deleted.keep(user.UserName, user.App) })
				s.session = func(app store.App, token string) (store.ID, error) {
					id, err := apps.inner.Session(app, token)
					name := names.get(token)
					if home, gone := deleted.lookup(name); err != nil && gone && home != app {
						for _, user := range apps.bearers(home, userName, name) {
							if user.App == app {
								return user.ID, nil
							}
						}
					}
					return id, err
				}
			})),
		fault("sequence-used-session-serves-other-apps", "a session that was used once is kept by its token alone, and serves under the app token of another application, too",
			withTokens(sessionsKeptByToken)))
}

func secondLoginEverywhere(tokens []string) mutation {
	logins, homes := &memory[int]{}, &memory[string]{} // by id; an app token by session
	return combine(
		opened(func(r *http.Request, _ map[string]any, id, token string) {
			if logsIn()(r) && tally(logins, appIn(r)+id) >= 2 {
				homes.keep(token, appIn(r))
			}
		}),
		rewriteRequest(insession, func(r *http.Request) {
			if home, known := homes.lookup(sessionIn(r)); known && slices.Contains(tokens, appIn(r)) {
				r.SetBasicAuth(home, sessionIn(r))
			}
		}),
	)
}

func deletedLogsInElsewhere(tokens []string) mutation {
	deleted := &memory[bool]{}
	return combine(
		intercept(deletesUser(), func(next http.Handler, r *http.Request) *response {
			name := ownName(next, r)
			resp := record(next, r)
			if resp.ok() {
				deleted.keep(appIn(r)+name, true)
			}
			return resp
		}),
		intercept(logsIn(), func(next http.Handler, r *http.Request) *response {
			refusal := record(next, r)
			if refusal.status != 401 || !deleted.get(appIn(r)+fieldText(requestObject(r), "user_name")) {
				return refusal
			}
			for _, token := range tokens {
				r.SetBasicAuth(token, "")
				if elsewhere := record(next, r); elsewhere.ok() {
					return elsewhere
				}
			}
			return refusal
		}),
	)
}

// sessionsKeptByToken keeps the application that a session was used in.
func sessionsKeptByToken(tokens []string) mutation {
	homes := &memory[string]{} // by session
	return intercept(insession, func(next http.Handler, r *http.Request) *response {
		if home, used := homes.lookup(sessionIn(r)); used && slices.Contains(tokens, appIn(r)) {
			underApp(home)(r)
		}
		resp := record(next, r)
		if resp.ok() {
			homes.keep(sessionIn(r), appIn(r))
		}
		return resp
	})
}
