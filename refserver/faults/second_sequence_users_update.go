package faults

import (
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// sequenceUsersUpdate are the faults of updates of users who were updated before, or after
// steps that should not matter to them.
func sequenceUsersUpdate() []Fault {
	return slices.Concat(
		breaks("users.me.update.applies",
			fault("sequence-second-update-ignores-url", "the second update of a user leaves the url as it is", secondUpdateIgnores("url")),
			fault("sequence-update-back-ignored", "an update to a first name that the user had before leaves it as it is",
				overrideStore(func(inner refserver.Store, s *overrides) {
					was, update := former(s, firstName), s.updateUser
					s.updateUser = func(app store.App, id store.ID, change func(*store.User)) (store.User, error) {
						return update(app, id, func(user *store.User) {
							before := user.FirstName
							if change(user); was.get(keyOf(app, id) + user.FirstName) {
								user.FirstName = before
							}
						})
					}
				})),
			fault("sequence-logout-writes-back-old-names", "a logout brings back the first and the last name that the user had when that session last saw them",
				logoutWritesBack),
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
			}),
			fault("sequence-update-after-refused-one-rolled-back", "the first update of a session after one that was refused is answered as if it were made, and is rolled back", refusalsRollBack),
			fault("sequence-post-writes-back-old-names", "a post brings back the first and the last name that its session last saw, whatever another session has updated since", postWritesBack)),
		breaks("users.me.update.keeps-identity",
			fault("sequence-second-update-renews-created-at", "the second update of a user and those after it answer with their own time as created_at",
				onNthUpdate(2, copied("created_at", "updated_at"))),
			fault("sequence-update-renews-created-at-in-lists", "once a user was updated lists of users and searches show the time of that as its created_at",
				rewriteEach(listsUsers(), copied("created_at", "updated_at"))),
			fault("sequence-update-renews-created-at-in-login", "once a user was updated the details of a login show the time of that as its created_at",
				rewriteObject(logsIn().and(hasQuery("withUserDetails", "true")), copied("created_at", "updated_at"))),
			fault("sequence-other-custom-id-renews-created-at", "an update that gives a user another custom_id than it had sets its created_at anew", overrideStore(customIDsReinsert))),
		breaks("users.me.update.updated-at",
			fault("sequence-third-update-goes-back", "the third update of a user and those after it answer with an updated_at an hour before",
				onNthUpdate(3, func(user map[string]any) {
					user["updated_at"] = timeIn(user, "updated_at").Add(-time.Hour).Format(time.RFC3339Nano)
				})),
			fault("sequence-update-after-login-goes-back", "the first update after a login answers with an updated_at before the user was created", func(o *refserver.Options) {
				loggedIn := &memory[bool]{} // by id
				combine(
					opened(func(r *http.Request, _ map[string]any, id, _ string) { loggedIn.keep(id, logsIn()(r)) }),
					rewriteObject(updatesUser(), func(user map[string]any) {
						if loggedIn.keep(fieldText(user, "id"), false) {
							user["updated_at"] = timeIn(user, "created_at").Add(-time.Second).Format(time.RFC3339Nano)
						}
					}),
				)(o)
			})),
	)
}

// secondUpdateIgnores leaves a field as it is from a session's second update on.
func secondUpdateIgnores(field string) mutation {
	return func(o *refserver.Options) {
		updates := &memory[int]{} // by session
		intercept(updatesUser(), func(next http.Handler, r *http.Request) *response {
			if updates.get(sessionIn(r)) >= 1 {
				inBody(ignoring(field, isA[string]))(r)
			}
			resp := record(next, r)
			if resp.ok() {
				tally(updates, sessionIn(r))
			}
			return resp
		})(o)
	}
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

// refusalsRollBack takes the first update back that comes after a refused one.
func refusalsRollBack(o *refserver.Options) {
	failed := &memory[bool]{} // by session
	intercept(updatesUser(), func(next http.Handler, r *http.Request) *response {
		before := ownRecord(next, r)
		resp := record(next, r)
		switch {
		case resp.status == 400 || resp.status == 422:
			failed.keep(sessionIn(r), before != nil)
		case resp.ok() && failed.keep(sessionIn(r), false):
			call(next, r, http.MethodPut, "/0.2/user", writable(before))
		}
		return resp
	})(o)
}

// writable is what an update must send to bring a user back to what it was.
func writable(user map[string]any) map[string]any {
	fields := map[string]any{"social_ids": map[string]any{}, "metadata": map[string]any{}}
	for _, field := range []string{"user_name", "custom_id", "first_name", "last_name", "email", "url"} {
		fields[field] = fieldText(user, field)
	}
	for field := range fields {
		if value, there := user[field]; there {
			fields[field] = value
		}
	}
	return fields
}

// postWritesBack saves, with an event, the user as the session has it.
func postWritesBack(o *refserver.Options) {
	seen := &memory[map[string]any]{} // by session
	combine(
		rewriteResponse(readsOwnRecord().or(updatesUser()), func(r *http.Request, resp *response) {
			if user := objectOf(resp.body); resp.ok() && user != nil {
				seen.keep(sessionIn(r), user)
			}
		}),
		intercept(createsEvent(), func(next http.Handler, r *http.Request) *response {
			resp := record(next, r)
			had, now := seen.get(sessionIn(r)), ownRecord(next, r)
			changed := func(field string) bool { return fieldText(had, field) != fieldText(now, field) }
			if !resp.ok() || had == nil || now == nil || !changed("first_name") && !changed("last_name") {
				return resp
			}
			fields := maps.Clone(now)
			fields["first_name"], fields["last_name"] = fieldText(had, "first_name"), fieldText(had, "last_name")
			call(next, r, http.MethodPut, "/0.2/user", writable(fields))
			return resp
		}),
	)(o)
}

// onNthUpdate changes the answers to a user's nth update and those after it.
func onNthUpdate(n int, change objectEdit) mutation {
	return func(o *refserver.Options) {
		updates := &memory[int]{} // by id
		rewriteObject(updatesUser(), func(user map[string]any) {
			if tally(updates, fieldText(user, "id")) >= n {
				change(user)
			}
		})(o)
	}
}

// customIDsReinsert updates users as an upsert by custom_id does: another one makes a new row.
func customIDsReinsert(inner refserver.Store, s *overrides) {
	renewed := &memory[time.Time]{}
	shown := func(user store.User) store.User {
		if at, is := renewed.lookup(keyOf(user.App, user.ID)); is {
			user.CreatedAt = at
		}
		return user
	}
	s.onUpdateUser(func(before, after store.User) {
		if before.CustomID != "" && after.CustomID != before.CustomID {
			renewed.keep(keyOf(after.App, after.ID), after.UpdatedAt)
		}
	})
	update := s.updateUser
	s.updateUser = func(app store.App, id store.ID, change func(*store.User)) (store.User, error) {
		user, err := update(app, id, change)
		return shown(user), err
	}
	s.user = func(app store.App, id store.ID) (store.User, error) {
		user, err := inner.User(app, id)
		return shown(user), err
	}
}
