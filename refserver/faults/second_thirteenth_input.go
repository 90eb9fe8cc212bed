package faults

import (
	"net/http"
	"slices"
	"strings"
)

// thirteenthInput are the faults of one class of bad input.
func thirteenthInput() []Fault {
	laterAsText := func(value any) any {
		if list, ok := value.([]any); ok && len(list) > 0 && isA[string](list[0]) {
			for i := range list {
				list[i] = numberAsText(list[i])
			}
		}
		return value
	}
	halfQuoted := func(r *http.Request) bool { return strings.Count(r.URL.Query().Get("q"), `"`)%2 == 1 }
	return slices.Concat(
		breaks("social.wrong-type",
			fault("input-only-first-connection-id-checked", "numbers are taken among connection_ids where the first of them is a string",
				rewriteBody(connectsSocially(), mapField("connection_ids", laterAsText)))),
		breaks("events.update.wrong-type",
			fault("input-event-change-takes-number-as-display-name", "a change of an event takes a number as a display name of its object",
				rewriteBody(updatesEvent(), within("object", within("display_name", eachValue(numberAsText)))))),
		breaks("errors.no-5xx",
			fault("input-search-with-one-quote-fails", "a search for a term in which a quotation mark is not closed fails with 500",
				rewriteResponse(searches().and(halfQuoted), replaceStatus(200, 500, complaint("internal server error"))))),
		breaks("transport.content-type-415",
			fault("input-update-takes-types-that-end-in-json", "an update of the user takes every content type that ends in +json",
				rewriteRequest(updatesUser().and(headerContains("Content-Type", "+json")), setHeader("Content-Type", "application/json")))),
	)
}
