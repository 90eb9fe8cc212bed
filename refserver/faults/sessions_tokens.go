package faults

import (
	"net/http"

	"github.com/socialfeed/conform/refserver"
)

// createsWithLogin are the faults of the session that comes with a new user
// (Authentication, item 4).
func createsWithLogin() []Fault {
	const rule = "sessions.create-with-login"
	withLogin := createsUser().and(asks("withLogin", "true"))
	return []Fault{
		{
			Name: "sessions-create-token-void", Rule: rule,
			Summary: "the session token of a new user opens nothing",
			Apply:   edit(withLogin, inObject(set("session_token", refserver.NewAppToken()))),
		},
		{
			Name: "sessions-create-token-of-previous-user", Rule: rule,
			Summary: "a new user gets the session token of the user created before",
			Apply:   createGivesPreviousToken,
		},
	}
}

func createGivesPreviousToken(o *refserver.Options) {
	latest := &memory[string]{}
	edit(createsUser().and(asks("withLogin", "true")), inObject(func(user map[string]any) {
		if before := latest.swap("", fieldText(user, "session_token")); before != "" {
			user["session_token"] = before
		}
	}))(o)
}

// straySessionTokens are the faults of session tokens in answers that have none
// (Resources and their fields, User, row session_token).
func straySessionTokens() []Fault {
	const rule = "sessions.token-confined"
	return []Fault{
		{
			Name: "sessions-update-answers-token", Rule: rule,
			Summary: "the answer to an update has the session token of the request",
			Apply: edit(on("PUT /0.2/user"), func(r *http.Request, resp *response) {
				resp.object(set("session_token", sessionIn(r)))
			}),
		},
		{
			Name: "sessions-followers-show-tokens", Rule: rule,
			Summary: "the list of followers shows a session token of each",
			Apply:   edit(on("GET /0.2/users/{UserID}/followers"), inEach(set("session_token", refserver.NewAppToken()))),
		},
		{
			Name: "sessions-event-holds-session", Rule: rule,
			Summary: "a new event tells of the session that it was created in",
			Apply: edit(on("POST /0.2/user/events"), func(r *http.Request, resp *response) {
				resp.object(set("session", map[string]any{"session_token": sessionIn(r)}))
			}),
		},
	}
}

// endedUsers are the faults of a deleted user's sessions and logins (States and
// transitions, row 'user exists').
func endedUsers() []Fault {
	const rule = "sessions.deleted-user"
	return []Fault{
		{
			Name: "sessions-outlive-deleted-user", Rule: rule,
			Summary: "deleting a user ends the session that deleted it, and no other",
			Apply:   sessionsOutliveUser(true),
		},
		{
			Name: "sessions-deleted-user-token-works", Rule: rule,
			Summary: "the session that deleted a user goes on showing it",
			Apply:   sessionsOutliveUser(false),
		},
		{
			Name: "sessions-deleted-user-token-answers-400", Rule: rule,
			Summary: "the session of a deleted user is answered with 400",
			Apply: deletedUsers(func(gone func(token string) bool) func(*refserver.Options) {
				return edit(on("GET /0.2/user"), func(r *http.Request, resp *response) {
					if resp.status == http.StatusUnauthorized && gone(sessionIn(r)) {
						resp.status, resp.body = http.StatusBadRequest, []byte("{}")
					}
				})
			}),
		},
		{
			Name: "sessions-deleted-user-logs-in-by-email", Rule: rule,
			Summary: "a deleted user logs in by email, with a session that opens nothing",
			Apply:   deletedUserLogsIn(http.StatusOK),
		},
		{
			Name: "sessions-deleted-user-login-answers-410", Rule: rule,
			Summary: "a deleted user's login by email is answered with 410",
			Apply:   deletedUserLogsIn(http.StatusGone),
		},
	}
}

// deletedUsers gives a fault a look at whether a token was the one that deleted a user.
func deletedUsers(fault func(gone func(token string) bool) func(*refserver.Options)) func(*refserver.Options) {
	return func(o *refserver.Options) {
		deleted := &memory[bool]{}
		gone := func(token string) bool {
			is, _ := deleted.get(token)
			return is
		}
		both(edit(on("DELETE /0.2/user"), func(r *http.Request, resp *response) {
			if resp.ok() {
				deleted.keep(sessionIn(r), true)
			}
		}), fault(gone))(o)
	}
}

// sessionsOutliveUser shows deleted users their record as it was: to the session
// that deleted it, or to its others.
func sessionsOutliveUser(others bool) func(*refserver.Options) {
	return func(o *refserver.Options) {
		owners, deleting := &memory[string]{}, &memory[bool]{} // an id by token; tokens
		records := &memory[[]byte]{}                           // by id
		both(
			edit(on("POST /0.2/users", "POST /0.2/user/login"), inObject(func(user map[string]any) {
				if token := fieldText(user, "session_token"); token != "" {
					owners.keep(token, fieldText(user, "id"))
				}
			})),
			front(func(next http.Handler) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if on("DELETE /0.2/user")(r) {
						if own := call(next, r, http.MethodGet, "/0.2/user", nil); own.ok() {
							if id, known := owners.get(sessionIn(r)); known {
								records.keep(id, own.body)
								deleting.keep(sessionIn(r), true)
							}
						}
					}
					next.ServeHTTP(w, r)
				})
			}),
			edit(on("GET /0.2/user"), func(r *http.Request, resp *response) {
				id, known := owners.get(sessionIn(r))
				record, kept := records.get(id)
				if deleted, _ := deleting.get(sessionIn(r)); known && kept && deleted != others && resp.status == http.StatusUnauthorized {
					resp.status, resp.body = http.StatusOK, record
					resp.header.Del("WWW-Authenticate")
				}
			}),
		)(o)
	}
}

// deletedUserLogsIn answers logins by email that worked once and, though nobody
// changed the password, do no more.
func deletedUserLogsIn(status int) func(*refserver.Options) {
	type login struct {
		password string
		answer   []byte
	}
	return func(o *refserver.Options) {
		worked := &memory[login]{} // by email
		both(
			edit(on("PUT /0.2/user"), func(r *http.Request, _ *response) { worked.keep(fieldText(sent(r), "email"), login{}) }),
			edit(logsIn().and(sends("email")), func(r *http.Request, resp *response) {
				email, password := fieldText(sent(r), "email"), fieldText(sent(r), "password")
				switch known, _ := worked.get(email); {
				case resp.ok():
					worked.keep(email, login{password, resp.body})
				case password != "" && known.password == password && resp.status == http.StatusUnauthorized:
					resp.status = status
					if resp.ok() {
						resp.body = known.answer
					}
					resp.header.Del("WWW-Authenticate")
				}
			}),
		)(o)
	}
}
