package faults

import (
	"net/http"
	"slices"

	"github.com/socialfeed/conform/refserver"
)

func transport() []Fault {
	return slices.Concat(plainService(), bodies(), brokenTimes(), nullAndBlank(), nothings(), mangledText(),
		userAgents(), mediaTypes(), originsRefused(), preflights())
}

// complaint is the body of an error.
func complaint(message string) string {
	return string(encode(map[string]any{"errors": []any{map[string]any{"code": 1, "message": message}}}))
}

// answered narrows a change to one status.
func answered(status int, change func(*http.Request, *response)) func(*http.Request, *response) {
	return func(r *http.Request, resp *response) {
		if resp.status == status {
			change(r, resp)
		}
	}
}

// header gives a header a value; a blank one takes it away.
func header(name, value string) func(*http.Request, *response) {
	return func(_ *http.Request, resp *response) {
		if resp.header[http.CanonicalHeaderKey(name)] = []string{value}; value == "" {
			resp.header[http.CanonicalHeaderKey(name)] = nil
		}
	}
}

// body gives another body.
func body(text string) func(*http.Request, *response) {
	return func(_ *http.Request, resp *response) { resp.body = []byte(text) }
}

// doneAnyway has the server refuse the requests that match, and then do what they
// ask for: mend takes away what they are refused for.
func doneAnyway(m match, mend func(*http.Request)) func(*refserver.Options) {
	return around(m, func(next http.Handler, r *http.Request) *response {
		content := keepBody(r)
		refusal := record(next, r)
		if refusal.status/100 == 4 {
			setBody(r, content)
			mend(r)
			record(next, r)
		}
		return refusal
	})
}

// bodies are the faults of bodies that are no JSON, or not in UTF-8 (What the
// service does, transport rules 2 and 3).
func bodies() []Fault {
	const labelled, utf8 = "transport.json-body", "transport.utf8"
	return []Fault{
		{
			Name: "transport-feed-labelled-text", Rule: labelled,
			Summary: "the feed is labelled text/json",
			Apply:   edit(on("GET /0.2/user/feed"), header("Content-Type", "text/json")),
		},
		{
			Name: "transport-problem-labelled-otherwise", Rule: labelled,
			Summary: "a 401 is labelled application/problem+json",
			Apply: edit(on("DELETE /0.2/user/logout"),
				answered(http.StatusUnauthorized, header("Content-Type", "application/problem+json"))),
		},
		{
			Name: "transport-event-unlabelled", Rule: labelled,
			Summary: "a new event is answered without a Content-Type",
			Apply:   edit(on("POST /0.2/user/events"), header("Content-Type", "")),
		},
		{
			Name: "transport-unknown-path-in-html", Rule: labelled,
			Summary: "an unknown path is answered with a page of HTML",
			Also:    []Unavoidable{{"errors.json-error", "a page of HTML is no JSON body of a refusal"}},
			Apply: edit(not(on("GET /0.2/user", "GET /0.2/users/{UserID}")), answered(http.StatusNotFound, func(r *http.Request, resp *response) {
				if r.Method == http.MethodGet {
					header("Content-Type", "text/html; charset=utf-8")(r, resp)
					body("<html><body><h1>Not Found</h1></body></html>")(r, resp)
				}
			})),
		},
		{
			Name: "transport-name-cut-inside-character", Rule: utf8,
			Summary: "the session's user has a further field, a short name of 3 bytes, cut inside of a character if need be",
			Apply: edit(on("GET /0.2/user"), func(_ *http.Request, resp *response) {
				if name := fieldText(asObject(resp.body), "first_name"); name != "" {
					resp.object(set("short_name", "SHORT NAME"))
					resp.body = replaceText(resp.body, "SHORT NAME", name[:min(3, len(name))])
				}
			}),
		},
		{
			Name: "transport-error-in-latin-1", Rule: utf8,
			Summary: "the message of a 415 is written in Latin-1",
			Apply: edit(on("POST /0.2/user/connections/social"),
				answered(http.StatusUnsupportedMediaType, body(`{"errors":[{"code":1008,"message":"type refus`+"\xe9"+`"}]}`))),
		},
	}
}
