package faults

import (
	"net/http"
	"slices"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// seventhScale are the faults of marks of deletions that have a limit, and of a part that
// is not full.
func seventhScale() []Fault {
	const part = 10
	return slices.Concat(
		breaks("feed.event-delete",
			fault("scale-marks-of-eight-deletions", "of the events that a user has deleted the eight latest are marked as such, and those before are back in the feeds of followers",
				overrideStore(earlierDeletionsForgotten))),
		breaks("connections.lists.of-user",
			fault("scale-follows-of-user-lack-the-last-part", "of more than ten follows of another user those beyond the last full ten are not listed",
				rewriteResponse(readsFollowsOf(), inList(func(users []any) []any {
					if len(users) > part {
						return users[:len(users)/part*part]
					}
					return users
				})))),
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

// seventhRepetition is the fault of a list that is worth keeping once it is read often.
func seventhRepetition() []Fault {
	const often = 3
	return breaks("connections.lists.followers",
		fault("repetition-followers-read-three-times-stay", "the own followers that a session has read three times are shown as they were then",
			func(o *refserver.Options) {
				reads, kept := &memory[int]{}, &memory[[]byte]{} // by session
				rewriteResponse(readsFollowers(), onStatus(http.StatusOK, func(r *http.Request, resp *response) {
					switch n := tally(reads, sessionIn(r)); {
					case n == often:
						kept.keep(sessionIn(r), resp.body)
					case n > often:
						if list, known := kept.lookup(sessionIn(r)); known {
							resp.body = list
						}
					}
				}))(o)
			}))
}

// seventhConcurrency is the fault of a list of follows that is read, and written back whole.
func seventhConcurrency() []Fault {
	return breaks("connections.delete.removes",
		fault("concurrency-end-of-follow-beside-new-follow-lost", "a user who is unfollowed while the follower begins to follow another goes on being followed",
			overrideRacyStore(func(inner refserver.Store, s *overrides) {
				s.connect = func(app store.App, from, to store.ID, typ store.ConnectionType) (store.Connection, bool, error) {
					before := idsOf(inner.Follows, app, from)
					time.Sleep(window)
					made, isNew, err := inner.Connect(app, from, to, typ)
					if err != nil || typ != store.Follow {
						return made, isNew, err
					}
					for _, followed := range before {
						if !follows(inner, app, from, followed) {
							_, _, _ = inner.Connect(app, from, followed, store.Follow) // who is deleted stays away
						}
					}
					return made, isNew, nil
				}
			})))
}
