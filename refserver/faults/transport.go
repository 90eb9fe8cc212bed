package faults

import (
	"bytes"
	"net/http"
	"slices"
)

func transport() []Fault {
	return slices.Concat(plainService(), bodies(), brokenTimes(), nullAndBlank(), mangledText(),
		userAgents(), mediaTypes(), originsRefused(), preflights())
}

// bodies are the faults of bodies that are no JSON, or not in UTF-8 (What the
// service does, transport rules 2 and 3).
func bodies() []Fault {
	return slices.Concat(
		breaks("transport.json-body",
			fault("transport-feed-labelled-text", "the feed is labelled text/json",
				rewriteResponse(readsFeed(), header("Content-Type", "text/json"))),
			fault("transport-problem-labelled-otherwise", "a 401 is labelled application/problem+json",
				rewriteResponse(logsOut(), onStatus(401, header("Content-Type", "application/problem+json")))),
			fault("transport-event-unlabelled", "a new event is answered without a Content-Type",
				rewriteResponse(createsEvent(), header("Content-Type", ""))),
			fault("transport-unknown-path-in-html", "an unknown path is answered with a page of HTML",
				rewriteResponse(not(readsOwnRecord().or(readsUser())), onStatus(404, func(r *http.Request, resp *response) {
					if r.Method == http.MethodGet {
						header("Content-Type", "text/html; charset=utf-8")(r, resp)
						body("<html><body><h1>Not Found</h1></body></html>")(r, resp)
					}
				}))).also("errors.json-error", "a page of HTML is no JSON body of a refusal")),
		breaks("transport.utf8",
			fault("transport-name-cut-inside-character", "the session's user has a further field, a short name of 3 bytes, cut inside of a character if need be",
				rewriteResponse(readsOwnRecord(), func(_ *http.Request, resp *response) {
					if name := fieldText(objectOf(resp.body), "first_name"); name != "" {
						resp.object(set("short_name", "SHORT NAME"))
						resp.body = bytes.ReplaceAll(resp.body, []byte("SHORT NAME"), []byte(name[:min(3, len(name))]))
					}
				})),
			fault("transport-error-in-latin-1", "the message of a 415 is written in Latin-1",
				rewriteResponse(connectsSocially(), onStatus(415, body(`{"errors":[{"code":1008,"message":"type refus`+"\xe9"+`"}]}`))))),
	)
}
