package datafile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/socialfeed/conform/refserver/store"
)

// Fault is a mistake in keeping a file, for tests of the judge of restarts. It shows when a server
// starts again.
type Fault struct {
	Name string
	Rule string // that it breaks; a choice where the contract leaves it open

	keep  func([]store.Change) []store.Change           // the part of a transaction that is kept; nil: all
	found func(*store.State)                            // alters the data that is found at the start; nil: as it is
	serve func(*store.State, http.Handler) http.Handler // alters the store of the data that was found; nil: soundly
}

// Faults lists them.
func Faults() []Fault {
	return []Fault{
		{Name: "deletions-of-users-undone", Rule: "restarts.deleted", keep: deletionsUndone()},
		{Name: "deletions-of-events-undone", Rule: "restarts.deleted", keep: without(gone[*store.Event])},
		{Name: "deletions-of-connections-undone", Rule: "restarts.deleted", keep: without(gone[*store.Connection])},
		{Name: "logouts-not-stored", Rule: "restarts.ended-sessions", keep: without(gone[*store.SessionRow])},
		{Name: "sessions-not-stored", Rule: "restarts.sessions", keep: without(of[*store.SessionRow])},
		{Name: "ids-from-rows", Rule: "restarts.ids", found: func(s *store.State) { s.LastUser, s.LastEvent = highest(s) }},
		{Name: "sessions-lost-at-start", Rule: "restarts.sessions", found: func(s *store.State) { s.Sessions = nil }},
		{Name: "first-events-lost-at-start", Rule: "restarts.order", found: func(s *store.State) { s.Events = withoutFirsts(s.Events) }},
		{Name: "metadata-of-users-lost-at-start", Rule: "restarts.whole-user", found: func(s *store.State) {
			for i := range s.Users {
				s.Users[i].Metadata = nil
			}
		}},
		{Name: "index-of-users-not-rebuilt", Rule: "restarts.whole-user", serve: forgetsUsers},
		{Name: "users-half-written", Rule: "restarts.whole-user", keep: changed(func(u *store.User) {
			if u.UpdatedAt.After(u.CreatedAt) {
				u.Password = nil
			}
		})},
		{Name: "events-half-written", Rule: "restarts.whole-event", keep: changed(func(e *store.Event) {
			if e.UpdatedAt.After(e.CreatedAt) {
				e.Metadata = nil
			}
		})},
		{Name: "index-of-followers-not-rebuilt", Rule: "restarts.whole-connection", serve: forgetsFollowers},
		{Name: "first-event-of-each-user-lost", Rule: "restarts.order", keep: firstEventsLost()},
		{Name: "updates-not-stored", Rule: "restarts.order", keep: without(func(c store.Change) bool {
			u, is := c.Row.(*store.User)
			return is && !c.Gone && u.UpdatedAt.After(u.CreatedAt)
		})},
		{Name: "pause-breaks-it", Rule: "restarts.pause", serve: breaksByAPause},
		{Name: "fails-where-it-finds-something", Rule: "restarts.serves", serve: refusesWrites},
	}
}

// FindFault finds a fault by its name.
func FindFault(name string) (Fault, error) {
	for _, f := range Faults() {
		if f.Name == name {
			return f, nil
		}
	}
	return Fault{}, fmt.Errorf("there is no fault of data %q", name)
}

// Found makes the fault act on the data that was found at the start, nil for none.
func (f Fault) Found(state *store.State) {
	if f.found != nil && state != nil {
		f.found(state)
	}
}

// Serve makes the fault act on serving the data that was found.
func (f Fault) Serve(state *store.State, next http.Handler) http.Handler {
	if f.serve == nil {
		return next
	}
	return f.serve(state, next)
}

// Faulty is a file that is kept with a fault.
type Faulty struct {
	*File
	fault Fault
}

// With is the file, kept with a fault.
func (f *File) With(fault Fault) *Faulty { return &Faulty{File: f, fault: fault} }

// Keep keeps the part of a transaction that the fault leaves.
func (f *Faulty) Keep(changes []store.Change, at store.Progress) {
	if f.fault.keep != nil {
		changes = f.fault.keep(slices.Clone(changes))
	}
	f.File.Keep(changes, at)
}

func of[T any](c store.Change) bool {
	_, is := c.Row.(T)
	return is
}

func gone[T any](c store.Change) bool { return c.Gone && of[T](c) }

// without leaves out the changes that are such.
func without(such func(store.Change) bool) func([]store.Change) []store.Change {
	return func(changes []store.Change) []store.Change { return slices.DeleteFunc(changes, such) }
}

// deletionsUndone leaves out the transactions that delete users, and the later deletions of their rows.
func deletionsUndone() func([]store.Change) []store.Change {
	type key struct {
		app store.App
		id  store.ID
	}
	deleted := map[key]bool{}
	return func(changes []store.Change) []store.Change {
		for _, c := range changes {
			if u, is := c.Row.(*store.User); is && c.Gone {
				deleted[key{u.App, u.ID}] = true
				return nil
			}
		}
		return slices.DeleteFunc(changes, func(c store.Change) bool {
			switch row := c.Row.(type) {
			case *store.Event:
				return c.Gone && deleted[key{row.App, row.Owner}]
			case *store.Connection:
				return c.Gone && (deleted[key{row.App, row.From}] || deleted[key{row.App, row.To}])
			}
			return false
		})
	}
}

// changed changes a copy of each row of a type.
func changed[T any](change func(*T)) func([]store.Change) []store.Change {
	return func(changes []store.Change) []store.Change {
		for i, c := range changes {
			if row, is := c.Row.(*T); is && !c.Gone {
				copied := *row
				change(&copied)
				changes[i].Row = &copied
			}
		}
		return changes
	}
}

func firstEventsLost() func([]store.Change) []store.Change {
	first := map[store.ID]store.ID{}
	return without(func(c store.Change) bool {
		e, is := c.Row.(*store.Event)
		if is && first[e.Owner] == 0 {
			first[e.Owner] = e.ID
		}
		return is && first[e.Owner] == e.ID
	})
}

// withoutFirsts leaves out the first event of each user.
func withoutFirsts(all []store.Event) []store.Event {
	first := map[store.ID]store.ID{}
	for _, e := range all {
		if known, is := first[e.Owner]; !is || e.ID < known {
			first[e.Owner] = e.ID
		}
	}
	return slices.DeleteFunc(all, func(e store.Event) bool { return first[e.Owner] == e.ID })
}

// highest are the highest ids of users and events that are there.
func highest(s *store.State) (user, event store.ID) {
	for _, u := range s.Users {
		user = max(user, u.ID)
	}
	for _, e := range s.Events {
		event = max(event, e.ID)
	}
	return user, event
}

// onLists changes the lists that GET requests to such paths are answered with.
func onLists(such func(path string) bool, change func([]map[string]any) []map[string]any, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet || !such(r.URL.Path) {
			next.ServeHTTP(w, r)
			return
		}
		answer := httptest.NewRecorder()
		next.ServeHTTP(answer, r)
		body := answer.Body.Bytes()
		var list []map[string]any
		decoder := json.NewDecoder(bytes.NewReader(body))
		decoder.UseNumber()
		if decoder.Decode(&list) == nil {
			body, _ = json.Marshal(change(append([]map[string]any{}, list...))) // it was JSON
		}
		for name, values := range answer.Header() {
			if name != "Content-Length" {
				w.Header()[name] = values
			}
		}
		w.WriteHeader(answer.Code)
		_, _ = w.Write(body) // the client's error
	})
}

// forgetsUsers does not find the users of the start by their names.
func forgetsUsers(s *store.State, next http.Handler) http.Handler {
	before := map[any]bool{}
	for _, u := range s.Users {
		before[u.UserName] = true
	}
	return onLists(func(path string) bool { return strings.HasSuffix(path, "/users/search") }, func(list []map[string]any) []map[string]any {
		return slices.DeleteFunc(list, func(u map[string]any) bool { return before[u["user_name"]] })
	}, next)
}

// forgetsFollowers has no followers from before the start.
func forgetsFollowers(s *store.State, next http.Handler) http.Handler {
	before := map[any]bool{}
	for _, u := range s.Users {
		before[u.UserName] = true
	}
	return onLists(func(path string) bool { return strings.HasSuffix(path, "/followers") }, func(list []map[string]any) []map[string]any {
		return slices.DeleteFunc(list, func(u map[string]any) bool { return before[u["user_name"]] })
	}, next)
}

// breaksByAPause answers 500 once the process was paused.
func breaksByAPause(_ *store.State, next http.Handler) http.Handler {
	const tick, gap = 10 * time.Millisecond, 250 * time.Millisecond
	var broken atomic.Bool
	var begin sync.Once
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		begin.Do(func() {
			go func() { // as long as the process
				last := time.Now()
				for range time.Tick(tick) {
					if time.Since(last) > gap {
						broken.Store(true)
					}
					last = time.Now()
				}
			}()
		})
		if broken.Load() {
			http.Error(w, "{}", http.StatusInternalServerError)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// refusesWrites answers 500 to new events if there was something at the start.
func refusesWrites(s *store.State, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if len(s.Users) > 0 && r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/events") {
			http.Error(w, "{}", http.StatusInternalServerError)
			return
		}
		next.ServeHTTP(w, r)
	})
}
