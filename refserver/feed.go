package refserver

import (
	"net/http"
	"slices"
	"sync"

	"github.com/socialfeed/conform/refserver/store"
)

// feed is endpoint 21.
func (s *Server) feed(q *request) (reply, error) {
	if s.direct == nil || s.choices.changesFeeds() {
		events, err := s.store.Feed(q.app, q.user)
		events = s.shownOf(q.app, q.user, events)
		return reply{http.StatusOK, listOf(events, s.eventText)}, err
	}
	page, again := s.direct.FeedPage(q.app, q.user)
	if whole := page.Encoded(); whole != nil {
		return reply{http.StatusOK, text(whole)}, nil
	}
	feed := listOf(page.Events, func(event **store.Event) text { return s.eventText(*event) })
	if again {
		feed.keep = page.KeepEncoded
	}
	return reply{http.StatusOK, feed}, nil
}

// changesFeeds reports whether feeds differ from those of the store.
func (c Choices) changesFeeds() bool { return c.FeedLength > 0 || c.ListLength > 0 || c.ClockSkew > 0 }

// shownOf are the events that a user's feed shows of those that belong there.
func (s *Server) shownOf(app store.App, reader store.ID, events []store.Event) []store.Event {
	if s.choices.FeedLength > 0 {
		events = s.pushedOut.trim(reading{app, reader}, events, s.choices.FeedLength)
	}
	if s.choices.ClockSkew > 0 {
		slices.SortStableFunc(events, func(a, b store.Event) int { return s.skewed(b.CreatedAt).Compare(s.skewed(a.CreatedAt)) })
	}
	return firstOf(events, s.choices.ListLength)
}

// firstOf are the first so many of a list, all if that is 0.
func firstOf[T any](all []T, most int) []T {
	if most == 0 {
		return all
	}
	return all[:min(most, len(all))]
}

// reading is whose feed it is.
type reading struct {
	app    store.App
	reader store.ID
}

// pushedOut are the events that newer ones have pushed out of feeds of a limited length.
type pushedOut struct {
	mu     sync.Mutex
	events map[reading]map[store.ID]bool
}

// trim pushes out the oldest events of a feed that is too long, and returns the others.
func (p *pushedOut) trim(of reading, events []store.Event, most int) []store.Event {
	p.mu.Lock()
	defer p.mu.Unlock()
	events = slices.DeleteFunc(events, func(event store.Event) bool { return p.events[of][event.ID] })
	if len(events) <= most {
		return events
	}
	if p.events == nil {
		p.events = map[reading]map[store.ID]bool{}
	}
	if p.events[of] == nil {
		p.events[of] = map[store.ID]bool{}
	}
	for _, event := range events[most:] {
		p.events[of][event.ID] = true
	}
	return events[:most]
}

// fill makes a feed anew, as its reader has a new connection.
func (p *pushedOut) fill(of reading) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.events, of)
}

// handOut brings the feeds up to date that a new event of a user belongs to.
func (s *Server) handOut(app store.App, owner store.ID) {
	if s.choices.FeedLength == 0 {
		return
	}
	for _, readers := range []func(store.App, store.ID) ([]store.User, error){s.store.Followers, s.store.Friends} {
		users, err := readers(app, owner)
		for _, reader := range users {
			if events, unread := s.store.Feed(app, reader.ID); err == nil && unread == nil {
				s.pushedOut.trim(reading{app, reader.ID}, events, s.choices.FeedLength)
			}
		}
	}
}
