package faults

import (
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// thirteenthScale are the faults of more than a few things.
func thirteenthScale() []Fault {
	const most, page = 3, 5
	return slices.Concat(
		breaks("events.create.echo",
			fault("scale-display-names-in-three-languages", "of the display names of a new event's object only three are kept",
				rewriteBody(createsEvent(), within("object", within("display_name", firstKeys(most)))))),
		breaks("connections.lists.followers",
			fault("scale-follower-repeated-at-end-of-page", "of more than five followers the fifth is listed twice",
				rewriteResponse(readsFollowers(), inList(func(users []any) []any {
					if len(users) > page {
						users = slices.Insert(users, page, users[page-1])
					}
					return users
				})))),
	)
}

// thirteenthRepetition are those of the same request again.
func thirteenthRepetition() []Fault {
	return breaks("sessions.logout.destroys",
		fault("repetition-logout-again-answers-204", "a logout in a session that was logged out is answered with 204", func(o *refserver.Options) {
			out := &memory[bool]{}
			intercept(logsOut(), func(next http.Handler, r *http.Request) *response {
				resp, key := record(next, r), appIn(r)+" "+sessionIn(r)
				switch {
				case resp.ok():
					out.keep(key, true)
				case resp.status == 401 && out.get(key):
					resp.header.Del("WWW-Authenticate")
					resp.become(204, "")
				}
				return resp
			})(o)
		}))
}

// thirteenthConcurrency are those of requests at once.
func thirteenthConcurrency() []Fault {
	return breaks("search.exact",
		fault("concurrency-searches-in-one-flight", "of two searches in one session that overlap the second gets what the first one finds", func(o *refserver.Options) {
			flights := &flights{under: map[string]*flight{}}
			intercept(searches(), func(next http.Handler, r *http.Request) *response {
				return flights.share(appIn(r)+" "+sessionIn(r), func() *response { return record(next, r) })
			})(o)
		}))
}

// flights are the requests of which one answer serves all that come meanwhile.
type flights struct {
	mu    sync.Mutex
	under map[string]*flight
}

// flight is one of them.
type flight struct {
	landed chan struct{}
	resp   *response
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

// thirteenthTime are those that show a while later.
func thirteenthTime() []Fault {
	const recent = 3 * time.Second
	return breaks("events.delete.status",
		fault("time-older-events-not-found-for-deletion", "an event of more than three seconds ago is not found by its deletion",
			overrideStore(func(inner refserver.Store, s *overrides) {
				posted := &memory[time.Time]{}
				s.onCreateEvent(func(event store.Event) { posted.keep(keyOf(event.App, event.ID), event.CreatedAt) })
				s.deleteEvent = func(app store.App, owner, id store.ID) error {
					if at, known := posted.lookup(keyOf(app, id)); known && time.Since(at) > recent {
						return store.ErrNotFound
					}
					return inner.DeleteEvent(app, owner, id)
				}
			})))
}
