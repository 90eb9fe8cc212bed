package faults

import (
	"net/http"
	"slices"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// logouts are the faults of what a logout does (States and transitions, row
// 'session token valid').
func logouts() []Fault {
	return slices.Concat(
		breaks("sessions.logout.status",
			fault("sessions-logout-answers-200", "a logout answers 200 and an empty object", rewriteResponse(logsOut(), replaceSuccess(200, "{}"))),
			fault("sessions-logout-answers-202", "a logout answers 202", rewriteResponse(logsOut(), replaceSuccess(202, "")))),
		breaks("sessions.logout.destroys",
			fault("sessions-logout-keeps-session", "a logout answers 204 and leaves the session as it is", breaking(sessionsLast(always))),
			fault("sessions-logout-takes-a-moment", "a session token is served for a second after its logout",
				breaking(sessionsLast(func(l look) bool { return !l.later(time.Second) }))),
			fault("sessions-destroyed-token-revives", "a second after its logout a session token works again", breaking(sessionsLast(aMomentAgo))),
			fault("sessions-relogin-revives-tokens", "a login makes the user's destroyed session tokens valid again",
				breaking(sessionsLast(func(l look) bool { return len(l.since(l.gone, loggedIn, l.me, 0)) > 0 }))),
			fault("sessions-logout-ends-oldest-session", "a logout ends the user's oldest session, whichever was logged out",
				breaking(given(toLogOut, func(l *step) { l.term = append(l.openSessions(), l.term)[0] }))),
			fault("sessions-destroyed-token-reads-feed", "the feed is served to destroyed session tokens, as it was when they were",
				once(logsOut(), asked.session, sessionIn, func(out match) mutation { return rewriteResponse(readsFeed().and(out), served("[]")) }))),
		breaks("sessions.logout.relogin",
			fault("sessions-logout-locks-user-out", "who logged out cannot log in any more", breaking(fails(toOpen, store.ErrStale, func(l look) bool { return l.ever(loggedOut, l.me, 0) }))),
			fault("sessions-logout-locks-email", "who logged out logs in by user name, and not by email",
				breaking(loginsFail(email, func(l look) bool { return l.ever(loggedOut, l.me, 0) }))),
			fault("sessions-relogin-answers-destroyed-token", "every login by email answers the first token that such a login gave, also after that was destroyed",
				firstTokenAgain)),
	)
}

func firstTokenAgain(o *refserver.Options) {
	first := &memory[string]{} // by id
	opened(func(r *http.Request, user map[string]any, id, token string) {
		if kept, known := first.lookup(id); known && logsInByEmail()(r) {
			user["session_token"] = kept
		} else if logsInByEmail()(r) {
			first.keep(id, token)
		}
	})(o)
}

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
		fault("sessions-outlive-deleted-user", "deleting a user ends the session that deleted it, and no other", deletedOwnRecords(func(l look) bool { return !deleting(l) })),
		fault("sessions-deleted-user-token-works", "the session that deleted a user goes on showing it", deletedOwnRecords(deleting)),
		fault("sessions-deleted-user-token-answers-400", "the session of a deleted user is answered with 400",
			refusedAfterDeletion(readsOwnRecord())),
		fault("sessions-deleted-user-posts", "an event in the session of a deleted user is answered with 400", refusedAfterDeletion(createsEvent())),
		fault("sessions-deleted-user-logs-in-by-email", "a deleted user logs in by email, with a session that opens nothing", deletedUserLogsIn(200)),
		fault("sessions-deleted-user-login-answers-410", "a deleted user's login by email is answered with 410", deletedUserLogsIn(410)))
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

// refusedAfterDeletion refuses the requests that match with 400 in the session that deleted its user.
func refusedAfterDeletion(m match) mutation {
	return once(deletesUser(), asked.session, sessionIn, func(gone match) mutation {
		return rewriteResponse(m.and(gone), onStatus(401, restated(400, "{}")))
	})
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
