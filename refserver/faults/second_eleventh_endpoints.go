package faults

import (
	"net/http"
	"slices"
	"strings"
)

// eleventhEndpoints are the faults of one endpoint that was written apart from its like.
func eleventhEndpoints() []Fault {
	return slices.Concat(
		breaks("sessions.token-confined",
			fault("endpoint-update-repeats-session-token", "the answer to an update of the user has the session token in it, as that of a create with login",
				rewriteResponse(updatesUser(), func(r *http.Request, resp *response) { resp.object(set("session_token", sessionIn(r))) }))),
		breaks("transport.no-null",
			fault("endpoint-own-follows-with-null-last-login", "in the list of the own follows last_login is null of who has never logged in",
				rewriteEach(readsFollows(), func(user map[string]any) {
					if at := fieldText(user, "last_login"); at == "" || strings.HasPrefix(at, "0000-") {
						user["last_login"] = nil
					}
				}))),
		breaks("errors.json-error",
			fault("endpoint-unfound-event-deletion-without-body", "the 404 to the deletion of an event that does not exist has no body",
				rewriteResponse(deletesEvent(), onStatus(404, body(""))))),
	)
}
