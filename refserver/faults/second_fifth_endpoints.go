package faults

import (
	"net/http"
	"slices"
)

// fifthEndpoints are the faults of one endpoint of several: what a missing session
// comes to, and how a value is written.
func fifthEndpoints() []Fault {
	return slices.Concat(
		breaks("auth.session-unknown",
			fault("endpoint-unknown-session-has-no-friends", "the own friends in an unknown session are none",
				withTokens(func(tokens []string) mutation {
					return rewriteResponse(readsFriends().and(insession).and(not(unknownApp(tokens))), replaceStatus(401, 200, "[]"))
				}))),
		breaks("users.types",
			fault("endpoint-friends-of-user-activated-as-number", "another user's friends have activated as 0 or 1, as a database keeps it",
				rewriteEach(readsFriendsOf(), mapField("activated", boolAsNumber)))),
		breaks("errors.no-secret-echo",
			fault("endpoint-401-of-connection-repeats-token", "the 401 to a connection in an unknown session repeats its token",
				rewriteResponse(connects(), onStatus(401, func(r *http.Request, resp *response) {
					if token := sessionIn(r); token != "" {
						resp.become(http.StatusUnauthorized, complaint("there is no session "+token))
					}
				})))),
		breaks("transport.timestamps",
			fault("endpoint-changed-event-updated-at-as-in-headers", "the answer to a change of an event has its updated_at in the form of HTTP's headers",
				rewriteObject(updatesEvent(), func(event map[string]any) {
					if at := timeIn(event, "updated_at"); !at.IsZero() {
						event["updated_at"] = at.UTC().Format(http.TimeFormat)
					}
				}))),
	)
}
