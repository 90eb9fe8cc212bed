package faults

import (
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// blindCounts are the faults of more than some number of things.
func blindCounts() []Fault {
	const named, scanned = 6, 10
	return slices.Concat(
		breaks("events.create.echo",
			fault("scale-display-names-beyond-six-lost", "of more than six display names of a new event's object those whose languages sort last are lost",
				rewriteBody(createsEvent(), within("object", within("display_name", func(names map[string]any) {
					for _, name := range names {
						if isNo[string](name) {
							return
						}
					}
					firstKeys(named)(names)
				}))))),
		breaks("feed.purge.followers",
			fault("scale-purge-looks-at-ten-of-a-feed", "a deleted user's events stay in the feed of a follower where ten or more events of anybody stand before them",
				overrideStore(func(inner refserver.Store, s *overrides) {
					stale, followers := keepStaleReads(s), followersAlone(inner, s)
					s.deleteUser = func(app store.App, id store.ID) error {
						left := map[store.ID][]store.Event{}
						for _, reader := range followers(app, id) {
							if feed, err := inner.Feed(app, reader); err == nil {
								left[reader] = without(slices.Clone(fromPosition(feed, scanned)), func(event store.Event) bool { return event.Owner != id })
							}
						}
						err := inner.DeleteUser(app, id)
						for reader, events := range left {
							if err == nil {
								stale.keep(app, reader, events, atOnce(time.Now()))
							}
						}
						return err
					}
				}))),
	)
}

// blindAgain are the faults of the second time.
func blindAgain() []Fault {
	return slices.Concat(
		breaks("events.delete.others",
			fault("repetition-second-foreign-deletion-done", "the second try of a user to delete another's event is refused like the first, and done",
				overrideStore(func(inner refserver.Store, s *overrides) {
					owners, tries := ownersOf(s), &memory[int]{} // tries by user and event
					s.deleteEvent = func(app store.App, user, id store.ID) error {
						err := inner.DeleteEvent(app, user, id)
						if errors.Is(err, store.ErrForbidden) && tally(tries, keyOf(app, user, id)) >= 2 {
							return errors.Join(err, inner.DeleteEvent(app, owners.get(keyOf(app, id)), id))
						}
						return err
					}
				}))),
		breaks("users.get.unknown",
			fault("repetition-second-unknown-user-no-content", "an id that no user has is answered with 404 the first time that it is read, and with 204 from then on", func(o *refserver.Options) {
				known, misses := &memory[bool]{}, &memory[int]{} // by id
				combine(
					rewriteObject(createsUser(), func(user map[string]any) { known.keep(fieldText(user, "id"), true) }),
					rewriteResponse(readsUser(), onStatus(http.StatusNotFound, func(r *http.Request, resp *response) {
						if id := lastSegment(r); !known.get(id) && tally(misses, id) >= 2 {
							resp.become(http.StatusNoContent, "")
						}
					})),
				)(o)
			})),
	)
}

// blindMeanwhile are the faults of two different operations of one user at once.
func blindMeanwhile() []Fault {
	return breaks("feed.follow.new-events",
		fault("concurrency-post-beside-deletion-of-event-lost", "an event that is posted while its owner deletes another is in no feed",
			overrideRacyStore(func(inner refserver.Store, s *overrides) {
				running, lost := &overlaps{}, &memory[bool]{}
				s.deleteEvent = func(app store.App, owner, id store.ID) (err error) {
					running.during(keyOf(app, owner), func() { err = inner.DeleteEvent(app, owner, id) })
					return err
				}
				s.createEvent = func(app store.App, owner store.ID, event store.Event) (store.Event, error) {
					before := running.open(keyOf(app, owner))
					time.Sleep(window / 2)
					made, err := inner.CreateEvent(app, owner, event)
					if err == nil && (before || running.open(keyOf(app, owner))) {
						lost.keep(keyOf(app, made.ID), true)
					}
					return made, err
				}
				s.hideFromFeeds(func(r reader, event store.Event) bool { return lost.get(keyOf(r.app, event.ID)) })
			})))
}
