package faults

import (
	"encoding/json"
	"slices"
)

// twelfthInput are the faults of types that a loosely typed language takes for one another.
func twelfthInput() []Fault {
	emptyListAsMap := func(value any) any {
		if list, is := value.([]any); is && len(list) == 0 {
			return map[string]any{}
		}
		return value
	}
	numbersAsTexts := func(value any) any {
		list, is := value.([]any)
		if !is {
			return value
		}
		texts := make([]any, len(list))
		for i, item := range list {
			texts[i] = numberAsText(item)
		}
		return texts
	}
	return slices.Concat(
		breaks("events.update.wrong-type",
			fault("input-event-update-takes-empty-list-as-metadata", "an update of an event takes an empty list as metadata, which an empty map is in some languages",
				rewriteBody(updatesEvent(), mapField("metadata", emptyListAsMap)))),
		breaks("social.wrong-type",
			fault("input-social-takes-numbers-among-ids", "connecting by social identifiers takes numbers among the connection_ids",
				rewriteBody(connectsSocially(), mapField("connection_ids", numbersAsTexts)))),
		breaks("errors.no-5xx",
			fault("input-login-with-number-as-password-fails", "a login with a number as the password fails with 500, as a number cannot be hashed",
				refused(logsIn().and(sendsA("password", isA[json.Number])), 500, complaint("internal server error")))),
	)
}
