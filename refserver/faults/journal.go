package faults

import (
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/socialfeed/conform/refserver/store"
)

// The store's words, which most rows use.
type (
	App   = store.App
	ID    = store.ID
	User  = store.User
	Event = store.Event
)

// did says what was done.
type did string

// The subjects of the journal of a server's store.
const (
	created     did = "created"      // by a user of itself; the text is its user name
	updated     did = "updated"      // by a user of itself
	renamed     did = "renamed"      // an update with another user name; the text is the former one
	newEmail    did = "new email"    // an update with another email; the text is the former one
	newPassword did = "new password" // an update with another password
	deleted     did = "deleted"      // by a user of itself; the text is its user name
	loggedIn    did = "logged in"    // the text is the session's token
	loggedOut   did = "logged out"   // likewise
	followed    did = "followed"     // a follow was asked for, anew or again
	befriended  did = "befriended"   // a friend connection was
	connected   did = "connected"    // either of both
	contacted   did = "contacted"    // a connection was asked for by social identifiers; the text is its type
	ended       did = "ended"        // all connections to a user
	unfollowed  did = "unfollowed"   // an end that a follow stood before
	unfriended  did = "unfriended"   // an end that a friendship stood before
	posted      did = "posted"       // to an event
	changed     did = "changed"      // likewise
	removed     did = "removed"      // likewise: a deletion
	usedSession did = "used session" // another session than before; the text is its token
	triedChange did = "tried change" // to an event: a change that was refused
	triedRemove did = "tried remove" // likewise: a deletion
	noted       did = "noted"        // what a fault writes down itself
)

// act is an entry of the journal. Acts never change.
type act struct {
	n                           int // its place in the journal, from 1; 0 is no act
	at                          time.Time
	by, to                      ID // the user that did it; the other user or the event
	text                        string
	was, user                   User  // what was done to a user: before and after
	old, event                  Event // what was done to an event: before and after
	follows, followers, friends []ID  // of who was deleted, or whose event was, or who ended a connection: before
	events                      []Event
}

// place is the key of an act in the index: a zero part means any.
type place struct {
	app    App
	did    did
	by, to ID
	text   string
}

// journal records the operations of a server in order. It is bounded: it is emptied
// before it grows large. It is safe for concurrent use.
type journal struct {
	mu     sync.Mutex
	last   int // the number of the latest act
	acts   int // how many are kept
	index  map[place][]*act
	events map[place]Event // that stand, by application and id
	apps   map[App]bool

	running overlaps // what is under way
}

const mostActs = 20_000

func newJournal() *journal {
	return &journal{index: map[place][]*act{}, events: map[place]Event{}, apps: map[App]bool{}}
}

// write enters an act under each of the words for what was done.
func (j *journal) write(app App, entry act, words ...did) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.acts >= mostActs {
		j.acts = 0
		clear(j.index)
		clear(j.events)
	}
	j.acts++
	j.apps[app] = true
	j.last++
	entry.n = j.last
	if entry.at.IsZero() {
		entry.at = time.Now()
	}
	places := map[place]bool{}
	for _, word := range words {
		for _, by := range []ID{entry.by, 0} {
			places[place{app, word, by, entry.to, ""}], places[place{app, word, by, 0, ""}] = true, true
			if entry.text != "" {
				places[place{app, word, by, 0, entry.text}], places[place{app, word, by, entry.to, entry.text}] = true, true
			}
		}
		switch word {
		case posted, changed:
			j.events[place{app: app, to: entry.to}] = entry.event
		case removed:
			delete(j.events, place{app: app, to: entry.to})
		}
	}
	for at := range places {
		j.index[at] = append(j.index[at], &entry)
	}
}

// at returns the acts of a place up to a number, 0 for all.
func (j *journal) at(p place, until int) []*act {
	j.mu.Lock()
	defer j.mu.Unlock()
	acts := j.index[p]
	for until > 0 && len(acts) > 0 && acts[len(acts)-1].n >= until {
		acts = acts[:len(acts)-1]
	}
	return acts[:len(acts):len(acts)]
}

// standing returns the existing events for which a condition holds, newest first. The
// condition may ask the journal.
func (j *journal) standing(app App, is func(Event) bool) []Event {
	return slices.DeleteFunc(newestFirst(j.kept(app)), func(event Event) bool { return !is(event) })
}

func (j *journal) kept(app App) (events []Event) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for at, event := range j.events {
		if at.app == app {
			events = append(events, event)
		}
	}
	return events
}

// next is the number that the next act will have.
func (j *journal) next() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.last + 1
}

// others are the applications but one in which something was done.
func (j *journal) others(app App) []App {
	j.mu.Lock()
	defer j.mu.Unlock()
	return slices.DeleteFunc(slices.Sorted(maps.Keys(j.apps)), func(other App) bool { return other == app })
}
