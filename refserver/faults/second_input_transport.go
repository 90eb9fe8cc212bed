package faults

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
)

// inputTransport are the faults of content types that are taken for JSON.
func inputTransport() []Fault {
	beginsAsJSON := func(r *http.Request) bool { return strings.HasPrefix(r.Header.Get("Content-Type"), "application/json") }
	form := connectsSocially().and(headerContains("Content-Type", "application/x-www-form-urlencoded"))
	pair := regexp.MustCompile(`(?i)\\u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})`)
	return slices.Concat(breaks("transport.unicode-roundtrip",
		fault("input-pairs-of-escapes-fall-apart", "a character that a new event's body writes as two escapes becomes two replacement characters",
			rewriteRequest(createsEvent(), func(r *http.Request) { setBody(r, pair.ReplaceAll(peekBody(r), []byte(`\ufffd\ufffd`))) }))), breaks("transport.content-type-415",
		fault("input-event-of-any-type-with-json-in-it-taken", "a new event is taken where its Content-Type has json anywhere in it, such as text/json",
			rewriteRequest(createsEvent().and(headerContains("Content-Type", "json")), setHeader("Content-Type", "application/json"))),
		fault("input-user-of-type-that-begins-as-json-taken", "a new user is taken where its Content-Type begins with application/json, such as application/json-patch+json",
			rewriteRequest(createsUser().and(beginsAsJSON), setHeader("Content-Type", "application/json"))),
		fault("input-update-takes-types-that-end-in-json", "an update of the user takes every content type that ends in +json",
			rewriteRequest(updatesUser().and(headerContains("Content-Type", "+json")), setHeader("Content-Type", "application/json"))),
		fault("input-merge-patch-of-event-accepted", "a change of an event that is declared as application/merge-patch+json is carried out",
			rewriteRequest(updatesEvent().and(headerContains("Content-Type", "application/merge-patch+json")), setHeader("Content-Type", "application/json"))),
		fault("input-contacts-sent-as-form", "social connections are taken where their JSON is labelled as a form, as curl does unasked",
			rewriteRequest(form, setHeader("Content-Type", "application/json")))))
}
