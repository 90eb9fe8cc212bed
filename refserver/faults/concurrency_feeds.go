package faults

import (
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// concurrencyEventsSearch are the faults of searches, and of writes of events, beside
// another: they share what each should have of its own, or write back what was read before.
func concurrencyEventsSearch() []Fault {
	return slices.Concat(
		breaks("search.exact",
			fault("concurrency-index-of-names-loses-one", "of two users created at once the one that comes second is not found by the whole user name",
				overrideRacyStore(func(inner refserver.Store, s *overrides) {
					running, lost := &overlaps{}, &memory[bool]{}
					s.createUser = func(app store.App, user store.User) (made store.User, err error) {
						_, before := running.during(keyOf(app), func() { made, err = inner.CreateUser(app, user) })
						if before > 0 && err == nil {
							lost.keep(keyOf(app, made.ID), true)
						}
						return made, err
					}
					s.onUpdateUser(func(_, after store.User) { lost.keep(keyOf(after.App, after.ID), false) })
					s.searchBy(func(user store.User, term string, found bool) bool {
						return found && !(user.UserName == term && lost.get(keyOf(user.App, user.ID)))
					})
				})),
			fault("concurrency-searches-in-one-flight", "of two searches in one session that overlap the second gets what the first one finds", func(o *refserver.Options) {
				flights := &flights{under: map[string]*flight{}}
				intercept(searches(), func(next http.Handler, r *http.Request) *response {
					return flights.share(appIn(r)+" "+sessionIn(r), func() *response { return record(next, r) })
				})(o)
			})),
		breaks("search.user-name",
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
				}).also("search.non-match-excluded", "who has the later term need not have the other")),
		breaks("search.deleted-excluded",
			fault("concurrency-update-during-deletion-stays-found", "a search goes on finding, by the user name, a user who was updated while it was deleted",
				duringDeletion(func(inner refserver.Store, s *overrides, deleting func(store.App, store.ID) bool) {
					found := &memory[[]store.User]{} // by application
					s.updateUser = func(app store.App, id store.ID, change func(*store.User)) (store.User, error) {
						user, err := inner.UpdateUser(app, id, change)
						time.Sleep(window)
						if _, gone := inner.User(app, id); err == nil && (gone != nil || deleting(app, id)) {
							found.update(keyOf(app), func(all []store.User) []store.User { return append(slices.Clip(all), user) })
						}
						return user, err
					}
					s.search = func(app store.App, term string) ([]store.User, error) {
						hits, err := inner.Search(app, term)
						for _, user := range found.get(keyOf(app)) {
							listed := slices.ContainsFunc(hits, func(hit store.User) bool { return hit.ID == user.ID })
							if holdsText(user.UserName, term) && !listed {
								hits = append(hits, user)
							}
						}
						return hits, err
					}
				}))),
		breaks("events.create.owner",
			fault("concurrency-post-belongs-to-the-other", "of two users who post at once the first one's event belongs to the other",
				overrideRacyStore(func(inner refserver.Store, s *overrides) {
					latest := &memory[store.ID]{} // who posted last, by application
					s.createEvent = func(app store.App, owner store.ID, event store.Event) (store.Event, error) {
						latest.keep(keyOf(app), owner)
						time.Sleep(window)
						if other := latest.get(keyOf(app)); other != owner {
							if _, gone := inner.User(app, other); gone == nil {
								owner = other
							}
						}
						return inner.CreateEvent(app, owner, event)
					}
				}))),
		breaks("events.create.echo",
			fault("concurrency-post-has-metadata-of-the-other", "of two events that are posted at once the first has the metadata of the other",
				overrideRacyStore(func(inner refserver.Store, s *overrides) {
					latest := &memory[map[string]string]{} // by application
					s.createEvent = func(app store.App, owner store.ID, event store.Event) (store.Event, error) {
						latest.keep(keyOf(app), event.Metadata)
						time.Sleep(window)
						event.Metadata = latest.get(keyOf(app))
						return inner.CreateEvent(app, owner, event)
					}
				}))),
		breaks("events.update.applies",
			fault("concurrency-change-of-event-lost", "of two changes of an event at once the later one writes all fields as they were before the other",
				overrideRacyStore(func(inner refserver.Store, s *overrides) {
					versions := &memory[store.Event]{}
					s.updateEvent = func(app store.App, owner, id store.ID, change func(*store.Event)) (store.Event, error) {
						before, known := versions.lookup(keyOf(app, id))
						time.Sleep(window)
						return inner.UpdateEvent(app, owner, id, func(event *store.Event) {
							if known {
								*event = before
							}
							change(event)
						})
					}
					s.onCreateEvent(func(event store.Event) { versions.keep(keyOf(event.App, event.ID), event) })
					s.onUpdateEvent(func(event store.Event) { versions.keep(keyOf(event.App, event.ID), event) })
				}))),
		breaks("events.update.partial",
			fault("concurrency-change-beside-change-of-verb-restores-it", "a change of an event without a verb that runs beside one with a verb, and ends after it, brings the former verb back",
				overrideRacyStore(verbsWrittenBack))),
	)
}

// flights are the requests of which one answer serves all that come meanwhile.
type flights struct {
	mu    sync.Mutex
	under map[string]*flight
}

// share asks in a window, or waits for who asks under the same key.
func (f *flights) share(key string, ask func() *response) *response {
	f.mu.Lock()
	if first := f.under[key]; first != nil {
		f.mu.Unlock()
		<-first.landed
		return first.resp
	}
	own := &flight{landed: make(chan struct{})}
	f.under[key] = own
	f.mu.Unlock()
	time.Sleep(window)
	own.resp = ask()
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.under, key)
	close(own.landed)
	return own.resp
}

// flight is one of them.
type flight struct {
	landed chan struct{}
	resp   *response
}

// verbsWrittenBack has a change write the verb that it has read before.
func verbsWrittenBack(inner refserver.Store, s *overrides) {
	var all *archive
	s.updateEvent = func(app store.App, owner, id store.ID, change func(*store.Event)) (store.Event, error) {
		own := all.of(app, func(other store.ID) bool { return other == owner })
		i := slices.IndexFunc(own, func(event store.Event) bool { return event.ID == id })
		time.Sleep(window)
		return inner.UpdateEvent(app, owner, id, func(event *store.Event) {
			verb := event.Verb
			if change(event); i >= 0 && event.Verb == verb {
				event.Verb = own[i].Verb
			}
		})
	}
	all = archived(s)
}

// concurrencyFeed are the faults of feeds that two requests write at once, or that one
// reads while another writes: posts that are lost, and deleted events that stay.
func concurrencyFeed() []Fault {
	return slices.Concat(
		breaks("feed.follow.new-events",
			fault("concurrency-one-of-two-posts-lost", "of two events that a user posts at once one is in no feed",
				overrideRacyStore(func(inner refserver.Store, s *overrides) {
					running, lost := &overlaps{}, &memory[bool]{}
					s.createEvent = func(app store.App, owner store.ID, event store.Event) (made store.Event, err error) {
						_, before := running.during(keyOf(app, owner), func() { made, err = inner.CreateEvent(app, owner, event) })
						lost.keep(keyOf(app, made.ID), before > 0)
						return made, err
					}
					s.hideFromFeeds(func(r reader, event store.Event) bool { return lost.get(keyOf(r.app, event.ID)) })
				})),
			fault("concurrency-feed-read-during-post-is-kept", "who reads the feed while an event is posted does not see that event later either",
				overrideRacyStore(func(inner refserver.Store, s *overrides) {
					posting, hidden := &memory[bool]{}, &memory[bool]{}
					s.createEvent = func(app store.App, owner store.ID, event store.Event) (store.Event, error) {
						made, err := inner.CreateEvent(app, owner, event)
						posting.keep(keyOf(app, made.ID), true)
						time.Sleep(window)
						posting.keep(keyOf(app, made.ID), false)
						return made, err
					}
					s.hideFromFeeds(func(r reader, event store.Event) bool {
						if posting.get(keyOf(r.app, event.ID)) {
							hidden.keep(keyOf(r.app, r.id, event.ID), true)
						}
						return hidden.get(keyOf(r.app, r.id, event.ID))
					})
				})),
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
				})),
			fault("concurrency-post-beside-follow-lost", "an event that is posted while somebody begins to follow its owner is not in that one's feed",
				overrideRacyStore(func(inner refserver.Store, s *overrides) {
					type span struct{ from, to time.Time }
					begun := &memory[span]{} // by follower and followed
					s.connect = func(app store.App, from, to store.ID, typ store.ConnectionType) (store.Connection, bool, error) {
						start := time.Now()
						time.Sleep(window)
						made, isNew, err := inner.Connect(app, from, to, typ)
						if err == nil && isNew && typ == store.Follow {
							begun.keep(keyOf(app, from, to), span{start, time.Now()})
						}
						return made, isNew, err
					}
					s.hideFromFeeds(func(r reader, event store.Event) bool {
						at, is := begun.lookup(keyOf(r.app, r.id, event.Owner))
						return is && event.CreatedAt.After(at.from) && event.CreatedAt.Before(at.to)
					})
				}))),
		breaks("feed.merge",
			fault("concurrency-posts-of-two-followed-lose-one", "of the events that two users post at once one is not in the feed of who follows both",
				overrideRacyStore(func(inner refserver.Store, s *overrides) {
					running, last, lost := &overlaps{}, &memory[store.ID]{}, &memory[store.ID]{} // who posted last, by application; beside whom, by event
					s.createEvent = func(app store.App, owner store.ID, event store.Event) (made store.Event, err error) {
						var other store.ID
						_, before := running.during(keyOf(app), func() {
							made, err = inner.CreateEvent(app, owner, event)
							other = last.keep(keyOf(app), owner)
						})
						if err == nil && before > 0 && other != owner {
							lost.keep(keyOf(app, made.ID), other)
						}
						return made, err
					}
					s.hideFromFeeds(func(r reader, event store.Event) bool {
						other, is := lost.lookup(keyOf(r.app, event.ID))
						return is && r.follows(event.Owner) && r.follows(other)
					})
				}))),
		breaks("feed.event-delete",
			fault("concurrency-change-during-deletion-stays", "an event that is changed while it is deleted stays in the feeds of followers",
				overrideRacyStore(func(inner refserver.Store, s *overrides) {
					running, stale := &overlaps{}, keepStaleReads(s)
					s.deleteEvent = func(app store.App, owner, id store.ID) (err error) {
						running.during(keyOf(app, id), func() { err = inner.DeleteEvent(app, owner, id) })
						return err
					}
					s.onUpdateEvent(func(event store.Event) {
						for _, follower := range idsOf(inner.Followers, event.App, event.Owner) {
							if running.open(keyOf(event.App, event.ID)) {
								stale.keep(event.App, follower, []store.Event{event}, atOnce(event.CreatedAt))
							}
						}
					})
				})),
			fault("concurrency-two-deletions-take-one-event", "of two events that a user deletes at once the second stays in the feeds of followers",
				overrideRacyStore(func(inner refserver.Store, s *overrides) {
					running, stale, readers := &overlaps{}, keepStaleReads(s), followersAlone(inner, s)
					s.deleteEvent = func(app store.App, owner, id store.ID) (err error) {
						left := map[store.ID][]store.Event{}
						for _, reader := range readers(app, owner) {
							left[reader] = without(ownedBy(inner, app, reader, owner), func(event store.Event) bool { return event.ID != id })
						}
						_, before := running.during(keyOf(app, owner), func() { err = inner.DeleteEvent(app, owner, id) })
						for reader, events := range left {
							if err == nil && before > 0 {
								stale.keep(app, reader, events, whileThere(inner, app, owner))
							}
						}
						return err
					}
				})),
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
				})),
			fault("concurrency-follow-copies-event-during-deletion", "an event that is deleted while somebody begins to follow its owner stays in that one's feed",
				overrideRacyStore(func(inner refserver.Store, s *overrides) {
					stale, all := keepStaleReads(s), archived(s)
					s.connect = func(app store.App, from, to store.ID, typ store.ConnectionType) (store.Connection, bool, error) {
						posted := func() []store.Event { return all.of(app, func(owner store.ID) bool { return owner == to }) }
						before := posted()
						time.Sleep(window)
						made, isNew, err := inner.Connect(app, from, to, typ)
						if now := posted(); err == nil && isNew && typ == store.Follow {
							stale.keep(app, from, without(before, func(event store.Event) bool { return holdsEvent(now, event.ID) }), whileThere(inner, app, to))
						}
						return made, isNew, err
					}
					s.onDisconnect(func(app store.App, from, to store.ID) { stale.forget(app, from, to) })
				}))),
	)
}

// concurrencyFeedPurgeUnfollow are the faults of what stays in feeds where it was posted,
// copied or read while its owner was deleted, or the follow ended.
func concurrencyFeedPurgeUnfollow() []Fault {
	return slices.Concat(
		breaks("feed.unfollow",
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
				}))),
		breaks("feed.purge.followers",
			fault("concurrency-post-during-deletion-stays", "an event that is posted while its user is deleted stays in the feeds of followers",
				duringDeletion(func(inner refserver.Store, s *overrides, deleting func(store.App, store.ID) bool) {
					stale := keepStaleReads(s)
					s.onCreateEvent(func(event store.Event) {
						for _, follower := range idsOf(inner.Followers, event.App, event.Owner) {
							if deleting(event.App, event.Owner) {
								stale.keep(event.App, follower, []store.Event{event}, atOnce(event.CreatedAt))
							}
						}
					})
				})),
			fault("concurrency-two-purges-of-a-feed", "of two users deleted at once the events of the second stay in the feed of who followed both",
				overrideRacyStore(func(inner refserver.Store, s *overrides) {
					stale, under := keepStaleReads(s), &memory[int]{} // deletions under way, by reader
					s.deleteUser = func(app store.App, id store.ID) error {
						left := map[store.ID][]store.Event{}
						readers := idsOf(inner.Followers, app, id)
						for _, reader := range readers {
							if tally(under, keyOf(app, reader)) >= 2 {
								left[reader] = ownedBy(inner, app, reader, id)
							}
						}
						time.Sleep(window)
						err := inner.DeleteUser(app, id)
						for _, reader := range readers {
							under.update(keyOf(app, reader), func(n int) int { return n - 1 })
							if err == nil {
								stale.keep(app, reader, left[reader], atOnce(time.Now()))
							}
						}
						return err
					}
				})),
			fault("concurrency-purged-stay-where-another-is-followed", "a deleted user's events stay in the feed of a follower who follows somebody else during the deletion",
				duringDeletion(purgedStayAtConnect)),
			fault("concurrency-feed-read-during-purge-is-kept", "who reads the feed while a followed user is deleted goes on seeing that one's events",
				duringDeletion(func(inner refserver.Store, s *overrides, deleting func(store.App, store.ID) bool) {
					stale := keepStaleReads(s)
					s.rewriteFeeds(func(r reader, feed []store.Event) []store.Event {
						for _, event := range feed {
							if deleting(r.app, event.Owner) && !r.befriends(event.Owner) {
								stale.keep(r.app, r.id, []store.Event{event}, atOnce(event.CreatedAt))
							}
						}
						return feed
					})
				})),
			fault("concurrency-purge-skipped-beside-another", "of users who are deleted at the same time the first is purged, and the events of the others stay in their followers' feeds",
				overrideRacyStore(purgesSkipped))),
	)
}

// purgedStayAtConnect has a new connection write the reader's feed as it was read
// before, with the events of those who are deleted by then.
func purgedStayAtConnect(inner refserver.Store, s *overrides, deleting func(store.App, store.ID) bool) {
	stale := keepStaleReads(s)
	s.connect = func(app store.App, from, to store.ID, typ store.ConnectionType) (store.Connection, bool, error) {
		followed := map[store.ID][]store.Event{}
		for _, owner := range idsOf(inner.Follows, app, from) {
			if owner != to && !befriends(inner, app, from, owner) {
				followed[owner] = ownedBy(inner, app, from, owner)
			}
		}
		time.Sleep(window)
		made, isNew, err := inner.Connect(app, from, to, typ)
		for owner, events := range followed {
			if _, gone := inner.User(app, owner); err == nil && (gone != nil || deleting(app, owner)) {
				stale.keep(app, from, events, atOnce(time.Now()))
			}
		}
		return made, isNew, err
	}
}

// purgesSkipped leaves out the purges that find another under way.
func purgesSkipped(inner refserver.Store, s *overrides) {
	purges, stale, readers := &overlaps{}, keepStaleReads(s), followersAlone(inner, s)
	s.deleteUser = func(app store.App, id store.ID) (err error) {
		left := map[store.ID][]store.Event{}
		for _, reader := range readers(app, id) {
			left[reader] = ownedBy(inner, app, reader, id)
		}
		_, before := purges.during(keyOf(app), func() { err = inner.DeleteUser(app, id) })
		for reader, events := range left {
			if err == nil && before > 0 {
				stale.keep(app, reader, events, atOnce(time.Now()))
			}
		}
		return err
	}
}
