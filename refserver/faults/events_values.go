package faults

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
)

// eventValues are the faults of values that a new event or a change takes,
// changes or stumbles over (Endpoints, rows 18 and 19).
func eventValues() []Fault {
	creating := func(change objectEdit) mutation { return rewriteBody(createsEvent(), change) }
	updating := func(change objectEdit) mutation { return rewriteBody(updatesEvent(), change) }
	return slices.Concat(
		breaks("events.create.wrong-type",
			fault("events-object-id-number-taken", "a number is taken for the id of a new event's object", creating(within("object", textOf("id")))),
			fault("events-object-type-number-taken", "a number is taken for the type of a new event's object", creating(within("object", textOf("type")))),
			fault("events-display-name-text-ignored", "a display name of a new event's object that is a text is ignored",
				creating(within("object", ignoring("display_name", isA[string])))),
			fault("events-verb-number-taken", "a number is taken for the verb of a new event", creating(textOf("verb"))),
			fault("events-priority-number-taken", "a number is taken for the priority of a new event", creating(textOf("priority")))),
		breaks("events.update.wrong-type",
			fault("events-update-language-number-taken", "an update takes a number for a language", updating(textOf("language"))),
			fault("events-update-priority-number-taken", "an update takes a number for a priority", updating(textOf("priority"))),
			fault("events-update-location-list-ignored", "an update passes over a location that is a list", updating(ignoring("location", isA[[]any]))),
			fault("events-update-longitude-list-ignored", "an update passes over a longitude that is a list",
				updating(ignoring("longitude", isA[[]any])))),
		breaks("events.create.coordinates",
			fault("events-last-latitude-refused", "a new event takes latitudes below 90 degrees and not 90",
				creating(func(event map[string]any) {
					if fieldText(event, "latitude") == "90" {
						event["latitude"] = "out of range"
					}
				})),
			fault("events-whole-longitudes-refused", "a new event takes no longitude that is a whole number",
				creating(func(event map[string]any) {
					if degrees, ok := event["longitude"].(json.Number); ok && !strings.ContainsAny(degrees.String(), ".e") {
						event["longitude"] = "not a fraction"
					}
				}))),
		breaks("events.create.echo",
			fault("events-metadata-trimmed", "blanks around the values of a new event's metadata are dropped",
				rewriteText(createsEvent(), "metadata", strings.TrimSpace)),
			fault("events-object-id-in-lower-case", "the id of a new event's object is kept in lower case",
				creating(within("object", lowerCased("id"))))),
	)
}

// eventsAfterDeletion are the faults of events that were deleted, where their
// owner asks for them again.
func eventsAfterDeletion() []Fault {
	return slices.Concat(
		breaks("events.update.unknown",
			fault("events-deleted-is-updated", "an update of a deleted event is answered as if it were there",
				afterDeletion(updatesEvent(), func(resp *response, before []byte) { resp.status, resp.body = 200, before }))),
		breaks("events.delete.unknown",
			fault("events-deleted-again-answers-200", "the second deletion of an event is answered with 200 and {}",
				afterDeletion(deletesEvent(), func(resp *response, _ []byte) { resp.status, resp.body = 200, []byte("{}") }))),
	)
}

// afterDeletion answers requests to events that are gone; before is what the
// creation of the event answered.
func afterDeletion(m match, answer func(resp *response, before []byte)) mutation {
	created, deleted := &memory[[]byte]{}, &memory[[]byte]{} // by id
	return combine(
		rewriteObject(createsEvent(), func(event map[string]any) { created.keep(fieldText(event, "id"), encode(event)) }),
		rewriteResponse(deletesEvent().or(m), func(r *http.Request, resp *response) {
			if before, gone := deleted.lookup(lastSegment(r)); gone && m(r) && resp.status == 404 {
				answer(resp, before)
			}
			if before, known := created.lookup(lastSegment(r)); known && r.Method == http.MethodDelete && resp.ok() {
				deleted.keep(lastSegment(r), before)
			}
		}),
	)
}
