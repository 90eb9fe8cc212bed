package faults

import (
	"net/http"

	"github.com/socialfeed/conform/refserver"
)

// lastingSessions are the faults of destroyed session tokens that go on working
// somewhere (States and transitions, row 'session token valid').
func lastingSessions() []Fault {
	return breaks("sessions.logout.destroys",
		fault("sessions-destroyed-token-posts", "events are taken in destroyed sessions", destroyedTokensWork(createsEvent())),
		fault("sessions-destroyed-token-updates", "updates of the user are taken in destroyed sessions", destroyedTokensWork(updatesUser())),
		fault("sessions-destroyed-token-lists-friends", "the friends are listed in destroyed sessions", destroyedTokensWork(readsFriends())),
		fault("sessions-logout-of-destroyed-answers-204", "a logout of a destroyed session is answered like the first", destroyedTokensWork(logsOut())))
}

// destroyedTokensWork lets the requests that match be served in a session after
// its logout, and refuses all others.
func destroyedTokensWork(m match) mutation {
	return survivingLogout(func(isDestroyed match) mutation {
		return rewriteRequest(isDestroyed.and(not(m)), func(r *http.Request) { r.SetBasicAuth(appIn(r), "destroyed") })
	})
}

// endedUsers are the faults of a deleted user's sessions and logins (States and
// transitions, row 'user exists').
func endedUsers() []Fault {
	return breaks("sessions.deleted-user",
		fault("sessions-outlive-deleted-user", "deleting a user ends the session that deleted it, and no other", sessionsOutliveUser(true)),
		fault("sessions-deleted-user-token-works", "the session that deleted a user goes on showing it", sessionsOutliveUser(false)),
		fault("sessions-deleted-user-token-answers-400", "the session of a deleted user is answered with 400",
			deletingSessionsAnswer400(readsOwnRecord())),
		fault("sessions-deleted-user-posts", "an event in the session of a deleted user is answered with 400", deletingSessionsAnswer400(createsEvent())),
		fault("sessions-deleted-user-logs-in-by-email", "a deleted user logs in by email, with a session that opens nothing", deletedUserLogsIn(200)),
		fault("sessions-deleted-user-login-answers-410", "a deleted user's login by email is answered with 410", deletedUserLogsIn(410)))
}

// deletingSessionsAnswer400 refuses the requests that match with 400 in the
// session that deleted its user.
func deletingSessionsAnswer400(m match) mutation {
	return func(o *refserver.Options) {
		deleted := &memory[bool]{} // by token
		combine(
			rewriteResponse(deletesUser(), func(r *http.Request, resp *response) {
				if resp.ok() {
					deleted.keep(sessionIn(r), true)
				}
			}),
			rewriteResponse(m, onStatus(401, func(r *http.Request, resp *response) {
				if deleted.get(sessionIn(r)) {
					resp.status, resp.body = 400, []byte("{}")
				}
			})),
		)(o)
	}
}

// sessionsOutliveUser shows deleted users their record as it was: to the session
// that deleted it, or to its others.
func sessionsOutliveUser(others bool) mutation {
	return func(o *refserver.Options) {
		owners, deleting := &memory[string]{}, &memory[bool]{} // an id by token; tokens
		records := &memory[map[string]any]{}                   // by id
		combine(
			opened(func(_ *http.Request, _ map[string]any, id, token string) { owners.keep(token, id) }),
			intercept(deletesUser(), func(next http.Handler, r *http.Request) *response {
				if id, known := owners.lookup(sessionIn(r)); known {
					if own := ownRecord(next, r); fieldText(own, "id") == id {
						records.keep(id, own)
						deleting.keep(sessionIn(r), true)
					}
				}
				return record(next, r)
			}),
			rewriteResponse(readsOwnRecord(), onStatus(401, func(r *http.Request, resp *response) {
				if record, kept := records.lookup(owners.get(sessionIn(r))); kept && deleting.get(sessionIn(r)) != others {
					resp.status, resp.body = 200, encode(record)
					resp.header.Del("WWW-Authenticate")
				}
			})),
		)(o)
	}
}

// deletedUserLogsIn answers logins by email that worked once and, though nobody
// changed the password, do no more.
func deletedUserLogsIn(status int) mutation {
	type login struct {
		password string
		answer   []byte
	}
	return func(o *refserver.Options) {
		worked := &memory[login]{} // by email
		combine(
			rewriteResponse(updatesUser(), func(r *http.Request, _ *response) { worked.keep(fieldText(requestObject(r), "email"), login{}) }),
			rewriteResponse(logsInByEmail(), func(r *http.Request, resp *response) {
				email, password := fieldText(requestObject(r), "email"), fieldText(requestObject(r), "password")
				switch known := worked.get(email); {
				case resp.ok():
					worked.keep(email, login{password, resp.body})
				case password != "" && known.password == password && resp.status == 401:
					if resp.status = status; resp.ok() {
						resp.body = known.answer
					}
					resp.header.Del("WWW-Authenticate")
				}
			}),
		)(o)
	}
}

// straySessionTokens are the faults of session tokens in answers that have none
// (Resources and their fields, User, row session_token).
func straySessionTokens() []Fault {
	return breaks("sessions.token-confined",
		fault("sessions-update-answers-token", "the answer to an update has the session token of the request",
			rewriteResponse(updatesUser(), func(r *http.Request, resp *response) { resp.object(set("session_token", sessionIn(r))) })),
		fault("sessions-followers-show-tokens", "the list of followers shows a session token of each",
			rewriteEach(readsFollowersOf(), set("session_token", refserver.NewAppToken()))),
		fault("sessions-event-holds-session", "a new event tells of the session that it was created in",
			rewriteResponse(createsEvent(), func(r *http.Request, resp *response) {
				resp.object(set("session", map[string]any{"session_token": sessionIn(r)}))
			})))
}

// createsWithLogin are the faults of the session that comes with a new user
// (Authentication, item 4).
func createsWithLogin() []Fault {
	return breaks("sessions.create-with-login",
		fault("sessions-create-token-void", "the session token of a new user opens nothing",
			rewriteObject(createWithLogin(), set("session_token", refserver.NewAppToken()))),
		fault("sessions-create-token-of-previous-user", "a new user gets the session token of the user created before",
			givesPreviousToken(createsUser())))
}
