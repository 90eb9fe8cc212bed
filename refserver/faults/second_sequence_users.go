package faults

import (
	"net/http"
	"slices"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// tally counts by key and returns the count.
func tally(counts *memory[int], key string) int {
	return counts.update(key, func(n int) int { return n + 1 }) + 1
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

// former remembers what an attribute of users was before they changed it.
func former(s *overrides, of attribute) *memory[bool] {
	was := &memory[bool]{}
	s.onUpdateUser(func(before, after store.User) {
		if of(before) != of(after) {
			was.keep(keyOf(before.App, before.ID)+of(before), true)
		}
	})
	return was
}

// whoWasRenamed remembers the users who changed their user names.
func whoWasRenamed(s *overrides) *memory[bool] {
	renamed := &memory[bool]{}
	s.onUpdateUser(func(before, after store.User) {
		if before.UserName != after.UserName {
			renamed.keep(keyOf(after.App, after.ID), true)
		}
	})
	return renamed
}

// deletedNames remembers the user names of deleted users.
func deletedNames(s *overrides) *memory[bool] {
	names := &memory[bool]{}
	s.onDeleteUser(func(user store.User) { names.keep(keyOf(user.App)+user.UserName, true) })
	return names
}

// namesakesOfDeleted picks the creates under the name of a deleted user.
func namesakesOfDeleted(mutate func(m match) mutation) mutation {
	return func(o *refserver.Options) {
		deleted := &memory[bool]{}
		combine(
			intercept(deletesUser(), func(next http.Handler, r *http.Request) *response {
				name := ownName(next, r)
				resp := record(next, r)
				if resp.ok() {
					deleted.keep(name, true)
				}
				return resp
			}),
			mutate(createsUser().and(sendsA("user_name", func(name any) bool { text, _ := name.(string); return deleted.get(text) }))),
		)(o)
	}
}

// userSequences are the faults of users who were changed, deleted or created before.
func userSequences() []Fault {
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
				}))),
		breaks("users.me.update.updated-at",
			fault("sequence-third-update-goes-back", "the third update of a user and those after it answer with an updated_at an hour before",
				onNthUpdate(3, func(user map[string]any) {
					user["updated_at"] = timeIn(user, "updated_at").Add(-time.Hour).Format(time.RFC3339Nano)
				}))),
		breaks("users.me.update.updated-at",
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
		breaks("users.me.update.keeps-identity",
			fault("sequence-second-update-renews-created-at", "the second update of a user and those after it answer with their own time as created_at",
				onNthUpdate(2, copied("created_at", "updated_at")))),
		breaks("users.me.update.password",
			fault("sequence-first-password-after-two-changes", "after two changes of password the first one logs in again by email", firstPasswordAgain),
			fault("sequence-password-changed-back-is-void", "a password that is changed back to one that the user had logs in no more", passwordChangedBackVoid)),
		breaks("users.create.status",
			fault("sequence-namesake-created-with-200", "a create under the name of a deleted user is answered with 200",
				namesakesOfDeleted(func(m match) mutation { return rewriteResponse(m, status(200)) }))),
		breaks("users.create.last-login-unset",
			fault("sequence-namesake-has-logged-in", "a new user under the name of a deleted one has a last_login",
				namesakesOfDeleted(func(m match) mutation {
					return rewriteObject(m.and(not(hasQuery("withLogin", "true"))), copied("last_login", "created_at"))
				}))),
		breaks("users.me.delete.gone",
			fault("sequence-record-stays-after-second-login", "the record of a deleted user who had logged in twice is still shown",
				overrideStore(func(inner refserver.Store, s *overrides) {
					logins, records := &memory[int]{}, &memory[store.User]{}
					s.onLogin(func(app store.App, user store.ID, _ string) { tally(logins, keyOf(app, user)) })
					s.onDeleteUser(func(user store.User) {
						if logins.get(keyOf(user.App, user.ID)) >= 2 {
							records.keep(keyOf(user.App, user.ID), user)
						}
					})
					s.user = func(app store.App, id store.ID) (store.User, error) {
						if user, kept := records.lookup(keyOf(app, id)); kept {
							return user, nil
						}
						return inner.User(app, id)
					}
				}))),
		breaks("search.non-match-excluded",
			fault("sequence-search-one-rename-behind", "after a second update a search finds a user by the first name before",
				overrideStore(func(_ refserver.Store, s *overrides) {
					names, updates := &memory[string]{}, &memory[int]{}
					s.onUpdateUser(func(before, _ store.User) {
						if tally(updates, keyOf(before.App, before.ID)) >= 2 {
							names.keep(keyOf(before.App, before.ID), before.FirstName)
						}
					})
					s.searchBy(func(user store.User, term string, found bool) bool {
						old := names.get(keyOf(user.App, user.ID))
						return found || old != "" && holdsText(old, term)
					})
				}))),
		breaks("search.non-match-excluded",
			fault("sequence-search-adds-the-latest", "a search that finds somebody adds the user created last, if that one has no login yet",
				overrideStore(func(inner refserver.Store, s *overrides) {
					latest := &memory[store.ID]{}
					s.onCreateUser(func(user store.User) { latest.keep(keyOf(user.App), user.ID) })
					s.search = func(app store.App, term string) ([]store.User, error) {
						hits, err := inner.Search(app, term)
						if user, missing := inner.User(app, latest.get(keyOf(app))); missing == nil && user.LastLogin.IsZero() && len(hits) > 0 && hits[len(hits)-1].ID != user.ID {
							hits = append(hits, user)
						}
						return hits, err
					}
				}))),
		breaks("search.user-name",
			fault("sequence-search-not-by-second-name", "a user who was renamed twice is not found by the user name",
				overrideStore(func(_ refserver.Store, s *overrides) {
					renames := &memory[int]{}
					s.onUpdateUser(func(before, after store.User) {
						if before.UserName != after.UserName {
							tally(renames, keyOf(before.App, before.ID))
						}
					})
					s.searchBy(func(user store.User, term string, found bool) bool {
						byName := holdsText(user.UserName, term) && !holdsText(user.FirstName+"\n"+user.LastName+"\n"+user.Email, term)
						return found && !(byName && term != user.UserName && renames.get(keyOf(user.App, user.ID)) >= 2)
					})
				}))),
		breaks("search.deleted-excluded",
			fault("sequence-search-finds-deleted-who-were-renamed", "a search finds deleted users who had been renamed",
				overrideStore(func(inner refserver.Store, s *overrides) {
					renamed, deleted := whoWasRenamed(s), &memory[[]store.User]{}
					s.onDeleteUser(func(user store.User) {
						if renamed.get(keyOf(user.App, user.ID)) {
							deleted.update(keyOf(user.App), func(all []store.User) []store.User { return append(slices.Clip(all), user) })
						}
					})
					s.search = func(app store.App, term string) ([]store.User, error) {
						hits, err := inner.Search(app, term)
						for _, user := range deleted.get(keyOf(app)) {
							if holdsText(user.UserName, term) {
								hits = append(hits, user)
							}
						}
						return hits, err
					}
				}))),
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
