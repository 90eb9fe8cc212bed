package faults

import (
	"net/http"
	"slices"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// tenthScale are the faults of cleaning up one batch, and of what a cache of the newest lacks.
func tenthScale() []Fault {
	const batch, cached = 10, 15
	behindBatch := func(inner refserver.Store, _ *overrides) func(store.App, store.ID) []store.ID {
		return func(app store.App, id store.ID) []store.ID {
			ids := idsOf(inner.Followers, app, id)
			return ids[min(batch, len(ids)):]
		}
	}
	behindCached := func(events []store.Event) []store.Event { return events[min(cached, len(events)):] }
	return slices.Concat(
		breaks("connections.lists.after-user-delete",
			fault("scale-deletion-cleans-ten-lists", "a deleted user stays among the follows of its followers behind the first ten",
				deletedStays(0, func(s *overrides) *members { return &s.follows }, behindBatch))),
		breaks("feed.event-delete",
			fault("scale-deleted-event-behind-fifteen-stays", "an event that is deleted when its owner has fifteen newer ones stays in the feeds of followers",
				deletionPassesOver(behindCached, allFollowers, atOnce))),
	)
}

// tenthRepetition is the fault of events that are taken for one told again.
func tenthRepetition() []Fault {
	const shown = 2
	return breaks("feed.follow.new-events",
		fault("repetition-third-alike-in-a-row-not-in-feeds", "the third event in a row that a user posts with the same verb on the same object is in no feed",
			overrideStore(func(_ refserver.Store, s *overrides) {
				type run struct {
					verb, object string
					length       int
				}
				runs, folded := &memory[run]{}, &memory[bool]{} // by user; by event
				s.onCreateEvent(func(event store.Event) {
					next := run{verb: event.Verb, length: 1}
					if event.Object != nil {
						next.object = event.Object.ID
					}
					before := runs.get(keyOf(event.App, event.Owner))
					if next.object != "" && before.verb == next.verb && before.object == next.object {
						next.length += before.length
					}
					runs.keep(keyOf(event.App, event.Owner), next)
					folded.keep(keyOf(event.App, event.ID), next.length > shown)
				})
				s.hideFromFeeds(func(r reader, event store.Event) bool { return folded.get(keyOf(r.app, event.ID)) })
			})))
}

// tenthConcurrency is the fault of a list of readers that is out of date when it is used.
func tenthConcurrency() []Fault {
	return breaks("feed.unfollow",
		fault("concurrency-post-beside-unfollow-stays", "an event that is posted while a follower ends the follow is in the feed of that one for good",
			overrideRacyStore(func(inner refserver.Store, s *overrides) {
				stale := keepStaleReads(s)
				s.createEvent = func(app store.App, owner store.ID, event store.Event) (store.Event, error) {
					readers := idsOf(inner.Followers, app, owner)
					time.Sleep(window)
					event, err := inner.CreateEvent(app, owner, event)
					for _, reader := range readers {
						if err == nil && !follows(inner, app, reader, owner) {
							stale.keep(app, reader, []store.Event{event}, atOnce(event.CreatedAt))
						}
					}
					return event, err
				}
				s.onConnect(func(app store.App, from, to store.ID, _ store.ConnectionType) { stale.forget(app, from, to) })
			})))
}

// tenthTime is the fault of a cache that is written once more, late, with what was read before.
func tenthTime() []Fault {
	const late = 3 * time.Second
	type kept struct {
		lastName any
		at       time.Time // of the update
	}
	return breaks("users.me.update.applies",
		fault("time-updated-last-name-turns-back", "three seconds after an update the own record shows the last name as it was before",
			func(o *refserver.Options) {
				former := &memory[kept]{} // by id
				combine(
					intercept(updatesUser(), func(next http.Handler, r *http.Request) *response {
						before := ownRecord(next, r)
						resp := record(next, r)
						resp.object(func(user map[string]any) {
							former.keep(fieldText(user, "id"), kept{before["last_name"], time.Now()})
						})
						return resp
					}),
					rewriteObject(readsOwnRecord(), func(user map[string]any) {
						was, known := former.lookup(fieldText(user, "id"))
						if known && was.lastName != nil && time.Since(was.at) >= late {
							user["last_name"] = was.lastName
						}
					}),
				)(o)
			}))
}
