package faults

import (
	"net/http"
	"slices"
	"strings"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

func auth() []Fault {
	return slices.Concat(credentialsMissing(), appTokensUnknown(), sessionsMissing(), sessionsUnknown(),
		malformedCredentials(), refusedYetDone(), mixedApps(), challenges())
}

// withTokens makes a mutation that knows the server's app tokens.
func withTokens(mutate func(tokens []string) mutation) mutation {
	return func(o *refserver.Options) { mutate(slices.Clone(o.AppTokens))(o) }
}

// underApp gives a request an app token, and leaves its session.
func underApp(token string) func(*http.Request) {
	return func(r *http.Request) { r.SetBasicAuth(token, sessionIn(r)) }
}

// unknownApp picks the requests under an app token that the server does not know.
func unknownApp(tokens []string) match {
	return func(r *http.Request) bool {
		app, _, ok := r.BasicAuth()
		return ok && !slices.Contains(tokens, app)
	}
}

// appOf picks the requests whose app token is so.
func appOf(is func(token string) bool) match {
	return func(r *http.Request) bool { return is(appIn(r)) }
}

// sessionless picks the requests with an app token alone.
func sessionless(r *http.Request) bool { return appIn(r) != "" && sessionIn(r) == "" }

// insession picks the requests with a session token.
func insession(r *http.Request) bool { return sessionIn(r) != "" }

// credentialsMissing are the faults of requests without Authorization
// (Authentication, items 1 and 5).
func credentialsMissing() []Fault {
	nobody := lacksHeader("Authorization")
	return breaks("auth.missing",
		fault("auth-nobody-creates-user", "a user that is created without Authorization belongs to the first application",
			withTokens(func(tokens []string) mutation { return rewriteRequest(createsUser().and(nobody), underApp(tokens[0])) })),
		fault("auth-nobody-sees-no-friends", "another user's friends are answered as none without Authorization",
			respond(readsFriendsOf().and(nobody), 200, "[]")),
		fault("auth-nobody-deletes-unfound-event", "deleting an event without Authorization is answered with 404",
			rewriteResponse(deletesEvent().and(nobody), replaceStatus(401, 404, complaint("event not found")))),
		fault("auth-nobody-login-answers-400", "a login without Authorization is answered with 400",
			rewriteResponse(logsIn().and(nobody), replaceStatus(401, 400, "{}"))))
}

// appTokensUnknown are the faults of app tokens that were never issued.
func appTokensUnknown() []Fault {
	served := func(m match, taken func(right, given string) bool) mutation {
		return withTokens(func(tokens []string) mutation {
			loose := appOf(func(given string) bool { return taken(tokens[0], given) })
			return rewriteRequest(m.and(unknownApp(tokens)).and(loose), underApp(tokens[0]))
		})
	}
	anyToken := func(_, _ string) bool { return true }
	return breaks("auth.app-token-unknown",
		fault("auth-any-app-logs-in", "a login works under any app token", served(logsIn(), anyToken)),
		fault("auth-session-stands-for-app", "another user's follows are shown to a session under any app token", served(readsFollowsOf(), anyToken)),
		fault("auth-any-app-ends-connection", "a connection is ended by a session under any app token", served(disconnects(), anyToken)),
		fault("auth-unknown-app-answers-403", "a logout under an unknown app token is answered with 403",
			withTokens(func(tokens []string) mutation {
				return rewriteResponse(logsOut().and(unknownApp(tokens)), replaceStatus(401, 403, complaint("the application is unknown")))
			})),
		fault("auth-app-token-compared-by-half", "the session's user is shown under an app token of which the first half is right",
			served(readsOwnRecord(), func(right, given string) bool { return strings.HasPrefix(given, right[:len(right)/2]) })),
		fault("auth-app-token-may-go-on", "the session's user is shown under an app token that begins with the right one",
			served(readsOwnRecord(), func(right, given string) bool { return strings.HasPrefix(given, right) })),
		fault("auth-app-token-blank", "the feed is shown under a blank app token",
			served(readsFeed().and(insession), func(_, given string) bool { return given == "" })))
}

// malformedCredentials are the faults of an Authorization that is no Basic one.
func malformedCredentials() []Fault {
	broken, basic := headerContains("Authorization", "!"), headerContains("Authorization", "Basic ")
	schemeAlone := func(r *http.Request) bool { return r.Header.Get("Authorization") == "Basic" }
	noColon := func(r *http.Request) bool { _, _, ok := r.BasicAuth(); return !ok }
	return breaks("auth.malformed",
		fault("auth-bearer-taken", "a session token is taken with the scheme Bearer, for the first application",
			withTokens(func(tokens []string) mutation {
				return rewriteRequest(readsOwnRecord().and(headerContains("Authorization", "Bearer ")), func(r *http.Request) {
					r.SetBasicAuth(tokens[0], r.Header.Get("Authorization")[len("Bearer "):])
				})
			})),
		fault("auth-scheme-not-looked-at", "credentials are taken whatever scheme they are said to be of",
			rewriteRequest(readsOwnRecord().and(headerContains("Authorization", "Bearer ")), func(r *http.Request) {
				r.Header.Set("Authorization", "Basic "+r.Header.Get("Authorization")[len("Bearer "):])
			})),
		fault("auth-broken-credentials-answer-400", "credentials in broken base64 are answered with 400",
			rewriteResponse(readsOwnRecord().and(broken), replaceStatus(401, 400, "{}"))),
		fault("auth-credentials-without-colon-answer-403", "credentials without a colon are answered with 403",
			rewriteResponse(readsOwnRecord().and(basic).and(not(broken)).and(noColon), replaceStatus(401, 403, complaint("the session token is missing")))),
		fault("auth-scheme-alone-answers-400", "the scheme Basic without credentials is answered with 400",
			rewriteResponse(readsOwnRecord().and(schemeAlone), replaceStatus(401, 400, "{}"))))
}

// challenges are the faults of what a 401 asks for (RFC 9110, section 11.6.1).
func challenges() []Fault {
	asks := func(m match, challenge string) mutation {
		return rewriteResponse(readsOwnRecord().and(m), onStatus(401, header("WWW-Authenticate", challenge)))
	}
	return breaks("auth.challenge",
		fault("auth-401-without-challenge", "a 401 asks for nothing", asks(by("GET"), "")),
		fault("auth-401-asks-for-bearer", "a 401 asks for Bearer", asks(by("GET"), `Bearer realm="Basic tokens", error="invalid_token"`)),
		fault("auth-dead-session-without-challenge", "a 401 asks for nothing where a session token was sent, but unknown", asks(insession, "")))
}

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

// sessionSupplied reads the user of the latest session whose compared part is right.
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

// mixedApps are the faults of applications that are not kept apart (What the
// service does, items 1 and 2).
func mixedApps() []Fault {
	return breaks("auth.app-isolation",
		fault("auth-session-of-one-app-works-in-another", "the session's user is shown under the app token of any application",
			sessionAcrossApps(func(_, elsewhere *response) *response { return elsewhere })),
		fault("auth-session-of-another-app-answers-403", "another application's session is answered with 403",
			sessionAcrossApps(func(refusal, _ *response) *response {
				refusal.status, refusal.body = 403, []byte(complaint("a session of another application"))
				return refusal
			})),
		fault("auth-users-of-another-app-shown", "a user of another application is shown by its id",
			userAcrossApps(func(user User) (User, error) { return user, nil })),
		fault("auth-users-of-another-app-forbidden", "the id of another application's user is answered with 403, that of nobody with 404",
			userAcrossApps(func(User) (User, error) { return User{}, store.ErrForbidden })),
		fault("auth-search-over-all-apps", "a search finds the users of all applications",
			breaking(searching(func(l look, hits []User) []User { return append(hits, l.foundElsewhere(l.term, always)...) }))),
		fault("auth-login-to-another-app", "a user logs in by user name under the token of any application", withTokens(loginToAnotherApp)))
}

// sessionAcrossApps looks a session up in all applications where its own does not
// have it; found says what is answered then.
func sessionAcrossApps(found func(refusal, elsewhere *response) *response) mutation {
	return withTokens(func(tokens []string) mutation {
		return intercept(readsOwnRecord(), func(next http.Handler, r *http.Request) *response {
			refusal := record(next, r)
			if refusal.status != 401 || !slices.Contains(tokens, appIn(r)) {
				return refusal
			}
			for _, token := range tokens {
				r.SetBasicAuth(token, sessionIn(r))
				if elsewhere := record(next, r); elsewhere.ok() {
					return found(refusal, elsewhere)
				}
			}
			return refusal
		})
	})
}

// userAcrossApps looks a user up in all applications if the asking one does not have it;
// found handles the result.
func userAcrossApps(found func(User) (User, error)) mutation {
	return breaking(reading(func(c *step, err error) error {
		for _, there := range c.elsewhere() {
			if elsewhere := there.record(c.other); err != nil && elsewhere.ID != 0 {
				c.user, err = found(elsewhere)
				return err
			}
		}
		return err
	}))
}

func loginToAnotherApp(tokens []string) mutation {
	name := func(r *http.Request) string { return fieldText(requestObject(r), "user_name") }
	return remembering(func(homes *memory[string]) mutation { // an app token by user name
		return combine(
			rewriteResponse(createsUser(), onSuccess(func(r *http.Request, _ *response) { homes.keep(name(r), appIn(r)) })),
			rewriteRequest(logsIn(), func(r *http.Request) {
				if home, known := homes.lookup(name(r)); known && slices.Contains(tokens, appIn(r)) {
					r.SetBasicAuth(home, "")
				}
			}))
	})
}
