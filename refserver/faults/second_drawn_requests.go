package faults

import (
	"encoding/json"
	"math"
	"net/http"
	"slices"
	"strings"
)

// drawnEndpoints are the faults of single endpoints.
func drawnEndpoints() []Fault {
	return slices.Concat(
		breaks("auth.app-token-unknown",
			fault("endpoint-unknown-app-login-not-found", "a login under an unknown app token is answered with 404",
				withTokens(func(tokens []string) mutation {
					return rewriteResponse(logsIn().and(unknownApp(tokens)), replaceStatus(401, 404, complaint("application not found")))
				}))),
		breaks("auth.session-missing",
			fault("endpoint-app-alone-deletes-unfound-event", "a deletion of an event under the app token alone is answered with 404, as none of its owner's",
				withTokens(func(tokens []string) mutation {
					return rewriteResponse(deletesEvent().and(sessionless).and(not(unknownApp(tokens))), replaceStatus(401, 404, complaint("event not found")))
				}))),
		breaks("transport.json-body",
			fault("endpoint-404-of-connection-labelled-text", "the 404 to who ends a connection that there is not is labelled text/plain",
				rewriteResponse(disconnects(), onStatus(404, header("Content-Type", "text/plain; charset=utf-8"))))),
		breaks("errors.json-error",
			fault("endpoint-415-of-changed-event-without-body", "the 415 to a change of an event has no body",
				rewriteResponse(updatesEvent(), onStatus(415, body(""))))),
		breaks("transport.no-null",
			fault("endpoint-changed-event-object-type-null", "the answer to a change of an event has null for the type of an object without one",
				rewriteObject(updatesEvent(), within("object", lacking("type", nil))))),
		breaks("events.types",
			fault("endpoint-feed-coordinates-as-text", "in a feed coordinates are texts, as a database gives its decimals",
				combine(rewriteEach(readsFeed(), textOf("latitude")), rewriteEach(readsFeed(), textOf("longitude")))).
				also("feed.event-shape", "a text is no number")),
	)
}

// drawnInput are the faults of bad input that is taken, or that the server fails at.
func drawnInput() []Fault {
	const comment, plusSign = `/\*[^*]*\*/`, `(:\s*)\+(\d)`
	return slices.Concat(
		breaks("users.create.malformed-json",
			fault("input-user-with-comment-taken", "a comment may stand in the body of a create", mendJSON(createsUser(), comment, ""))),
		breaks("events.create.malformed-json",
			fault("input-event-number-with-plus-taken", "a + may stand before a number of a new event", mendJSON(createsEvent(), plusSign, "$1$2"))),
		breaks("connections.create.type-invalid",
			fault("input-type-by-its-number-taken", "the texts 1 and 2 are taken for the types of a connection, as a database numbers them",
				rewriteBody(connects(), mapText("type", func(typ string) string { return exactly("1", "friend")(exactly("2", "follow")(typ)) })))),
		breaks("events.create.wrong-type",
			fault("input-event-object-as-json-text-taken", "the text of a JSON object is taken for the object of a new event",
				rewriteBody(createsEvent(), mapField("object", func(value any) any {
					text, _ := value.(string)
					if object := objectOf([]byte(text)); object != nil {
						return object
					}
					return value
				})))),
		breaks("auth.session-unknown",
			fault("input-session-token-ends-at-colon", "of the credentials what stands behind a second colon is not looked at",
				rewriteRequest(insession, func(r *http.Request) {
					token, _, _ := strings.Cut(sessionIn(r), ":")
					r.SetBasicAuth(appIn(r), token)
				}))),
		breaks("errors.no-5xx",
			fault("input-latitude-beyond-the-pole-fails", "a new event with a latitude beyond 90 degrees fails with 500",
				refused(createsEvent().and(sendsA("latitude", beyondPole)), 500, complaint("latitude out of bounds"))),
			fault("input-query-as-list-fails", "a search whose term stands in a parameter q[], as lists are written, fails with 500",
				rewriteResponse(searches().and(func(r *http.Request) bool { return r.URL.Query().Has("q[]") }), func(_ *http.Request, resp *response) {
					if resp.ok() || resp.status == 400 || resp.status == 422 {
						resp.become(500, complaint("the term is no text"))
					}
				}))),
	)
}

func beyondPole(value any) bool {
	number, _ := value.(json.Number)
	degrees, err := number.Float64()
	return err == nil && math.Abs(degrees) > 90
}
