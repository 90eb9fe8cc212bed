package faults

import (
	"net/http"
	"slices"
	"strings"
)

// thirdEndpoints are the faults of one endpoint of several: what it is asked with, what
// it shows, and what stands below it.
func thirdEndpoints() []Fault {
	return slices.Concat(
		breaks("transport.content-type-415",
			fault("endpoint-login-labelled-as-form-taken", "a login that is labelled as a form, and is JSON, is taken",
				rewriteRequest(logsIn().and(headerContains("Content-Type", "application/x-www-form-urlencoded")), setHeader("Content-Type", "application/json")))),
		breaks("sessions.token-confined",
			fault("endpoint-search-shows-own-token", "a search that finds the one who searches shows the session token in that result",
				intercept(searches(), func(next http.Handler, r *http.Request) *response {
					resp := record(next, r)
					own := fieldText(ownRecord(next, r), "id")
					inEach(func(user map[string]any) {
						if own != "" && fieldText(user, "id") == own {
							user["session_token"] = sessionIn(r)
						}
					})(r, resp)
					return resp
				}))),
		breaks("users.create.last-login-unset",
			fault("endpoint-follows-last-login-of-1970", "users who have never logged in are among the own follows with a last_login at the beginning of 1970",
				rewriteEach(readsFollows(), func(user map[string]any) {
					if text := fieldText(user, "last_login"); text == "" || strings.HasPrefix(text, "0000-") {
						user["last_login"] = "1970-01-01T00:00:00Z"
					}
				}))),
		breaks("transport.cors-preflight",
			fault("endpoint-preflight-of-social-without-content-type", "a preflight on connecting by social identifiers allows the header authorization alone",
				rewriteResponse(by("OPTIONS").and(at("/0.2/user/connections/social")), func(r *http.Request, resp *response) {
					if resp.header.Get("Access-Control-Allow-Headers") != "" {
						header("Access-Control-Allow-Headers", "authorization")(r, resp)
					}
				}))),
		breaks("errors.unknown-path",
			fault("endpoint-unknown-list-of-user-empty", "an unknown list of a user, at a path below the user's, is an empty one",
				intercept(on("GET /0.2/users/{UserID}/{List}"), func(next http.Handler, r *http.Request) *response {
					resp := record(next, r)
					known := slices.Contains([]string{"follows", "followed", "followers", "friends"}, lastSegment(r))
					if resp.status == http.StatusNotFound && !known && call(next, r, http.MethodGet, "/0.2/users/"+userInPath(r), nil).ok() {
						resp.become(http.StatusOK, "[]")
					}
					return resp
				}))),
	)
}
