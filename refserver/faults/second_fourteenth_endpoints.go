package faults

import (
	"net/http"
	"slices"
)

// fourteenthEndpoints are the faults of one serialiser or one route of several.
func fourteenthEndpoints() []Fault {
	withoutZone := func(user map[string]any) {
		user["created_at"] = timeIn(user, "created_at").UTC().Format("2006-01-02T15:04:05")
	}
	return slices.Concat(
		breaks("transport.blank-omitted",
			fault("endpoint-login-details-with-blank-url", "a user without a url has a blank one in the details of a login", rewriteObject(logsIn().and(detailed), lacking("url", "")))),
		breaks("errors.json-error",
			fault("endpoint-404-of-event-deletion-without-body", "the 404 for the deletion of an event that there is none of has no body",
				rewriteResponse(deletesEvent(), replaceStatus(404, 404, "")))),
		breaks("connections.lists.of-user",
			fault("endpoint-followers-of-others-leave-out-the-reader", "who reads the followers of a user whom it follows is not among them itself",
				intercept(readsFollowersOf(), func(next http.Handler, r *http.Request) *response {
					resp, own := record(next, r), fieldText(ownRecord(next, r), "id")
					resp.list(func(users []any) []any {
						return slices.DeleteFunc(users, func(user any) bool {
							follower, _ := user.(map[string]any)
							return fieldText(follower, "id") == own
						})
					})
					return resp
				}))),
		breaks("transport.timestamps",
			fault("endpoint-followers-bear-times-without-zone", "created_at has no zone in the list of the own followers", rewriteEach(readsFollowers(), withoutZone))),
	)
}
