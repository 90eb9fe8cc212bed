package faults

import (
	"encoding/json"
	"maps"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

func events() []Fault {
	return slices.Concat(eventAnswers(), eventsStored(), eventRefusals(), mistypedEvents(), eventValues(), eventTypes(), eventUpdateFaults(),
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
				answers(createsEvent().and(sends("user_id")), func(q asked) {
					if q.ok() {
						q.call(http.MethodDelete, "/0.2/user/events/"+q.id(), nil)
					}
				})),
			fault("events-owner-is-the-event", "the user_id of every event is the event's own id", inEvents(copied("user_id", "id")))),
	)
}

// eventsStored are faults of a new event's fields, in the answer and in later reads.
func eventsStored() []Fault {
	storing := func(change func(*Event)) mutation { return breaking(given(toPost, func(l *step) { change(&l.event) })) }
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
				creatingEvent(eachKey("metadata", strings.ToLower))).
				also("limits.metadata.keys", "eleven keys of which two differ in case are ten then"),
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

// eventValues are the faults of values that a new event or a change takes,
// changes or stumbles over (Endpoints, rows 18 and 19).
func eventValues() []Fault {
	return slices.Concat(
		breaks("events.create.wrong-type",
			fault("events-object-id-number-taken", "a number is taken for the id of a new event's object", creatingEvent(within("object", textOf("id")))),
			fault("events-object-type-number-taken", "a number is taken for the type of a new event's object", creatingEvent(within("object", textOf("type")))),
			fault("events-display-name-text-ignored", "a display name of a new event's object that is a text is ignored",
				creatingEvent(within("object", ignoring("display_name", isA[string])))),
			fault("events-verb-number-taken", "a number is taken for the verb of a new event", creatingEvent(textOf("verb"))),
			fault("events-priority-number-taken", "a number is taken for the priority of a new event", creatingEvent(textOf("priority")))),
		breaks("events.update.wrong-type",
			fault("events-update-language-number-taken", "an update takes a number for a language", updatingEvent(textOf("language"))),
			fault("events-update-priority-number-taken", "an update takes a number for a priority", updatingEvent(textOf("priority"))),
			fault("events-update-location-list-ignored", "an update passes over a location that is a list", updatingEvent(ignoring("location", isA[[]any]))),
			fault("events-update-longitude-list-ignored", "an update passes over a longitude that is a list",
				updatingEvent(ignoring("longitude", isA[[]any])))),
		breaks("events.create.coordinates",
			fault("events-last-latitude-refused", "a new event takes latitudes below 90 degrees and not 90",
				creatingEvent(func(event map[string]any) {
					if fieldText(event, "latitude") == "90" {
						event["latitude"] = "out of range"
					}
				})),
			fault("events-whole-longitudes-refused", "a new event takes no longitude that is a whole number",
				creatingEvent(func(event map[string]any) {
					if degrees, ok := event["longitude"].(json.Number); ok && !strings.ContainsAny(degrees.String(), ".e") {
						event["longitude"] = "not a fraction"
					}
				}))),
		breaks("events.create.echo",
			fault("events-metadata-trimmed", "blanks around the values of a new event's metadata are dropped",
				rewriteText(createsEvent(), "metadata", strings.TrimSpace)),
			fault("events-object-id-in-lower-case", "the id of a new event's object is kept in lower case",
				creatingEvent(within("object", lowerCased("id"))))),
	)
}

// eventsAfterDeletion are the faults of events that were deleted, where their
// owner asks for them again.
func eventsAfterDeletion() []Fault {
	return slices.Concat(
		breaks("events.update.unknown",
			fault("events-deleted-is-updated", "an update of a deleted event is answered as if it were there",
				once(deletesEvent(), asked.last, lastSegment, func(gone match) mutation {
					return recalls(createsEvent(), asked.id, updatesEvent().and(gone), asked.last, func(q asked, made exchange) {
						onStatus(404, restated(200, string(made.body)))(q.Request, q.response)
					})
				}))),
		breaks("events.delete.unknown",
			fault("events-deleted-again-answers-200", "the second deletion of an event is answered with 200 and {}",
				once(deletesEvent(), asked.last, lastSegment, func(gone match) mutation {
					return rewriteResponse(deletesEvent().and(gone), onStatus(404, restated(200, "{}")))
				}))),
	)
}

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
			fault("events-without-verb-refused-but-made", "an event without a verb is refused, and is in the feeds anyway",
				refusedButDone(verbless, inBody(set("verb", "activity")))),
			fault("events-without-verb-conflicts", "an event without a verb is answered with 409",
				rewriteResponse(verbless, replaceStatus(422, 409, `{}`)))),
		breaks("events.create.object-id-required",
			fault("events-object-id-optional", "an object without an id gets one", rewriteBody(idless, named)),
			fault("events-object-without-id-dropped", "of an event whose object has no id the rest is taken", rewriteBody(idless, drop("object"))),
			fault("events-without-object-id-refused-but-made", "an event whose object has no id is refused, and is in the feeds anyway",
				refusedButDone(idless, inBody(named)))),
		breaks("events.create.malformed-json",
			fault("events-broken-json-taken", "of a body that breaks off what can be read is taken",
				rewriteRequest(broken, func(r *http.Request) { setJSON(r, readableIn(r)) })),
			fault("events-broken-json-refused-but-made", "a body that breaks off is refused, and an event is in the feeds anyway",
				refusedButDone(broken, func(r *http.Request) { setJSON(r, readableIn(r)) }))),
	)
}

// readableIn is the readable part of a body that breaks off: its verb.
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
		fault("events-wrong-type-refused-but-made", "an event with a language that is not a text is refused, but appears in the feeds without it",
			refusedButDone(createsEvent().and(sendsA("language", isNo[string])), inBody(drop("language")))),
		fault("events-verb-list-taken", "in a new event of a list of verbs the first is taken", taking("verb", firstOfList)),
		fault("events-language-number-taken", "in a new event a number is taken for a language", taking("language", numberAsText)),
		fault("events-priority-boolean-taken", "in a new event a boolean is taken for a priority", taking("priority", boolAsText)),
		fault("events-location-object-taken", "in a new event of an object as a location the name is taken",
			taking("location", of(func(place map[string]any) any { return fieldText(place, "name") }))),
		fault("events-latitude-text-taken", "in a new event a text that is a number is taken for a latitude", taking("latitude", textAsNumber)),
		fault("events-longitude-list-taken", "in a new event of a list the first number is taken for the longitude", taking("longitude", firstOfList)),
		fault("events-metadata-text-ignored", "in a new event metadata that is a text is ignored",
			rewriteBody(createsEvent(), ignoring("metadata", isA[string]))),
		fault("events-object-text-taken", "in a new event a text is taken for an object's id",
			taking("object", of(func(id string) any { return map[string]any{"id": id} }))))
}

func textAsNumber(value any) any {
	return of(func(text string) any {
		if number, err := strconv.ParseFloat(text, 64); err == nil {
			return number
		}
		return text
	})(value)
}

// eventTypes are the faults of the Event as a resource, wherever it is sent.
func eventTypes() []Fault {
	seconds := func(event map[string]any) { event["updated_at"] = 1_700_000_000 }
	return breaks("events.types",
		fault("events-updated-at-as-number", "the updated_at of a changed event is a number of seconds", rewriteObject(updatesEvent(), seconds)),
		fault("events-changed-updated-at-as-number-in-feed", "in a feed the updated_at of a changed event is a number of seconds", rewriteEach(readsFeed(), where(wasChanged, seconds))),
		fault("events-object-url-as-object", "the url of an object is an object",
			inEvents(within("object", mapField("url", func(url any) any { return map[string]any{"href": url} })))))
}

// eventUpdates are the faults of what an update does (Endpoints, row 19).
func eventUpdateFaults() []Fault {
	// keeping lets an update leave alone what keep puts back.
	keeping := func(keep func(event *Event, before Event)) mutation {
		return breaking(eventUpdates(func(_ look, was Event, now *Event) { keep(now, was) }))
	}
	named := func(field string) mutation { return rewriteResponse(updatesEvent(), fromRequest(field, field)) }
	return slices.Concat(
		breaks("events.update.status",
			fault("events-update-answers-201", "an update of an event answers 201", rewriteResponse(updatesEvent(), status(201))),
			fault("events-update-answers-204", "an update of an event answers 204, without the event",
				rewriteResponse(updatesEvent(), replaceSuccess(204, "")))),
		breaks("events.update.applies",
			fault("events-update-keeps-longitude", "an update leaves the longitude as it was",
				keeping(func(event *store.Event, before store.Event) { event.Longitude = before.Longitude })),
			fault("events-update-keeps-metadata", "an update leaves metadata as they were that are there",
				keeping(func(event *store.Event, before store.Event) {
					if len(before.Metadata) > 0 {
						event.Metadata = before.Metadata
					}
				})),
			fault("events-update-answers-the-object-before", "an update answers with the object as it was, and changes it",
				breaking(after(toChange, func(l *step) {
					if change := l.now().last(changed, 0, l.event.ID); change.old.Object != nil {
						l.event.Object = change.old.Object
					}
				}))),
			fault("events-update-keeps-display-name", "an update leaves the display name of an object as it was",
				keeping(func(event *store.Event, before store.Event) {
					if event.Object != nil && before.Object != nil {
						object := *event.Object
						object.DisplayName = before.Object.DisplayName
						event.Object = &object
					}
				}))),
		breaks("events.update.partial",
			fault("events-update-resets-verb", "an update without a verb sets it to another", keeping(func(event *store.Event, before store.Event) {
				if event.Verb == before.Verb {
					event.Verb = "updated"
				}
			})),
			fault("events-update-of-metadata-loses-verb", "an update of metadata alone is answered without the verb",
				rewriteObject(updatesEvent().and(sends("metadata")).and(not(sends("verb"))), drop("verb"))),
			fault("events-update-needs-verb", "an update of the location alone is refused for lack of a verb",
				rewriteResponse(updatesEvent().and(sends("location")).and(not(sends("verb"))), replaceStatus(200, 422, `{}`)))),
		breaks("events.update.keeps-identity",
			fault("events-update-moves-created-at", "an update is answered with its own time as created_at",
				rewriteObject(updatesEvent(), copied("created_at", "updated_at"))),
			fault("events-update-takes-id", "an update is answered with the id that it names", named("id")),
			fault("events-update-rounds-id", "ids above 2^53 lose their last digits in the answer to an update, and there alone",
				combine(func(o *refserver.Options) { o.Choices.EventIDs = refserver.BigIntegerIDs }, rewriteObject(updatesEvent(), rounded("id")))).
				also("feed.update-visible", "the changed event is looked for by the id in that answer"),
			fault("events-update-takes-owner", "an update is answered with the user_id that it names", named("user_id")),
			fault("events-update-takes-created-at", "an update is answered with the created_at that it names", named("created_at"))),
	)
}

// refusedUpdates are the faults of updates that must be refused.
func refusedUpdates() []Fault {
	unknown := func(status int, body string) mutation {
		return rewriteResponse(updatesEvent(), replaceStatus(404, status, body))
	}
	return slices.Concat(
		breaks("events.update.wrong-type",
			fault("events-update-half-applied", "an update with metadata of the wrong type is refused, and its other fields are changed",
				refusedButDone(updatesEvent().and(sendsA("metadata", isA[string])), inBody(drop("metadata")))),
			fault("events-update-verb-list-ignored", "an update passes over a verb of the wrong type",
				rewriteBody(updatesEvent(), ignoring("verb", isNo[string]))),
			fault("events-update-latitude-text-taken", "an update takes a text that is a number for a latitude",
				rewriteBody(updatesEvent(), mapField("latitude", textAsNumber)))),
		breaks("events.update.unknown",
			fault("events-update-of-none-makes-it", "an update of an event that does not exist makes one",
				answers(updatesEvent(), func(q asked) {
					if q.status == 404 {
						*q.response = *q.call(http.MethodPost, "/0.2/user/events", q.sent())
					}
				})),
			fault("events-update-of-none-forbidden", "an update of an event that does not exist is answered with 403", unknown(403, `{}`))),
		breaks("events.update.others",
			fault("events-update-by-anyone", "anyone may change an event", breaking(foreign(toChange, nil, always))),
			fault("events-update-by-anyone-unsaid", "an update of another's event is answered with 403, and changes it", breaking(foreign(toChange, store.ErrForbidden, always))),
			fault("events-update-by-followers", "who follows its owner may change an event", breaking(foreign(toChange, nil, look.follows))),
			fault("events-update-by-friends", "a friend of its owner may change an event", breaking(foreign(toChange, nil, look.befriends))),
			fault("events-update-of-others-conflicts", "an update of another's event is answered with 409",
				rewriteResponse(updatesEvent(), replaceStatus(403, 409, `{}`)))),
	)
}

// eventDeletions are the faults of deleting an event (Endpoints, row 20).
func eventDeletions() []Fault {
	return slices.Concat(
		breaks("events.delete.status",
			fault("events-delete-answers-200", "the deletion of an event answers 200", rewriteResponse(deletesEvent(), replaceSuccess(200, `{}`)))),
		breaks("events.delete.unknown",
			fault("events-delete-of-none-answers-200", "the deletion of an event that does not exist answers 200",
				rewriteResponse(deletesEvent(), replaceStatus(404, 200, `{}`)))),
		breaks("events.delete.others",
			fault("events-delete-by-anyone", "anyone may delete an event", breaking(foreign(toRemove, nil, always))),
			fault("events-delete-by-anyone-unsaid", "the deletion of another's event is answered with 403, and the event is gone", breaking(foreign(toRemove, store.ErrForbidden, always))),
			fault("events-delete-by-followers", "who follows its owner may delete an event", breaking(foreign(toRemove, nil, look.follows))),
			fault("events-delete-by-friends", "a friend of its owner may delete an event", breaking(foreign(toRemove, nil, look.befriends))),
			fault("events-delete-of-others-answers-204", "the deletion of another's event is answered with 204, and does nothing",
				rewriteResponse(deletesEvent(), replaceStatus(403, 204, "")))),
	)
}
