package faults

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
)

// fifthInput are the faults of what is converted where it should be refused, and of what
// no check stands before.
func fifthInput() []Fault {
	const lengthOfUUID = 36
	noID := func(r *http.Request) bool { return !isDigits(lastSegment(r)) && len(lastSegment(r)) != lengthOfUUID }
	return slices.Concat(
		breaks("users.create.wrong-type",
			fault("input-user-activated-number-taken", "a number is taken for a new user's activated, which is true unless it is 0",
				rewriteBody(createsUser(), mapField("activated", numberAsFlag)))),
		breaks("users.me.update.wrong-type",
			fault("input-update-metadata-json-text-taken", "an update takes the text of a JSON object for metadata",
				rewriteBody(updatesUser(), mapField("metadata", parsed)))),
		breaks("events.update.wrong-type",
			fault("input-change-location-object-taken-by-name", "a change of an event takes an object for a location by its name, and passes it over where it has none",
				rewriteBody(updatesEvent().and(sendsA("location", isA[map[string]any])), func(event map[string]any) {
					place, _ := event["location"].(map[string]any)
					if name, named := place["name"].(string); named {
						event["location"] = name
						return
					}
					delete(event, "location")
				}))),
		breaks("limits.metadata.strings-only",
			fault("input-event-metadata-maps-become-json", "maps in the metadata of a new event become the text of their JSON",
				rewriteBody(createsEvent(), within("metadata", eachValue(func(value any) any {
					if isNo[map[string]any](value) {
						return value
					}
					return strings.TrimSpace(string(encode(value)))
				}))))),
		breaks("errors.no-5xx",
			fault("input-end-of-connection-to-no-id-fails", "the end of a connection to what is neither a number nor a UUID fails with 500",
				rewriteResponse(disconnects().and(noID), replaceStatus(404, 500, complaint("internal server error"))))),
	)
}

// numberAsFlag makes of a number the text that stands for true or false.
func numberAsFlag(value any) any {
	number, ok := value.(json.Number)
	if !ok {
		return value
	}
	if isZero(number) {
		return "false"
	}
	return "true"
}

// parsed is the object whose JSON a text is; other values stay.
func parsed(value any) any {
	text, _ := value.(string)
	if object := objectOf([]byte(text)); object != nil {
		return object
	}
	return value
}
