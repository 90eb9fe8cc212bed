package faults

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// sequenceUsers are the faults of users who are created, read, updated or deleted after steps that
// should not matter to them.
func sequenceUsers() []Fault {
	fromNth := func(n int, change func(user *User)) mutation {
		return breaking(after(toUpdate, func(l *step) {
			if l.times(updated, l.me, 0) >= n-1 {
				change(&l.user)
			}
		}))
	}
	renewed := func(l look, user *User) {
		for _, update := range l.all(updated, user.ID, 0) {
			if update.was.CustomID != "" && update.was.CustomID != update.user.CustomID {
				user.CreatedAt = update.at
			}
		}
	}
	return slices.Concat(
		breaks("users.create.status",
			fault("sequence-namesake-created-with-200", "a create under the name of a deleted user is answered with 200",
				requestsWhere(createsUser(), nameOfDeleted, func(m match) mutation { return rewriteResponse(m, status(200)) })),
			fault("sequence-refused-create-reserves-the-name", "a create that was refused with 422 leaves its user name reserved: the next one under it is answered with 409",
				withTokens(refusedNamesReserved))),
		breaks("users.create.last-login-unset",
			fault("sequence-namesake-has-logged-in", "a new user under the name of a deleted one has a last_login",
				requestsWhere(plainCreate(), nameOfDeleted, func(m match) mutation { return rewriteObject(m, copied("last_login", "created_at")) })),
			fault("sequence-refused-login-sets-last-login", "a login that was refused for its password sets the last_login of a user who has never logged in", refusedLoginsCount),
			fault("sequence-new-namesake-of-deleted-has-logged-in", "a new user with the user name of a deleted one who had logged in has a last_login",
				breaking(given(toCreate, func(l *step) {
					if l.user.LastLogin.IsZero() {
						l.user.LastLogin = newest(l.named(deleted, l.user.UserName)).user.LastLogin
					}
				})))),
		breaks("users.get.other",
			fault("sequence-record-forbidden-after-end", "who ended a connection to a user gets 403 for its record until the next one",
				answersWhere(readsUser(), func(l look) bool { return l.unless(ended, l.me, l.other, connected) },
					replaceSuccess(403, complaint("the user is blocked"))))),
		breaks("users.me.delete.status",
			fault("sequence-who-ended-a-connection-not-deletable", "the deletion of a user who has ended a connection is answered with 409, and does nothing",
				breaking(fails(toDelete, fmt.Errorf("a connection %w", store.ErrConflict), func(l look) bool { return l.ever(ended, l.me, 0) })))),
		breaks("users.me.delete.gone",
			fault("sequence-record-stays-after-second-login", "the record of a deleted user who had logged in twice is still shown",
				breaking(recordsStay(func(l look) bool { return l.times(loggedIn, l.other, 0) >= 2 }))),
			fault("sequence-record-read-before-deletion-stays", "the record of a deleted user is still shown where anybody had read it by its id before",
				cached(readsUser(), appAndPath, isNotFound)),
			fault("sequence-record-of-deleted-shown-to-followers", "the record of a deleted user is still shown to those who followed it",
				recordsOutlive(readsUser(), 404, func(l look) ID {
					if slices.Contains(l.last(deleted, l.other, 0).followers, l.me) {
						return l.other
					}
					return 0
				})),
			fault("sequence-deleted-user-readable-by-who-searched", "who has found a user by a search still reads its record when it is deleted, as search results are cached by id", foundStayReadable),
			fault("sequence-user-who-deleted-all-events-stays-readable", "a user who posted, deleted all of it and then the account can still be read, as there is nothing to purge",
				breaking(recordsStay(func(l look) bool { return l.ever(posted, l.other, 0) && len(l.gone.events) == 0 }))),
			fault("sequence-read-before-delete", "who read a user before its deletion goes on getting what was read", cached(readsUser(), sessionAndPath, isNotFound))),
		breaks("users.me.update.applies",
			fault("sequence-second-update-ignores-url", "the second update of a user leaves the url as it is",
				breaking(userUpdates(func(l look, was User, now *User) {
					if l.ever(updated, l.me, 0) {
						now.URL = was.URL
					}
				}))),
			fault("sequence-update-back-ignored", "an update to a first name that the user had before leaves it as it is",
				breaking(userUpdates(func(l look, was User, now *User) {
					if slices.ContainsFunc(l.all(updated, l.me, 0), func(update *act) bool {
						return update.was.FirstName == now.FirstName && update.user.FirstName != now.FirstName
					}) {
						now.FirstName = was.FirstName
					}
				}))),
			fault("sequence-logout-writes-back-old-names", "a logout brings back the first and the last name that the user had when that session last saw them", breaking(logoutWritesBack())),
			fault("sequence-other-session-keeps-old-record", "a session that read its user goes on showing it as it was when another session updates it", othersKeepOldRecord),
			fault("sequence-update-after-refused-one-rolled-back", "the first update of a session after one that was refused is answered as if it were made, and is rolled back", refusalsRollBack),
			fault("sequence-post-writes-back-old-names", "a post brings back the first and the last name that its session last saw, whatever another session has updated since", postWritesBack)),
		breaks("users.me.update.keeps-identity",
			fault("sequence-second-update-renews-created-at", "the second update of a user and those after it answer with their own time as created_at",
				fromNth(2, func(user *User) { user.CreatedAt = user.UpdatedAt })),
			fault("sequence-update-renews-created-at-in-lists", "once a user was updated lists of users and searches show the time of that as its created_at",
				rewriteEach(listsUsers(), copied("created_at", "updated_at"))),
			fault("sequence-update-renews-created-at-in-login", "once a user was updated the details of a login show the time of that as its created_at",
				rewriteObject(logsIn().and(hasQuery("withUserDetails", "true")), copied("created_at", "updated_at"))),
			fault("sequence-other-custom-id-renews-created-at", "an update that gives a user another custom_id than it had sets its created_at anew",
				breaking(records(renewed), after(toUpdate, func(l *step) { renewed(l.now(), &l.user) })))),
		breaks("users.me.update.updated-at",
			fault("sequence-third-update-goes-back", "the third update of a user and those after it answer with an updated_at an hour before",
				fromNth(3, func(user *User) { user.UpdatedAt = user.UpdatedAt.Add(-time.Hour) })),
			fault("sequence-update-after-login-goes-back", "the first update after a login answers with an updated_at before the user was created",
				breaking(after(toUpdate, func(l *step) {
					login := l.last(loggedIn, l.me, 0)
					registration := login == l.first(loggedIn, l.me, 0) && !l.last(created, l.me, 0).user.LastLogin.IsZero()
					if login.n > l.last(updated, l.me, 0).n && !registration {
						l.user.UpdatedAt = l.user.CreatedAt.Add(-time.Minute)
					}
				})))),
	)
}

func isNotFound(_ *http.Request, _ kept, resp *response) bool {
	return resp.status == http.StatusNotFound
}

// refusedNamesReserved reserves a user name before it looks at the rest of a create.
func refusedNamesReserved(tokens []string) mutation {
	reserved := &memory[bool]{} // by application and user name
	key := func(app App, name string) string { return keyOf(app) + name }
	return combine(
		rewriteResponse(createsUser(), onStatus(422, func(r *http.Request, _ *response) {
			if name := fieldText(requestObject(r), "user_name"); name != "" {
				reserved.keep(key(App(slices.Index(tokens, appIn(r))+1), name), true)
			}
		})),
		breaking(fails(toCreate, store.ErrConflict, func(l look) bool { return reserved.get(key(l.app, l.user.UserName)) })),
	)
}

// refusedLoginsCount shows when a login by user name was refused as when its user logged in.
func refusedLoginsCount(o *refserver.Options) {
	refused := &memory[time.Time]{} // by application and user name
	combine(
		rewriteResponse(logsInByName(), onStatus(http.StatusUnauthorized, func(r *http.Request, _ *response) {
			refused.keep(appIn(r)+"\n"+fieldText(requestObject(r), "user_name"), time.Now())
		})),
		rewriteResponse(readsUser().or(searches()).or(readsFollows()).or(readsFriends()).or(readsFollowsOf()).or(readsFriendsOf()), func(r *http.Request, resp *response) {
			change := func(user map[string]any) {
				at := refused.get(appIn(r) + "\n" + fieldText(user, "user_name"))
				if fieldText(user, "last_login") == neverLoggedIn && at.After(timeIn(user, "created_at")) {
					user["last_login"] = at.UTC().Format(time.RFC3339Nano)
				}
			}
			resp.object(change)
			inEach(change)(r, resp)
		}),
	)(o)
}

// foundStayReadable answers with search results where there is no such user any more.
func foundStayReadable(o *refserver.Options) {
	found := &memory[[]byte]{} // by session and user
	combine(
		rewriteResponse(searches(), func(r *http.Request, resp *response) {
			inEach(func(user map[string]any) { found.keep(sessionIn(r)+" "+fieldText(user, "id"), encode(user)) })(r, resp)
		}),
		rewriteResponse(readsUser(), onStatus(404, func(r *http.Request, resp *response) {
			if user, known := found.lookup(sessionIn(r) + " " + lastSegment(r)); known {
				resp.become(200, string(user))
			}
		})),
	)(o)
}

// logoutWritesBack brings back, at a logout, the names that the session saw last: at its login, or
// when it updated the user.
func logoutWritesBack() effect {
	return around(toLogOut, func(l *step) error {
		seen := l.seen(l.me, l.term)
		err := l.do()
		if now := l.record(l.me); err == nil && seen.ID != 0 && (seen.FirstName != now.FirstName || seen.LastName != now.LastName) {
			_, _ = l.store.UpdateUser(l.app, l.me, func(user *User) { user.FirstName, user.LastName = seen.FirstName, seen.LastName }) // who may be gone by now
		}
		return err
	})
}

// othersKeepOldRecord shows a session what it read until it updates the user itself.
func othersKeepOldRecord(o *refserver.Options) {
	updates := &memory[int]{} // by session
	combine(
		rewriteResponse(updatesUser(), onSuccess(func(r *http.Request, _ *response) { tally(updates, sessionIn(r)) })),
		cached(readsOwnRecord(), func(r *http.Request) string { return sessionIn(r) + keyOf(App(updates.get(sessionIn(r)))) },
			func(_ *http.Request, before kept, resp *response) bool {
				updated := func(resp *response) string { return fieldText(objectOf(resp.body), "updated_at") }
				return resp.ok() && updated(before.response) != updated(resp)
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
		case refusesInput(resp):
			failed.keep(sessionIn(r), before != nil)
		case resp.ok() && failed.keep(sessionIn(r), false):
			call(next, r, http.MethodPut, "/0.2/user", writable(before))
		}
		return resp
	})(o)
}

// writable is the body of an update that restores a user.
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
			resp.object(func(user map[string]any) { seen.keep(sessionIn(r), maps.Clone(user)) })
		}),
		intercept(createsEvent(), func(next http.Handler, r *http.Request) *response {
			resp := record(next, r)
			had, now := seen.get(sessionIn(r)), ownRecord(next, r)
			changed := func(field string) bool { return fieldText(had, field) != fieldText(now, field) }
			if resp.ok() && had != nil && now != nil && (changed("first_name") || changed("last_name")) {
				now["first_name"], now["last_name"] = fieldText(had, "first_name"), fieldText(had, "last_name")
				call(next, r, http.MethodPut, "/0.2/user", writable(now))
			}
			return resp
		}),
	)(o)
}
