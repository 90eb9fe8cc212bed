package faults

import (
	"maps"
	"net/http"
	"slices"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// sequenceEvents are the faults of events that are created, changed or deleted after steps that
// should not matter to them.
func sequenceEvents() []Fault {
	fromSecond := func(change func(was Event, now *Event)) mutation {
		return breaking(eventUpdates(func(l look, was Event, now *Event) {
			if l.ever(changed, 0, l.event.ID) {
				change(was, now)
			}
		}))
	}
	return slices.Concat(
		breaks("events.create.echo",
			fault("sequence-refused-metadata-joins-the-next", "the entries of metadata of an event that was refused are added to those of the next event of the session", refusedMetadataJoins)),
		breaks("events.delete.status",
			fault("sequence-deletion-of-changed-answers-200", "the deletion of an event that was changed answers 200",
				once(updatesEvent(), asked.last, lastSegment, func(changed match) mutation {
					return rewriteResponse(deletesEvent().and(changed), replaceSuccess(200, "{}"))
				}))),
		breaks("events.delete.others",
			fault("sequence-followed-user-may-delete", "who is followed by its owner may delete an event", breaking(foreign(toRemove, nil, look.followedBy))),
			fault("sequence-friend-once-deletes-events", "who was a friend of its owner once may delete an event",
				breaking(foreign(toRemove, nil, func(l look) bool { return l.ever(befriended, l.me, l.other) && !l.befriends() }))),
			fault("sequence-refused-deletion-hides-event-from-who-tried", "another's event that a follower tried to delete, and was refused, leaves the follower's own feed",
				breaking(hides(func(l look) bool { return l.ever(triedRemove, l.me, l.event.ID) })))),
		breaks("events.update.status",
			fault("sequence-event-of-ended-session-not-changeable", "an event cannot be changed any more once the session that posted it was logged out",
				breaking(fails(toChange, store.ErrForbidden, func(l look) bool {
					return l.me == l.other && len(l.named(loggedOut, l.then(l.post()).session(l.me))) > 0
				}))),
			fault("sequence-newest-not-found-after-deletion-of-older", "where a user deletes an event, a change of the newest of its events is answered with 404 until the next is posted, as its position is beyond the end of the list by then",
				breaking(fails(toChange, store.ErrNotFound, func(l look) bool {
					gone := l.last(removed, l.me, 0)
					return l.unless(removed, l.me, 0, posted) && gone.events[0].ID == l.event.ID && gone.to != l.event.ID
				}))),
			fault("sequence-change-after-foreign-attempt-not-found", "an event that another user has tried to change is not found by a change of its owner from then on, as what was kept of it says that there is none",
				breaking(fails(toChange, store.ErrNotFound, func(l look) bool {
					foreign := func(try *act) bool { return try.by != l.other }
					return l.me == l.other && slices.ContainsFunc(l.all(triedChange, 0, l.event.ID), foreign)
				})))),
		breaks("events.update.applies",
			fault("sequence-second-change-keeps-location", "the second change of an event leaves the location as it is",
				fromSecond(func(was Event, now *Event) { now.Location = was.Location })),
			fault("sequence-change-back-ignored", "a change of an event's priority back to what it was before leaves it as it is",
				breaking(eventUpdates(func(l look, was Event, now *Event) {
					if slices.ContainsFunc(l.all(changed, 0, l.event.ID), func(change *act) bool { return change.old.Priority == now.Priority }) {
						now.Priority = was.Priority
					}
				})))),
		breaks("events.update.partial",
			fault("sequence-second-change-resets-verb", "the second change of an event that does not name a verb sets another", fromSecond(func(was Event, now *Event) {
				if was.Verb == now.Verb {
					now.Verb = "updated"
				}
			})),
			fault("sequence-changed-verb-comes-back", "a change of an event that does not name a verb brings back the one that was changed before",
				breaking(eventUpdates(func(l look, was Event, now *Event) {
					for _, change := range l.all(changed, 0, l.event.ID) {
						if was.Verb == now.Verb && change.old.Verb != change.event.Verb {
							defer func(verb string) { now.Verb = verb }(change.old.Verb)
						}
					}
				}))),
			fault("sequence-change-without-verb-brings-first-back", "where the verb of an event was changed, a further change without a verb brings the first one back",
				looking(func(at func(q asked) look) mutation {
					return rewriteRequest(updatesEvent().and(not(sends("verb"))), func(r *http.Request) {
						if first := at(asked{Request: r}).atFirst().Verb; first != "" {
							inBody(set("verb", first))(r)
						}
					})
				}))),
		breaks("events.update.keeps-identity",
			fault("sequence-second-change-renews-created-at", "the second change of an event answers with its own time as created_at",
				breaking(after(toChange, func(l *step) {
					if l.ever(changed, 0, l.event.ID) {
						l.event.CreatedAt = l.event.UpdatedAt
					}
				})))),
		breaks("events.update.unknown",
			fault("sequence-deleted-event-id-means-the-next", "the id of a deleted event stands for the next one that its owner posts, where it is changed",
				breaking(given(toChange, func(l *step) {
					gone := l.last(removed, 0, l.event.ID)
					if heirs := l.since(gone, posted, gone.by, 0); gone.n > 0 && len(heirs) > 0 && l.then(heirs[0]).last(removed, gone.by, 0) == gone {
						l.event.ID = heirs[0].to
					}
				})))),
		breaks("events.update.others",
			fault("sequence-refused-foreign-change-flushed-later", "a change of another's event that was refused is made when its owner changes it next",
				remembering(func(pending *memory[func(*Event)]) mutation { // by event
					return breaking(around(toChange, func(l *step) error {
						key, asked := keyOf(l.app, l.event.ID), l.changeEvent
						l.changeEvent = func(event *Event) {
							if dirty := pending.keep(key, nil); dirty != nil {
								dirty(event)
							}
							asked(event)
						}
						err := l.do()
						if err != nil {
							pending.keep(key, asked)
						}
						return err
					}))
				})),
			fault("sequence-taker-of-name-changes-events", "who took over a user name may change the events that its former bearer posted under it",
				breaking(foreign(toChange, nil, func(l look) bool {
					return l.there(l.other) && l.record(l.me).UserName == l.signed() && l.record(l.other).UserName != l.signed()
				})))),
		breaks("limits.metadata.keys",
			fault("sequence-event-change-counts-standing-metadata", "a change of an event is refused where the keys of its metadata and those that stand are more than ten together, though they are the same",
				looking(func(at func(q asked) look) mutation {
					return refused(updatesEvent().and(func(r *http.Request) bool {
						sent, standing := len(metadataIn(r)), len(at(asked{Request: r}).stands().Metadata)
						return sent > 0 && sent <= 10 && standing+sent > 10
					}), 422, complaint("metadata holds too many keys"))
				}))),
	)
}

// refusedMetadataJoins adds what was valid in the metadata of a refused event to the
// metadata of the next one, as far as there is room.
func refusedMetadataJoins(o *refserver.Options) {
	left := &memory[map[string]any]{} // by session
	intercept(createsEvent(), func(next http.Handler, r *http.Request) *response {
		entries := metadataIn(r)
		if more := maps.Clone(left.keep(sessionIn(r), nil)); len(entries) > 0 && len(more) > 0 {
			if maps.Copy(more, entries); allTexts(more) && len(more) > len(entries) {
				inBody(set("metadata", more))(r)
			}
		}
		resp := record(next, r)
		if refusesInput(resp) {
			maps.DeleteFunc(entries, func(key string, value any) bool { return !allTexts(map[string]any{key: value}) })
			left.keep(sessionIn(r), entries)
		}
		return resp
	})(o)
}
