package faults

import (
	"net/http"
	"slices"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// scaleUsersSessions are the faults of users with many sessions, updates or events.
func scaleUsersSessions() []Fault {
	return slices.Concat(
		breaks("sessions.login.user-name",
			fault("scale-tenth-session-is-void", "the session tokens of a user's tenth login and those after it open nothing", func(o *refserver.Options) {
				sessions := &memory[int]{}
				opened(func(r *http.Request, user map[string]any, id, _ string) {
					if tally(sessions, id) >= 10 && logsInByName()(r) {
						user["session_token"] = refserver.NewAppToken()
					}
				})(o)
			})),
		breaks("sessions.logout.destroys",
			fault("scale-logout-of-fourth-session", "of a user's open sessions the fourth and those after it are not ended by their logout",
				overrideStore(func(inner refserver.Store, s *overrides) {
					open := &memory[[]string]{}
					s.onLogin(func(app store.App, user store.ID, token string) {
						open.update(keyOf(app, user), func(tokens []string) []string { return append(slices.Clip(tokens), token) })
					})
					s.closeSession = func(app store.App, token string) error {
						user, err := inner.Session(app, token)
						if err != nil {
							return inner.CloseSession(app, token)
						}
						if slices.Index(open.get(keyOf(app, user)), token) >= 3 {
							return nil
						}
						open.update(keyOf(app, user), func(tokens []string) []string {
							return slices.DeleteFunc(slices.Clone(tokens), func(other string) bool { return other == token })
						})
						return inner.CloseSession(app, token)
					}
				})),
			fault("scale-denylist-of-twelve-logouts", "a destroyed session token works again after twelve more logouts of anybody", overrideStore(denylist(12)))),
		breaks("sessions.deleted-user",
			fault("scale-deletion-ends-five-sessions", "the deletion of a user ends its five latest sessions, and the older ones go on showing it", deletionEndsFive)),
		breaks("users.create.echo",
			fault("scale-social-ids-beyond-five-lost", "of a new user's social_ids those of five networks are kept",
				creatingUser(within("social_ids", firstKeys(5))))),
		breaks("users.me.update.applies",
			fault("scale-own-record-stays-at-ninth-update", "the own record is the version whose number sorts last as a text: from the tenth update on it is that of the ninth", recordStaysAtNinth)),
		breaks("users.me.delete.gone",
			fault("scale-deletion-leaves-record-of-busy-user", "the record of a deleted user who had more than twelve events is still shown",
				overrideStore(func(inner refserver.Store, s *overrides) {
					deleted := watchDeletions(inner, s)
					s.user = func(app store.App, id store.ID) (store.User, error) {
						for _, gone := range deleted.in(app) {
							if gone.user.ID == id && len(gone.events) > 12 {
								return gone.user, nil
							}
						}
						return inner.User(app, id)
					}
				}))),
	)
}

// denylist knows the latest sessions alone that were logged out, and serves all others.
func denylist(size int) func(inner refserver.Store, s *overrides) {
	type session struct {
		user  store.ID
		token string
	}
	const most = 1000
	return func(inner refserver.Store, s *overrides) {
		ended := &memory[[]session]{} // by application, in order
		s.onLogout(func(app store.App, user store.ID, token string) {
			ended.update(keyOf(app), func(all []session) []session {
				return append(slices.Clip(all[max(0, len(all)-most):]), session{user, token})
			})
		})
		s.session = func(app store.App, token string) (store.ID, error) {
			id, err := inner.Session(app, token)
			all := ended.get(keyOf(app))
			for _, forgotten := range all[:max(0, len(all)-size)] {
				if _, gone := inner.User(app, forgotten.user); err != nil && gone == nil && forgotten.token == token {
					return forgotten.user, nil
				}
			}
			return id, err
		}
	}
}

// deletionEndsFive shows a deleted user to the sessions that it had before its five latest.
func deletionEndsFive(o *refserver.Options) {
	owners, open, kept := &memory[string]{}, &memory[[]string]{}, &memory[[]byte]{} // an id by token; tokens by id; a record by token
	combine(
		opened(func(_ *http.Request, _ map[string]any, id, token string) {
			owners.keep(token, id)
			open.update(id, func(tokens []string) []string { return append(slices.Clip(tokens), token) })
		}),
		rewriteResponse(logsOut(), func(r *http.Request, resp *response) {
			if resp.ok() {
				open.update(owners.get(sessionIn(r)), func(tokens []string) []string {
					return slices.DeleteFunc(slices.Clone(tokens), func(token string) bool { return token == sessionIn(r) })
				})
			}
		}),
		intercept(deletesUser(), func(next http.Handler, r *http.Request) *response {
			own := ownRecord(next, r)
			resp := record(next, r)
			tokens := open.get(fieldText(own, "id"))
			for _, token := range tokens[:max(0, len(tokens)-5)] {
				if resp.ok() && token != sessionIn(r) {
					kept.keep(token, encode(own))
				}
			}
			return resp
		}),
		recordsShown(func(token string) ([]byte, bool) { return kept.lookup(token) }),
	)(o)
}

// recordStaysAtNinth keeps the version that the text 9 belongs to.
func recordStaysAtNinth(o *refserver.Options) {
	const last = 9
	updates, ninths := &memory[int]{}, &memory[[]byte]{} // by application and id
	key := func(r *http.Request, resp *response) string { return appIn(r) + fieldText(objectOf(resp.body), "id") }
	combine(
		rewriteResponse(updatesUser(), func(r *http.Request, resp *response) {
			if resp.ok() && tally(updates, key(r, resp)) == last {
				ninths.keep(key(r, resp), resp.body)
			}
		}),
		rewriteResponse(readsOwnRecord(), func(r *http.Request, resp *response) {
			if ninth, known := ninths.lookup(key(r, resp)); resp.ok() && known && updates.get(key(r, resp)) > last {
				resp.body = ninth
			}
		}),
	)(o)
}
