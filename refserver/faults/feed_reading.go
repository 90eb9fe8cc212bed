package faults

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// reader is a user who reads a feed, with the store that works.
type reader struct {
	store refserver.Store
	app   store.App
	id    store.ID
}

func (r reader) follows(other store.ID) bool { return among(r.store.Follows, r.app, r.id, other) }

func (r reader) befriends(other store.ID) bool { return among(r.store.Friends, r.app, r.id, other) }

// isLastFollower reports whether, of several followers, the reader is the last.
func (r reader) isLastFollower(owner store.ID) bool {
	followers := idsOf(r.store.Followers, r.app, owner)
	return len(followers) > 1 && followers[len(followers)-1] == r.id
}

// rewriteFeeds changes what feeds show, from what they must show.
func rewriteFeeds(change func(r reader, feed []store.Event) []store.Event) mutation {
	return overrideStore(func(_ refserver.Store, s *overrides) { s.rewriteFeeds(change) })
}

// hideFromFeeds leaves events out of feeds.
func hideFromFeeds(out func(r reader, event store.Event) bool) mutation {
	return overrideStore(func(_ refserver.Store, s *overrides) { s.hideFromFeeds(out) })
}

func (s *overrides) rewriteFeeds(change func(r reader, feed []store.Event) []store.Event) {
	feed := s.feed
	s.feed = func(app store.App, id store.ID) ([]store.Event, error) {
		events, err := feed(app, id)
		if err != nil {
			return nil, err
		}
		return change(reader{s.Store, app, id}, events), nil
	}
}

func (s *overrides) hideFromFeeds(out func(r reader, event store.Event) bool) {
	s.rewriteFeeds(func(r reader, feed []store.Event) []store.Event {
		return without(feed, func(event store.Event) bool { return out(r, event) })
	})
}

// addToFeeds adds events to feeds that are not there.
func (s *overrides) addToFeeds(further func(r reader, feed []store.Event) []store.Event) {
	s.rewriteFeeds(func(r reader, feed []store.Event) []store.Event {
		shown := feed
		for _, event := range further(r, feed) {
			if !slices.ContainsFunc(shown, func(e store.Event) bool { return e.ID == event.ID }) {
				shown = append(slices.Clip(shown), event)
			}
		}
		return newestFirst(shown)
	})
}

// without leaves events out of a list.
func without(events []store.Event, out func(store.Event) bool) []store.Event {
	return slices.DeleteFunc(events, out)
}

// newestFirst sorts events as feeds do.
func newestFirst(events []store.Event) []store.Event {
	slices.SortStableFunc(events, func(a, b store.Event) int { return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), cmp.Compare(b.ID, a.ID)) })
	return events
}

// ownedBy are the events in a reader's feed that belong to a user.
func ownedBy(inner refserver.Store, app store.App, reader, owner store.ID) []store.Event {
	feed, err := inner.Feed(app, reader)
	if err != nil {
		return nil
	}
	return without(feed, func(event store.Event) bool { return event.Owner != owner })
}

// endedAt watches ends of connections. What it returns says when a user last
// ended one to another; never is the zero time.
func endedAt(s *overrides) func(app store.App, from, to store.ID) time.Time {
	ended := &memory[time.Time]{}
	s.onDisconnect(func(app store.App, from, to store.ID) { ended.keep(keyOf(app, from, to), time.Now()) })
	return func(app store.App, from, to store.ID) time.Time { return ended.get(keyOf(app, from, to)) }
}

// archive holds everyone's events as they stand.
type archive struct {
	mu     sync.Mutex
	events map[string]store.Event // by application and id
}

// archived fills an archive from now on.
func archived(s *overrides) *archive {
	a := &archive{events: map[string]store.Event{}}
	s.onCreateEvent(a.put)
	s.onUpdateEvent(a.put)
	s.onDeleteEvent(func(app store.App, _, id store.ID) {
		a.mu.Lock()
		defer a.mu.Unlock()
		delete(a.events, keyOf(app, id))
	})
	return a
}

func (a *archive) put(event store.Event) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.events) >= mostKept {
		clear(a.events)
	}
	a.events[keyOf(event.App, event.ID)] = event
}

// of returns the events that belong to users of whom a condition holds.
func (a *archive) of(app store.App, is func(owner store.ID) bool) []store.Event {
	a.mu.Lock()
	defer a.mu.Unlock()
	var events []store.Event
	for _, event := range a.events {
		if event.App == app && is(event.Owner) {
			events = append(events, event)
		}
	}
	return newestFirst(events)
}
