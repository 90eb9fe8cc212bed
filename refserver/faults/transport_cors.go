package faults

import (
	"net/http"
	"strings"
)

const allowOrigin = "Access-Control-Allow-Origin"

// originsRefused are the faults of answers that a browser keeps from a page of
// another origin (What the service does, transport rule 8).
func originsRefused() []Fault {
	foreign := not(lacksHeader("Origin"))
	return breaks("transport.cors-response",
		fault("transport-origin-not-allowed-on-401", "a 401 cannot be read from another origin",
			rewriteResponse(readsOwnRecord().and(foreign), onStatus(401, header(allowOrigin, "")))),
		fault("transport-origin-not-allowed-for-versions", "the list of versions cannot be read from another origin",
			rewriteResponse(readsVersions().and(foreign), header(allowOrigin, ""))),
		fault("transport-one-origin-for-feed", "the feed can be read from one origin alone",
			rewriteResponse(readsFeed().and(foreign), header(allowOrigin, "https://www.example"))),
		fault("transport-origin-allowed-twice", "the feed allows all origins in one line and the sender's in another, which browsers refuse",
			rewriteResponse(readsFeed().and(foreign), func(r *http.Request, resp *response) {
				resp.header[allowOrigin] = []string{"*", r.Header.Get("Origin")}
			})))
}

// preflights are the faults of the question that a browser asks first.
func preflights() []Fault {
	before := func(method, path string) match {
		return func(r *http.Request) bool {
			return r.Method == http.MethodOptions && strings.EqualFold(r.Header.Get("Access-Control-Request-Method"), method) && r.URL.Path == path
		}
	}
	return breaks("transport.cors-preflight",
		fault("transport-preflight-without-delete", "a preflight allows GET, POST and PUT, and no DELETE",
			rewriteResponse(before("DELETE", "/0.2/user"), header("Access-Control-Allow-Methods", "GET, POST, PUT"))),
		fault("transport-preflight-without-put", "a preflight of a PUT names no methods",
			rewriteResponse(before("PUT", "/0.2/user"), header("Access-Control-Allow-Methods", ""))),
		fault("transport-preflight-needs-credentials", "a preflight of a GET is refused for want of credentials",
			respond(before("GET", "/0.2/user").and(lacksHeader("Authorization")), 401, complaint("credentials are required"))),
		fault("transport-preflight-without-authorization", "a preflight on events allows the header Content-Type, and not Authorization",
			rewriteResponse(before("POST", "/0.2/user/events"), header("Access-Control-Allow-Headers", "content-type"))),
		fault("transport-preflight-without-content-type", "a preflight of a PUT allows the header Authorization, and not Content-Type",
			rewriteResponse(before("PUT", "/0.2/user"), header("Access-Control-Allow-Headers", "authorization"))),
		fault("transport-preflight-is-no-method-of-events", "a preflight on events is answered with 405",
			respond(before("POST", "/0.2/user/events"), 405, complaint("the method is not allowed here"))),
		fault("transport-preflight-without-origin", "a preflight of a GET allows no origin",
			rewriteResponse(before("GET", "/0.2/user"), header(allowOrigin, ""))))
}
