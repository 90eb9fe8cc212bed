package faults

import (
	"net/http"
	"slices"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// blindSequencesOfUsers are those of users, names, sessions and applications.
func blindSequencesOfUsers() []Fault {
	return slices.Concat(
		breaks("auth.app-isolation",
			fault("sequence-updated-found-by-other-app", "a search also finds the users of other applications who have been updated, by their user names",
				mixed(func(apps applications, s *overrides) {
					updated := &memory[bool]{}
					s.onUpdateUser(func(_, after store.User) { updated.keep(keyOf(after.App, after.ID), true) })
					s.search = func(app store.App, term string) ([]store.User, error) {
						hits, err := apps.inner.Search(app, term)
						for _, other := range apps.besides(app) {
							found, cause := apps.inner.Search(other, term)
							for _, user := range found {
								if cause == nil && updated.get(keyOf(other, user.ID)) && holdsText(user.UserName, term) {
									hits = append(hits, user)
								}
							}
						}
						return hits, err
					}
				})),
			fault("sequence-hot-record-served-to-other-app", "a user's record that was read three times by its application is served to others too", func(o *refserver.Options) {
				type hot struct {
					app  string
					body []byte
				}
				reads, kept := &memory[int]{}, &memory[hot]{} // by path
				rewriteResponse(readsUser(), func(r *http.Request, resp *response) {
					if resp.ok() && tally(reads, r.URL.Path) >= 3 {
						kept.keep(r.URL.Path, hot{appIn(r), resp.body})
					}
					if cached, is := kept.lookup(r.URL.Path); is && resp.status == 404 && cached.app != appIn(r) {
						resp.status, resp.body = 200, cached.body
					}
				})(o)
			})),
		breaks("users.me.update.applies",
			fault("sequence-other-session-keeps-old-record", "a session that read its user goes on showing it as it was when another session updates it", func(o *refserver.Options) {
				kept := &memory[[]byte]{} // by session
				combine(
					rewriteResponse(updatesUser(), func(r *http.Request, resp *response) {
						if resp.ok() {
							kept.keep(sessionIn(r), nil)
						}
					}),
					rewriteResponse(readsOwnRecord(), func(r *http.Request, resp *response) {
						before := kept.get(sessionIn(r))
						switch {
						case !resp.ok():
						case len(before) > 0 && fieldText(objectOf(before), "updated_at") != fieldText(objectOf(resp.body), "updated_at"):
							resp.body = before
						default:
							kept.keep(sessionIn(r), resp.body)
						}
					}),
				)(o)
			})),
		breaks("sessions.deleted-user",
			fault("sequence-session-before-rename-outlives-user", "a session from before its user was renamed goes on showing it when it is deleted in another", sessionBeforeRenameOutlives),
			fault("sequence-deleted-password-opens-namesake", "name and password of a deleted user log in to a new one of the same name",
				knowingPasswords(func(known *passwords) mutation {
					deleted := &memory[string]{} // a password by name
					return combine(
						intercept(deletesUser(), func(next http.Handler, r *http.Request) *response {
							name := ownName(next, r)
							password := known.byName.get(name)
							resp := record(next, r)
							if resp.ok() && password != "" {
								deleted.keep(name, password)
							}
							return resp
						}),
						rewriteBody(logsInByName(), func(login map[string]any) {
							old, gone := deleted.lookup(fieldText(login, "user_name"))
							if right, is := known.by(login); gone && is && login["password"] == old {
								login["password"] = right
							}
						}),
					)
				}))),
		breaks("search.exact",
			fault("sequence-taken-name-not-found", "who took a user name that another gave up is not found by it",
				overrideStore(func(_ refserver.Store, s *overrides) {
					givenUp := &memory[store.ID]{} // by name
					s.onUpdateUser(func(before, after store.User) {
						if before.UserName != after.UserName {
							givenUp.keep(keyOf(before.App)+before.UserName, before.ID)
						}
					})
					s.searchBy(func(user store.User, term string, found bool) bool {
						by, is := givenUp.lookup(keyOf(user.App) + term)
						return found && !(user.UserName == term && is && by != user.ID)
					})
				}))),
		breaks("sessions.logout.destroys",
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
				}))),
	)
}

// sessionBeforeRenameOutlives ends, with a user, the sessions that were opened under its last name.
func sessionBeforeRenameOutlives(o *refserver.Options) {
	type session struct{ id, name string }
	sessions, records := &memory[session]{}, &memory[map[string]any]{} // by token; by id
	combine(
		intercept(opensSession(), func(next http.Handler, r *http.Request) *response {
			resp := record(next, r)
			resp.object(func(user map[string]any) {
				if token := fieldText(user, "session_token"); token != "" {
					as := r.Clone(r.Context())
					as.SetBasicAuth(appIn(r), token)
					sessions.keep(token, session{fieldText(user, "id"), ownName(next, as)})
				}
			})
			return resp
		}),
		rewriteResponse(logsOut(), func(r *http.Request, resp *response) {
			if resp.ok() {
				sessions.keep(sessionIn(r), session{})
			}
		}),
		intercept(deletesUser(), func(next http.Handler, r *http.Request) *response {
			own := ownRecord(next, r)
			resp := record(next, r)
			if resp.ok() {
				records.keep(fieldText(own, "id"), own)
			}
			return resp
		}),
		recordsShown(func(token string) ([]byte, bool) {
			s, known := sessions.lookup(token)
			record, gone := records.lookup(s.id)
			return encode(record), known && gone && s.id != "" && fieldText(record, "user_name") != s.name
		}),
	)(o)
}
