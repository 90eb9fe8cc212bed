package faults

import (
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
)

// eleventhInput are the faults of parsers that forgive, and of casts that do not.
func eleventhInput() []Fault {
	emptyList := func(value any) bool { list, ok := value.([]any); return ok && len(list) == 0 }
	return slices.Concat(
		breaks("users.me.update.wrong-type",
			fault("input-update-takes-empty-list-for-metadata", "an update of the user takes an empty list for metadata, as one without entries",
				rewriteBody(updatesUser().and(sendsA("metadata", emptyList)), set("metadata", map[string]any{})))),
		breaks("users.create.malformed-json",
			fault("input-create-takes-trailing-comma", "a create is taken with a comma behind the last member of an object", rewriteRequest(createsUser(), trailingCommasDropped))),
		breaks("errors.no-5xx",
			fault("input-list-for-changes-of-event-fails", "a change of an event whose body is a list fails with 500",
				rewriteResponse(updatesEvent(), func(r *http.Request, resp *response) {
					if isA[[]any](decode(peekBody(r))) && (resp.status == http.StatusBadRequest || resp.status == http.StatusUnprocessableEntity) {
						resp.become(http.StatusInternalServerError, complaint("internal server error"))
					}
				}))),
	)
}

var commaBehindLast = regexp.MustCompile(`,(\s*[}\]])`)

// trailingCommasDropped mends a body that is JSON but for commas behind the last.
func trailingCommasDropped(r *http.Request) {
	sent := peekBody(r)
	if mended := commaBehindLast.ReplaceAll(sent, []byte("$1")); !json.Valid(sent) && json.Valid(mended) {
		setBody(r, mended)
	}
}
