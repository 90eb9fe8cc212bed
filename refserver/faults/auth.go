package faults

import (
	"net/http"
	"slices"

	"github.com/socialfeed/conform/refserver"
)

func auth() []Fault {
	return slices.Concat(credentialsMissing(), appTokensUnknown(), sessionsMissing(), sessionsUnknown(),
		malformedCredentials(), refusedYetDone(), mixedApps(), looseTokens(), challenges())
}

// appIn is the app token of a request.
func appIn(r *http.Request) string {
	token, _, _ := r.BasicAuth()
	return token
}

// asFirstApp gives a request the first app token, and leaves its session.
func asFirstApp(o *refserver.Options) func(*http.Request) {
	token := o.AppTokens[0]
	return func(r *http.Request) { r.SetBasicAuth(token, sessionIn(r)) }
}

// underUnknownApp picks the requests under an app token that the server does not know.
func underUnknownApp(o *refserver.Options, endpoint string) match {
	tokens := o.AppTokens
	return on(endpoint).and(func(r *http.Request) bool {
		app, _, ok := r.BasicAuth()
		return ok && !slices.Contains(tokens, app)
	})
}

// sessionless picks the requests with an app token alone.
func sessionless(r *http.Request) bool { return appIn(r) != "" && sessionIn(r) == "" }

// insession picks the requests with a session token.
func insession(r *http.Request) bool { return sessionIn(r) != "" }

// credentialsMissing are the faults of requests without Authorization
// (Authentication, items 1 and 5).
func credentialsMissing() []Fault {
	const rule = "auth.missing"
	nobody := func(endpoint string) match { return on(endpoint).and(lacksHeader("Authorization")) }
	return []Fault{
		{
			Name: "auth-nobody-creates-user", Rule: rule,
			Summary: "a user that is created without Authorization belongs to the first application",
			Apply: func(o *refserver.Options) {
				tamper(nobody("POST /0.2/users"), asFirstApp(o))(o)
			},
		},
		{
			Name: "auth-nobody-sees-no-friends", Rule: rule,
			Summary: "another user's friends are answered as none without Authorization",
			Apply:   replace(nobody("GET /0.2/users/{UserID}/friends"), http.StatusOK, "[]"),
		},
		{
			Name: "auth-nobody-deletes-unfound-event", Rule: rule,
			Summary: "deleting an event without Authorization is answered with 404",
			Apply:   edit(nobody("DELETE /0.2/user/events/{EventID}"), instead(http.StatusUnauthorized, http.StatusNotFound, complaint("event not found"))),
		},
		{
			Name: "auth-nobody-login-answers-400", Rule: rule,
			Summary: "a login without Authorization is answered with 400",
			Apply:   edit(nobody("POST /0.2/user/login"), instead(http.StatusUnauthorized, http.StatusBadRequest, "{}")),
		},
	}
}

// appTokensUnknown are the faults of app tokens that were never issued.
func appTokensUnknown() []Fault {
	const rule = "auth.app-token-unknown"
	served := func(endpoint string) func(*refserver.Options) {
		return func(o *refserver.Options) { tamper(underUnknownApp(o, endpoint), asFirstApp(o))(o) }
	}
	return []Fault{
		{
			Name: "auth-any-app-logs-in", Rule: rule,
			Summary: "a login works under any app token",
			Apply:   served("POST /0.2/user/login"),
		},
		{
			Name: "auth-session-stands-for-app", Rule: rule,
			Summary: "another user's follows are shown to a session under any app token",
			Apply:   served("GET /0.2/users/{UserID}/follows"),
		},
		{
			Name: "auth-any-app-ends-connection", Rule: rule,
			Summary: "a connection is ended by a session under any app token",
			Apply:   served("DELETE /0.2/user/connections/{UserID}"),
		},
		{
			Name: "auth-unknown-app-answers-403", Rule: rule,
			Summary: "a logout under an unknown app token is answered with 403",
			Apply: func(o *refserver.Options) {
				edit(underUnknownApp(o, "DELETE /0.2/user/logout"),
					instead(http.StatusUnauthorized, http.StatusForbidden, complaint("the application is unknown")))(o)
			},
		},
		{
			Name: "auth-app-token-compared-by-half", Rule: rule,
			Summary: "the session's user is shown under an app token of which the first half is right",
			Apply: func(o *refserver.Options) {
				half := o.AppTokens[0][:len(o.AppTokens[0])/2]
				tamper(underUnknownApp(o, "GET /0.2/user").and(func(r *http.Request) bool {
					return len(appIn(r)) >= len(half) && appIn(r)[:len(half)] == half
				}), asFirstApp(o))(o)
			},
		},
	}
}

// malformedCredentials are the faults of an Authorization that is no Basic one.
func malformedCredentials() []Fault {
	const rule = "auth.malformed"
	me := on("GET /0.2/user")
	scheme := func(value string) match {
		return me.and(func(r *http.Request) bool { return r.Header.Get("Authorization") == value })
	}
	noColon := func(r *http.Request) bool { _, _, ok := r.BasicAuth(); return !ok }
	return []Fault{
		{
			Name: "auth-bearer-taken", Rule: rule,
			Summary: "a session token is taken with the scheme Bearer, for the first application",
			Apply: func(o *refserver.Options) {
				token := o.AppTokens[0]
				tamper(me.and(naming("Authorization", "Bearer ")), func(r *http.Request) {
					r.SetBasicAuth(token, r.Header.Get("Authorization")[len("Bearer "):])
				})(o)
			},
		},
		{
			Name: "auth-broken-credentials-answer-400", Rule: rule,
			Summary: "credentials in broken base64 are answered with 400",
			Apply:   edit(me.and(naming("Authorization", "!")), instead(http.StatusUnauthorized, http.StatusBadRequest, "{}")),
		},
		{
			Name: "auth-credentials-without-colon-answer-403", Rule: rule,
			Summary: "credentials without a colon are answered with 403",
			Apply: edit(me.and(naming("Authorization", "Basic ")).and(not(naming("Authorization", "!"))).and(noColon),
				instead(http.StatusUnauthorized, http.StatusForbidden, complaint("the session token is missing"))),
		},
		{
			Name: "auth-scheme-alone-answers-400", Rule: rule,
			Summary: "the scheme Basic without credentials is answered with 400",
			Apply:   edit(scheme("Basic"), instead(http.StatusUnauthorized, http.StatusBadRequest, "{}")),
		},
	}
}

// challenges are the faults of what a 401 asks for (RFC 9110, section 11.6.1).
func challenges() []Fault {
	const rule, name = "auth.challenge", "WWW-Authenticate"
	me := on("GET /0.2/user")
	return []Fault{
		{
			Name: "auth-401-without-challenge", Rule: rule,
			Summary: "a 401 asks for nothing",
			Apply:   edit(me, answered(http.StatusUnauthorized, header(name, ""))),
		},
		{
			Name: "auth-401-asks-for-bearer", Rule: rule,
			Summary: "a 401 asks for Bearer",
			Apply:   edit(me, answered(http.StatusUnauthorized, header(name, `Bearer realm="Basic tokens", error="invalid_token"`))),
		},
		{
			Name: "auth-dead-session-without-challenge", Rule: rule,
			Summary: "a 401 asks for nothing where a session token was sent, but unknown",
			Apply:   edit(me.and(insession), answered(http.StatusUnauthorized, header(name, ""))),
		},
	}
}
