package faults

import (
	"maps"
	"math"
	"net/http"
	"slices"
	"strings"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

func events() []Fault {
	return slices.Concat(eventAnswers(), eventsStored(), eventRefusals(), eventValues(), eventTypes(), eventUpdates(),
		refusedUpdates(), eventDeletions(), eventsAfterDeletion())
}

func createsEvent() match { return on("POST /0.2/user/events") }

func updatesEvent() match { return on("PUT /0.2/user/events/{EventID}") }

// inEvents changes every event in any answer.
func inEvents(change func(map[string]any)) func(*refserver.Options) {
	return both(edit(on("POST /0.2/user/events", "PUT /0.2/user/events/{EventID}"), inObject(change)),
		edit(on("GET /0.2/user/feed"), inEach(change)))
}

// eventAnswers are the faults of what a new event answers (Endpoints, row 18).
func eventAnswers() []Fault {
	return []Fault{
		{
			Name: "events-create-answers-200", Rule: "events.create.status",
			Summary: "a new event answers 200",
			Apply:   edit(createsEvent(), func(_ *http.Request, resp *response) { resp.restatus(http.StatusOK) }),
		},
		{
			Name: "events-create-answers-202", Rule: "events.create.status",
			Summary: "a new event answers 202, as if it were still to be recorded",
			Apply:   edit(createsEvent(), func(_ *http.Request, resp *response) { resp.restatus(http.StatusAccepted) }),
		},
		{
			Name: "events-create-without-updated-at", Rule: "events.create.body",
			Summary: "a new event is answered without updated_at",
			Apply:   edit(createsEvent(), inObject(drop("updated_at"))),
		},
		{
			Name: "events-create-without-id", Rule: "events.create.body",
			Summary: "a new event is answered without its id",
			Also:    []Unavoidable{{"events.types", "an Event without an id is not of the documented shape"}},
			Apply:   edit(createsEvent(), inObject(drop("id"))),
		},
		{
			Name: "events-create-disabled", Rule: "events.create.enabled",
			Summary: "events are not enabled",
			Apply:   inEvents(set("enabled", false)),
		},
		{
			Name: "events-create-without-enabled", Rule: "events.create.enabled",
			Summary: "a new event is answered without enabled",
			Apply:   edit(createsEvent(), inObject(drop("enabled"))),
		},
		{
			Name: "events-owner-named-by-request", Rule: "events.create.owner",
			Summary: "a new event is answered with the user_id that the request names",
			Apply: edit(createsEvent().and(sends("user_id")), func(r *http.Request, resp *response) {
				resp.object(set("user_id", sent(r)["user_id"]))
			}),
		},
		{
			Name: "events-of-named-owner-not-in-feed", Rule: "events.create.owner",
			Summary: "an event that names another user is answered as the session user's, and is in no feed",
			Apply: around(createsEvent().and(sends("user_id")), func(next http.Handler, r *http.Request) *response {
				resp := record(next, r)
				resp.object(func(event map[string]any) {
					call(next, r, http.MethodDelete, "/0.2/user/events/"+fieldText(event, "id"), nil)
				})
				return resp
			}),
		},
		{
			Name: "events-owner-is-the-event", Rule: "events.create.owner",
			Summary: "the user_id of every event is the event's own id",
			Apply:   inEvents(func(event map[string]any) { event["user_id"] = event["id"] }),
		},
	}
}

// eventsStored are the faults of what becomes of a new event's fields, in the
// answer and from then on.
func eventsStored() []Fault {
	storing := func(change func(*store.Event)) func(*refserver.Options) {
		return swap(func(inner refserver.Store, s *swapped) {
			s.createEvent = func(app store.App, owner store.ID, event store.Event) (store.Event, error) {
				change(&event)
				return inner.CreateEvent(app, owner, event)
			}
		})
	}
	coordinates := func(change func(float64) float64) func(*refserver.Options) {
		return storing(func(event *store.Event) {
			for _, coordinate := range []**float64{&event.Latitude, &event.Longitude} {
				if *coordinate != nil {
					changed := change(**coordinate)
					*coordinate = &changed
				}
			}
		})
	}
	inObjects := func(change func(*store.Object)) func(*refserver.Options) {
		return storing(func(event *store.Event) {
			if event.Object != nil {
				object := *event.Object
				change(&object)
				event.Object = &object
			}
		})
	}
	return []Fault{
		{
			Name: "events-verb-in-lower-case", Rule: "events.create.body",
			Summary: "the verb of a new event is kept in lower case",
			Apply:   storing(func(event *store.Event) { event.Verb = strings.ToLower(event.Verb) }),
		},
		{
			Name: "events-priority-lost", Rule: "events.create.echo",
			Summary: "the priority of a new event is not kept",
			Apply:   storing(func(event *store.Event) { event.Priority = "" }),
		},
		{
			Name: "events-location-in-upper-case", Rule: "events.create.echo",
			Summary: "the location of a new event is kept in upper case",
			Apply:   storing(func(event *store.Event) { event.Location = strings.ToUpper(event.Location) }),
		},
		{
			Name: "events-object-type-lost", Rule: "events.create.echo",
			Summary: "the type of a new event's object is not kept",
			Apply:   inObjects(func(object *store.Object) { object.Type = "" }),
		},
		{
			Name: "events-display-name-in-one-language", Rule: "events.create.echo",
			Summary: "of the display names of a new event's object only one is kept",
			Apply: inObjects(func(object *store.Object) {
				names := slices.Sorted(maps.Keys(object.DisplayName))
				object.DisplayName = maps.Clone(object.DisplayName)
				for _, other := range names[min(1, len(names)):] {
					delete(object.DisplayName, other)
				}
			}),
		},
		{
			Name: "events-metadata-keys-in-lower-case", Rule: "events.create.echo",
			Summary: "the keys of a new event's metadata are kept in lower case",
			Apply: storing(func(event *store.Event) {
				metadata := maps.Clone(event.Metadata)
				clear(metadata)
				for key, value := range event.Metadata {
					metadata[strings.ToLower(key)] = value
				}
				event.Metadata = metadata
			}),
		},
		{
			Name: "events-metadata-numbers-normalized", Rule: "events.create.echo",
			Summary: "values of a new event's metadata that look like numbers lose their leading zeros",
			Apply: storing(func(event *store.Event) {
				event.Metadata = maps.Clone(event.Metadata)
				for key, value := range event.Metadata {
					if value != "" && strings.Trim(value, "0123456789") == "" {
						event.Metadata[key] = strings.TrimLeft(value, "0")
					}
				}
			}),
		},
		{
			Name: "events-coordinates-in-single-precision", Rule: "events.create.coordinates",
			Summary: "the coordinates of a new event are kept in 32 bits",
			Apply:   coordinates(func(degrees float64) float64 { return float64(float32(degrees)) }),
		},
		{
			Name: "events-coordinates-without-sign", Rule: "events.create.coordinates",
			Summary: "the coordinates of a new event lose their sign",
			Apply:   coordinates(math.Abs),
		},
		{
			Name: "events-coordinates-to-a-decimetre", Rule: "events.create.coordinates",
			Summary: "the coordinates of a new event are kept to six decimals",
			Apply:   coordinates(func(degrees float64) float64 { return math.Round(degrees*1e6) / 1e6 }),
		},
		{
			Name: "events-small-coordinates-lost", Rule: "events.create.coordinates",
			Summary: "coordinates of a new event between -1 and 1 degrees become 0",
			Apply: coordinates(func(degrees float64) float64 {
				if math.Abs(degrees) < 1 {
					return 0
				}
				return degrees
			}),
		},
	}
}
