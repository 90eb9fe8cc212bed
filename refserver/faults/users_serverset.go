package faults

import (
	"net/http"

	"github.com/socialfeed/conform/refserver"
)

// serverFields are the faults of activated and of what the server sets.
func serverFields() []Fault {
	const activated, ignored = "users.create.activated-string", "users.create.server-set-ignored"
	return []Fault{
		{
			Name: "users-create-refuses-activated-text", Rule: activated,
			Summary: "a create takes activated as a boolean alone",
			Apply: tamper(createsUser(), resent(func(body map[string]any) {
				if isA[string](body["activated"]) {
					body["activated"] = 0
				}
			})),
		},
		{
			Name: "users-create-answers-activated-text", Rule: activated,
			Summary: "the answer to a create has activated as a string",
			Also:    []Unavoidable{{"users.types", "that rule documents activated as a boolean"}},
			Apply: edit(createsUser(), inObject(func(user map[string]any) {
				if user["activated"] == true {
					user["activated"] = "true"
				}
			})),
		},
		{
			Name: "users-create-takes-id", Rule: ignored,
			Summary: "the answer to a create has the id of the request",
			Apply:   edit(createsUser(), taken("id")),
		},
		{
			Name: "users-create-takes-created-at", Rule: ignored,
			Summary: "the answer to a create has created_at as the request has it",
			Apply:   edit(createsUser(), taken("created_at")),
		},
		{
			Name: "users-create-takes-enabled", Rule: ignored,
			Summary: "a create with enabled false makes a user who is not enabled",
			Apply:   edit(createsUser(), taken("enabled")),
		},
		{
			Name: "users-create-stores-created-at", Rule: ignored,
			Summary: "created_at of a create is stored, and shown by later reads",
			Apply:   storedFromRequest("created_at"),
		},
	}
}

// taken shows a field as the request had it.
func taken(field string) func(*http.Request, *response) {
	return func(r *http.Request, resp *response) {
		if value, there := sent(r)[field]; there {
			resp.object(set(field, value))
		}
	}
}

// storedFromRequest shows a field of a create in reads of the user, and not in
// the answer to the create.
func storedFromRequest(field string) func(*refserver.Options) {
	return func(o *refserver.Options) {
		stored := &memory[any]{} // by id
		both(
			edit(createsUser(), func(r *http.Request, resp *response) {
				if value, there := sent(r)[field]; there {
					resp.object(func(user map[string]any) { stored.keep(fieldText(user, "id"), value) })
				}
			}),
			edit(on("GET /0.2/user"), inObject(func(user map[string]any) {
				if value, ok := stored.get(fieldText(user, "id")); ok {
					user[field] = value
				}
			})),
		)(o)
	}
}
