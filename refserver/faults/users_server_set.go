package faults

import (
	"net/http"
	"slices"

	"github.com/socialfeed/conform/refserver"
)

// serverFields are the faults of activated and of what the server sets.
func serverFields() []Fault {
	return slices.Concat(
		breaks("users.create.activated-string",
			fault("users-create-refuses-activated-text", "a create takes activated as a boolean alone",
				rewriteBody(createsUser().and(sendsA("activated", isA[string])), set("activated", 0))),
			fault("users-create-answers-activated-text", "the answer to a create has activated as a string",
				rewriteObject(createsUser(), mapField("activated", boolAsText))).also("users.types", "that rule documents activated as a boolean")),
		breaks("users.create.server-set-ignored",
			fault("users-create-takes-id", "the answer to a create has the id of the request", rewriteResponse(createsUser(), fromRequest("id", "id"))),
			fault("users-create-takes-created-at", "the answer to a create has created_at as the request has it",
				rewriteResponse(createsUser(), fromRequest("created_at", "created_at"))),
			fault("users-create-takes-enabled", "a create with enabled false makes a user who is not enabled",
				rewriteResponse(createsUser(), fromRequest("enabled", "enabled"))),
			fault("users-create-stores-created-at", "created_at of a create is stored, and shown by later reads", storedFromRequest("created_at"))),
	)
}

// storedFromRequest shows a field of a create in reads of the user, and not in
// the answer to the create.
func storedFromRequest(field string) mutation {
	return func(o *refserver.Options) {
		stored := &memory[any]{} // by id
		combine(
			rewriteResponse(createsUser(), func(r *http.Request, resp *response) {
				if value, there := requestObject(r)[field]; there {
					resp.object(func(user map[string]any) { stored.keep(fieldText(user, "id"), value) })
				}
			}),
			rewriteObject(readsOwnRecord(), func(user map[string]any) {
				if value, ok := stored.lookup(fieldText(user, "id")); ok {
					user[field] = value
				}
			}),
		)(o)
	}
}
