package faults

import (
	"bytes"
	"encoding/json"
	"net/http"

	"github.com/socialfeed/conform/refserver"
)

// refusedUsers are the faults of creates that lack the user name or have a field
// of the wrong type (Errors, row 422).
func refusedUsers() []Fault {
	const unnamed, mistyped = "users.create.user-name-required", "users.create.wrong-type"
	nameless := createsUser().and(not(sends("user_name")))
	return []Fault{
		{
			Name: "users-create-names-users-by-email", Rule: unnamed,
			Summary: "a user without a user name is called by its email",
			Apply:   tamper(nameless, resent(nameByEmail)),
		},
		{
			Name: "users-create-refused-leaves-user", Rule: unnamed,
			Summary: "a create without a user name is refused and leaves a user behind",
			Apply:   refusedThoughDone(nameless, nameByEmail),
		},
		{
			Name: "users-create-without-user-name-answers-409", Rule: unnamed,
			Summary: "a create without a user name is answered with 409",
			Apply: edit(nameless, func(_ *http.Request, resp *response) {
				if resp.status == http.StatusUnprocessableEntity {
					resp.status = http.StatusConflict
				}
			}),
		},
		{
			Name: "users-create-takes-number-as-custom-id", Rule: mistyped,
			Summary: "a create takes a number for a custom_id, as text",
			Apply:   tamper(createsUser(), resent(textOf("custom_id"))),
		},
		{
			Name: "users-create-takes-number-as-password", Rule: mistyped,
			Summary: "a create takes a number for a password, as text",
			Apply:   tamper(createsUser(), resent(textOf("password"))),
		},
		{
			Name: "users-create-ignores-boolean-last-name", Rule: mistyped,
			Summary: "a create ignores a last name that is a boolean",
			Apply:   tamper(createsUser(), resent(ignoring("last_name", isA[bool]))),
		},
		{
			Name: "users-create-ignores-boolean-url", Rule: mistyped,
			Summary: "a create ignores a url that is a boolean",
			Apply:   tamper(createsUser(), resent(ignoring("url", isA[bool]))),
		},
		{
			Name: "users-create-ignores-object-as-email", Rule: mistyped,
			Summary: "a create ignores an email that is an object",
			Apply:   tamper(createsUser(), resent(ignoring("email", isA[map[string]any]))),
		},
		{
			Name: "users-create-ignores-text-as-social-ids", Rule: mistyped,
			Summary: "a create ignores social_ids that are a string",
			Apply:   tamper(createsUser(), resent(ignoring("social_ids", isA[string]))),
		},
		{
			Name: "users-create-takes-list-as-metadata", Rule: mistyped,
			Summary: "a create ignores metadata that is an array",
			Apply:   tamper(createsUser(), resent(ignoring("metadata", isA[[]any]))),
		},
		{
			Name: "users-create-ignores-number-as-activated", Rule: mistyped,
			Summary: "a create ignores activated as a number",
			Apply:   tamper(createsUser(), resent(ignoring("activated", isA[json.Number]))),
		},
		{
			Name: "users-create-wrong-type-leaves-user", Rule: mistyped,
			Summary: "a url of the wrong type is refused when the user has been created already",
			Apply:   refusedThoughDone(createsUser(), ignoring("url", isNo[string])),
		},
		{
			Name: "users-create-wrong-type-answers-409", Rule: mistyped,
			Summary: "an email of the wrong type is answered with 409",
			Apply: edit(createsUser(), func(r *http.Request, resp *response) {
				email, there := sent(r)["email"]
				if there && !isA[string](email) && resp.status == http.StatusUnprocessableEntity {
					resp.status = http.StatusConflict
				}
			}),
		},
	}
}

func nameByEmail(body map[string]any) {
	if _, named := body["user_name"]; !named {
		body["user_name"] = body["email"]
	}
}

// refusedThoughDone refuses what the server refuses, and has it do what becomes
// of the body when that is mended.
func refusedThoughDone(m match, mend func(map[string]any)) func(*refserver.Options) {
	return around(m, func(next http.Handler, r *http.Request) *response {
		resp := record(next, r)
		if resp.status != http.StatusUnprocessableEntity {
			return resp
		}
		body := sent(r)
		mend(body)
		call(next, r, r.Method, r.URL.Path, body)
		return resp
	})
}

func isA[T any](value any) bool {
	_, is := value.(T)
	return is
}

func isNo[T any](value any) bool { return !isA[T](value) }

// ignoring leaves a field out that is of a type.
func ignoring(field string, is func(any) bool) func(map[string]any) {
	return func(body map[string]any) {
		if value, there := body[field]; there && is(value) {
			delete(body, field)
		}
	}
}

// textOf makes text of a field that is a number.
func textOf(field string) func(map[string]any) {
	return func(body map[string]any) {
		if number, ok := body[field].(json.Number); ok {
			body[field] = number.String()
		}
	}
}

// unreadUsers are the faults of creates whose body is no JSON object (Errors,
// rows 400 and 422).
func unreadUsers() []Fault {
	const malformed, noObject = "users.create.malformed-json", "users.create.not-an-object"
	refused := func(r *http.Request, resp *response) bool {
		return resp.status == http.StatusBadRequest && sent(r) == nil
	}
	return []Fault{
		{
			Name: "users-create-mends-json", Rule: malformed,
			Summary: "a create takes a body whose last brace is missing",
			Apply: tamper(createsUser(), func(r *http.Request) {
				if body := keepBody(r); len(body) > 0 && decode(body) == nil && decode(append(body, '}')) != nil {
					setBody(r, append(body, '}'))
				}
			}),
		},
		{
			Name: "users-create-malformed-json-answers-404", Rule: malformed,
			Summary: "a create whose body is no JSON is answered with 404",
			Apply: edit(createsUser(), func(r *http.Request, resp *response) {
				if refused(r, resp) && !json.Valid(keepBody(r)) {
					resp.status = http.StatusNotFound
				}
			}),
		},
		{
			Name: "users-create-takes-first-of-array", Rule: noObject,
			Summary: "a create takes the first element of an array",
			Apply: tamper(createsUser(), func(r *http.Request) {
				if list, ok := decode(keepBody(r)).([]any); ok && len(list) > 0 {
					resend(r, list[0])
				}
			}),
		},
		{
			Name: "users-create-takes-text-as-user-name", Rule: noObject,
			Summary: "a create takes a JSON string for the user name",
			Apply: tamper(createsUser(), func(r *http.Request) {
				if name, ok := decode(keepBody(r)).(string); ok {
					resend(r, map[string]any{"user_name": name})
				}
			}),
		},
		{
			Name: "users-create-number-answers-415", Rule: noObject,
			Summary: "a create whose body is a JSON number is answered with 415",
			Apply: edit(createsUser(), func(r *http.Request, resp *response) {
				if refused(r, resp) && isA[json.Number](decode(bytes.TrimSpace(keepBody(r)))) {
					resp.status = http.StatusUnsupportedMediaType
				}
			}),
		},
	}
}
