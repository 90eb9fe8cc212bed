package faults

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// reading changes what feeds show, from what they must show.
func reading(change func(inner refserver.Store, app store.App, reader store.ID, feed []store.Event) []store.Event) func(*refserver.Options) {
	return swap(func(inner refserver.Store, s *swapped) {
		s.feed = func(app store.App, reader store.ID) ([]store.Event, error) {
			feed, err := inner.Feed(app, reader)
			if err != nil {
				return nil, err
			}
			return change(inner, app, reader, feed), nil
		}
	})
}

// without leaves events out of a feed.
func without(feed []store.Event, out func(store.Event) bool) []store.Event {
	return slices.DeleteFunc(feed, out)
}

// newestFirst sorts events as feeds do.
func newestFirst(events []store.Event) []store.Event {
	slices.SortStableFunc(events, func(a, b store.Event) int {
		return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), cmp.Compare(b.ID, a.ID))
	})
	return events
}

// idsOf are the ids of the users on a list; none where it cannot be read.
func idsOf(list members, app store.App, id store.ID) []store.ID {
	users, err := list(app, id)
	if err != nil {
		return nil
	}
	ids := make([]store.ID, len(users))
	for i, user := range users {
		ids[i] = user.ID
	}
	return ids
}

// leftover is an event that is gone, and that a feed goes on showing.
type leftover struct {
	event store.Event
	shows haunting
}

// haunting decides at reading whether a leftover shows, given the feed without it.
type haunting func(feed []store.Event) bool

// atOnce, like aMomentLater and the others below, makes a haunting from the time at
// which the events went.
func atOnce(time.Time) haunting { return func([]store.Event) bool { return true } }

func aMomentLater(gone time.Time) haunting {
	return func([]store.Event) bool { return time.Since(gone) >= aMoment }
}

// withTheNextPost lets it show once a later event is in the feed.
func withTheNextPost(gone time.Time) haunting {
	return func(feed []store.Event) bool {
		return slices.ContainsFunc(feed, func(event store.Event) bool { return event.CreatedAt.After(gone) })
	}
}

// whereNothingElseIs lets it show in a feed that would be empty.
func whereNothingElseIs(time.Time) haunting {
	return func(feed []store.Event) bool { return len(feed) == 0 }
}

// everyOtherTime lets it show at the first reading, the third and so on.
func everyOtherTime(time.Time) haunting {
	var mu sync.Mutex
	shown := false
	return func([]store.Event) bool {
		mu.Lock()
		defer mu.Unlock()
		shown = !shown
		return shown
	}
}

// leftovers are kept by reader.
type leftovers struct {
	mu   sync.Mutex // of what is kept at a time
	kept memory[[]leftover]
}

// haunt makes a store's feeds show what is kept.
func haunt(s *swapped) *leftovers {
	g, feed := &leftovers{}, s.feed
	s.feed = func(app store.App, reader store.ID) ([]store.Event, error) {
		events, err := feed(app, reader)
		kept, _ := g.kept.get(keyOf(app, reader))
		shown := slices.Clone(events)
		for _, each := range kept {
			there := func(event store.Event) bool { return event.ID == each.event.ID }
			if each.shows(events) && !slices.ContainsFunc(shown, there) {
				shown = append(shown, each.event)
			}
		}
		return newestFirst(shown), err
	}
	return g
}

// keep keeps events for a reader's feed.
func (g *leftovers) keep(app store.App, reader store.ID, events []store.Event, shows haunting) {
	g.mu.Lock()
	defer g.mu.Unlock()
	kept, _ := g.kept.get(keyOf(app, reader))
	kept = slices.Clip(kept)
	for _, event := range events {
		kept = append(kept, leftover{event, shows})
	}
	g.kept.keep(keyOf(app, reader), kept)
}

// forget lets go of what is kept of a user's events for a reader's feed.
func (g *leftovers) forget(app store.App, reader, owner store.ID) {
	g.mu.Lock()
	defer g.mu.Unlock()
	kept, _ := g.kept.get(keyOf(app, reader))
	g.kept.keep(keyOf(app, reader), slices.DeleteFunc(slices.Clone(kept), func(each leftover) bool { return each.event.Owner == owner }))
}

// ownedBy are the events in a reader's feed that belong to a user.
func ownedBy(inner refserver.Store, app store.App, reader, owner store.ID) []store.Event {
	feed, err := inner.Feed(app, reader)
	if err != nil {
		return nil
	}
	return without(feed, func(event store.Event) bool { return event.Owner != owner })
}

// archive holds everyone's events as they stand.
type archive struct {
	mu     sync.Mutex
	events map[string]store.Event // by application and id
}

// archived fills an archive from now on.
func archived(s *swapped) *archive {
	a := &archive{events: map[string]store.Event{}}
	create, update, remove := s.createEvent, s.updateEvent, s.deleteEvent
	s.createEvent = func(app store.App, owner store.ID, event store.Event) (store.Event, error) {
		event, err := create(app, owner, event)
		return event, a.put(event, err)
	}
	s.updateEvent = func(app store.App, owner, id store.ID, change func(*store.Event)) (store.Event, error) {
		event, err := update(app, owner, id, change)
		return event, a.put(event, err)
	}
	s.deleteEvent = func(app store.App, owner, id store.ID) error {
		err := remove(app, owner, id)
		a.mu.Lock()
		defer a.mu.Unlock()
		if err == nil {
			delete(a.events, keyOf(app, id))
		}
		return err
	}
	return a
}

func (a *archive) put(event store.Event, err error) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.events) >= mostKept {
		clear(a.events)
	}
	if err == nil {
		a.events[keyOf(event.App, event.ID)] = event
	}
	return err
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
