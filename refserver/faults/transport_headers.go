package faults

import (
	"net/http"
	"strings"

	"github.com/socialfeed/conform/refserver"
)

// lacksHeader picks the requests that lack a header.
func lacksHeader(name string) match {
	return func(r *http.Request) bool { return r.Header.Get(name) == "" }
}

// naming picks the requests whose header has the text in it.
func naming(name, text string) match {
	return func(r *http.Request) bool { return strings.Contains(r.Header.Get(name), text) }
}

// giving gives a request a header.
func giving(name, value string) func(*http.Request) {
	return func(r *http.Request) { r.Header.Set(name, value) }
}

// userAgents are the faults of requests without a User-Agent (What the service
// does, transport rule 6).
func userAgents() []Fault {
	const rule = "transport.user-agent-required"
	given := giving("User-Agent", "unknown")
	anonymous := func(endpoint string) match { return on(endpoint).and(lacksHeader("User-Agent")) }
	faults := []Fault{
		{
			Name: "transport-versions-for-anonymous", Rule: rule,
			Summary: "the list of versions needs no User-Agent",
			Apply:   tamper(anonymous("GET /versions"), given),
		},
		{
			Name: "transport-event-deletion-for-anonymous", Rule: rule,
			Summary: "deleting an event needs no User-Agent",
			Apply:   tamper(anonymous("DELETE /0.2/user/events/{EventID}"), given),
		},
		{
			Name: "transport-followers-empty-for-anonymous", Rule: rule,
			Summary: "another user's followers are answered as none without a User-Agent",
			Apply:   replace(anonymous("GET /0.2/users/{UserID}/followers"), http.StatusOK, "[]"),
		},
	}
	effects := []struct{ name, endpoint, does string }{
		{"login", "POST /0.2/user/login", "logs in"},
		{"logout", "DELETE /0.2/user/logout", "logs out"},
		{"update", "PUT /0.2/user", "updates the user"},
		{"social-connection", "POST /0.2/user/connections/social", "connects the users"},
		{"event-change", "PUT /0.2/user/events/{EventID}", "changes the event"},
	}
	for _, e := range effects {
		faults = append(faults, Fault{
			Name: "transport-anonymous-" + e.name + "-done-anyway", Rule: rule,
			Summary: "a request without a User-Agent is refused, and " + e.does + " all the same",
			Apply:   doneAnyway(anonymous(e.endpoint), given),
		})
	}
	return faults
}

// mediaTypes are the faults of Content-Type and Accept (What the service does,
// transport rule 9; Errors, rows 406 and 415).
func mediaTypes() []Fault {
	const declared, charset, accepted = "transport.content-type-415", "transport.content-type-charset", "transport.accept-406"
	text := naming("Content-Type", "text/plain")
	taken := func(endpoint string) func(*refserver.Options) {
		return tamper(on(endpoint).and(text), giving("Content-Type", "application/json"))
	}
	page := naming("Accept", "text/html")
	return []Fault{
		{
			Name: "transport-text-logs-in", Rule: declared,
			Summary: "a login is taken whatever its Content-Type",
			Apply:   taken("POST /0.2/user/login"),
		},
		{
			Name: "transport-text-changes-event", Rule: declared,
			Summary: "a change of an event is taken whatever its Content-Type",
			Apply:   taken("PUT /0.2/user/events/{EventID}"),
		},
		{
			Name: "transport-text-social-answers-400", Rule: declared,
			Summary: "a social connection that is no JSON is answered with 400",
			Apply:   edit(on("POST /0.2/user/connections/social"), instead(http.StatusUnsupportedMediaType, http.StatusBadRequest, "{}")),
		},
		{
			Name: "transport-text-update-answers-422", Rule: declared,
			Summary: "an update that is no JSON is answered with 422",
			Apply: edit(on("PUT /0.2/user"),
				instead(http.StatusUnsupportedMediaType, http.StatusUnprocessableEntity, complaint("user_name is required"))),
		},
		{
			Name: "transport-charset-refused", Rule: charset,
			Summary: "application/json with a charset is answered with 415",
			Apply:   tamper(on("POST /0.2/users").and(naming("Content-Type", "charset")), giving("Content-Type", "text/plain")),
		},
		{
			Name: "transport-charset-answers-400", Rule: charset,
			Summary: "application/json with a charset is answered with 400",
			Apply:   replace(on("POST /0.2/users").and(naming("Content-Type", "charset")), http.StatusBadRequest, "{}"),
		},
		{
			Name: "transport-accept-ignored-in-search", Rule: accepted,
			Summary: "a search answers JSON to a client that does not take it",
			Apply:   tamper(on("GET /0.2/users/search").and(page), giving("Accept", "*/*")),
		},
		{
			Name: "transport-accept-feed-answers-415", Rule: accepted,
			Summary: "the feed answers 415 to a client that does not take JSON",
			Apply: edit(on("GET /0.2/user/feed"),
				instead(http.StatusNotAcceptable, http.StatusUnsupportedMediaType, complaint("JSON only"))),
		},
		{
			Name: "transport-accept-user-answers-400", Rule: accepted,
			Summary: "the session's user is answered with 400 to a client that does not take JSON",
			Apply:   edit(on("GET /0.2/user"), instead(http.StatusNotAcceptable, http.StatusBadRequest, "{}")),
		},
	}
}
