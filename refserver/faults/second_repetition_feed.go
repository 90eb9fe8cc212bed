package faults

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// repetitionFeed are the faults of one reading of a feed in several, and of events that are
// posted, changed or deleted again.
func repetitionFeed() []Fault {
	return slices.Concat(
		breaks("feed.follow.new-events",
			fault("repetition-seventh-event-lost", "every seventh event that a user posts is in no feed",
				overrideStore(func(_ refserver.Store, s *overrides) {
					posts, lost := &memory[int]{}, &memory[bool]{}
					s.onCreateEvent(func(event store.Event) {
						lost.keep(keyOf(event.App, event.ID), tally(posts, keyOf(event.App, event.Owner))%7 == 0)
					})
					s.hideFromFeeds(func(r reader, event store.Event) bool { return lost.get(keyOf(r.app, event.ID)) })
				})),
			fault("repetition-seventh-feed-without-newest", "every seventh reading of a feed lacks the newest event",
				nthFeed(7, func(feed []store.Event) []store.Event { return feed[min(1, len(feed)):] })),
			fault("repetition-event-shown-five-times-leaves-feed", "an event that a reader has been shown five times is in the reader's feed no more",
				overrideStore(func(_ refserver.Store, s *overrides) {
					times := &memory[int]{} // by reader and event
					s.hideFromFeeds(func(r reader, event store.Event) bool { return tally(times, keyOf(r.app, r.id, event.ID)) > 5 })
				})),
			fault("repetition-third-alike-in-a-row-not-in-feeds", "the third event in a row that a user posts with the same verb on the same object is in no feed",
				overrideStore(func(_ refserver.Store, s *overrides) {
					lengths := runsOf(s, func(event store.Event) string {
						if event.Object == nil || event.Object.ID == "" {
							return ""
						}
						return event.Verb + "\n" + event.Object.ID
					})
					s.hideFromFeeds(func(r reader, event store.Event) bool { return lengths.get(keyOf(r.app, event.ID)) > 2 })
				})),
			fault("repetition-third-event-alike-kept-from-feeds", "of a user's events of the same verb on the same object the third and further ones are in no feed",
				overrideStore(func(_ refserver.Store, s *overrides) {
					alike, spam := &memory[int]{}, &memory[bool]{} // by owner, verb and object; by event
					s.onCreateEvent(func(event store.Event) {
						if event.Object != nil && tally(alike, keyOf(event.App, event.Owner)+event.Verb+"\n"+event.Object.ID) > 2 {
							spam.keep(keyOf(event.App, event.ID), true)
						}
					})
					s.hideFromFeeds(func(r reader, event store.Event) bool { return spam.get(keyOf(r.app, event.ID)) })
				})),
			fault("repetition-third-identical-event-in-no-feed", "the third event in a row that is like the ones before it is in no follower's feed",
				overrideStore(func(_ refserver.Store, s *overrides) {
					lengths := runsOf(s, contentOf)
					s.hideNewEvents(func(event store.Event) bool { return lengths.get(keyOf(event.App, event.ID)) == 3 })
				}))),
		breaks("feed.only-connected",
			fault("repetition-fifth-feed-of-followers", "every fifth reading of a feed also holds the events of the reader's followers",
				overrideStore(func(_ refserver.Store, s *overrides) {
					all, readings := archived(s), &memory[int]{}
					s.addToFeeds(func(r reader, _ []store.Event) []store.Event {
						if tally(readings, keyOf(r.app, r.id))%5 != 0 {
							return nil
						}
						followers := idsOf(r.store.Followers, r.app, r.id)
						return all.of(r.app, func(owner store.ID) bool { return slices.Contains(followers, owner) })
					})
				}))),
		breaks("feed.merge",
			fault("repetition-fifth-event-stored-twice", "every fifth event that a session posts is stored twice",
				everyNth(5, createsEvent(), func(nth match) mutation {
					return intercept(nth, func(next http.Handler, r *http.Request) *response {
						if resp := record(next, r); !resp.ok() {
							return resp
						}
						return record(next, r)
					})
				})),
			fault("repetition-same-event-is-the-old-one", "a new event that says byte for byte what the session's last one said is answered with that one, and does not come to be",
				sameEventsOnce),
			fault("repetition-second-follow-doubles-events", "what a user posts after it was followed twice is in the feed twice",
				overrideStore(func(_ refserver.Store, s *overrides) {
					times, since := &memory[int]{}, &memory[time.Time]{}
					s.onConnect(func(app store.App, from, to store.ID, typ store.ConnectionType) {
						if typ == store.Follow && tally(times, keyOf(app, from, to)) == 2 {
							since.keep(keyOf(app, from, to), time.Now())
						}
					})
					s.onDisconnect(func(app store.App, from, to store.ID) {
						times.keep(keyOf(app, from, to), 0)
						since.keep(keyOf(app, from, to), time.Time{})
					})
					s.rewriteFeeds(func(r reader, feed []store.Event) []store.Event {
						again := without(slices.Clone(feed), func(event store.Event) bool {
							at := since.get(keyOf(r.app, r.id, event.Owner))
							return at.IsZero() || event.CreatedAt.Before(at)
						})
						return newestFirst(append(feed, again...))
					})
				})),
			fault("repetition-third-change-doubles-event", "an event that was changed three times is in feeds twice",
				doubledFrom(3)),
			fault("repetition-event-changed-twice-shown-twice", "an event is in feeds twice once it was changed a second time", doubledFrom(2)),
			fault("repetition-verb-on-object-within-a-second-once", "of a user's events with the same verb on the same object that were posted within a second feeds show the first",
				rewriteFeeds(func(_ reader, feed []store.Event) []store.Event {
					shown := map[string]time.Time{} // by owner, verb and object
					slices.Reverse(feed)
					feed = without(feed, func(event store.Event) bool {
						if event.Object == nil {
							return false
						}
						key := keyOf(event.App, event.Owner) + event.Verb + "\n" + event.Object.ID
						if at, was := shown[key]; was && event.CreatedAt.Sub(at) < time.Second {
							return true
						}
						shown[key] = event.CreatedAt
						return false
					})
					slices.Reverse(feed)
					return feed
				}))),
		breaks("feed.order",
			fault("repetition-eighth-feed-reversed", "every eighth reading of a feed begins with the oldest event",
				nthFeed(8, func(feed []store.Event) []store.Event { slices.Reverse(feed); return feed }))),
		breaks("feed.unfollow",
			fault("repetition-unfollowed-at-every-fifth", "the events of a user who is no longer followed are in the feed at every fifth reading",
				unfollowedStay(atEvery(5), func(refserver.Store, store.App, store.ID, store.ID) bool { return true }))),
		breaks("feed.event-delete",
			fault("repetition-deleted-event-at-every-sixth", "a deleted event is in the feeds of followers at every sixth reading",
				deletionPassesOver(allOf, followersAlone, atEvery(6))),
			fault("repetition-third-deleted-event-stays", "every third event that a user deletes stays in the feeds of followers",
				overrideStore(func(inner refserver.Store, s *overrides) {
					stale, deletions := keepStaleReads(s), &memory[int]{}
					s.onDisconnect(func(app store.App, from, to store.ID) { stale.forget(app, from, to) })
					s.deleteEvent = func(app store.App, owner, id store.ID) error {
						left := map[store.ID][]store.Event{}
						for _, reader := range idsOf(inner.Followers, app, owner) {
							left[reader] = without(ownedBy(inner, app, reader, owner), func(event store.Event) bool { return event.ID != id })
						}
						err := inner.DeleteEvent(app, owner, id)
						if err != nil || tally(deletions, keyOf(app, owner))%3 != 0 {
							return err
						}
						for reader, events := range left {
							stale.keep(app, reader, events, atOnce(time.Now()))
						}
						return nil
					}
				}))),
		breaks("feed.purge.followers",
			fault("repetition-purged-at-every-ninth", "a deleted user's events are in the feeds of followers at every ninth reading",
				purgePassesOver(allOf, followersAlone, atEvery(9)))),
	)
}

// nthFeed changes what every nth reading of a reader's feed shows.
func nthFeed(n int, change func(feed []store.Event) []store.Event) mutation {
	return overrideStore(func(_ refserver.Store, s *overrides) {
		readings := &memory[int]{}
		s.rewriteFeeds(func(r reader, feed []store.Event) []store.Event {
			if tally(readings, keyOf(r.app, r.id))%n == 0 {
				return change(feed)
			}
			return feed
		})
	})
}

// sameEventsOnce takes a new event away again that says what the last one said.
func sameEventsOnce(o *refserver.Options) {
	type creation struct{ sent, answer []byte }
	latest, touched := &memory[creation]{}, &memory[bool]{} // by credentials; by event
	combine(
		rewriteResponse(updatesEvent().or(deletesEvent()), func(r *http.Request, _ *response) { touched.keep(lastSegment(r), true) }),
		intercept(createsEvent(), func(next http.Handler, r *http.Request) *response {
			sent := peekBody(r)
			resp := record(next, r)
			if !resp.ok() {
				return resp
			}
			before := latest.get(r.Header.Get("Authorization"))
			if bytes.Equal(before.sent, sent) && !touched.get(fieldText(objectOf(before.answer), "id")) {
				call(next, r, http.MethodDelete, "/0.2/user/events/"+fieldText(objectOf(resp.body), "id"), nil)
				resp.body = before.answer
				return resp
			}
			latest.keep(r.Header.Get("Authorization"), creation{sent, resp.body})
			return resp
		}),
	)(o)
}

// atEvery shows stale events at every nth reading.
func atEvery(n int) timing {
	return func(time.Time) showing {
		readings := &memory[int]{}
		return func([]store.Event) bool { return tally(readings, "")%n == 0 }
	}
}

// runsOf counts, for each event, how many in a row are alike that its owner posted up to it;
// a blank likeness is like no other.
func runsOf(s *overrides, likeness func(store.Event) string) *memory[int] {
	type run struct {
		likeness string
		length   int
	}
	runs, lengths := &memory[run]{}, &memory[int]{} // by owner; by event
	s.onCreateEvent(func(event store.Event) {
		next := run{likeness(event), 1}
		if before := runs.get(keyOf(event.App, event.Owner)); next.likeness != "" && before.likeness == next.likeness {
			next.length += before.length
		}
		runs.keep(keyOf(event.App, event.Owner), next)
		lengths.keep(keyOf(event.App, event.ID), next.length)
	})
	return lengths
}

// contentOf is what an event says.
func contentOf(event store.Event) string {
	object := ""
	if event.Object != nil {
		object = event.Object.ID
	}
	return fmt.Sprintf("%q %q %q %q", event.Verb, object, event.Location, event.Metadata)
}

// doubledFrom shows an event twice from so many changes of it on.
func doubledFrom(most int) mutation {
	return overrideStore(func(_ refserver.Store, s *overrides) {
		changes := &memory[int]{}
		s.onUpdateEvent(func(event store.Event) { tally(changes, keyOf(event.App, event.ID)) })
		s.rewriteFeeds(func(r reader, feed []store.Event) []store.Event {
			again := without(slices.Clone(feed), func(event store.Event) bool { return changes.get(keyOf(r.app, event.ID)) < most })
			return newestFirst(append(feed, again...))
		})
	})
}
