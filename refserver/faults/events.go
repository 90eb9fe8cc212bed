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
	return slices.Concat(eventAnswers(), eventsStored(), eventRefusals(), mistypedEvents(), eventValues(), eventTypes(), eventUpdates(),
		refusedUpdates(), eventDeletions(), eventsAfterDeletion())
}

// inEvents changes every event in any answer.
func inEvents(change objectEdit) mutation {
	return combine(rewriteObject(createsEvent().or(updatesEvent()), change),
		rewriteEach(readsFeed(), change))
}

// eventAnswers are the faults of what a new event answers (Endpoints, row 18).
func eventAnswers() []Fault {
	return slices.Concat(
		breaks("events.create.status",
			fault("events-create-answers-200", "a new event answers 200", rewriteResponse(createsEvent(), status(200))),
			fault("events-create-answers-202", "a new event answers 202, as if it were still to be recorded",
				rewriteResponse(createsEvent(), status(202)))),
		breaks("events.create.body",
			fault("events-create-without-updated-at", "a new event is answered without updated_at",
				rewriteObject(createsEvent(), drop("updated_at"))),
			fault("events-create-without-created-at", "a new event is answered without created_at",
				rewriteObject(createsEvent(), drop("created_at"))),
			fault("events-create-without-id", "a new event is answered without its id",
				rewriteObject(createsEvent(), drop("id"))).also("events.types", "an Event without an id is not of the documented shape")),
		breaks("events.create.enabled",
			fault("events-create-disabled", "events are not enabled", inEvents(set("enabled", false))),
			fault("events-create-answers-disabled", "a new event is answered as not enabled, and is shown as enabled", rewriteObject(createsEvent(), set("enabled", false))),
			fault("events-create-without-enabled", "a new event is answered without enabled", rewriteObject(createsEvent(), drop("enabled")))),
		breaks("events.create.owner",
			fault("events-owner-named-by-request", "a new event is answered with the user_id that the request names",
				rewriteResponse(createsEvent(), fromRequest("user_id", "user_id"))),
			fault("events-of-named-owner-not-in-feed", "an event that names another user is answered as the session user's, and is in no feed",
				intercept(createsEvent().and(sends("user_id")), func(next http.Handler, r *http.Request) *response {
					resp := record(next, r)
					resp.object(func(event map[string]any) {
						call(next, r, http.MethodDelete, "/0.2/user/events/"+fieldText(event, "id"), nil)
					})
					return resp
				})),
			fault("events-owner-is-the-event", "the user_id of every event is the event's own id", inEvents(copied("user_id", "id")))),
	)
}

// eventsStored are the faults of what becomes of a new event's fields, in the
// answer and from then on.
func eventsStored() []Fault {
	storing := func(change func(*store.Event)) mutation {
		return overrideStore(func(inner refserver.Store, s *overrides) {
			s.createEvent = func(app store.App, owner store.ID, event store.Event) (store.Event, error) {
				change(&event)
				return inner.CreateEvent(app, owner, event)
			}
		})
	}
	coordinates := func(change func(float64) float64) mutation {
		return storing(func(event *store.Event) {
			for _, coordinate := range []**float64{&event.Latitude, &event.Longitude} {
				if *coordinate != nil {
					changed := change(**coordinate)
					*coordinate = &changed
				}
			}
		})
	}
	inObjects := func(change func(*store.Object)) mutation {
		return storing(func(event *store.Event) {
			if event.Object != nil {
				object := *event.Object
				change(&object)
				event.Object = &object
			}
		})
	}
	return slices.Concat(
		breaks("events.create.body",
			fault("events-verb-in-lower-case", "the verb of a new event is kept in lower case",
				storing(func(event *store.Event) { event.Verb = strings.ToLower(event.Verb) }))),
		breaks("events.create.echo",
			fault("events-priority-lost", "the priority of a new event is not kept", storing(func(event *store.Event) { event.Priority = "" })),
			fault("events-location-in-upper-case", "the location of a new event is kept in upper case",
				storing(func(event *store.Event) { event.Location = strings.ToUpper(event.Location) })),
			fault("events-object-type-lost", "the type of a new event's object is not kept",
				inObjects(func(object *store.Object) { object.Type = "" })),
			fault("events-display-name-in-one-language", "of the display names of a new event's object only one is kept",
				inObjects(func(object *store.Object) {
					names := slices.Sorted(maps.Keys(object.DisplayName))
					object.DisplayName = maps.Clone(object.DisplayName)
					for _, other := range names[min(1, len(names)):] {
						delete(object.DisplayName, other)
					}
				})),
			fault("events-metadata-keys-in-lower-case", "the keys of a new event's metadata are kept in lower case",
				storing(func(event *store.Event) {
					metadata := maps.Clone(event.Metadata)
					clear(metadata)
					for key, value := range event.Metadata {
						metadata[strings.ToLower(key)] = value
					}
					event.Metadata = metadata
				})),
			fault("events-metadata-numbers-normalized", "values of a new event's metadata that look like numbers lose their leading zeros",
				storing(func(event *store.Event) {
					event.Metadata = maps.Clone(event.Metadata)
					for key, value := range event.Metadata {
						if value != "" && strings.Trim(value, "0123456789") == "" {
							event.Metadata[key] = strings.TrimLeft(value, "0")
						}
					}
				}))),
		breaks("events.create.coordinates",
			fault("events-coordinates-in-single-precision", "the coordinates of a new event are kept in 32 bits",
				coordinates(func(degrees float64) float64 { return float64(float32(degrees)) })),
			fault("events-coordinates-without-sign", "the coordinates of a new event lose their sign", coordinates(math.Abs)),
			fault("events-coordinates-to-a-decimetre", "the coordinates of a new event are kept to six decimals",
				coordinates(func(degrees float64) float64 { return math.Round(degrees*1e6) / 1e6 })),
			fault("events-small-coordinates-lost", "coordinates of a new event between -1 and 1 degrees become 0",
				coordinates(func(degrees float64) float64 {
					if math.Abs(degrees) < 1 {
						return 0
					}
					return degrees
				}))),
	)
}
