package faults

import (
	"net/http"
	"slices"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// eighthScale are the faults of a history of which so much is deleted, and of two lists of
// which one page alone is compared.
func eighthScale() []Fault {
	const page = 10
	return slices.Concat(
		breaks("feed.event-delete",
			fault("scale-event-changed-ten-times-stays", "a deleted event that was changed ten times or more is in the feeds of followers as it was at first, as its ten latest versions are deleted",
				overrideStore(firstVersionsStay))),
		breaks("feed.no-duplicates",
			fault("scale-events-of-followed-friends-beyond-ten-twice", "beyond the ten newest events of a feed those of a friend who is also followed are there twice",
				rewriteFeeds(func(r reader, feed []store.Event) []store.Event {
					var shown []store.Event
					for i, event := range feed {
						shown = append(shown, event)
						if i >= page && r.follows(event.Owner) && r.befriends(event.Owner) {
							shown = append(shown, event)
						}
					}
					return shown
				}))),
	)
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

// eighthRepetition is the fault of who takes a row that did not change for one that is not there.
func eighthRepetition() []Fault {
	return breaks("events.update.status",
		fault("repetition-same-change-again-not-found", "a change of an event that says byte for byte what the one before said is answered with 404, as the database counts no row that it has changed",
			func(o *refserver.Options) {
				last := &memory[string]{} // by application and path
				rewriteResponse(updatesEvent(), onStatus(http.StatusOK, func(r *http.Request, resp *response) {
					body := string(peekBody(r))
					if last.keep(appIn(r)+"\n"+r.URL.Path, body) == body {
						resp.become(404, complaint("event not found"))
					}
				}))(o)
			}))
}

// eighthConcurrency is the fault of a term that is kept beside the request.
func eighthConcurrency() []Fault {
	return breaks("search.user-name",
		fault("concurrency-two-searches-share-a-term", "two searches of a session at once are both answered for the term of the later one, which is kept with the session",
			func(o *refserver.Options) {
				terms := &memory[string]{} // by session
				rewriteRequest(searches().and(insession), func(r *http.Request) {
					terms.keep(sessionIn(r), r.URL.RawQuery)
					time.Sleep(window)
					latest := *r.URL
					latest.RawQuery = terms.get(sessionIn(r))
					r.URL = &latest
				})(o)
			}).also("search.non-match-excluded", "who has the later term need not have the other"))
}

// eighthTime is the fault of a copy that is thinned out as it grows old.
func eighthTime() []Fault {
	const old = 3 * time.Second
	return breaks("feed.event-shape",
		fault("time-old-events-lose-metadata", "in a feed events that were posted three seconds ago or earlier have no metadata, as what old ones are read from has no room for it",
			rewriteFeeds(func(_ reader, feed []store.Event) []store.Event {
				for i, event := range feed {
					if time.Since(event.CreatedAt) >= old {
						feed[i].Metadata = nil
					}
				}
				return feed
			})))
}
