package faults

import (
	"net/http"
	"slices"
	"time"

	"github.com/socialfeed/conform/refserver"
)

// asked is a request with what it was answered, and the server for further questions.
type asked struct {
	*http.Request
	*response
	next http.Handler
}

// answers changes what the requests that match are answered.
func answers(m match, change func(q asked)) mutation {
	return knowing(m, func(asked) bool { return true }, func(q asked, _ bool) { change(q) })
}

// knowing changes what the requests that match are answered, by what was so before them.
func knowing[T any](m match, before func(q asked) T, change func(q asked, before T)) mutation {
	return intercept(m, func(next http.Handler, r *http.Request) *response {
		was := before(asked{r, nil, next})
		q := asked{r, record(next, r), next}
		change(q, was)
		return q.response
	})
}

// The parts of a request and of its answer.

func (q asked) session() string           { return sessionIn(q.Request) }
func (q asked) app() string               { return appIn(q.Request) }
func (q asked) last() string              { return lastSegment(q.Request) }
func (q asked) sent() map[string]any      { return requestObject(q.Request) }
func (q asked) answer() map[string]any    { return objectOf(q.body) }
func (q asked) id() string                { return fieldText(q.answer(), "id") }
func (q asked) inApp() string             { return q.app() + " " + q.id() } // the application and the id in the answer
func (q asked) own() map[string]any       { return ownRecord(q.next, q.Request) }
func (q asked) ownID() string             { return fieldText(q.own(), "id") }
func (q asked) get(path string) *response { return q.call(http.MethodGet, path, nil) }

// target is the other user of a connection, or of its end.
func (q asked) target() string {
	if q.Method == http.MethodPost {
		return fieldText(q.sent(), "user_to_id")
	}
	return q.last()
}

// call asks the server for something more.
func (q asked) call(method, path string, body any) *response {
	return call(q.next, q.Request, method, path, body)
}

// lists reports whether the user with the id is on a list.
func (q asked) lists(path, id string) bool { return lists(q.next, q.Request, path, id) }

// each visits the users or events of the list that was answered.
func (q asked) each(do objectEdit) { inEach(do)(q.Request, q.response) }

// without leaves users or events out of the list that was answered.
func (q asked) without(out func(item map[string]any) bool) {
	q.list(func(list []any) []any {
		return slices.DeleteFunc(list, func(item any) bool { object, _ := item.(map[string]any); return out(object) })
	})
}

// remembering makes a mutation that keeps something of its own for each server.
func remembering[V any](mutate func(kept *memory[V]) mutation) mutation {
	return func(o *refserver.Options) { mutate(&memory[V]{})(o) }
}

// once makes a mutation that knows the requests for which another has succeeded before: of and asks
// are the keys of both.
func once(done match, of func(q asked) string, asks func(*http.Request) string, mutate func(after match) mutation) mutation {
	return remembering(func(did *memory[bool]) mutation {
		return combine(mutate(func(r *http.Request) bool { return did.get(asks(r)) }), answers(done, func(q asked) {
			if q.ok() {
				did.keep(of(q), true)
			}
		}))
	})
}

// exchange is an earlier request with its answer.
type exchange struct {
	app  string
	sent map[string]any
	*response
}

// recalls changes answers by the latest of other requests that succeeded: of and asks are the keys of both.
func recalls(done match, of func(q asked) string, m match, asks func(q asked) string, change func(q asked, before exchange)) mutation {
	return remembering(func(exchanges *memory[exchange]) mutation {
		return combine(answers(done, func(q asked) {
			if again := *q.response; q.ok() {
				exchanges.keep(of(q), exchange{q.app(), q.sent(), &again})
			}
		}), answers(m, func(q asked) {
			if before, known := exchanges.lookup(asks(q)); known {
				change(q, before)
			}
		}))
	})
}

// kept is an answer that a cache keeps.
type kept struct {
	*response
	app  string
	at   time.Time
	uses int // how often it was there when it was asked for
}

// cached answers requests of one key with an earlier answer where the condition says so, and keeps the
// answers that succeed otherwise.
func cached(m match, key func(*http.Request) string, serve func(r *http.Request, before kept, resp *response) bool) mutation {
	return remembering(func(answered *memory[kept]) mutation {
		return rewriteResponse(m, func(r *http.Request, resp *response) {
			before, known := answered.lookup(key(r))
			if known {
				before.uses++
			}
			if known && serve(r, before, resp) {
				resp.become(before.status, string(before.body))
				answered.keep(key(r), before)
			} else if resp.ok() {
				again := *resp
				answered.keep(key(r), kept{&again, appIn(r), time.Now(), before.uses})
			}
		})
	})
}

// credentials and whole keys of requests.
func credentials(r *http.Request) string { return r.Header.Get("Authorization") }

func sessionAndPath(r *http.Request) string { return sessionIn(r) + " " + r.URL.Path }

func appAndPath(r *http.Request) string { return appIn(r) + " " + r.URL.Path }
