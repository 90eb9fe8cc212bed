package faults

import (
	"net/http"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// eventDeletions are the faults of deleting an event (Endpoints, row 20).
func eventDeletions() []Fault {
	deletesEvent := on("DELETE /0.2/user/events/{EventID}")
	anyone := func(refserver.Store, store.App, store.ID, store.ID) bool { return true }
	return []Fault{
		{
			Name: "events-delete-answers-200", Rule: "events.delete.status",
			Summary: "the deletion of an event answers 200",
			Apply:   edit(deletesEvent, answers(http.StatusOK, `{}`)),
		},
		{
			Name: "events-delete-of-none-answers-200", Rule: "events.delete.unknown",
			Summary: "the deletion of an event that does not exist answers 200",
			Apply:   edit(deletesEvent, instead(404, 200, `{}`)),
		},
		{
			Name: "events-delete-by-anyone", Rule: "events.delete.others",
			Summary: "anyone may delete an event",
			Apply:   foreignDeletions(anyone, false),
		},
		{
			Name: "events-delete-by-anyone-unsaid", Rule: "events.delete.others",
			Summary: "the deletion of another's event is answered with 403, and the event is gone",
			Apply:   foreignDeletions(anyone, true),
		},
		{
			Name: "events-delete-by-followers", Rule: "events.delete.others",
			Summary: "who follows its owner may delete an event",
			Apply:   foreignDeletions(follows, false),
		},
		{
			Name: "events-delete-by-friends", Rule: "events.delete.others",
			Summary: "a friend of its owner may delete an event",
			Apply:   foreignDeletions(befriends, false),
		},
		{
			Name: "events-delete-of-others-answers-204", Rule: "events.delete.others",
			Summary: "the deletion of another's event is answered with 204, and does nothing",
			Apply:   edit(deletesEvent, instead(403, 204, "")),
		},
	}
}
