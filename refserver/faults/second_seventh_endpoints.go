package faults

import (
	"net/http"
	"slices"
)

// seventhEndpoints are the faults of one endpoint of several: a join that loses rows, an
// answer without a body that goes out by another way, and a limit that was forgotten.
func seventhEndpoints() []Fault {
	const longest = 500
	return slices.Concat(
		breaks("connections.lists.of-user",
			fault("endpoint-follows-of-user-without-who-follows-back", "another user's follows lack those who follow that user",
				intercept(readsFollowsOf(), func(next http.Handler, r *http.Request) *response {
					resp, followers := record(next, r), "/0.2/users/"+userInPath(r)+"/followers"
					resp.list(func(follows []any) []any {
						return slices.DeleteFunc(follows, func(item any) bool {
							user, _ := item.(map[string]any)
							return lists(next, r, followers, fieldText(user, "id"))
						})
					})
					return resp
				}))),
		breaks("transport.cors-response",
			fault("endpoint-origin-not-allowed-on-ended-connection", "the 204 of who ends a connection cannot be read from another origin",
				rewriteResponse(disconnects().and(not(lacksHeader("Origin"))), onStatus(204, header(allowOrigin, ""))))),
		breaks("limits.metadata.value-length",
			fault("endpoint-event-change-takes-long-value", "a change of an event takes values of metadata of any length",
				unbounded(updatesEvent(), cutValues(longest)))),
	)
}
