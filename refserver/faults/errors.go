package faults

import (
	"net/http"
	"slices"
	"strings"
)

func errorResponses() []Fault {
	return slices.Concat(unknownPaths(), otherMethods(), errorBodies(), serverErrors(), oddRequests(), nearPaths(), noContents(), echoes())
}

// by picks the requests of a method.
func by(method string) match {
	return func(r *http.Request) bool { return r.Method == method }
}

// at picks the requests to a path, as the contract writes it.
func at(path string) match {
	return func(r *http.Request) bool { return samePath(path, r.URL.Path) }
}

// below picks the requests to paths that begin so.
func below(prefix string) match {
	return func(r *http.Request) bool { return strings.HasPrefix(r.URL.Path, prefix) }
}

// unknownPaths are the faults of paths that the contract does not have (Errors, row 404).
func unknownPaths() []Fault {
	const rule = "errors.unknown-path"
	versioned := match(below("/0.2/")).and(not(on("GET /0.2/users/{UserID}", "GET /0.2/user")))
	return []Fault{
		{
			Name: "errors-unknown-path-forbidden", Rule: rule,
			Summary: "an unknown path of the version is answered with 403",
			Apply:   edit(by("GET").and(versioned), ofUnknownPath(http.StatusForbidden, complaint("no access"))),
		},
		{
			Name: "errors-unknown-path-is-empty-object", Rule: rule,
			Summary: "an unknown path outside of the version is answered with 200 and {}",
			Apply:   edit(by("GET").and(not(below("/0."))).and(not(below("/9."))), ofUnknownPath(http.StatusOK, "{}")),
		},
		{
			Name: "errors-unknown-path-answers-400", Rule: rule,
			Summary: "an unknown path is answered with 400",
			Apply:   edit(by("GET").and(not(below("/0.1/"))), ofUnknownPath(http.StatusBadRequest, "{}")),
		},
		{
			Name: "errors-path-below-user-is-user", Rule: rule,
			Summary: "an unknown path below /0.2/user is answered like /0.2/user",
			Apply: around(by("GET").and(below("/0.2/user/")), func(next http.Handler, r *http.Request) *response {
				resp := record(next, r)
				if resp.status == http.StatusNotFound {
					r.URL.Path = "/0.2/user"
					return record(next, r)
				}
				return resp
			}),
		},
	}
}

// ofUnknownPath changes the answer to a path that the server does not know.
func ofUnknownPath(status int, body string) func(*http.Request, *response) {
	return func(r *http.Request, resp *response) {
		if strings.Contains(string(resp.body), "nothing at this path") {
			instead(http.StatusNotFound, status, body)(r, resp)
		}
	}
}

// otherMethods are the faults of methods that a path does not have (Errors, row 405).
func otherMethods() []Fault {
	const method, allow = "errors.method", "errors.method-allow"
	patch := func(path string) match { return by("PATCH").and(at(path)) }
	const refused = http.StatusMethodNotAllowed
	return []Fault{
		{
			Name: "errors-method-unfound-at-connection", Rule: method,
			Summary: "PATCH is answered with 404 at a connection",
			Apply:   edit(patch("/0.2/user/connections/{UserID}"), instead(refused, http.StatusNotFound, complaint("there is nothing at this path"))),
		},
		{
			Name: "errors-method-answers-400-at-versions", Rule: method,
			Summary: "PATCH is answered with 400 at the list of versions",
			Apply:   edit(patch("/versions"), instead(refused, http.StatusBadRequest, "{}")),
		},
		{
			Name: "errors-method-forbidden-at-followers", Rule: method,
			Summary: "PATCH is answered with 403 at another user's followers",
			Apply:   edit(patch("/0.2/users/{UserID}/followers"), instead(refused, http.StatusForbidden, complaint("no access"))),
		},
		{
			Name: "errors-method-redirected-at-login", Rule: method,
			Summary: "PATCH is redirected at the login",
			Apply:   edit(patch("/0.2/user/login"), instead(refused, http.StatusSeeOther, "")),
		},
		{
			Name: "errors-405-without-allow", Rule: allow,
			Summary: "a 405 at the list of versions names no methods",
			Apply:   edit(patch("/versions"), header("Allow", "")),
		},
		{
			Name: "errors-405-allows-too-little", Rule: allow,
			Summary: "a 405 at the session's user does not name DELETE",
			Apply:   edit(patch("/0.2/user"), header("Allow", "GET, HEAD, PUT")),
		},
		{
			Name: "errors-405-allows-nothing", Rule: allow,
			Summary: "a 405 at an event names OPTIONS alone",
			Apply:   edit(patch("/0.2/user/events/{EventID}"), header("Allow", "OPTIONS")),
		},
	}
}

// errorBodies are the faults of the bodies of refusals (Errors, introduction and
// row 400; Endpoints, rule 6).
func errorBodies() []Fault {
	const any4xx, of400 = "errors.json-error", "errors.bad-request-empty"
	return []Fault{
		{
			Name: "errors-405-without-body", Rule: any4xx,
			Summary: "a 405 has no body",
			Apply:   edit(by("PATCH").and(at("/0.2/user/feed")), answered(http.StatusMethodNotAllowed, body(""))),
		},
		{
			Name: "errors-401-without-body", Rule: any4xx,
			Summary: "a 401 has no body where a connection is ended",
			Apply:   edit(on("DELETE /0.2/user/connections/{UserID}"), answered(http.StatusUnauthorized, body(""))),
		},
		{
			Name: "errors-406-is-no-json", Rule: any4xx,
			Summary: "a 406 of the search is plain text, though labelled application/json",
			Also:    []Unavoidable{{"transport.json-body", "what is labelled JSON and is none breaks that rule too"}},
			Apply:   edit(on("GET /0.2/users/search"), answered(http.StatusNotAcceptable, body("Not Acceptable"))),
		},
		{
			Name: "errors-400-says-why", Rule: of400,
			Summary: "a 400 without a User-Agent says what is wrong",
			Apply:   edit(lacksHeader("User-Agent"), answered(http.StatusBadRequest, body(complaint("the User-Agent header is missing")))),
		},
		{
			Name: "errors-400-is-array", Rule: of400,
			Summary: "a 400 to an event that is no JSON is an empty array",
			Apply:   edit(on("POST /0.2/user/events"), answered(http.StatusBadRequest, body("[]"))),
		},
	}
}
