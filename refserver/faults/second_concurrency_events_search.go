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
