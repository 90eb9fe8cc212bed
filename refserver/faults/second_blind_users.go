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

// newPasswordAgainVoid makes a new password void once a later update sends it again.
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

// logoutWritesBack brings back, at a logout, the names that the session saw last.
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
