package faults

import "slices"

// seventhInput are the faults of defaults, and of parsers that mend what they read.
func seventhInput() []Fault {
	return slices.Concat(
		breaks("events.create.verb-required",
			fault("input-verb-missing-beside-object-is-post", "a new event without a verb that has an object gets the verb post",
				rewriteBody(createsEvent().and(sends("object")).and(not(sends("verb"))), set("verb", "post")))),
		breaks("social.type-invalid",
			fault("input-social-type-in-capitals-taken", "connecting by social identifiers takes a type in any case", rewriteBody(connectsSocially(), lowerCased("type")))),
		breaks("users.create.malformed-json",
			fault("input-user-cut-off-at-the-end-taken", "the last brace of a new user may be missing", mendJSON(createsUser(), `\z`, "}"))),
		breaks("users.me.update.wrong-type",
			fault("input-update-email-list-taken", "of a list of emails an update takes the first", rewriteBody(updatesUser(), mapField("email", firstOfList)))),
	)
}
