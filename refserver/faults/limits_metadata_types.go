package faults

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// metadataKinds are the faults of values of metadata that are no strings (Limits,
// item 3; Resources and their fields, Metadata).
func metadataKinds() []Fault {
	return breaks("limits.metadata.strings-only",
		fault("limits-user-number-becomes-text", "a number in a new user's metadata is taken as text",
			mended(createsUser(), eachValue(func(value any) any {
				if number, is := value.(json.Number); is {
					return number.String()
				}
				return value
			}))),
		fault("limits-update-boolean-becomes-text", "a boolean in the metadata of an update of the user is taken as text",
			mended(updatesUser(), eachValue(func(value any) any {
				if flag, is := value.(bool); is && flag {
					return "true"
				}
				return value
			}))),
		fault("limits-event-null-dropped", "a null in a new event's metadata is passed over",
			mended(createsEvent(), func(metadata map[string]any) {
				maps.DeleteFunc(metadata, func(_ string, value any) bool { return value == nil })
			})),
		fault("limits-event-change-map-becomes-text", "a map in the metadata of a changed event is taken as the text of its JSON",
			mended(updatesEvent(), eachValue(func(value any) any {
				if object, is := value.(map[string]any); is {
					return strings.TrimSpace(string(encode(object)))
				}
				return value
			}))),
		fault("limits-event-list-dropped-beside-text", "of a new event's metadata the first value alone is checked, and lists behind it are passed over",
			mended(createsEvent(), func(metadata map[string]any) {
				for i, key := range slices.Sorted(maps.Keys(metadata)) {
					if _, is := metadata[key].([]any); is && i > 0 {
						delete(metadata, key)
					}
				}
			})),
		fault("limits-update-number-answers-413", "a number in the metadata of an update of the user is answered with 413",
			rewriteResponse(updatesUser().and(anyEntry(func(_ string, value any) bool { _, is := value.(json.Number); return is })),
				replaceStatus(422, 413, complaint("metadata is too large")))),
		fault("limits-refused-event-change-keeps-strings", "a change of an event with a boolean in its metadata is refused, and the strings beside it are stored all the same",
			refusedButDone(updatesEvent().and(anyEntry(func(_ string, value any) bool { _, is := value.(bool); return is })),
				inBody(within("metadata", func(metadata map[string]any) {
					maps.DeleteFunc(metadata, func(_ string, value any) bool { _, is := value.(string); return !is })
				})))))
}

// eachValue changes every value of metadata.
func eachValue(change func(any) any) objectEdit {
	return func(metadata map[string]any) {
		for key, value := range metadata {
			metadata[key] = change(value)
		}
	}
}
