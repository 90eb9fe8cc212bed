package faults

import (
	"encoding/json"
	"net/http"
	"strings"

	"github.com/socialfeed/conform/refserver"
)

// eventValues are the faults of values that a new event or a change takes,
// changes or stumbles over (Endpoints, rows 18 and 19).
func eventValues() []Fault {
	const mistyped, changed = "events.create.wrong-type", "events.update.wrong-type"
	taking := func(name, rule, summary string, m match, mend func(map[string]any)) Fault {
		return Fault{Name: "events-" + name, Rule: rule, Summary: summary, Apply: tamper(m, resent(mend))}
	}
	inObjectOf := func(mend func(map[string]any)) func(map[string]any) {
		return func(event map[string]any) {
			if object, ok := event["object"].(map[string]any); ok {
				mend(object)
			}
		}
	}
	return []Fault{
		taking("object-id-number-taken", mistyped, "a number is taken for the id of a new event's object", createsEvent(), inObjectOf(textOf("id"))),
		taking("object-type-number-taken", mistyped, "a number is taken for the type of a new event's object", createsEvent(), inObjectOf(textOf("type"))),
		taking("display-name-text-ignored", mistyped, "a display name of a new event's object that is a text is ignored", createsEvent(),
			inObjectOf(ignoring("display_name", isA[string]))),
		taking("verb-number-taken", mistyped, "a number is taken for the verb of a new event", createsEvent(), textOf("verb")),
		taking("priority-number-taken", mistyped, "a number is taken for the priority of a new event", createsEvent(), textOf("priority")),
		taking("update-language-number-taken", changed, "an update takes a number for a language", updatesEvent(), textOf("language")),
		taking("update-priority-number-taken", changed, "an update takes a number for a priority", updatesEvent(), textOf("priority")),
		taking("update-location-list-ignored", changed, "an update passes over a location that is a list", updatesEvent(), ignoring("location", isA[[]any])),
		taking("update-longitude-list-ignored", changed, "an update passes over a longitude that is a list", updatesEvent(), ignoring("longitude", isA[[]any])),
		{
			Name: "events-last-latitude-refused", Rule: "events.create.coordinates",
			Summary: "a new event takes latitudes below 90 degrees and not 90",
			Apply: tamper(createsEvent(), resent(func(event map[string]any) {
				if fieldText(event, "latitude") == "90" {
					event["latitude"] = "out of range"
				}
			})),
		},
		{
			Name: "events-whole-longitudes-refused", Rule: "events.create.coordinates",
			Summary: "a new event takes no longitude that is a whole number",
			Apply: tamper(createsEvent(), resent(func(event map[string]any) {
				if degrees, ok := event["longitude"].(json.Number); ok && !strings.ContainsAny(degrees.String(), ".e") {
					event["longitude"] = "not a fraction"
				}
			})),
		},
		{
			Name: "events-metadata-trimmed", Rule: "events.create.echo",
			Summary: "blanks around the values of a new event's metadata are dropped",
			Apply:   stored("POST /0.2/user/events", "metadata", strings.TrimSpace),
		},
		{
			Name: "events-object-id-in-lower-case", Rule: "events.create.echo",
			Summary: "the id of a new event's object is kept in lower case",
			Apply:   tamper(createsEvent(), resent(inObjectOf(lowerCased("id")))),
		},
	}
}

// eventsAfterDeletion are the faults of events that were deleted, where their
// owner asks for them again.
func eventsAfterDeletion() []Fault {
	return []Fault{
		{
			Name: "events-deleted-is-updated", Rule: "events.update.unknown",
			Summary: "an update of a deleted event is answered as if it were there",
			Apply: afterDeletion(updatesEvent(), func(resp *response, before []byte) {
				resp.status, resp.body = http.StatusOK, before
			}),
		},
		{
			Name: "events-deleted-again-answers-200", Rule: "events.delete.unknown",
			Summary: "the second deletion of an event is answered with 200 and {}",
			Apply: afterDeletion(on("DELETE /0.2/user/events/{EventID}"), func(resp *response, _ []byte) {
				resp.status, resp.body = http.StatusOK, []byte("{}")
			}),
		},
	}
}

// afterDeletion answers requests to events that are gone; before is what the
// creation of the event answered.
func afterDeletion(m match, answer func(resp *response, before []byte)) func(*refserver.Options) {
	created, deleted := &memory[[]byte]{}, &memory[[]byte]{} // by id
	idOf := func(r *http.Request) string { return r.URL.Path[strings.LastIndexByte(r.URL.Path, '/')+1:] }
	return both(
		edit(createsEvent(), func(_ *http.Request, resp *response) {
			resp.object(func(event map[string]any) { created.keep(fieldText(event, "id"), encode(event)) })
		}),
		edit(on("DELETE /0.2/user/events/{EventID}").or(m), func(r *http.Request, resp *response) {
			if before, gone := deleted.get(idOf(r)); gone && m(r) && resp.status == http.StatusNotFound {
				answer(resp, before)
			}
			if before, known := created.get(idOf(r)); known && r.Method == http.MethodDelete && resp.ok() {
				deleted.keep(idOf(r), before)
			}
		}),
	)
}
