package faults

import (
	"net/http"
	"slices"
	"unicode/utf8"

	"github.com/socialfeed/conform/refserver"
)

// ninthEndpoints are the faults of one endpoint of several: whom it leaves out, what it does
// before it refuses, and what it counts.
func ninthEndpoints() []Fault {
	const mostValue = 500
	return slices.Concat(
		breaks("connections.lists.of-user",
			fault("endpoint-friends-of-user-without-common-ones", "another user's friends lack those who are friends of the reader, too", commonFriendsApart)),
		breaks("transport.user-agent-required",
			fault("endpoint-end-of-connection-for-anonymous-done-anyway", "the end of a connection without a User-Agent is refused, and done all the same",
				refusedButDone(disconnects().and(lacksHeader("User-Agent")), setHeader("User-Agent", "none")))),
		breaks("limits.metadata.characters",
			fault("endpoint-change-of-event-counts-values-in-bytes", "the values of a changed event's metadata are counted in bytes",
				refusing(updatesEvent(), func(_ string, value any) bool {
					text, _ := value.(string)
					return len(text) > mostValue && utf8.RuneCountInString(text) <= mostValue
				}))),
		breaks("users.get.other",
			fault("endpoint-own-id-not-found", "who reads the own record by its id, as that of any user, gets a 404",
				intercept(readsUser(), func(next http.Handler, r *http.Request) *response {
					resp := record(next, r)
					if resp.ok() && fieldText(ownRecord(next, r), "id") == lastSegment(r) {
						resp.become(http.StatusNotFound, complaint("user not found"))
					}
					return resp
				}))),
	)
}

// commonFriendsApart leaves out of other users' friends those whom the reader has, too, as a
// page does that shows them in a place of their own.
func commonFriendsApart(o *refserver.Options) {
	intercept(readsFriendsOf(), func(next http.Handler, r *http.Request) *response {
		resp := record(next, r)
		if fieldText(ownRecord(next, r), "id") == userInPath(r) {
			return resp
		}
		common := map[string]bool{}
		inEach(func(user map[string]any) { common[fieldText(user, "id")] = true })(r, call(next, r, http.MethodGet, "/0.2/user/friends", nil))
		resp.list(func(list []any) []any {
			return slices.DeleteFunc(list, func(item any) bool {
				user, _ := item.(map[string]any)
				return common[fieldText(user, "id")]
			})
		})
		return resp
	})(o)
}
