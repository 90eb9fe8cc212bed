package faults

import (
	"net/http"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// fromPosition returns a feed's or a list's items from a position on.
func fromPosition[T any](items []T, position int) []T { return items[min(position, len(items)):] }

// beyondFirst leaves out the first readers.
func beyondFirst(n int, in readers) readers {
	return func(inner refserver.Store, s *overrides) func(store.App, store.ID) []store.ID {
		all := in(inner, s)
		return func(app store.App, owner store.ID) []store.ID { return fromPosition(all(app, owner), n) }
	}
}

// everyNth picks every nth of a session's requests of one kind that match.
func everyNth(n int, m match, mutate func(nth match) mutation) mutation {
	return func(o *refserver.Options) {
		counts := &memory[int]{}
		mutate(m.and(func(r *http.Request) bool {
			return tally(counts, kindOf(r))%n == 0
		}))(o)
	}
}

// rewriteNth changes every nth response of a session's requests of one kind.
func rewriteNth(n int, m match, change edit) mutation {
	return everyNth(n, m, func(nth match) mutation { return rewriteResponse(nth, change) })
}

// kindOf tells a session's requests to one path from its others; the changes of all
// events are of one kind.
func kindOf(r *http.Request) string {
	path := r.URL.Path
	if updatesEvent()(r) {
		path = "/0.2/user/events/"
	}
	return r.Header.Get("Authorization") + r.Method + path
}
