package faults

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
)

// refusedUsers are the faults of creates that lack the user name or have a field
// of the wrong type (Errors, row 422).
func refusedUsers() []Fault {
	nameless := createsUser().and(not(sends("user_name")))
	return slices.Concat(
		breaks("users.create.user-name-required",
			fault("users-create-names-users-by-email", "a user without a user name is called by its email", rewriteBody(nameless, nameByEmail)),
			fault("users-create-refused-leaves-user", "a create without a user name is refused and leaves a user behind",
				refusedButDone(nameless, inBody(nameByEmail))),
			fault("users-create-without-user-name-answers-409", "a create without a user name is answered with 409",
				rewriteResponse(nameless, func(_ *http.Request, resp *response) {
					if resp.status == 422 {
						resp.status = 409
					}
				}))),
		breaks("users.create.wrong-type",
			fault("users-create-takes-number-as-custom-id", "a create takes a number for a custom_id, as text",
				rewriteBody(createsUser(), textOf("custom_id"))),
			fault("users-create-takes-number-as-password", "a create takes a number for a password, as text",
				rewriteBody(createsUser(), textOf("password"))),
			fault("users-create-ignores-boolean-last-name", "a create ignores a last name that is a boolean",
				rewriteBody(createsUser(), ignoring("last_name", isA[bool]))),
			fault("users-create-ignores-boolean-url", "a create ignores a url that is a boolean",
				rewriteBody(createsUser(), ignoring("url", isA[bool]))),
			fault("users-create-ignores-object-as-email", "a create ignores an email that is an object",
				rewriteBody(createsUser(), ignoring("email", isA[map[string]any]))),
			fault("users-create-ignores-text-as-social-ids", "a create ignores social_ids that are a string",
				rewriteBody(createsUser(), ignoring("social_ids", isA[string]))),
			fault("users-create-takes-list-as-metadata", "a create ignores metadata that is an array",
				rewriteBody(createsUser(), ignoring("metadata", isA[[]any]))),
			fault("users-create-ignores-number-as-activated", "a create ignores activated as a number",
				rewriteBody(createsUser(), ignoring("activated", isA[json.Number]))),
			fault("users-create-wrong-type-leaves-user", "a url of the wrong type is refused when the user has been created already",
				refusedButDone(createsUser(), inBody(ignoring("url", isNo[string])))),
			fault("users-create-wrong-type-answers-409", "an email of the wrong type is answered with 409",
				rewriteResponse(createsUser(), func(r *http.Request, resp *response) {
					email, there := requestObject(r)["email"]
					if there && !isA[string](email) && resp.status == 422 {
						resp.status = 409
					}
				}))),
	)
}

func nameByEmail(body map[string]any) {
	if _, named := body["user_name"]; !named {
		body["user_name"] = body["email"]
	}
}

// unreadUsers are the faults of creates whose body is no JSON object (Errors,
// rows 400 and 422).
func unreadUsers() []Fault {
	refused := func(r *http.Request, resp *response) bool { return resp.status == 400 && requestObject(r) == nil }
	return slices.Concat(
		breaks("users.create.malformed-json",
			fault("users-create-mends-json", "a create takes a body whose last brace is missing", rewriteRequest(createsUser(), func(r *http.Request) {
				if body := peekBody(r); len(body) > 0 && decode(body) == nil && decode(append(body, '}')) != nil {
					setBody(r, append(body, '}'))
				}
			})),
			fault("users-create-malformed-json-answers-404", "a create whose body is no JSON is answered with 404",
				rewriteResponse(createsUser(), func(r *http.Request, resp *response) {
					if refused(r, resp) && !json.Valid(peekBody(r)) {
						resp.status = 404
					}
				}))),
		breaks("users.create.not-an-object",
			fault("users-create-takes-first-of-array", "a create takes the first element of an array",
				rewriteRequest(createsUser(), func(r *http.Request) {
					if list, ok := decode(peekBody(r)).([]any); ok && len(list) > 0 {
						setJSON(r, list[0])
					}
				})),
			fault("users-create-takes-text-as-user-name", "a create takes a JSON string for the user name",
				rewriteRequest(createsUser(), func(r *http.Request) {
					if name, ok := decode(peekBody(r)).(string); ok {
						setJSON(r, map[string]any{"user_name": name})
					}
				})),
			fault("users-create-number-answers-415", "a create whose body is a JSON number is answered with 415",
				rewriteResponse(createsUser(), func(r *http.Request, resp *response) {
					if refused(r, resp) && isA[json.Number](decode(bytes.TrimSpace(peekBody(r)))) {
						resp.status = 415
					}
				}))),
	)
}
