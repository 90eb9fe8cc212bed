package faults

import (
	"maps"
	"slices"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// scaleFeedEvents are the faults of changes and deletions of events that reach some of many
// feeds, or some of many events; and of what a long feed shows of each.
func scaleFeedEvents() []Fault {
	behindCached := func(events []store.Event) []store.Event { return events[min(15, len(events)):] }
	return slices.Concat(
		breaks("feed.event-shape",
			fault("scale-feed-details-of-first-ten", "in a feed the events beyond the tenth have neither metadata nor an object",
				rewriteFeeds(func(_ reader, feed []store.Event) []store.Event {
					const detailed = 10
					for i := range fromPosition(feed, detailed) {
						feed[detailed+i].Metadata, feed[detailed+i].Object = nil, nil
					}
					return feed
				})),
			fault("scale-feed-shows-eight-keys-of-metadata", "in a feed events have at most eight entries of metadata",
				rewriteEach(readsFeed(), within("metadata", firstKeys(8)))),
			fault("scale-eleventh-event-has-metadata-of-the-tenth", "the eleventh event of a feed also has the entries of metadata of the tenth, as one map is used again",
				rewriteFeeds(func(_ reader, feed []store.Event) []store.Event {
					const batch = 10
					if len(feed) <= batch || len(feed[batch-1].Metadata) == 0 {
						return feed
					}
					feed = slices.Clone(feed)
					entries := maps.Clone(feed[batch-1].Metadata)
					maps.Copy(entries, feed[batch].Metadata)
					feed[batch].Metadata = entries
					return feed
				})),
			fault("scale-large-events-in-feeds-without-metadata", "an event of more than 4 KiB has no metadata in feeds, as the message that hands it out leaves it behind",
				rewriteFeeds(func(_ reader, feed []store.Event) []store.Event {
					feed = slices.Clone(feed)
					for i, event := range feed {
						if len(encode(event)) > 4<<10 {
							feed[i].Metadata = nil
						}
					}
					return feed
				}))),
		breaks("feed.update-visible",
			fault("scale-changes-reach-15-followers", "changes of an event are seen by the first 15 followers alone",
				staying(func(event *store.Event, first store.Event) { *event = first }, func(r reader, owner store.ID) bool {
					return slices.Contains(fromPosition(idsOf(r.store.Followers, r.app, owner), 15), r.id)
				})),
			fault("scale-events-behind-ten-as-at-first", "in a feed the events behind the ten newest are as they were before any change",
				overrideStore(func(_ refserver.Store, s *overrides) {
					firsts := &memory[store.Event]{} // by event
					s.onCreateEvent(func(event store.Event) { firsts.keep(keyOf(event.App, event.ID), event) })
					s.rewriteFeeds(func(r reader, feed []store.Event) []store.Event {
						for i, event := range feed {
							if first, known := firsts.lookup(keyOf(r.app, event.ID)); known && i >= 10 {
								feed[i] = first
							}
						}
						return feed
					})
				}))),
		breaks("feed.event-delete",
			fault("scale-deletion-reaches-15-followers", "a deleted event leaves the feeds of the first 15 followers alone",
				deletionPassesOver(allOf, beyondFirst(15, allFollowers), atOnce)),
			fault("scale-deletion-among-eight-latest", "a deleted event stays in the feeds of followers where its owner posted eight or more after it",
				deletionPassesOver(func(events []store.Event) []store.Event { return fromPosition(events, 8) }, followersAlone, atOnce)),
			fault("scale-marks-of-eight-deletions", "of the events that a user has deleted the eight latest are marked as such, and those before are back in the feeds of followers",
				overrideStore(earlierDeletionsForgotten)),
			fault("scale-event-changed-ten-times-stays", "a deleted event that was changed ten times or more is in the feeds of followers as it was at first, as its ten latest versions are deleted",
				overrideStore(firstVersionsStay)),
			fault("scale-deleted-event-behind-fifteen-stays", "an event that is deleted when its owner has fifteen newer ones stays in the feeds of followers",
				deletionPassesOver(behindCached, allFollowers, atOnce)),
			fault("scale-event-deletion-reaches-ten-followers", "a deleted event leaves the feeds of ten followers, and stays in those of further ones",
				deletionPassesOver(allOf, func(inner refserver.Store, s *overrides) func(store.App, store.ID) []store.ID {
					followers := followersAlone(inner, s)
					return func(app store.App, owner store.ID) []store.ID {
						ids := followers(app, owner)
						return ids[min(10, len(ids)):]
					}
				}, atOnce))),
	)
}

// earlierDeletionsForgotten shows followers the deleted event whose mark gives way to the latest.
func earlierDeletionsForgotten(inner refserver.Store, s *overrides) {
	const marks = 8
	stale, marked, all := keepStaleReads(s), &memory[[]store.Event]{}, archived(s) // by owner
	remove := s.deleteEvent
	s.deleteEvent = func(app store.App, owner, id store.ID) error {
		gone := without(all.of(app, func(of store.ID) bool { return of == owner }), func(event store.Event) bool { return event.ID != id })
		err := remove(app, owner, id)
		if err != nil {
			return err
		}
		before := marked.update(keyOf(app, owner), func(events []store.Event) []store.Event {
			events = append(slices.Clip(events), gone...)
			return events[max(0, len(events)-marks):]
		})
		if len(before) == marks {
			for _, follower := range idsOf(inner.Followers, app, owner) {
				stale.keep(app, follower, before[:1], whileThere(inner, app, owner))
			}
		}
		return nil
	}
	s.onDisconnect(func(app store.App, from, to store.ID) { stale.forget(app, from, to) })
}

// firstVersionsStay deletes so many versions of an event, and shows what is left.
func firstVersionsStay(inner refserver.Store, s *overrides) {
	const versions = 10
	stale, firsts, changes, remove := keepStaleReads(s), &memory[store.Event]{}, &memory[int]{}, s.deleteEvent // by event
	s.onCreateEvent(func(event store.Event) { firsts.keep(keyOf(event.App, event.ID), event) })
	s.onUpdateEvent(func(event store.Event) { tally(changes, keyOf(event.App, event.ID)) })
	s.onDisconnect(func(app store.App, from, to store.ID) { stale.forget(app, from, to) })
	s.deleteEvent = func(app store.App, owner, id store.ID) error {
		err := remove(app, owner, id)
		first, known := firsts.lookup(keyOf(app, id))
		if err != nil || !known || changes.get(keyOf(app, id)) < versions {
			return err
		}
		for _, follower := range idsOf(inner.Followers, app, owner) {
			stale.keep(app, follower, []store.Event{first}, whileThere(inner, app, owner))
		}
		return nil
	}
}
