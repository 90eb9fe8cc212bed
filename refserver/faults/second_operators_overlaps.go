package faults

import (
	"net/http"
	"sync"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// window is how long an operation stays open to others, so that two at once do overlap.
// It is never held open under a lock that others wait for.
const window = 25 * time.Millisecond

// overlaps knows the operations of one key that are under way.
type overlaps struct {
	mu    sync.Mutex
	under map[string]*overlap
}

// overlap is a group of operations of which each was under way with another.
type overlap struct{ now, ever, ended int }

// during does an operation in a window. It returns how many its group has had so
// far, and how many of them had ended before it.
func (o *overlaps) during(key string, do func()) (ever, before int) {
	o.mu.Lock()
	if o.under == nil {
		o.under = map[string]*overlap{}
	}
	group := o.under[key]
	if group == nil {
		group = &overlap{}
		o.under[key] = group
	}
	group.now++
	group.ever++
	o.mu.Unlock()
	time.Sleep(window)
	do()
	o.mu.Lock()
	defer o.mu.Unlock()
	before = group.ended
	group.ended++
	if group.now--; group.now == 0 {
		delete(o.under, key)
	}
	return group.ever, before
}

// open reports whether an operation is under way.
func (o *overlaps) open(key string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.under[key] != nil
}

// duringDeletion makes deletions of users last, and knows who is being deleted.
func duringDeletion(mutate func(inner refserver.Store, s *overrides, deleting func(store.App, store.ID) bool)) mutation {
	return overrideRacyStore(func(inner refserver.Store, s *overrides) {
		running := &overlaps{}
		s.deleteUser = func(app store.App, id store.ID) (err error) {
			running.during(keyOf(app, id), func() { err = inner.DeleteUser(app, id) })
			return err
		}
		mutate(inner, s, func(app store.App, id store.ID) bool { return running.open(keyOf(app, id)) })
	})
}

// inOneFlight answers requests of one key that are there at once with what the first gets.
func inOneFlight(m match, key func(*http.Request) string) mutation {
	var mu sync.Mutex
	flights := map[string][]byte{}
	return rewriteResponse(m, func(r *http.Request, resp *response) {
		if !resp.ok() {
			return
		}
		mu.Lock()
		first, there := flights[key(r)]
		if !there {
			flights[key(r)] = resp.body
		}
		mu.Unlock()
		if there {
			resp.body = first
			return
		}
		time.Sleep(window)
		mu.Lock()
		delete(flights, key(r))
		mu.Unlock()
	})
}

// latestOf gives the answers to requests that overlap the field of the latest one.
func latestOf(m match, field string) mutation {
	return func(o *refserver.Options) {
		latest := &memory[any]{}
		rewriteObject(m, func(object map[string]any) {
			latest.keep("", object[field])
			time.Sleep(window)
			object[field] = latest.get("")
		})(o)
	}
}
