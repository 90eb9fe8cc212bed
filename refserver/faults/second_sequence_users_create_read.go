package faults

import (
	"net/http"
	"slices"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// sequenceUsersCreateRead are the faults of users who take the name of another or were
// refused before, and of a record that cannot be read.
func sequenceUsersCreateRead() []Fault {
	return slices.Concat(
		breaks("users.create.status",
			fault("sequence-namesake-created-with-200", "a create under the name of a deleted user is answered with 200",
				namesakesOfDeleted(func(m match) mutation { return rewriteResponse(m, status(200)) })),
			fault("sequence-refused-create-reserves-the-name", "a create that was refused with 422 leaves its user name reserved: the next one under it is answered with 409",
				withTokens(refusedNamesReserved))),
		breaks("users.create.last-login-unset",
			fault("sequence-namesake-has-logged-in", "a new user under the name of a deleted one has a last_login",
				namesakesOfDeleted(func(m match) mutation {
					return rewriteObject(m.and(not(hasQuery("withLogin", "true"))), copied("last_login", "created_at"))
				})),
			fault("sequence-refused-login-sets-last-login", "a login that was refused for its password sets the last_login of a user who has never logged in", refusedLoginsCount),
			fault("sequence-new-namesake-of-deleted-has-logged-in", "a new user with the user name of a deleted one who had logged in has a last_login",
				overrideStore(lastLoginsPassOn))),
		breaks("users.get.other",
			fault("sequence-record-forbidden-after-end", "who ended a connection to a user gets 403 for its record until the next one", recordsForbiddenAfterEnd)),
	)
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

// refusedNamesReserved reserves a user name before it looks at the rest of a create.
func refusedNamesReserved(tokens []string) mutation {
	reserved := &memory[bool]{} // by application and user name
	key := func(app store.App, name string) string { return keyOf(app) + name }
	return combine(
		rewriteResponse(createsUser(), onStatus(422, func(r *http.Request, _ *response) {
			app := store.App(slices.Index(tokens, appIn(r)) + 1)
			if name := fieldText(requestObject(r), "user_name"); name != "" {
				reserved.keep(key(app, name), true)
			}
		})),
		overrideStore(func(inner refserver.Store, s *overrides) {
			s.createUser = func(app store.App, user store.User) (store.User, error) {
				if reserved.get(key(app, user.UserName)) {
					return store.User{}, store.ErrConflict
				}
				return inner.CreateUser(app, user)
			}
		}),
	)
}

// refusedLoginsCount shows when a login by user name was refused as when its user logged in.
func refusedLoginsCount(o *refserver.Options) {
	refused := &memory[time.Time]{} // by application and user name
	shows := func(r *http.Request, resp *response) {
		change := func(user map[string]any) {
			at := refused.get(appIn(r) + "\n" + fieldText(user, "user_name"))
			if fieldText(user, "last_login") == neverLoggedIn && at.After(timeIn(user, "created_at")) {
				user["last_login"] = at.UTC().Format(time.RFC3339Nano)
			}
		}
		resp.object(change)
		inEach(change)(r, resp)
	}
	combine(
		rewriteResponse(logsInByName(), onStatus(http.StatusUnauthorized, func(r *http.Request, _ *response) {
			refused.keep(appIn(r)+"\n"+fieldText(requestObject(r), "user_name"), time.Now())
		})),
		rewriteResponse(readsUser().or(searches()).or(readsFollows()).or(readsFriends()).or(readsFollowsOf()).or(readsFriendsOf()), shows),
	)(o)
}

// recordsForbiddenAfterEnd takes the row of an ended connection for one that blocks.
func recordsForbiddenAfterEnd(o *refserver.Options) {
	ended := &memory[bool]{} // by session's user and the other
	pair := func(next http.Handler, r *http.Request, other string) string {
		return appIn(r) + " " + fieldText(ownRecord(next, r), "id") + " " + other
	}
	combine(
		intercept(disconnects(), func(next http.Handler, r *http.Request) *response {
			key := pair(next, r, lastSegment(r))
			resp := record(next, r)
			if resp.ok() {
				ended.keep(key, true)
			}
			return resp
		}),
		intercept(connects(), func(next http.Handler, r *http.Request) *response {
			key := pair(next, r, fieldText(requestObject(r), "user_to_id"))
			resp := record(next, r)
			if resp.ok() {
				ended.keep(key, false)
			}
			return resp
		}),
		intercept(readsUser(), func(next http.Handler, r *http.Request) *response {
			resp := record(next, r)
			if resp.ok() && ended.get(pair(next, r, lastSegment(r))) {
				resp.become(http.StatusForbidden, complaint("the user is blocked"))
			}
			return resp
		}),
	)(o)
}

// lastLoginsPassOn gives the last login of a deleted user to the next one of the same name.
func lastLoginsPassOn(_ refserver.Store, s *overrides) {
	gone, create := &memory[time.Time]{}, s.createUser // by application and user name
	s.onDeleteUser(func(user store.User) { gone.keep(keyOf(user.App)+user.UserName, user.LastLogin) })
	s.createUser = func(app store.App, user store.User) (store.User, error) {
		if user.LastLogin.IsZero() {
			user.LastLogin = gone.get(keyOf(app) + user.UserName)
		}
		return create(app, user)
	}
}
