package faults

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// eventRefusals are the faults of new events that must be refused.
func eventRefusals() []Fault {
	verbless := createsEvent().and(not(sends("verb"))).and(func(r *http.Request) bool { return requestObject(r) != nil })
	broken := createsEvent().and(func(r *http.Request) bool { return decode(peekBody(r)) == nil })
	idless := createsEvent().and(sendsA("object", func(value any) bool {
		object, ok := value.(map[string]any)
		_, named := object["id"]
		return ok && !named
	}))
	named := within("object", set("id", "0"))
	return slices.Concat(
		breaks("events.create.verb-required",
			fault("events-verb-optional", "an event without a verb gets one", rewriteBody(verbless, set("verb", "activity"))),
			fault("events-without-verb-refused-but-made", "an event without a verb is refused, and is in the feeds all the same",
				refusedButDone(verbless, inBody(set("verb", "activity")))),
			fault("events-without-verb-conflicts", "an event without a verb is answered with 409",
				rewriteResponse(verbless, replaceStatus(422, 409, `{}`)))),
		breaks("events.create.object-id-required",
			fault("events-object-id-optional", "an object without an id gets one", rewriteBody(idless, named)),
			fault("events-object-without-id-dropped", "of an event whose object has no id the rest is taken", rewriteBody(idless, drop("object"))),
			fault("events-without-object-id-refused-but-made", "an event whose object has no id is refused, and is in the feeds all the same",
				refusedButDone(idless, inBody(named)))),
		breaks("events.create.malformed-json",
			fault("events-broken-json-taken", "of a body that breaks off what can be read is taken",
				rewriteRequest(broken, func(r *http.Request) { setJSON(r, readableIn(r)) })),
			fault("events-broken-json-refused-but-made", "a body that breaks off is refused, and an event is in the feeds all the same",
				refusedButDone(broken, func(r *http.Request) { setJSON(r, readableIn(r)) }))),
	)
}

// readableIn is what can be read of a body that breaks off: its verb.
func readableIn(r *http.Request) map[string]any {
	_, rest, _ := strings.Cut(string(peekBody(r)), `"verb":"`)
	verb, _, _ := strings.Cut(rest, `"`)
	return map[string]any{"verb": verb}
}

// mistypedEvents are the faults of new events with a field of the wrong type.
func mistypedEvents() []Fault {
	taking := func(field string, read func(any) any) mutation {
		return rewriteBody(createsEvent(), mapField(field, read))
	}
	return breaks("events.create.wrong-type",
		fault("events-wrong-type-refused-but-made", "an event with a language that is no text is refused, and is in the feeds without it",
			refusedButDone(createsEvent().and(sendsA("language", isNo[string])), inBody(drop("language")))),
		fault("events-verb-list-taken", "in a new event of a list of verbs the first is taken", taking("verb", firstOfList)),
		fault("events-language-number-taken", "in a new event a number is taken for a language", taking("language", numberAsText)),
		fault("events-priority-boolean-taken", "in a new event a boolean is taken for a priority", taking("priority", boolAsText)),
		fault("events-location-object-taken", "in a new event of an object as a location the name is taken", taking("location", func(v any) any {
			if place, ok := v.(map[string]any); ok {
				return fieldText(place, "name")
			}
			return v
		})),
		fault("events-latitude-text-taken", "in a new event a text that is a number is taken for a latitude", taking("latitude", textAsNumber)),
		fault("events-longitude-list-taken", "in a new event of a list the first number is taken for the longitude", taking("longitude", firstOfList)),
		fault("events-metadata-text-ignored", "in a new event metadata that is a text is ignored",
			rewriteBody(createsEvent(), ignoring("metadata", isA[string]))),
		fault("events-object-text-taken", "in a new event a text is taken for an object's id", taking("object", func(v any) any {
			if id, ok := v.(string); ok {
				return map[string]any{"id": id}
			}
			return v
		})))
}

func textAsNumber(value any) any {
	if text, ok := value.(string); ok {
		if number, err := strconv.ParseFloat(text, 64); err == nil {
			return number
		}
	}
	return value
}

// eventTypes are the faults of the Event as a resource, wherever it is sent.
func eventTypes() []Fault {
	seconds := func(event map[string]any) { event["updated_at"] = 1_700_000_000 }
	return breaks("events.types",
		fault("events-updated-at-as-number", "the updated_at of a changed event is a number of seconds", rewriteObject(updatesEvent(), seconds)),
		fault("events-changed-updated-at-as-number-in-feed", "in a feed the updated_at of a changed event is a number of seconds",
			rewriteEach(readsFeed(), func(event map[string]any) {
				if event["updated_at"] != event["created_at"] {
					seconds(event)
				}
			})),
		fault("events-object-url-as-object", "the url of an object is an object",
			inEvents(within("object", mapField("url", func(url any) any { return map[string]any{"href": url} })))))
}
