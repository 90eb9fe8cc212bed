package faults

import (
	"net/http"
	"time"

	"github.com/socialfeed/conform/refserver"
)

// once makes a mutation that knows the requests for which another has succeeded before: of and asks
// are the keys of both.
func once(done match, of, asks func(*http.Request) string, mutate func(after match) mutation) mutation {
	return func(o *refserver.Options) {
		did := &memory[bool]{}
		combine(
			mutate(func(r *http.Request) bool { return did.get(asks(r)) }),
			rewriteResponse(done, onSuccess(func(r *http.Request, _ *response) { did.keep(of(r), true) })),
		)(o)
	}
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
	return func(o *refserver.Options) {
		answers := &memory[kept]{}
		rewriteResponse(m, func(r *http.Request, resp *response) {
			before, known := answers.lookup(key(r))
			if known {
				before.uses++
			}
			if known && serve(r, before, resp) {
				resp.become(before.status, string(before.body))
				answers.keep(key(r), before)
			} else if resp.ok() {
				again := *resp
				answers.keep(key(r), kept{&again, appIn(r), time.Now(), before.uses})
			}
		})(o)
	}
}

// credentials and whole keys of requests.
func credentials(r *http.Request) string { return r.Header.Get("Authorization") }

func sessionAndPath(r *http.Request) string { return sessionIn(r) + " " + r.URL.Path }

func appAndPath(r *http.Request) string { return appIn(r) + " " + r.URL.Path }
