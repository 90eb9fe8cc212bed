package faults

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
)

// metadataKinds are the faults of values of metadata that are no strings (Limits,
// item 3; Resources and their fields, Metadata).
func metadataKinds() []Fault {
	const rule = "limits.metadata.strings-only"
	return []Fault{
		{
			Name: "limits-user-number-becomes-text", Rule: rule,
			Summary: "a number in a new user's metadata is taken as text",
			Apply: mended("POST /0.2/users", eachValue(func(value any) any {
				if number, is := value.(json.Number); is {
					return number.String()
				}
				return value
			})),
		},
		{
			Name: "limits-update-boolean-becomes-text", Rule: rule,
			Summary: "a boolean in the metadata of an update of the user is taken as text",
			Apply: mended("PUT /0.2/user", eachValue(func(value any) any {
				if flag, is := value.(bool); is && flag {
					return "true"
				}
				return value
			})),
		},
		{
			Name: "limits-event-null-dropped", Rule: rule,
			Summary: "a null in a new event's metadata is passed over",
			Apply: mended("POST /0.2/user/events", func(metadata map[string]any) {
				maps.DeleteFunc(metadata, func(_ string, value any) bool { return value == nil })
			}),
		},
		{
			Name: "limits-event-change-map-becomes-text", Rule: rule,
			Summary: "a map in the metadata of a changed event is taken as the text of its JSON",
			Apply: mended("PUT /0.2/user/events/{EventID}", eachValue(func(value any) any {
				if object, is := value.(map[string]any); is {
					return strings.TrimSpace(string(encode(object)))
				}
				return value
			})),
		},
		{
			Name: "limits-event-list-dropped-beside-text", Rule: rule,
			Summary: "of a new event's metadata the first value alone is checked, and lists behind it are passed over",
			Apply: mended("POST /0.2/user/events", func(metadata map[string]any) {
				for i, key := range slices.Sorted(maps.Keys(metadata)) {
					if _, is := metadata[key].([]any); is && i > 0 {
						delete(metadata, key)
					}
				}
			}),
		},
		{
			Name: "limits-update-number-answers-413", Rule: rule,
			Summary: "a number in the metadata of an update of the user is answered with 413",
			Apply: edit(on("PUT /0.2/user").and(anyEntry(func(_ string, value any) bool { _, is := value.(json.Number); return is })),
				instead(http.StatusUnprocessableEntity, http.StatusRequestEntityTooLarge, complaint("metadata is too large"))),
		},
		{
			Name: "limits-refused-event-change-keeps-strings", Rule: rule,
			Summary: "a change of an event with a boolean in its metadata is refused, and the strings beside it are stored all the same",
			Apply: doneAnyway(on("PUT /0.2/user/events/{EventID}").and(anyEntry(func(_ string, value any) bool { _, is := value.(bool); return is })),
				mendMetadata(func(metadata map[string]any) {
					maps.DeleteFunc(metadata, func(_ string, value any) bool { _, is := value.(string); return !is })
				})),
		},
	}
}

// eachValue changes every value of metadata.
func eachValue(change func(any) any) func(map[string]any) {
	return func(metadata map[string]any) {
		for key, value := range metadata {
			metadata[key] = change(value)
		}
	}
}
