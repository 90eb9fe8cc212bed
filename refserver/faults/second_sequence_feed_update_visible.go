package faults

import (
	"slices"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// sequenceFeedUpdateVisible are the faults of changes of events that feeds do not show
// after certain steps.
func sequenceFeedUpdateVisible() []Fault {
	return breaks("feed.update-visible",
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
			})),
		fault("sequence-follow-brings-first-versions", "who follows a user sees the events that were changed before as they were at first",
			overrideStore(func(_ refserver.Store, s *overrides) {
				firsts, since := &memory[store.Event]{}, firstFollows(s)
				s.onCreateEvent(func(event store.Event) { firsts.keep(keyOf(event.App, event.ID), event) })
				s.rewriteFeeds(func(r reader, feed []store.Event) []store.Event {
					for i, event := range feed {
						if first, known := firsts.lookup(keyOf(r.app, event.ID)); known && since(r.app, r.id, event.Owner).After(event.UpdatedAt) {
							feed[i] = first
						}
					}
					return feed
				})
			})),
		fault("sequence-refollow-shows-events-as-before", "who follows a user again sees its events as they were when the follow ended",
			overrideStore(func(inner refserver.Store, s *overrides) {
				left, disconnect := &memory[store.Event]{}, s.disconnect // by reader and event
				s.disconnect = func(app store.App, from, to store.ID, types ...store.ConnectionType) error {
					for _, event := range ownedBy(inner, app, from, to) {
						left.keep(keyOf(app, from, event.ID), event)
					}
					return disconnect(app, from, to, types...)
				}
				s.rewriteFeeds(func(r reader, feed []store.Event) []store.Event {
					for i, event := range feed {
						if before, known := left.lookup(keyOf(r.app, r.id, event.ID)); known {
							feed[i] = before
						}
					}
					return feed
				})
			})),
		fault("sequence-rename-brings-first-versions", "feeds show the events of a user who was renamed as they were at first, until they are changed again", overrideStore(renameBringsFirstVersions)),
		fault("sequence-deletion-brings-first-versions-of-others", "where a user deletes an event, feeds show its other events as they were at first, until they are changed again",
			overrideStore(deletionBringsFirstVersions)),
		fault("sequence-change-back-not-in-feeds", "an event that is changed back to what it once was stays in feeds as it was in between, as a message of the same content is taken for a repeated one", overrideStore(sameContentOnce)))
}

// renameBringsFirstVersions writes the rows of feeds anew, from what was posted.
func renameBringsFirstVersions(_ refserver.Store, s *overrides) {
	firsts, renamed := &memory[store.Event]{}, &memory[time.Time]{} // by event; by owner
	s.onCreateEvent(func(event store.Event) { firsts.keep(keyOf(event.App, event.ID), event) })
	s.onUpdateUser(func(before, after store.User) {
		if before.UserName != after.UserName {
			renamed.keep(keyOf(after.App, after.ID), after.UpdatedAt)
		}
	})
	s.rewriteFeeds(func(r reader, feed []store.Event) []store.Event {
		for i, event := range feed {
			first, known := firsts.lookup(keyOf(r.app, event.ID))
			if known && event.UpdatedAt.Before(renamed.get(keyOf(r.app, event.Owner))) {
				feed[i] = first
			}
		}
		return feed
	})
}

// deletionBringsFirstVersions has a deletion write the list of events anew from their creation.
func deletionBringsFirstVersions(_ refserver.Store, s *overrides) {
	all, firsts, back := archived(s), &memory[store.Event]{}, &memory[bool]{} // by event
	s.onCreateEvent(func(event store.Event) { firsts.keep(keyOf(event.App, event.ID), event) })
	s.onUpdateEvent(func(event store.Event) { back.keep(keyOf(event.App, event.ID), false) })
	s.onDeleteEvent(func(app store.App, owner, _ store.ID) {
		for _, event := range all.of(app, func(of store.ID) bool { return of == owner }) {
			back.keep(keyOf(app, event.ID), true)
		}
	})
	s.rewriteFeeds(func(r reader, feed []store.Event) []store.Event {
		for i, event := range feed {
			if first, known := firsts.lookup(keyOf(r.app, event.ID)); known && back.get(keyOf(r.app, event.ID)) {
				feed[i] = first
			}
		}
		return feed
	})
}

// sameContentOnce hands out each content of an event once.
func sameContentOnce(_ refserver.Store, s *overrides) {
	seen, shown := &memory[bool]{}, &memory[store.Event]{}
	handOut := func(event store.Event) {
		content := event
		content.CreatedAt, content.UpdatedAt = time.Time{}, time.Time{}
		if !seen.keep(string(encode(content)), true) {
			shown.keep(keyOf(event.App, event.ID), event)
		}
	}
	s.onCreateEvent(handOut)
	s.onUpdateEvent(handOut)
	s.rewriteFeeds(func(r reader, feed []store.Event) []store.Event {
		feed = slices.Clone(feed)
		for i, event := range feed {
			if standing, known := shown.lookup(keyOf(r.app, event.ID)); known {
				feed[i] = standing
			}
		}
		return feed
	})
}
