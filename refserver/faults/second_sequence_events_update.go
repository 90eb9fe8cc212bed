package faults

import (
	"errors"
	"net/http"
	"slices"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// sequenceEventsUpdate are the faults of changes of events that were changed before, or
// after steps that should not matter to them.
func sequenceEventsUpdate() []Fault {
	return slices.Concat(
		breaks("events.update.status",
			fault("sequence-event-of-ended-session-not-changeable", "an event cannot be changed any more once the session that posted it was logged out", eventsOfEndedSessions),
			fault("sequence-newest-not-found-after-deletion-of-older", "where a user deletes an event, a change of the newest of its events is answered with 404 until the next is posted, as its position is beyond the end of the list by then", overrideStore(newestBeyondTheEnd)),
			fault("sequence-change-after-foreign-attempt-not-found", "an event that another user has tried to change is not found by a change of its owner from then on, as what was kept of it says that there is none",
				overrideStore(foreignAttemptsKept))),
		breaks("events.update.applies",
			fault("sequence-second-change-keeps-location", "the second change of an event leaves the location as it is",
				secondChange(func(before, event *store.Event) { event.Location = before.Location })),
			fault("sequence-change-back-ignored", "a change of an event's priority back to what it was before leaves it as it is",
				overrideStore(func(inner refserver.Store, s *overrides) {
					was := &memory[bool]{}
					s.updateEvent = func(app store.App, owner, id store.ID, change func(*store.Event)) (store.Event, error) {
						return inner.UpdateEvent(app, owner, id, func(event *store.Event) {
							before := event.Priority
							change(event)
							if event.Priority != before && was.get(keyOf(app, id)+event.Priority) {
								event.Priority = before
							}
							was.keep(keyOf(app, id)+before, true)
						})
					}
				}))),
		breaks("events.update.partial",
			fault("sequence-second-change-resets-verb", "the second change of an event that does not name a verb sets another", secondChange(func(before, event *store.Event) {
				if before.Verb == event.Verb {
					event.Verb = "updated"
				}
			})),
			fault("sequence-changed-verb-comes-back", "a change of an event that does not name a verb brings back the one that was changed before",
				overrideStore(func(inner refserver.Store, s *overrides) {
					replaced := &memory[string]{}
					s.updateEvent = func(app store.App, owner, id store.ID, change func(*store.Event)) (store.Event, error) {
						return inner.UpdateEvent(app, owner, id, func(event *store.Event) {
							before, key := event.Verb, keyOf(app, id)
							change(event)
							if event.Verb != before {
								replaced.keep(key, before)
							} else if replaced.has(key) {
								event.Verb = replaced.get(key)
							}
						})
					}
				})),
			fault("sequence-change-without-verb-brings-first-back", "where the verb of an event was changed, a further change without a verb brings the first one back", firstVerbsReturn),
			fault("sequence-later-change-restores-first-verb", "a change of an event that sends no verb brings back the one that the event was created with, whatever a change before has made of it", firstVerbRestored)),
		breaks("events.update.keeps-identity",
			fault("sequence-second-change-renews-created-at", "the second change of an event answers with its own time as created_at", func(o *refserver.Options) {
				changes := &memory[int]{}
				rewriteObject(updatesEvent(), func(event map[string]any) {
					if tally(changes, fieldText(event, "id")) >= 2 {
						event["created_at"] = event["updated_at"]
					}
				})(o)
			})),
		breaks("events.update.unknown",
			fault("sequence-deleted-event-id-means-the-next", "the id of a deleted event stands for the next one that its owner posts, where it is changed",
				overrideStore(func(inner refserver.Store, s *overrides) {
					freed, heirs := &memory[store.ID]{}, &memory[store.ID]{} // by owner; by deleted event
					s.onDeleteEvent(func(app store.App, owner, id store.ID) { freed.keep(keyOf(app, owner), id) })
					s.onCreateEvent(func(event store.Event) {
						if id := freed.keep(keyOf(event.App, event.Owner), 0); id != 0 {
							heirs.keep(keyOf(event.App, id), event.ID)
						}
					})
					update := s.updateEvent
					s.updateEvent = func(app store.App, owner, id store.ID, change func(*store.Event)) (store.Event, error) {
						if heir, known := heirs.lookup(keyOf(app, id)); known {
							id = heir
						}
						return update(app, owner, id, change)
					}
				}))),
		breaks("events.update.others",
			fault("sequence-refused-foreign-change-flushed-later", "a change of another's event that was refused is made when its owner changes it next",
				overrideStore(func(inner refserver.Store, s *overrides) {
					pending := &memory[func(*store.Event)]{} // by event
					s.updateEvent = func(app store.App, owner, id store.ID, change func(*store.Event)) (store.Event, error) {
						event, err := inner.UpdateEvent(app, owner, id, func(event *store.Event) {
							if dirty := pending.keep(keyOf(app, id), nil); dirty != nil {
								dirty(event)
							}
							change(event)
						})
						if errors.Is(err, store.ErrForbidden) {
							pending.keep(keyOf(app, id), change)
						}
						return event, err
					}
				})),
			fault("sequence-taker-of-name-changes-events", "who took over a user name may change the events that its former bearer posted under it",
				overrideStore(func(inner refserver.Store, s *overrides) {
					names, owners := signedEvents(inner, s), ownersOf(s)
					s.updateEvent = func(app store.App, user, id store.ID, change func(*store.Event)) (store.Event, error) {
						event, err := inner.UpdateEvent(app, user, id, change)
						owner, name := owners.get(keyOf(app, id)), names.get(keyOf(app, id))
						taker, unknown := inner.User(app, user)
						former, gone := inner.User(app, owner)
						if errors.Is(err, store.ErrForbidden) && unknown == nil && gone == nil && taker.UserName == name && former.UserName != name {
							return inner.UpdateEvent(app, owner, id, change)
						}
						return event, err
					}
				}))),
	)
}

// eventsOfEndedSessions refuses changes of events whose session was logged out.
func eventsOfEndedSessions(o *refserver.Options) {
	posted, ended := &memory[string]{}, &memory[bool]{} // a token by event; tokens
	combine(
		refused(updatesEvent().and(func(r *http.Request) bool { return ended.get(posted.get(lastSegment(r))) }), 403, complaint("not your event")),
		rewriteResponse(createsEvent(), func(r *http.Request, resp *response) {
			resp.object(func(event map[string]any) { posted.keep(fieldText(event, "id"), sessionIn(r)) })
		}),
		rewriteResponse(deletesEvent(), func(r *http.Request, resp *response) {
			if resp.ok() {
				posted.keep(lastSegment(r), "")
			}
		}),
		rewriteResponse(logsOut(), func(r *http.Request, resp *response) {
			if resp.ok() {
				ended.keep(sessionIn(r), true)
			}
		}),
	)(o)
}

// newestBeyondTheEnd finds events by positions, which a deletion leaves as they were.
func newestBeyondTheEnd(_ refserver.Store, s *overrides) {
	all, beyond := archived(s), &memory[store.ID]{} // by owner
	remove, update := s.deleteEvent, s.updateEvent
	s.deleteEvent = func(app store.App, owner, id store.ID) error {
		events := all.of(app, func(of store.ID) bool { return of == owner })
		err := remove(app, owner, id)
		if err == nil && len(events) > 0 && events[0].ID != id {
			beyond.keep(keyOf(app, owner), events[0].ID)
		}
		return err
	}
	s.onCreateEvent(func(event store.Event) { beyond.keep(keyOf(event.App, event.Owner), 0) })
	s.updateEvent = func(app store.App, owner, id store.ID, change func(*store.Event)) (store.Event, error) {
		if beyond.get(keyOf(app, owner)) == id {
			return store.Event{}, store.ErrNotFound
		}
		return update(app, owner, id, change)
	}
}

// foreignAttemptsKept keeps by the event alone, and not by the user, that it was not found.
func foreignAttemptsKept(inner refserver.Store, s *overrides) {
	owners, unfound := ownersOf(s), &memory[bool]{} // by event
	s.updateEvent = func(app store.App, owner, id store.ID, change func(*store.Event)) (store.Event, error) {
		key := keyOf(app, id)
		if unfound.get(key) && owners.get(key) == owner {
			return store.Event{}, store.ErrNotFound
		}
		event, err := inner.UpdateEvent(app, owner, id, change)
		if errors.Is(err, store.ErrForbidden) {
			unfound.keep(key, true)
		}
		return event, err
	}
}

// secondChange does something more to an event from its second change on.
func secondChange(change func(before, event *store.Event)) mutation {
	return overrideStore(func(inner refserver.Store, s *overrides) {
		changes := &memory[int]{}
		s.updateEvent = func(app store.App, owner, id store.ID, update func(*store.Event)) (store.Event, error) {
			second := changes.get(keyOf(app, id)) >= 1
			event, err := inner.UpdateEvent(app, owner, id, func(event *store.Event) {
				before := *event
				if update(event); second {
					change(&before, event)
				}
			})
			if err == nil {
				tally(changes, keyOf(app, id))
			}
			return event, err
		}
	})
}

// firstVerbsReturn fills in the verb that an event was created with.
func firstVerbsReturn(o *refserver.Options) {
	firsts := &memory[string]{} // by event
	combine(
		rewriteObject(createsEvent(), func(event map[string]any) { firsts.keep(fieldText(event, "id"), fieldText(event, "verb")) }),
		rewriteRequest(updatesEvent().and(not(sends("verb"))), func(r *http.Request) {
			if first, known := firsts.lookup(lastSegment(r)); known {
				inBody(set("verb", first))(r)
			}
		}),
	)(o)
}

// firstVerbRestored fills in what a change lacks from a copy of the event as it was created.
func firstVerbRestored(o *refserver.Options) {
	verbs := &memory[string]{} // by event
	combine(
		rewriteObject(createsEvent(), func(event map[string]any) { verbs.keep(fieldText(event, "id"), fieldText(event, "verb")) }),
		rewriteRequest(updatesEvent().and(not(sends("verb"))), func(r *http.Request) {
			if verb, known := verbs.lookup(lastSegment(r)); known {
				inBody(set("verb", verb))(r)
			}
		}),
	)(o)
}
