package faults

import (
	"net/http"
	"slices"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// firstAfterDeletion watches which events are the first that their owners post
// after the deletion of another.
func firstAfterDeletion(s *overrides) *memory[bool] {
	deleted, first := &memory[bool]{}, &memory[bool]{} // by owner; by event
	s.onDeleteEvent(func(app store.App, owner, _ store.ID) { deleted.keep(keyOf(app, owner), true) })
	s.onCreateEvent(func(event store.Event) {
		if deleted.keep(keyOf(event.App, event.Owner), false) {
			first.keep(keyOf(event.App, event.ID), true)
		}
	})
	return first
}

// eventSequences are the faults of events that were changed or deleted before.
func eventSequences() []Fault {
	return slices.Concat(
		breaks("events.update.partial",
			fault("sequence-second-change-resets-verb", "the second change of an event that does not name a verb sets another", secondChange(func(before, event *store.Event) {
				if before.Verb == event.Verb {
					event.Verb = "updated"
				}
			}))),
		breaks("events.update.partial",
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
				}))),
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
		breaks("events.update.keeps-identity",
			fault("sequence-second-change-renews-created-at", "the second change of an event answers with its own time as created_at", func(o *refserver.Options) {
				changes := &memory[int]{}
				rewriteObject(updatesEvent(), func(event map[string]any) {
					if tally(changes, fieldText(event, "id")) >= 2 {
						event["created_at"] = event["updated_at"]
					}
				})(o)
			})),
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
				}))),
		breaks("feed.update-visible",
			fault("sequence-second-change-not-in-feeds", "feeds show an event as it was after its first change",
				overrideStore(func(_ refserver.Store, s *overrides) {
					firsts := &memory[store.Event]{}
					s.onUpdateEvent(func(event store.Event) {
						firsts.update(keyOf(event.App, event.ID), func(first store.Event) store.Event {
							if first.ID == 0 {
								return event
							}
							return first
						})
					})
					s.rewriteFeeds(func(r reader, feed []store.Event) []store.Event {
						for i, event := range feed {
							if first, known := firsts.lookup(keyOf(r.app, event.ID)); known {
								feed[i] = first
							}
						}
						return feed
					})
				})),
			fault("sequence-read-before-change-is-kept", "who read an event in the feed before it was changed goes on seeing it as it was",
				overrideStore(func(_ refserver.Store, s *overrides) {
					seen := &memory[store.Event]{}
					s.rewriteFeeds(func(r reader, feed []store.Event) []store.Event {
						for i, event := range feed {
							if first, known := seen.lookup(keyOf(r.app, r.id, event.ID)); known {
								feed[i] = first
							} else {
								seen.keep(keyOf(r.app, r.id, event.ID), event)
							}
						}
						return feed
					})
				}))),
		breaks("feed.event-delete",
			fault("sequence-deleted-after-change-stays", "an event that was changed stays in the feeds of followers when it is deleted",
				deletionPassesOver(changed, followersAlone, atOnce)),
			fault("sequence-deletion-takes-the-same-object", "with a deleted event its owner's other events on the same object leave the feeds",
				overrideStore(func(_ refserver.Store, s *overrides) {
					objects, taken := &memory[string]{}, &memory[time.Time]{} // by event; by owner and object
					keep := func(event store.Event) {
						if event.Object != nil {
							objects.keep(keyOf(event.App, event.ID), event.Object.ID)
						}
					}
					s.onCreateEvent(keep)
					s.onUpdateEvent(keep)
					s.onDeleteEvent(func(app store.App, owner, id store.ID) {
						if object, known := objects.lookup(keyOf(app, id)); known {
							taken.keep(keyOf(app, owner)+object, time.Now())
						}
					})
					s.hideFromFeeds(func(r reader, event store.Event) bool {
						return event.Object != nil && event.CreatedAt.Before(taken.get(keyOf(r.app, event.Owner)+event.Object.ID))
					})
				}))),
		breaks("feed.follow.new-events",
			fault("sequence-next-after-deletion-is-lost", "the first event that a user posts after the deletion of another is in no feed",
				overrideStore(func(_ refserver.Store, s *overrides) {
					lost := firstAfterDeletion(s)
					s.hideFromFeeds(func(r reader, event store.Event) bool { return lost.get(keyOf(r.app, event.ID)) })
				}))),
		breaks("feed.order",
			fault("sequence-next-after-deletion-comes-last", "the first event that a user posts after the deletion of another stands at the end of feeds",
				overrideStore(func(_ refserver.Store, s *overrides) {
					misplaced := firstAfterDeletion(s)
					s.rewriteFeeds(func(r reader, feed []store.Event) []store.Event {
						is := func(event store.Event) bool { return misplaced.get(keyOf(r.app, event.ID)) }
						last := without(slices.Clone(feed), func(event store.Event) bool { return !is(event) })
						return append(without(feed, is), last...)
					})
				}))),
	)
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
