package faults

import (
	"net/http"
	"slices"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// eventUpdates are the faults of what an update does (Endpoints, row 19).
func eventUpdates() []Fault {
	// keeping lets an update leave alone what keep puts back.
	keeping := func(keep func(event *store.Event, before store.Event)) mutation {
		return overrideStore(func(inner refserver.Store, s *overrides) {
			s.updateEvent = func(app store.App, owner, id store.ID, change func(*store.Event)) (store.Event, error) {
				return inner.UpdateEvent(app, owner, id, func(event *store.Event) {
					before := *event
					change(event)
					keep(event, before)
				})
			}
		})
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
				overrideStore(func(inner refserver.Store, s *overrides) {
					s.updateEvent = func(app store.App, owner, id store.ID, change func(*store.Event)) (store.Event, error) {
						var before *store.Object
						event, err := inner.UpdateEvent(app, owner, id, func(event *store.Event) {
							before = event.Object
							change(event)
						})
						if before != nil {
							event.Object = before
						}
						return event, err
					}
				})),
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
				intercept(updatesEvent(), func(next http.Handler, r *http.Request) *response {
					resp := record(next, r)
					if resp.status == 404 {
						return call(next, r, http.MethodPost, "/0.2/user/events", requestObject(r))
					}
					return resp
				})),
			fault("events-update-of-none-forbidden", "an update of an event that does not exist is answered with 403", unknown(403, `{}`))),
		breaks("events.update.others",
			fault("events-update-by-anyone", "anyone may change an event", foreignUpdates(anyone, nil)),
			fault("events-update-by-anyone-unsaid", "an update of another's event is answered with 403, and changes it",
				foreignUpdates(anyone, store.ErrForbidden)),
			fault("events-update-by-followers", "who follows its owner may change an event", foreignUpdates(follows, nil)),
			fault("events-update-by-friends", "a friend of its owner may change an event", foreignUpdates(befriends, nil)),
			fault("events-update-of-others-conflicts", "an update of another's event is answered with 409",
				rewriteResponse(updatesEvent(), replaceStatus(403, 409, `{}`)))),
	)
}
