package faults

import (
	"errors"
	"maps"
	"net/http"
	"slices"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// sequenceEventsCreateDelete are the faults of what a refusal, a change or a connection
// before leaves behind for new events and deletions.
func sequenceEventsCreateDelete() []Fault {
	return slices.Concat(
		breaks("events.create.echo",
			fault("sequence-refused-metadata-joins-the-next", "the entries of metadata of an event that was refused are added to those of the next event of the session", refusedMetadataJoins)),
		breaks("events.delete.status",
			fault("sequence-deletion-of-changed-answers-200", "the deletion of an event that was changed answers 200", func(o *refserver.Options) {
				changed := &memory[bool]{}
				combine(
					rewriteObject(updatesEvent(), func(event map[string]any) { changed.keep(fieldText(event, "id"), true) }),
					rewriteResponse(deletesEvent().and(func(r *http.Request) bool { return changed.get(lastSegment(r)) }), replaceSuccess(200, "{}")),
				)(o)
			})),
		breaks("events.delete.others",
			fault("sequence-followed-user-may-delete", "who is followed by its owner may delete an event",
				foreignDeletions(func(inner refserver.Store, app store.App, user, owner store.ID) bool {
					return follows(inner, app, owner, user)
				}, nil)),
			fault("sequence-friend-once-deletes-events", "who was a friend of its owner once may delete an event",
				overrideStore(func(inner refserver.Store, s *overrides) {
					owners, once := ownersOf(s), &memory[bool]{}
					s.onConnect(func(app store.App, from, to store.ID, typ store.ConnectionType) {
						once.keep(keyOf(app, from, to), typ == store.Friend || once.get(keyOf(app, from, to)))
					})
					s.deleteEvent = func(app store.App, user, id store.ID) error {
						owner := owners.get(keyOf(app, id))
						if once.get(keyOf(app, user, owner)) && !among(inner.Friends, app, user, owner) {
							return inner.DeleteEvent(app, owner, id)
						}
						return inner.DeleteEvent(app, user, id)
					}
				})),
			fault("sequence-refused-deletion-hides-event-from-who-tried", "another's event that a follower tried to delete, and was refused, leaves the follower's own feed",
				overrideStore(func(inner refserver.Store, s *overrides) {
					hidden := &memory[bool]{} // by reader and event
					s.deleteEvent = func(app store.App, owner, id store.ID) error {
						err := inner.DeleteEvent(app, owner, id)
						if errors.Is(err, store.ErrForbidden) {
							hidden.keep(keyOf(app, owner, id), true)
						}
						return err
					}
					s.hideFromFeeds(func(r reader, event store.Event) bool { return hidden.get(keyOf(r.app, r.id, event.ID)) })
				}))),
	)
}

// refusedMetadataJoins adds what was valid in the metadata of a refused event to the
// metadata of the next one, as far as there is room.
func refusedMetadataJoins(o *refserver.Options) {
	left := &memory[map[string]any]{} // by session
	intercept(createsEvent(), func(next http.Handler, r *http.Request) *response {
		sent := requestObject(r)
		entries, _ := sent["metadata"].(map[string]any)
		joined := left.keep(sessionIn(r), nil)
		if more := maps.Clone(joined); len(entries) > 0 && len(more) > 0 {
			maps.Copy(more, entries)
			if allTexts(more) && len(more) > len(entries) {
				sent["metadata"] = more
				setJSON(r, sent)
			}
		}
		resp := record(next, r)
		if resp.status == 400 || resp.status == 422 {
			valid := map[string]any{}
			for key, value := range entries {
				if allTexts(map[string]any{key: value}) {
					valid[key] = value
				}
			}
			left.keep(sessionIn(r), valid)
		}
		return resp
	})(o)
}
