package faults

import (
	"net/http"
	"slices"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// blindConnectionSequences are the faults of connections after certain sequences.
func blindConnectionSequences() []Fault {
	return slices.Concat(
		breaks("connections.delete.only-own",
			fault("sequence-end-of-friendship-ends-the-others-follow", "who ends a friendship also ends the follow of the other",
				overrideStore(func(inner refserver.Store, s *overrides) {
					s.disconnect = func(app store.App, from, to store.ID, types ...store.ConnectionType) error {
						friends := among(inner.Friends, app, from, to)
						err := inner.Disconnect(app, from, to, types...)
						if err == nil && friends && !among(inner.Friends, app, from, to) {
							_ = inner.Disconnect(app, to, from, store.Follow) // which there may be none of
						}
						return err
					}
				}))),
		breaks("connections.lists.after-user-delete",
			fault("sequence-deleted-follower-back-with-the-next", "the deleted followers of a user are listed again once another follows it",
				overrideStore(func(inner refserver.Store, s *overrides) {
					deleted, listed := &memory[[]store.User]{}, &memory[[]store.User]{} // by the user whom they followed
					s.deleteUser = func(app store.App, id store.ID) error {
						user, missing := inner.User(app, id)
						followed := idsOf(inner.Follows, app, id)
						err := inner.DeleteUser(app, id)
						for _, other := range followed {
							if missing == nil && err == nil {
								deleted.update(keyOf(app, other), func(all []store.User) []store.User { return append(slices.Clip(all), user) })
							}
						}
						return err
					}
					s.onConnect(func(app store.App, _, to store.ID, typ store.ConnectionType) {
						if typ == store.Follow {
							listed.keep(keyOf(app, to), deleted.get(keyOf(app, to)))
						}
					})
					extend(&s.followers, func(app store.App, id store.ID) ([]store.User, error) { return listed.get(keyOf(app, id)), nil })
				}))),
		breaks("connections.delete.removes",
			fault("sequence-social-follower-stays-listed", "who followed a user by social identifiers and ends that stays among its followers",
				overrideStore(func(inner refserver.Store, s *overrides) {
					socially, stale := connectedSocially(s), keepStaleUsers(&s.followers, inner.User)
					s.onConnect(func(app store.App, from, to store.ID, _ store.ConnectionType) { stale.forget(app, to, from) })
					disconnect := s.disconnect
					s.disconnect = func(app store.App, from, to store.ID, types ...store.ConnectionType) error {
						followed := among(inner.Followers, app, to, from)
						err := disconnect(app, from, to, types...)
						if err == nil && followed && socially(app, from, to) {
							stale.keep(app, to, from, 0)
						}
						return err
					}
				}))),
	)
}

// blindUserSequences are those of users and their sessions.
func blindUserSequences() []Fault {
	return slices.Concat(
		breaks("users.me.update.password",
			fault("sequence-new-password-sent-again-is-void", "who changed the password, and sends the new one again with a later update, cannot log in by it",
				newPasswordAgainVoid)),
		breaks("users.me.update.applies",
			fault("sequence-logout-writes-back-old-names", "a logout brings back the first and the last name that the user had when that session last saw them",
				logoutWritesBack)),
	)
}

func newPasswordAgainVoid(o *refserver.Options) {
	type history struct {
		latest  string
		changed bool
	}
	known := &memory[history]{} // by application and id
	combine(
		intercept(updatesUser().and(sendsA("password", isA[string])), func(next http.Handler, r *http.Request) *response {
			had := known.get(appIn(r) + fieldText(ownRecord(next, r), "id"))
			if password := fieldText(requestObject(r), "password"); had.changed && password == had.latest {
				inBody(set("password", password+"\x00"+password))(r)
			}
			return record(next, r)
		}),
		rewriteResponse(createsUser().or(updatesUser()), func(r *http.Request, resp *response) {
			password := fieldText(requestObject(r), "password")
			if id := fieldText(objectOf(resp.body), "id"); resp.ok() && id != "" && password != "" {
				known.update(appIn(r)+id, func(before history) history {
					return history{password, before.changed || before.latest != "" && before.latest != password}
				})
			}
		}),
	)(o)
}

func logoutWritesBack(o *refserver.Options) {
	type names struct{ first, last string }
	seen := &memory[names]{} // by token
	combine(
		rewriteResponse(updatesUser(), func(r *http.Request, resp *response) {
			if user := objectOf(resp.body); resp.ok() && user != nil {
				seen.keep(sessionIn(r), names{fieldText(user, "first_name"), fieldText(user, "last_name")})
			}
		}),
		overrideStore(func(inner refserver.Store, s *overrides) {
			s.onLogin(func(app store.App, id store.ID, token string) {
				if user, err := inner.User(app, id); err == nil {
					seen.keep(token, names{user.FirstName, user.LastName})
				}
			})
			s.onLogout(func(app store.App, id store.ID, token string) {
				before, known := seen.lookup(token)
				user, err := inner.User(app, id)
				if known && err == nil && before != (names{user.FirstName, user.LastName}) {
					_, _ = inner.UpdateUser(app, id, func(user *store.User) { user.FirstName, user.LastName = before.first, before.last }) // who may be gone by now
				}
			})
		}),
	)(o)
}

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
