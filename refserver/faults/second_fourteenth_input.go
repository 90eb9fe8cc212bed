package faults

import (
	"maps"
	"slices"
)

// fourteenthInput are the faults of binding and routing what clients send.
func fourteenthInput() []Fault {
	empty := func(value any) bool {
		object, is := value.(map[string]any)
		return is && len(object) == 0
	}
	valuesOfMap := func(value any) any {
		entries, is := value.(map[string]any)
		if !is {
			return value
		}
		values := []any{}
		for _, key := range slices.Sorted(maps.Keys(entries)) {
			values = append(values, entries[key])
		}
		return values
	}
	byID := func(value any) any {
		if id, is := value.(string); is && id != "" {
			return map[string]any{"id": id}
		}
		return value
	}
	return slices.Concat(
		breaks("events.create.object-id-required",
			fault("input-empty-object-taken-for-none", "a new event with an empty object is accepted, and has none", rewriteBody(createsEvent(), ignoring("object", empty)))),
		breaks("transport.content-type-415",
			fault("input-merge-patch-of-event-accepted", "a change of an event that is declared as application/merge-patch+json is carried out",
				rewriteRequest(updatesEvent().and(headerContains("Content-Type", "application/merge-patch+json")), setHeader("Content-Type", "application/json")))),
		breaks("social.wrong-type",
			fault("input-contacts-as-map-accepted", "connection_ids that are a map are taken for the list of its values", rewriteBody(connectsSocially(), mapField("connection_ids", valuesOfMap)))),
		breaks("events.update.wrong-type",
			fault("input-object-as-text-changes-event", "a change of an event whose object is a text makes it the object's id", rewriteBody(updatesEvent(), mapField("object", byID)))),
	)
}
