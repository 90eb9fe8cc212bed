package faults

import (
	"net/http"
	"slices"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// fourthScale are the faults of what stands beyond a page, and at the edge of a chunk.
func fourthScale() []Fault {
	const page, chunk = 10, 10
	return slices.Concat(
		breaks("feed.purge.keeps-others",
			fault("scale-purge-trims-feeds-to-ten", "the deletion of a user leaves, of what stood in the feeds of its followers, the ten newest events",
				overrideStore(func(inner refserver.Store, s *overrides) {
					deleted := watchDeletions(inner, s)
					s.rewriteFeeds(func(r reader, feed []store.Event) []store.Event {
						for _, gone := range deleted.in(r.app) {
							if kept := 0; slices.Contains(gone.followers, r.id) {
								feed = without(feed, func(event store.Event) bool {
									if gone.isOlder(event) {
										kept++
									}
									return gone.isOlder(event) && kept > page
								})
							}
						}
						return feed
					})
				}))),
		breaks("social.connects",
			fault("scale-social-chunks-lose-the-tenth", "of social identifiers the tenth, the twentieth and so on are passed over",
				overrideStore(func(inner refserver.Store, s *overrides) {
					s.connectSocial = func(app store.App, from store.ID, platform string, ids []string, typ store.ConnectionType) error {
						var read []string
						for part := range slices.Chunk(ids, chunk) {
							read = append(read, part[:min(len(part), chunk-1)]...)
						}
						return inner.ConnectSocial(app, from, platform, read, typ)
					}
				}))),
		breaks("feed.update-visible",
			fault("scale-events-behind-ten-as-at-first", "in a feed the events behind the ten newest are as they were before any change",
				overrideStore(func(_ refserver.Store, s *overrides) {
					firsts := &memory[store.Event]{} // by event
					s.onCreateEvent(func(event store.Event) { firsts.keep(keyOf(event.App, event.ID), event) })
					s.rewriteFeeds(func(r reader, feed []store.Event) []store.Event {
						for i, event := range feed {
							if first, known := firsts.lookup(keyOf(r.app, event.ID)); known && i >= page {
								feed[i] = first
							}
						}
						return feed
					})
				}))),
	)
}

// fourthRepetition are the faults of what was shown before, and of what was answered before.
func fourthRepetition() []Fault {
	const shown = 5
	return slices.Concat(
		breaks("feed.follow.new-events",
			fault("repetition-event-shown-five-times-leaves-feed", "an event that a reader has been shown five times is in the reader's feed no more",
				overrideStore(func(_ refserver.Store, s *overrides) {
					times := &memory[int]{} // by reader and event
					s.hideFromFeeds(func(r reader, event store.Event) bool { return tally(times, keyOf(r.app, r.id, event.ID)) > shown })
				}))),
		breaks("events.create.wrong-type",
			fault("repetition-refused-event-sent-again-answers-201", "a new event that was refused with 422, and is sent by the same session again, gets the same answer with 201",
				func(o *refserver.Options) {
					refusals := &memory[bool]{} // by session and body
					rewriteResponse(createsEvent(), onStatus(422, func(r *http.Request, resp *response) {
						if refusals.keep(sessionIn(r)+"\n"+string(peekBody(r)), true) {
							resp.status = http.StatusCreated
						}
					}))(o)
				})),
	)
}

// fourthConcurrency is the fault of a list of events that is read, and written back whole.
func fourthConcurrency() []Fault {
	return breaks("feed.event-delete",
		fault("concurrency-deletion-beside-change-of-another-lost", "an event that is deleted while its owner changes another stays in the feeds of followers",
			overrideRacyStore(func(inner refserver.Store, s *overrides) {
				stale := keepStaleReads(s)
				s.updateEvent = func(app store.App, owner, id store.ID, change func(*store.Event)) (store.Event, error) {
					before := map[store.ID][]store.Event{}
					for _, reader := range idsOf(inner.Followers, app, owner) {
						before[reader] = ownedBy(inner, app, reader, owner)
					}
					time.Sleep(window)
					event, err := inner.UpdateEvent(app, owner, id, change)
					for reader, had := range before {
						if now := ownedBy(inner, app, reader, owner); err == nil && follows(inner, app, reader, owner) {
							stale.keep(app, reader, without(had, func(event store.Event) bool { return holdsEvent(now, event.ID) }), atOnce(time.Now()))
						}
					}
					return event, err
				}
			})))
}

// holdsEvent reports whether an event is among others.
func holdsEvent(events []store.Event, id store.ID) bool {
	return slices.ContainsFunc(events, func(event store.Event) bool { return event.ID == id })
}
