package faults

import (
	"maps"
	"net/http"
	"strconv"
	"strings"

	"github.com/socialfeed/conform/refserver"
)

// eventRefusals are the faults of new events that must be refused.
func eventRefusals() []Fault {
	verbless := createsEvent().and(func(r *http.Request) bool { return sent(r) != nil }).and(not(sends("verb")))
	broken := createsEvent().and(func(r *http.Request) bool { return decode(keepBody(r)) == nil })
	idless := createsEvent().and(func(r *http.Request) bool {
		object, ok := sent(r)["object"].(map[string]any)
		_, named := object["id"]
		return ok && !named
	})
	named := func(event map[string]any) {
		if object, ok := event["object"].(map[string]any); ok {
			object["id"] = "0"
		}
	}
	return append([]Fault{
		{
			Name: "events-verb-optional", Rule: "events.create.verb-required",
			Summary: "an event without a verb gets one",
			Apply:   tamper(verbless, resent(set("verb", "activity"))),
		},
		{
			Name: "events-without-verb-refused-but-made", Rule: "events.create.verb-required",
			Summary: "an event without a verb is refused, and is in the feeds all the same",
			Apply:   refusedButPosted(verbless, set("verb", "activity")),
		},
		{
			Name: "events-without-verb-conflicts", Rule: "events.create.verb-required",
			Summary: "an event without a verb is answered with 409",
			Apply:   edit(verbless, instead(422, 409, `{}`)),
		},
		{
			Name: "events-object-id-optional", Rule: "events.create.object-id-required",
			Summary: "an object without an id gets one",
			Apply:   tamper(idless, resent(named)),
		},
		{
			Name: "events-object-without-id-dropped", Rule: "events.create.object-id-required",
			Summary: "of an event whose object has no id the rest is taken",
			Apply:   tamper(idless, resent(drop("object"))),
		},
		{
			Name: "events-without-object-id-refused-but-made", Rule: "events.create.object-id-required",
			Summary: "an event whose object has no id is refused, and is in the feeds all the same",
			Apply:   refusedButPosted(idless, named),
		},
		{
			Name: "events-broken-json-taken", Rule: "events.create.malformed-json",
			Summary: "of a body that breaks off what can be read is taken",
			Apply:   tamper(broken, func(r *http.Request) { resend(r, readableIn(r)) }),
		},
		{
			Name: "events-broken-json-refused-but-made", Rule: "events.create.malformed-json",
			Summary: "a body that breaks off is refused, and an event is in the feeds all the same",
			Apply: around(broken, func(next http.Handler, r *http.Request) *response {
				resp := record(next, r)
				if resp.status == http.StatusBadRequest {
					call(next, r, http.MethodPost, r.URL.Path, readableIn(r))
				}
				return resp
			}),
		},
		{
			Name: "events-wrong-type-refused-but-made", Rule: "events.create.wrong-type",
			Summary: "an event with a language that is no text is refused, and is in the feeds without it",
			Apply:   refusedButPosted(createsEvent().and(mistypes("language")), drop("language")),
		},
	}, mistypedEvents()...)
}

// readableIn is what can be read of a body that breaks off: its verb.
func readableIn(r *http.Request) map[string]any {
	_, rest, _ := strings.Cut(string(keepBody(r)), `"verb":"`)
	verb, _, _ := strings.Cut(rest, `"`)
	return map[string]any{"verb": verb}
}

// mistypes picks the requests whose body has a field that is to be a text, and is none.
func mistypes(field string) match {
	return func(r *http.Request) bool {
		value, there := sent(r)[field]
		_, text := value.(string)
		return there && !text
	}
}

// mistypedEvents are the faults of new events with a field of the wrong type.
func mistypedEvents() []Fault {
	var faults []Fault
	for _, taken := range []struct {
		name, summary, field string
		read                 func(any) any
	}{
		{"verb-list-taken", "of a list of verbs the first is taken", "verb", firstOfList},
		{"language-number-taken", "a number is taken for a language", "language", numberAsText},
		{"priority-boolean-taken", "a boolean is taken for a priority", "priority", func(v any) any {
			if flag, ok := v.(bool); ok {
				return strconv.FormatBool(flag)
			}
			return v
		}},
		{"location-object-taken", "of an object as a location the name is taken", "location", func(v any) any {
			if place, ok := v.(map[string]any); ok {
				return fieldText(place, "name")
			}
			return v
		}},
		{"latitude-text-taken", "a text that is a number is taken for a latitude", "latitude", textAsNumber},
		{"longitude-list-taken", "of a list the first number is taken for the longitude", "longitude", firstOfList},
		{"metadata-text-ignored", "metadata that is a text is ignored", "metadata", func(v any) any {
			if _, text := v.(string); text {
				return nil
			}
			return v
		}},
		{"object-text-taken", "a text is taken for an object's id", "object", func(v any) any {
			if id, text := v.(string); text {
				return map[string]any{"id": id}
			}
			return v
		}},
	} {
		faults = append(faults, Fault{
			Name: "events-" + taken.name, Rule: "events.create.wrong-type", Summary: "in a new event " + taken.summary,
			Apply: tamper(createsEvent().and(sends(taken.field)), resent(func(event map[string]any) {
				event[taken.field] = taken.read(event[taken.field])
			})),
		})
	}
	return faults
}

func numberAsText(value any) any {
	if number, ok := value.(interface{ String() string }); ok {
		return number.String()
	}
	return value
}

func textAsNumber(value any) any {
	if text, ok := value.(string); ok {
		if number, err := strconv.ParseFloat(text, 64); err == nil {
			return number
		}
	}
	return value
}

// refusedButPosted makes the event after all, once it is refused: mended says how.
func refusedButPosted(m match, mended func(map[string]any)) func(*refserver.Options) {
	return around(m, func(next http.Handler, r *http.Request) *response {
		resp := record(next, r)
		if resp.status == http.StatusUnprocessableEntity {
			event := maps.Clone(sent(r))
			mended(event)
			call(next, r, http.MethodPost, r.URL.Path, event)
		}
		return resp
	})
}

// eventTypes are the faults of the Event as a resource, wherever it is sent.
func eventTypes() []Fault {
	seconds := func(event map[string]any) { event["updated_at"] = 1_700_000_000 }
	return []Fault{
		{
			Name: "events-updated-at-as-number", Rule: "events.types",
			Summary: "the updated_at of a changed event is a number of seconds",
			Apply:   edit(updatesEvent(), inObject(seconds)),
		},
		{
			Name: "events-changed-updated-at-as-number-in-feed", Rule: "events.types",
			Summary: "in a feed the updated_at of a changed event is a number of seconds",
			Apply: edit(on("GET /0.2/user/feed"), inEach(func(event map[string]any) {
				if event["updated_at"] != event["created_at"] {
					seconds(event)
				}
			})),
		},
		{
			Name: "events-object-url-as-object", Rule: "events.types",
			Summary: "the url of an object is an object",
			Apply: inEvents(func(event map[string]any) {
				if object, ok := event["object"].(map[string]any); ok && object["url"] != nil {
					object["url"] = map[string]any{"href": object["url"]}
				}
			}),
		},
	}
}
