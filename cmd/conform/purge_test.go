package main

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/socialfeed/conform/conformance"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// TestBrokenPurgeIsBlamed judges a server that leaves the events of deleted users
// in the feeds, and does all else right: what the whole judge is about.
func TestBrokenPurgeIsBlamed(t *testing.T) {
	t.Parallel()
	server := reference(t, func(o *refserver.Options) {
		o.WrapStore = func(s refserver.Store) refserver.Store {
			return &haunted{Store: s, events: map[place][]store.Event{}, ghosts: map[place][]ghost{}}
		}
	})
	o := judged(t, append(serve(t, server), "--settle", "300ms")...)
	o.wants(t, exitNonConformant)
	for _, rule := range o.report.Rules {
		purge := strings.HasPrefix(rule.ID, "feed.purge.")
		if broken := rule.Status == result.Fail || rule.Status == result.Warn || rule.Status == result.Error; broken && !purge {
			t.Errorf("%s is blamed: %v", rule.ID, rule.Checks)
		}
	}
	for _, rule := range []string{"feed.purge.followers", "feed.purge.friends"} {
		if !slices.Contains(o.blamed(), rule) {
			t.Errorf("%s is not blamed", rule)
		}
		if !strings.Contains(o.stdout, rule) {
			t.Errorf("the report on stdout does not name %s", rule)
		}
	}
}

// TestEventsThatComeBackAreBlamed judges a server from which the events of deleted
// users are gone at first, and back later than a quick run would look: every run
// sees it, at the rules about it, whatever else is judged beside them.
func TestEventsThatComeBackAreBlamed(t *testing.T) {
	t.Parallel()
	const away, runs = 1500 * time.Millisecond, 12
	for i := range runs {
		selection := []string{} // the whole
		if i%3 == 2 {
			selection = []string{"--rule", "feed.purge.*"}
		}
		t.Run(fmt.Sprint(i+1, selection), func(t *testing.T) {
			t.Parallel()
			server := reference(t, func(o *refserver.Options) {
				o.WrapStore = func(s refserver.Store) refserver.Store {
					return &haunted{Store: s, after: away, events: map[place][]store.Event{}, ghosts: map[place][]ghost{}}
				}
			})
			o := judged(t, append(append(serve(t, server), selection...), "--report", "text=-")...) // the short form leaves the facts out
			o.wants(t, exitNonConformant)
			for _, rule := range []string{"feed.purge.followers", "feed.purge.friends"} {
				if !slices.Contains(o.blamed(), rule) {
					t.Errorf("%s is not blamed", rule)
				}
			}
			if o.report.WatchedMS < conformance.DefaultHold.Milliseconds() || !strings.Contains(o.stdout, "re-checked after") {
				t.Errorf("watched for %d ms", o.report.WatchedMS)
			}
		})
	}
}

// place is a user of an application.
type place struct {
	app store.App
	id  store.ID
}

// haunted is a store whose feeds keep the events of deleted users.
type haunted struct {
	refserver.Store
	after time.Duration // how long the events stay away first

	mu     sync.Mutex
	events map[place][]store.Event // by owner
	ghosts map[place][]ghost       // by reader
}

// ghost is an event of a deleted user.
type ghost struct {
	event store.Event
	since time.Time // when it comes back
}

// CreateEvent remembers the event.
func (h *haunted) CreateEvent(app store.App, owner store.ID, event store.Event) (store.Event, error) {
	created, err := h.Store.CreateEvent(app, owner, event)
	h.mu.Lock()
	defer h.mu.Unlock()
	if err == nil {
		h.events[place{app, owner}] = append(h.events[place{app, owner}], created)
	}
	return created, err
}

// DeleteEvent forgets the event.
func (h *haunted) DeleteEvent(app store.App, owner, id store.ID) error {
	err := h.Store.DeleteEvent(app, owner, id)
	h.mu.Lock()
	defer h.mu.Unlock()
	if err == nil {
		h.events[place{app, owner}] = slices.DeleteFunc(h.events[place{app, owner}], func(e store.Event) bool { return e.ID == id })
	}
	return err
}

// DeleteUser leaves the user's events to those who saw them.
func (h *haunted) DeleteUser(app store.App, id store.ID) error {
	followers, err := h.Followers(app, id)
	if err != nil {
		return err
	}
	friends, err := h.Friends(app, id)
	if err != nil {
		return err
	}
	if err := h.Store.DeleteUser(app, id); err != nil {
		return err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	since := time.Now().Add(h.after)
	for _, reader := range append(followers, friends...) {
		to := place{app, reader.ID}
		for _, event := range h.events[place{app, id}] {
			h.ghosts[to] = append(h.ghosts[to], ghost{event, since})
		}
	}
	return nil
}

// Feed has the ghosts among the living.
func (h *haunted) Feed(app store.App, id store.ID) ([]store.Event, error) {
	feed, err := h.Store.Feed(app, id)
	if err != nil {
		return nil, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, ghost := range h.ghosts[place{app, id}] {
		if !time.Now().Before(ghost.since) {
			feed = append(feed, ghost.event)
		}
	}
	slices.SortStableFunc(feed, func(a, b store.Event) int { return b.CreatedAt.Compare(a.CreatedAt) })
	return slices.CompactFunc(feed, func(a, b store.Event) bool { return a.ID == b.ID }), nil
}
