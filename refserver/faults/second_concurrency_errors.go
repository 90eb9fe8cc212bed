package faults

import (
	"errors"
	"net/http"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// concurrencyErrors are the faults of an operation that fails where the same one is under
// way.
func concurrencyErrors() []Fault {
	return breaks("errors.no-5xx",
		fault("concurrency-two-logouts-fail", "two logouts of a session at once fail with 500", failsTwice(logsOut(), sessionIn)),
		fault("concurrency-two-deletions-of-event-fail", "two deletions of an event at once fail with 500", failsTwice(deletesEvent(), lastSegment)),
		fault("concurrency-two-follows-fail", "two connections to the same user at once fail with 500",
			failsTwice(connects(), func(r *http.Request) string { return sessionIn(r) + string(peekBody(r)) })),
		fault("concurrency-two-deletions-of-user-fail", "two deletions of a user at once fail with 500", failsTwice(deletesUser(), sessionIn)),
		fault("concurrency-second-update-of-user-is-stale", "of updates of one user that overlap the first to end is done, and the others fail with 500",
			overrideRacyStore(func(inner refserver.Store, s *overrides) {
				running := &overlaps{}
				s.updateUser = func(app store.App, id store.ID, change func(*store.User)) (user store.User, err error) {
					if _, ended := running.during(keyOf(app, id), func() {}); ended > 0 {
						return user, errors.New("attempted to update a stale object")
					}
					return inner.UpdateUser(app, id, change)
				}
			})))
}

// failsTwice answers requests of one key that overlap with 500.
func failsTwice(m match, key func(*http.Request) string) mutation {
	return func(o *refserver.Options) {
		running := &overlaps{}
		intercept(m, func(next http.Handler, r *http.Request) (resp *response) {
			if ever, _ := running.during(key(r), func() { resp = record(next, r) }); ever > 1 {
				resp.become(500, complaint("deadlock"))
			}
			return resp
		})(o)
	}
}
