package faults

import (
	"slices"

	"github.com/socialfeed/conform/refserver/store"
)

// eventDeletions are the faults of deleting an event (Endpoints, row 20).
func eventDeletions() []Fault {
	return slices.Concat(
		breaks("events.delete.status",
			fault("events-delete-answers-200", "the deletion of an event answers 200", rewriteResponse(deletesEvent(), replaceSuccess(200, `{}`)))),
		breaks("events.delete.unknown",
			fault("events-delete-of-none-answers-200", "the deletion of an event that does not exist answers 200",
				rewriteResponse(deletesEvent(), replaceStatus(404, 200, `{}`)))),
		breaks("events.delete.others",
			fault("events-delete-by-anyone", "anyone may delete an event", foreignDeletions(anyone, nil)),
			fault("events-delete-by-anyone-unsaid", "the deletion of another's event is answered with 403, and the event is gone",
				foreignDeletions(anyone, store.ErrForbidden)),
			fault("events-delete-by-followers", "who follows its owner may delete an event", foreignDeletions(follows, nil)),
			fault("events-delete-by-friends", "a friend of its owner may delete an event", foreignDeletions(befriends, nil)),
			fault("events-delete-of-others-answers-204", "the deletion of another's event is answered with 204, and does nothing",
				rewriteResponse(deletesEvent(), replaceStatus(403, 204, "")))),
	)
}
