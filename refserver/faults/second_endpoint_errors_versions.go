package faults

import (
	"net/http"
	"regexp"
	"slices"
	"time"
)

// endpointErrorsVersions are the faults of errors that one endpoint answers otherwise than
// the others, or without what they have.
func endpointErrorsVersions() []Fault {
	belowAList := regexp.MustCompile(`^(/0[.]2/(?:user/(?:followers|friends)|users/[^/]+/(?:follows|followers|friends)))/.`)
	anyVersion := regexp.MustCompile(`^/[0-9.]+/user/login$`)
	patch := func(path string) match { return by("PATCH").and(at(path)) }
	return slices.Concat(
		breaks("versions.unknown",
			fault("endpoint-login-under-any-version", "a login is served under any number of a version, as its route has a placeholder there",
				rewriteRequest(by(http.MethodPost).and(func(r *http.Request) bool { return anyVersion.MatchString(r.URL.Path) }),
					func(r *http.Request) { r.URL.Path, r.URL.RawPath = "/0.2/user/login", "" }))),
		breaks("errors.unknown-path",
			fault("endpoint-path-below-the-feed", "a path below the feed's is answered like the feed",
				rewriteRequest(by("GET").and(at("/0.2/user/feed/{Anything}")).and(not(at("/0.2/user/feed/"))),
					func(r *http.Request) { r.URL.Path = "/0.2/user/feed" })),
			fault("endpoint-path-below-lists-of-users", "a path below a list of users is answered like that list",
				rewriteRequest(by(http.MethodGet).and(func(r *http.Request) bool { return belowAList.MatchString(r.URL.Path) }),
					func(r *http.Request) { r.URL.Path = belowAList.FindStringSubmatch(r.URL.Path)[1] })),
			fault("endpoint-unknown-list-of-user-empty", "an unknown list of a user, at a path below the user's, is an empty one",
				intercept(on("GET /0.2/users/{UserID}/{List}"), func(next http.Handler, r *http.Request) *response {
					resp := record(next, r)
					known := slices.Contains([]string{"follows", "followed", "followers", "friends"}, lastSegment(r))
					if resp.status == http.StatusNotFound && !known && call(next, r, http.MethodGet, "/0.2/users/"+userInPath(r), nil).ok() {
						resp.become(http.StatusOK, "[]")
					}
					return resp
				}))),
		breaks("errors.method",
			fault("endpoint-method-unfound-at-follows", "PATCH is answered with 404 at another user's follows",
				rewriteResponse(patch("/0.2/users/{UserID}/follows"), replaceStatus(405, 404, complaint("not found")))),
			fault("endpoint-method-answers-400-at-social", "PATCH is answered with 400 at the social connections",
				rewriteResponse(patch("/0.2/user/connections/social"), replaceStatus(405, 400, "{}"))),
			fault("endpoint-patch-of-versions-answers-404", "PATCH on the versions is answered as an unknown path is",
				rewriteResponse(on("PATCH /versions"), func(r *http.Request, resp *response) {
					replaceStatus(405, 404, complaint("no route matches"))(r, resp)
					resp.header.Del("Allow")
				})),
			fault("endpoint-patch-of-connection-is-not-found", "PATCH of a connection is answered with 404",
				rewriteResponse(on("PATCH /0.2/user/connections/{UserID}"), replaceStatus(405, 404, complaint("there is no such path"))))),
		breaks("errors.method-allow",
			fault("endpoint-405-without-allow-at-search", "a 405 at the search names no methods", rewriteResponse(patch("/0.2/users/search"), header("Allow", "")))),
		breaks("errors.json-error",
			fault("endpoint-404-of-list-without-body", "the 404 of an unknown user's friends has no body",
				rewriteResponse(readsFriendsOf(), onStatus(404, body("")))),
			fault("endpoint-403-of-event-without-body", "the 403 to who deletes another's event has no body",
				rewriteResponse(deletesEvent(), replaceStatus(403, 403, ""))),
			fault("endpoint-422-of-social-without-body", "a 422 to a connecting by social identifiers has no body",
				rewriteResponse(connectsSocially(), onStatus(422, body("")))),
			fault("endpoint-415-of-changed-event-without-body", "the 415 to a change of an event has no body",
				rewriteResponse(updatesEvent(), onStatus(415, body("")))),
			fault("endpoint-unfound-event-deletion-without-body", "the 404 to the deletion of an event that does not exist has no body",
				rewriteResponse(deletesEvent(), onStatus(404, body("")))),
			fault("endpoint-404-of-event-deletion-without-body", "the 404 for the deletion of an event that there is none of has no body",
				rewriteResponse(deletesEvent(), replaceStatus(404, 404, "")))),
		breaks("errors.bad-request-empty",
			fault("endpoint-400-of-login-says-why", "a 400 of a login says what is wrong",
				rewriteResponse(logsIn(), onStatus(400, body(complaint("the body cannot be read")))))),
		breaks("errors.no-content-empty",
			fault("endpoint-204-of-user-with-body", "the 204 of a deleted user has {} behind it", strayBody(deletesUser(), stray{body: "{}", after: time.Second / 50}))),
		breaks("errors.no-secret-echo",
			fault("endpoint-401-of-connection-repeats-token", "the 401 to a connection in an unknown session repeats its token",
				rewriteResponse(connects(), onStatus(401, func(r *http.Request, resp *response) {
					if token := sessionIn(r); token != "" {
						resp.become(http.StatusUnauthorized, complaint("there is no session "+token))
					}
				})))),
	)
}
