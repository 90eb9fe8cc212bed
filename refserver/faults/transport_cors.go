package faults

import (
	"net/http"
	"strings"
)

const allowOrigin = "Access-Control-Allow-Origin"

// originsRefused are the faults of answers that a browser keeps from a page of
// another origin (What the service does, transport rule 8).
func originsRefused() []Fault {
	const rule = "transport.cors-response"
	foreign := not(lacksHeader("Origin"))
	return []Fault{
		{
			Name: "transport-origin-not-allowed-on-401", Rule: rule,
			Summary: "a 401 cannot be read from another origin",
			Apply:   edit(on("GET /0.2/user").and(foreign), answered(http.StatusUnauthorized, header(allowOrigin, ""))),
		},
		{
			Name: "transport-origin-not-allowed-for-versions", Rule: rule,
			Summary: "the list of versions cannot be read from another origin",
			Apply:   edit(on("GET /versions").and(foreign), header(allowOrigin, "")),
		},
		{
			Name: "transport-one-origin-for-feed", Rule: rule,
			Summary: "the feed can be read from one origin alone",
			Apply:   edit(on("GET /0.2/user/feed").and(foreign), header(allowOrigin, "https://www.example")),
		},
		{
			Name: "transport-origin-allowed-twice", Rule: rule,
			Summary: "the feed allows all origins in one line and the sender's in another, which browsers refuse",
			Apply: edit(on("GET /0.2/user/feed").and(foreign), func(r *http.Request, resp *response) {
				resp.header[allowOrigin] = []string{"*", r.Header.Get("Origin")}
			}),
		},
	}
}

// preflights are the faults of the question that a browser asks first.
func preflights() []Fault {
	const rule = "transport.cors-preflight"
	before := func(method, path string) match {
		return func(r *http.Request) bool {
			return r.Method == http.MethodOptions && strings.EqualFold(r.Header.Get("Access-Control-Request-Method"), method) && r.URL.Path == path
		}
	}
	return []Fault{
		{
			Name: "transport-preflight-without-delete", Rule: rule,
			Summary: "a preflight allows GET, POST and PUT, and no DELETE",
			Apply:   edit(before("DELETE", "/0.2/user"), header("Access-Control-Allow-Methods", "GET, POST, PUT")),
		},
		{
			Name: "transport-preflight-without-put", Rule: rule,
			Summary: "a preflight of a PUT names no methods",
			Apply:   edit(before("PUT", "/0.2/user"), header("Access-Control-Allow-Methods", "")),
		},
		{
			Name: "transport-preflight-needs-credentials", Rule: rule,
			Summary: "a preflight of a GET is refused for want of credentials",
			Apply:   replace(before("GET", "/0.2/user").and(lacksHeader("Authorization")), http.StatusUnauthorized, complaint("credentials are required")),
		},
		{
			Name: "transport-preflight-without-authorization", Rule: rule,
			Summary: "a preflight on events allows the header Content-Type, and not Authorization",
			Apply:   edit(before("POST", "/0.2/user/events"), header("Access-Control-Allow-Headers", "content-type")),
		},
		{
			Name: "transport-preflight-without-content-type", Rule: rule,
			Summary: "a preflight of a PUT allows the header Authorization, and not Content-Type",
			Apply:   edit(before("PUT", "/0.2/user"), header("Access-Control-Allow-Headers", "authorization")),
		},
		{
			Name: "transport-preflight-is-no-method-of-events", Rule: rule,
			Summary: "a preflight on events is answered with 405",
			Apply:   replace(before("POST", "/0.2/user/events"), http.StatusMethodNotAllowed, complaint("the method is not allowed here")),
		},
		{
			Name: "transport-preflight-without-origin", Rule: rule,
			Summary: "a preflight of a GET allows no origin",
			Apply:   edit(before("GET", "/0.2/user"), header(allowOrigin, "")),
		},
	}
}
