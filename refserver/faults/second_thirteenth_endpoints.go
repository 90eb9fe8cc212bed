package faults

import (
	"maps"
	"net/http"
	"slices"
)

// thirteenthEndpoints are the faults of one endpoint of several, or of one of its ways.
func thirteenthEndpoints() []Fault {
	return slices.Concat(
		breaks("connections.lists.of-user",
			fault("endpoint-friends-of-user-without-the-reader", "who reads another user's friends is not among them",
				intercept(readsFriendsOf(), func(next http.Handler, r *http.Request) *response {
					resp := record(next, r)
					self := fieldText(ownRecord(next, r), "id")
					resp.list(func(users []any) []any {
						return slices.DeleteFunc(users, func(item any) bool {
							user, _ := item.(map[string]any)
							return fieldText(user, "id") == self
						})
					})
					return resp
				}))),
		breaks("sessions.login.details",
			fault("endpoint-login-by-email-without-details", "a login by email never has the user's details",
				rewriteObject(logsIn().and(sends("email")).and(not(sends("user_name"))), func(user map[string]any) {
					maps.DeleteFunc(user, func(field string, _ any) bool { return field != "id" && field != "session_token" })
				}))),
		breaks("users.types",
			fault("endpoint-search-activated-as-number", "in the results of a search activated is 1 or 0", rewriteEach(searches(), mapField("activated", boolAsNumber)))),
	)
}
