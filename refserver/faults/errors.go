package faults

import (
	"net/http"
	"slices"
	"strings"
)

func errorResponses() []Fault {
	return slices.Concat(unknownPaths(), otherMethods(), errorBodies(), serverErrors(), oddRequests(), nearPaths(), noContents(), echoes())
}

// unknownPaths are the faults of paths that the contract does not have (Errors, row 404).
func unknownPaths() []Fault {
	versioned := below("/0.2/").and(not(readsOwnRecord().or(readsUser())))
	return breaks("errors.unknown-path",
		fault("errors-unknown-path-forbidden", "an unknown path of the version is answered with 403",
			rewriteResponse(by("GET").and(versioned), ofUnknownPath(403, complaint("no access")))),
		fault("errors-unknown-path-is-empty-object", "an unknown path outside of the version is answered with 200 and {}",
			rewriteResponse(by("GET").and(not(below("/0."))).and(not(below("/9."))), ofUnknownPath(200, "{}"))),
		fault("errors-unknown-path-answers-400", "an unknown path is answered with 400",
			rewriteResponse(by("GET").and(not(below("/0.1/"))), ofUnknownPath(400, "{}"))),
		fault("errors-path-below-user-is-user", "an unknown path below /0.2/user is answered like /0.2/user",
			intercept(by("GET").and(below("/0.2/user/")), func(next http.Handler, r *http.Request) *response {
				resp := record(next, r)
				if resp.status == 404 {
					r.URL.Path = "/0.2/user"
					return record(next, r)
				}
				return resp
			})))
}

// ofUnknownPath changes the answer to a path that the server does not know.
func ofUnknownPath(status int, body string) edit {
	return func(r *http.Request, resp *response) {
		if strings.Contains(string(resp.body), "nothing at this path") {
			replaceStatus(404, status, body)(r, resp)
		}
	}
}

// nearPaths are the faults of paths that are nearly the contract's (Errors, row
// 404; Versioning, item 1).
func nearPaths() []Fault {
	lists := []string{"follows", "followers", "friends", "followed"}
	// servedAs reads another path where the parts of one are so.
	servedAs := func(is func(parts []string) bool, path func(parts []string) []string) mutation {
		return rewriteRequest(by(http.MethodGet), func(r *http.Request) {
			if parts := strings.Split(r.URL.Path, "/"); is(parts) {
				r.URL.Path = strings.Join(path(parts), "/")
			}
		})
	}
	asCurrent := func(parts []string) []string { return append([]string{"", "0.2"}, parts[2:]...) }
	return slices.Concat(
		breaks("errors.unknown-path",
			fault("errors-path-below-a-user-is-that-user", "an unknown path below a user's is answered with the user",
				servedAs(func(parts []string) bool {
					return len(parts) == 5 && parts[2] == "users" && !slices.Contains(lists, parts[4])
				},
					func(parts []string) []string { return parts[:4] })),
			fault("errors-path-below-versions-is-versions", "a path below /versions is answered with the versions",
				servedAs(func(parts []string) bool { return parts[1] == "versions" }, func(parts []string) []string { return parts[:2] })),
			fault("errors-paths-need-no-version", "a path without a version is answered like that of the current one",
				servedAs(func(parts []string) bool { return parts[1] == "user" },
					func(parts []string) []string { return append([]string{"", "0.2"}, parts[1:]...) }))),
		breaks("versions.unknown",
			fault("versions-by-prefix", "a version that begins like the current one is served like it",
				servedAs(func(parts []string) bool { return strings.HasPrefix(parts[1], "0.2") }, asCurrent)),
			fault("versions-next-served", "version 0.3 is served like the current one",
				servedAs(func(parts []string) bool { return parts[1] == "0.3" }, asCurrent))),
	)
}

// otherMethods are the faults of methods that a path does not have (Errors, row 405).
func otherMethods() []Fault {
	patch := func(path string) match { return by("PATCH").and(at(path)) }
	const refused = 405
	return slices.Concat(
		breaks("errors.method",
			fault("errors-method-unfound-at-connection", "PATCH is answered with 404 at a connection",
				rewriteResponse(patch("/0.2/user/connections/{UserID}"), replaceStatus(refused, 404, complaint("there is nothing at this path")))),
			fault("errors-method-answers-400-at-versions", "PATCH is answered with 400 at the list of versions",
				rewriteResponse(patch("/versions"), replaceStatus(refused, 400, "{}"))),
			fault("errors-method-forbidden-at-followers", "PATCH is answered with 403 at another user's followers",
				rewriteResponse(patch("/0.2/users/{UserID}/followers"), replaceStatus(refused, 403, complaint("no access")))),
			fault("errors-delete-unfound-at-login", "DELETE is answered with 404 at the login",
				rewriteResponse(by("DELETE").and(at("/0.2/user/login")), replaceStatus(refused, 404, complaint("there is nothing at this path")))),
			fault("errors-method-redirected-at-login", "PATCH is redirected at the login",
				rewriteResponse(patch("/0.2/user/login"), replaceStatus(refused, 303, "")))),
		breaks("errors.method-allow",
			fault("errors-405-without-allow", "a 405 at the list of versions names no methods", rewriteResponse(patch("/versions"), header("Allow", ""))),
			fault("errors-405-allows-too-little", "a 405 at the session's user does not name DELETE",
				rewriteResponse(patch("/0.2/user"), header("Allow", "GET, HEAD, PUT"))),
			fault("errors-405-allows-nothing", "a 405 at an event names OPTIONS alone",
				rewriteResponse(patch("/0.2/user/events/{EventID}"), header("Allow", "OPTIONS")))),
	)
}
