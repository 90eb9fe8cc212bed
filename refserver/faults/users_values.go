package faults

import (
	"slices"
	"strings"
)

// userValues are the faults of values that a create or an update takes, changes
// or stumbles over (Endpoints, rows 1 and 5).
func userValues() []Fault {
	return slices.Concat(
		breaks("users.create.wrong-type",
			fault("users-create-ignores-boolean-first-name", "a create ignores a first name that is a boolean",
				rewriteBody(createsUser(), ignoring("first_name", isA[bool])))),
		breaks("users.create.echo",
			fault("users-create-trims-metadata", "blanks around the values of a new user's metadata are dropped",
				rewriteText(createsUser(), "metadata", strings.TrimSpace)),
			fault("users-create-takes-digits-for-numbers", "values of a new user's metadata that look like numbers lose their leading zeros",
				rewriteText(createsUser(), "metadata", func(text string) string {
					if digits := strings.Trim(text, "0123456789") == ""; digits && len(text) > 1 {
						return strings.TrimLeft(text, "0")
					}
					return text
				}))),
		breaks("users.me.update.applies",
			fault("users-update-hides-metadata", "after an update the own record leaves metadata out", afterUpdate(drop("metadata")))),
		breaks("users.get.other",
			fault("users-get-folds-user-name", "the record of another user has the user name in lower case",
				rewriteObject(readsUser(), lowerCased("user_name")))),
	)
}

// activatedTexts are the faults of a flag that was sent as a string, and is shown as one.
func activatedTexts() []Fault {
	asText := mapField("activated", boolAsText)
	return breaks("users.types",
		fault("users-search-activated-as-text", "search results have activated as a string", rewriteEach(searches(), asText)),
		fault("users-get-activated-as-text", "the record of another user has activated as a string", rewriteObject(readsUser(), asText)),
		fault("users-own-record-activated-as-text", "the own record has activated as a string", rewriteObject(readsOwnRecord(), asText)),
		fault("users-login-details-activated-as-text", "the details of a login have activated as a string", rewriteObject(logsIn(), asText)))
}
