package faults

import (
	"net/http"
	"slices"
	"strings"

	"github.com/socialfeed/conform/refserver"
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
