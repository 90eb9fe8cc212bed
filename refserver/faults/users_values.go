package faults

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/socialfeed/conform/refserver"
)

// userValues are the faults of values that a create or an update takes, changes
// or stumbles over (Endpoints, rows 1 and 5).
func userValues() []Fault {
	const unnamed, mistyped, echo = "users.create.user-name-required", "users.create.wrong-type", "users.create.echo"
	return []Fault{
		{
			Name: "users-create-ignores-boolean-first-name", Rule: mistyped,
			Summary: "a create ignores a first name that is a boolean",
			Apply:   tamper(createsUser(), resent(ignoring("first_name", isA[bool]))),
		},
		{
			Name: "users-create-trims-metadata", Rule: echo,
			Summary: "blanks around the values of a new user's metadata are dropped",
			Apply:   stored("POST /0.2/users", "metadata", strings.TrimSpace),
		},
		{
			Name: "users-create-takes-digits-for-numbers", Rule: echo,
			Summary: "values of a new user's metadata that look like numbers lose their leading zeros",
			Apply: stored("POST /0.2/users", "metadata", func(text string) string {
				if digits := strings.Trim(text, "0123456789") == ""; digits && len(text) > 1 {
					return strings.TrimLeft(text, "0")
				}
				return text
			}),
		},
		{
			Name: "users-update-hides-metadata", Rule: "users.me.update.applies",
			Summary: "after an update the own record leaves metadata out",
			Apply:   hiddenAfterUpdate("metadata"),
		},
		{
			Name: "users-get-folds-user-name", Rule: "users.get.other",
			Summary: "the record of another user has the user name in lower case",
			Apply:   edit(on("GET /0.2/users/{UserID}"), inObject(lowerCased("user_name"))),
		},
	}
}

func hiddenAfterUpdate(field string) func(*refserver.Options) {
	updated := &memory[bool]{} // by id
	return both(
		edit(updatesUser(), inObject(func(user map[string]any) { updated.keep(fieldText(user, "id"), true) })),
		edit(readsOwnRecord(), inObject(func(user map[string]any) {
			if known, _ := updated.get(fieldText(user, "id")); known {
				delete(user, field)
			}
		})),
	)
}

// activatedTexts are the faults of a flag that was sent as a string, and is shown as one.
func activatedTexts() []Fault {
	var faults []Fault
	for _, shown := range []struct{ name, where, endpoint string }{
		{"search", "search results have", "GET /0.2/users/search"},
		{"get", "the record of another user has", "GET /0.2/users/{UserID}"},
		{"own-record", "the own record has", "GET /0.2/user"},
		{"login-details", "the details of a login have", "POST /0.2/user/login"},
	} {
		asText := func(user map[string]any) {
			if flag, there := user["activated"]; there {
				user["activated"] = fmt.Sprint(flag)
			}
		}
		faults = append(faults, Fault{
			Name: "users-" + shown.name + "-activated-as-text", Rule: "users.types",
			Summary: shown.where + " activated as a string",
			Apply:   edit(on(shown.endpoint), func(r *http.Request, resp *response) { inObject(asText)(r, resp); inEach(asText)(r, resp) }),
		})
	}
	return faults
}
