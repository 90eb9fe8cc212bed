package faults

import (
	"maps"
	"net/http"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// eventUpdates are the faults of what an update does (Endpoints, row 19).
func eventUpdates() []Fault {
	// keeping lets an update leave alone what keep puts back.
	keeping := func(keep func(event *store.Event, before store.Event)) func(*refserver.Options) {
		return swap(func(inner refserver.Store, s *swapped) {
			s.updateEvent = func(app store.App, owner, id store.ID, change func(*store.Event)) (store.Event, error) {
				return inner.UpdateEvent(app, owner, id, func(event *store.Event) {
					before := *event
					change(event)
					keep(event, before)
				})
			}
		})
	}
	named := func(field string) func(*refserver.Options) {
		return edit(updatesEvent().and(sends(field)), func(r *http.Request, resp *response) {
			resp.object(set(field, sent(r)[field]))
		})
	}
	return []Fault{
		{
			Name: "events-update-answers-201", Rule: "events.update.status",
			Summary: "an update of an event answers 201",
			Apply:   edit(updatesEvent(), func(_ *http.Request, resp *response) { resp.restatus(http.StatusCreated) }),
		},
		{
			Name: "events-update-answers-204", Rule: "events.update.status",
			Summary: "an update of an event answers 204, without the event",
			Apply:   edit(updatesEvent(), answers(http.StatusNoContent, "")),
		},
		{
			Name: "events-update-keeps-longitude", Rule: "events.update.applies",
			Summary: "an update leaves the longitude as it was",
			Apply:   keeping(func(event *store.Event, before store.Event) { event.Longitude = before.Longitude }),
		},
		{
			Name: "events-update-keeps-metadata", Rule: "events.update.applies",
			Summary: "an update leaves metadata as they were that are there",
			Apply: keeping(func(event *store.Event, before store.Event) {
				if len(before.Metadata) > 0 {
					event.Metadata = before.Metadata
				}
			}),
		},
		{
			Name: "events-update-answers-the-object-before", Rule: "events.update.applies",
			Summary: "an update answers with the object as it was, and changes it",
			Apply: swap(func(inner refserver.Store, s *swapped) {
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
			}),
		},
		{
			Name: "events-update-keeps-display-name", Rule: "events.update.applies",
			Summary: "an update leaves the display name of an object as it was",
			Apply: keeping(func(event *store.Event, before store.Event) {
				if event.Object != nil && before.Object != nil {
					object := *event.Object
					object.DisplayName = before.Object.DisplayName
					event.Object = &object
				}
			}),
		},
		{
			Name: "events-update-resets-verb", Rule: "events.update.partial",
			Summary: "an update without a verb sets it to another",
			Apply: keeping(func(event *store.Event, before store.Event) {
				if event.Verb == before.Verb {
					event.Verb = "updated"
				}
			}),
		},
		{
			Name: "events-update-of-metadata-loses-verb", Rule: "events.update.partial",
			Summary: "an update of metadata alone is answered without the verb",
			Apply:   edit(updatesEvent().and(sends("metadata")).and(not(sends("verb"))), inObject(drop("verb"))),
		},
		{
			Name: "events-update-needs-verb", Rule: "events.update.partial",
			Summary: "an update of the location alone is refused for lack of a verb",
			Apply:   edit(updatesEvent().and(sends("location")).and(not(sends("verb"))), instead(200, 422, `{}`)),
		},
		{
			Name: "events-update-moves-created-at", Rule: "events.update.keeps-identity",
			Summary: "an update is answered with its own time as created_at",
			Apply:   edit(updatesEvent(), inObject(func(event map[string]any) { event["created_at"] = event["updated_at"] })),
		},
		{
			Name: "events-update-takes-id", Rule: "events.update.keeps-identity",
			Summary: "an update is answered with the id that it names",
			Apply:   named("id"),
		},
		{
			Name: "events-update-rounds-id", Rule: "events.update.keeps-identity",
			Summary: "ids above 2^53 lose their last digits in the answer to an update, and there alone",
			Apply: both(func(o *refserver.Options) { o.Choices.EventIDs = refserver.BigIntegerIDs },
				edit(updatesEvent(), inObject(func(event map[string]any) { event["id"] = rounded(event["id"]) }))),
		},
		{
			Name: "events-update-takes-owner", Rule: "events.update.keeps-identity",
			Summary: "an update is answered with the user_id that it names",
			Apply:   named("user_id"),
		},
		{
			Name: "events-update-takes-created-at", Rule: "events.update.keeps-identity",
			Summary: "an update is answered with the created_at that it names",
			Apply:   named("created_at"),
		},
	}
}

// refusedUpdates are the faults of updates that must be refused.
func refusedUpdates() []Fault {
	noMetadata := func(r *http.Request) bool {
		_, text := sent(r)["metadata"].(string)
		return text
	}
	unknown := func(status int, body string) func(*refserver.Options) {
		return edit(updatesEvent(), instead(404, status, body))
	}
	return []Fault{
		{
			Name: "events-update-half-applied", Rule: "events.update.wrong-type",
			Summary: "an update with metadata of the wrong type is refused, and its other fields are changed",
			Apply: around(updatesEvent().and(noMetadata), func(next http.Handler, r *http.Request) *response {
				resp := record(next, r)
				rest := maps.Clone(sent(r))
				delete(rest, "metadata")
				call(next, r, http.MethodPut, r.URL.Path, rest)
				return resp
			}),
		},
		{
			Name: "events-update-verb-list-ignored", Rule: "events.update.wrong-type",
			Summary: "an update passes over a verb of the wrong type",
			Apply:   tamper(updatesEvent().and(mistypes("verb")), resent(drop("verb"))),
		},
		{
			Name: "events-update-latitude-text-taken", Rule: "events.update.wrong-type",
			Summary: "an update takes a text that is a number for a latitude",
			Apply: tamper(updatesEvent().and(sends("latitude")), resent(func(event map[string]any) {
				event["latitude"] = textAsNumber(event["latitude"])
			})),
		},
		{
			Name: "events-update-of-none-makes-it", Rule: "events.update.unknown",
			Summary: "an update of an event that does not exist makes one",
			Apply: around(updatesEvent(), func(next http.Handler, r *http.Request) *response {
				resp := record(next, r)
				if resp.status == http.StatusNotFound {
					return call(next, r, http.MethodPost, "/0.2/user/events", sent(r))
				}
				return resp
			}),
		},
		{
			Name: "events-update-of-none-forbidden", Rule: "events.update.unknown",
			Summary: "an update of an event that does not exist is answered with 403",
			Apply:   unknown(403, `{}`),
		},
		{
			Name: "events-update-by-anyone", Rule: "events.update.others",
			Summary: "anyone may change an event",
			Apply:   foreignUpdates(func(refserver.Store, store.App, store.ID, store.ID) bool { return true }, false),
		},
		{
			Name: "events-update-by-anyone-unsaid", Rule: "events.update.others",
			Summary: "an update of another's event is answered with 403, and changes it",
			Apply:   foreignUpdates(func(refserver.Store, store.App, store.ID, store.ID) bool { return true }, true),
		},
		{
			Name: "events-update-by-followers", Rule: "events.update.others",
			Summary: "who follows its owner may change an event",
			Apply:   foreignUpdates(follows, false),
		},
		{
			Name: "events-update-by-friends", Rule: "events.update.others",
			Summary: "a friend of its owner may change an event",
			Apply:   foreignUpdates(befriends, false),
		},
		{
			Name: "events-update-of-others-conflicts", Rule: "events.update.others",
			Summary: "an update of another's event is answered with 409",
			Apply:   edit(updatesEvent(), instead(403, 409, `{}`)),
		},
	}
}
