package faults

import (
	"net/http"
	"slices"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// sessionsMissing are the faults of app tokens alone where a session is needed
// (Authentication, items 2, 3 and 5).
func sessionsMissing() []Fault {
	return breaks("auth.session-missing",
		fault("auth-app-alone-searches", "a search under the app token alone finds nobody", respond(searches().and(sessionless), 200, "[]")),
		fault("auth-app-alone-is-latest-user", "the app token alone shows one of those who are logged in",
			sessionSupplied(func(string) string { return "" })),
		fault("auth-app-alone-ends-connection", "ending a connection under the app token alone is answered with 204, and ends none",
			respond(disconnects().and(sessionless), 204, "")),
		fault("auth-app-alone-event-answers-403", "creating an event under the app token alone is answered with 403",
			rewriteResponse(createsEvent().and(sessionless), replaceStatus(401, 403, complaint("log in first")))),
		fault("auth-app-alone-followers-answer-400", "the followers are answered with 400 under the app token alone",
			rewriteResponse(readsFollowers().and(sessionless), replaceStatus(401, 400, "{}"))))
}

// sessionsUnknown are the faults of session tokens that were never issued.
func sessionsUnknown() []Fault {
	const longest = 26 // of the server's own tokens
	answer := func(m match, status int, body string) mutation {
		return withTokens(func(tokens []string) mutation {
			return rewriteResponse(m.and(insession).and(not(unknownApp(tokens))), replaceStatus(401, status, body))
		})
	}
	return breaks("auth.session-unknown",
		fault("auth-any-session-sees-no-followers", "another user's followers are answered as none to an unknown session",
			answer(readsFollowersOf(), 200, "[]")),
		fault("auth-unknown-session-answers-403", "deleting an event in an unknown session is answered with 403",
			answer(deletesEvent(), 403, complaint("no access"))),
		fault("auth-unknown-session-answers-404", "the friends in an unknown session are answered with 404",
			answer(readsFriends(), 404, complaint("session not found"))),
		fault("auth-unknown-session-logs-out", "logging out of an unknown session is answered with 204", answer(logsOut(), 204, "")),
		fault("auth-session-token-compared-by-half", "a session token counts when its first half is right, where the session's user is read",
			sessionSupplied(func(token string) string { return token[:len(token)/2] })),
		fault("auth-session-token-may-go-on", "a session token may go on behind its end, where the own friends are listed",
			rewriteRequest(readsFriends(), func(r *http.Request) {
				if token := sessionIn(r); len(token) > longest {
					r.SetBasicAuth(appIn(r), token[:longest])
				}
			})))
}

// sessionSupplied takes a session for the latest one of which as much is right as
// counts, where the session's user is read.
func sessionSupplied(counts func(token string) string) mutation {
	return withTokens(func(tokens []string) mutation {
		sessions := &memory[string]{}
		return combine(overrideStore(func(inner refserver.Store, s *overrides) {
			s.openSession = func(app store.App, id store.ID, verified []byte) (string, store.User, error) {
				token, user, err := inner.OpenSession(app, id, verified)
				if _, dead := inner.Session(app, sessions.get(keyOf(app)+counts(token))); dead != nil { // else what is kept still serves
					sessions.keep(keyOf(app)+counts(token), token)
				}
				return token, user, err
			}
		}), rewriteRequest(readsOwnRecord(), func(r *http.Request) {
			app, given := store.App(slices.Index(tokens, appIn(r))+1), sessionIn(r)
			right, known := sessions.lookup(keyOf(app) + counts(given))
			if known && (counts(given) != "" || given == "") {
				r.SetBasicAuth(appIn(r), right)
			}
		}))
	})
}

// refusedYetDone are the faults of writes that are refused for their credentials
// and take effect (Errors, row 401).
func refusedYetDone() []Fault {
	var faults []Fault
	for _, w := range []struct {
		what, endpoint string
		inSession      bool
	}{
		{"user-creation", "POST /0.2/users", false},
		{"user-update", "PUT /0.2/user", true},
		{"user-deletion", "DELETE /0.2/user", true},
		{"connection", "POST /0.2/user/connections", true},
		{"disconnection", "DELETE /0.2/user/connections/{UserID}", true},
		{"event", "POST /0.2/user/events", true},
		{"event-change", "PUT /0.2/user/events/{EventID}", true},
		{"event-deletion", "DELETE /0.2/user/events/{EventID}", true},
	} {
		faults = append(faults, fault("auth-"+w.what+"-under-unknown-app-done-anyway",
			w.endpoint+" under an unknown app token is answered with 401 and takes effect",
			withTokens(func(tokens []string) mutation {
				return refusedButDone(on(w.endpoint).and(unknownApp(tokens)), underApp(tokens[0]))
			})))
		if w.inSession {
			faults = append(faults, fault("auth-"+w.what+"-in-destroyed-session-done-anyway",
				w.endpoint+" in a destroyed session is answered with 401 and takes effect", destroyedSessionsAct(on(w.endpoint))))
		}
	}
	return breaks("auth.no-effect", faults...)
}

// destroyedSessionsAct lets the requests that match take effect in a session
// after its logout, and answers them like any in a destroyed session.
func destroyedSessionsAct(m match) mutation {
	return survivingLogout(func(isDestroyed match) mutation {
		return intercept(isDestroyed, func(next http.Handler, r *http.Request) *response {
			if m(r) {
				record(next, r)
			}
			r.SetBasicAuth(appIn(r), refserver.NewAppToken())
			return record(next, r)
		})
	})
}

// survivingLogout leaves sessions as they are when they are logged out; what a
// fault makes of them from then on is its own.
func survivingLogout(use func(isDestroyed match) mutation) mutation {
	return func(o *refserver.Options) {
		destroyed := &memory[bool]{} // by token
		isDestroyed := func(r *http.Request) bool { return destroyed.get(sessionIn(r)) }
		combine(
			intercept(logsOut().and(not(lacksHeader("User-Agent"))), func(next http.Handler, r *http.Request) *response {
				if !call(next, r, http.MethodGet, "/0.2/user", nil).ok() {
					return record(next, r)
				}
				destroyed.keep(sessionIn(r), true)
				return answer(r, 204, "")
			}),
			use(isDestroyed),
		)(o)
	}
}
