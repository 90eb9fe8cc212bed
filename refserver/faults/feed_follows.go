package faults

import (
	"fmt"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// unfollows are the faults of what the end of a follow does to the follower's feed.
func unfollows() []Fault {
	const rule = "feed.unfollow"
	staying := func(shows func(gone time.Time) haunting) func(*refserver.Options) {
		return swap(func(inner refserver.Store, s *swapped) {
			kept := haunt(s)
			s.disconnect = func(app store.App, from, to store.ID, types ...store.ConnectionType) error {
				events := ownedBy(inner, app, from, to)
				err := inner.Disconnect(app, from, to, types...)
				if err == nil {
					kept.keep(app, from, events, shows(time.Now()))
				}
				return err
			}
			s.connect = func(app store.App, from, to store.ID, typ store.ConnectionType) (store.Connection, bool, error) {
				kept.forget(app, from, to)
				return inner.Connect(app, from, to, typ)
			}
		})
	}
	return []Fault{
		{
			Name: "feed-unfollow-keeps-events", Rule: rule,
			Summary: "what was in the feed stays after an unfollow, only new events do not come",
			Apply:   staying(atOnce),
		},
		{
			Name: "feed-unfollowed-returns", Rule: rule,
			Summary: "the events of a user who is no longer followed are back a second later",
			Apply:   staying(aMomentLater),
		},
		{
			Name: "feed-unfollowed-returns-with-the-next", Rule: rule,
			Summary: "the events of a user who is no longer followed are back when something is posted",
			Apply:   staying(withTheNextPost),
		},
		{
			Name: "feed-unfollow-never-empties", Rule: rule,
			Summary: "the events of the only followed user stay after an unfollow",
			Apply:   staying(whereNothingElseIs),
		},
		{
			Name: "feed-unfollow-lets-new-events-in", Rule: rule,
			Summary: "after an unfollow the events so far are gone, and new ones come",
			Apply: swap(func(inner refserver.Store, s *swapped) {
				all, ended := archived(s), endedAt(s)
				s.feed = func(app store.App, reader store.ID) ([]store.Event, error) {
					feed, err := inner.Feed(app, reader)
					return withThese(feed, without(all.of(app, func(owner store.ID) bool {
						return !among(inner.Follows, app, reader, owner)
					}), func(event store.Event) bool {
						at := ended(app, reader, event.Owner)
						return at.IsZero() || !event.CreatedAt.After(at)
					})), err
				}
			}),
		},
	}
}

// endedAt watches ends of connections. What it returns tells when a user last
// ended one to another; never is the zero time.
func endedAt(s *swapped) func(app store.App, from, to store.ID) time.Time {
	ended, disconnect := &memory[time.Time]{}, s.disconnect
	s.disconnect = func(app store.App, from, to store.ID, types ...store.ConnectionType) error {
		err := disconnect(app, from, to, types...)
		if err == nil {
			ended.keep(keyOf(app, from, to), time.Now())
		}
		return err
	}
	return func(app store.App, from, to store.ID) time.Time {
		at, _ := ended.get(keyOf(app, from, to))
		return at
	}
}

// refollows are the faults of following a user again.
func refollows() []Fault {
	const rule = "feed.refollow"
	hiding := func(hidden func(older []store.Event) []store.Event) func(*refserver.Options) {
		return swap(func(inner refserver.Store, s *swapped) {
			ended := endedAt(s)
			s.feed = func(app store.App, reader store.ID) ([]store.Event, error) {
				feed, err := inner.Feed(app, reader)
				var older []store.Event
				for _, event := range feed {
					if event.CreatedAt.Before(ended(app, reader, event.Owner)) {
						older = append(older, event)
					}
				}
				hide := map[store.ID]bool{}
				for _, event := range hidden(older) {
					hide[event.ID] = true
				}
				return without(feed, func(event store.Event) bool { return hide[event.ID] }), err
			}
		})
	}
	return []Fault{
		{
			Name: "feed-refollow-shows-only-new", Rule: rule,
			Summary: "who follows a user again sees only what is posted from then on",
			Apply:   hiding(func(older []store.Event) []store.Event { return older }),
		},
		{
			Name: "feed-refollow-shows-the-newest", Rule: rule,
			Summary: "who follows a user again sees only the newest of the events so far",
			Apply:   hiding(func(older []store.Event) []store.Event { return older[min(1, len(older)):] }),
		},
		{
			Name: "feed-refollow-refused", Rule: rule,
			Summary: "a user cannot be followed again",
			Apply: swap(func(inner refserver.Store, s *swapped) {
				ended := endedAt(s)
				s.connect = func(app store.App, from, to store.ID, typ store.ConnectionType) (store.Connection, bool, error) {
					if !ended(app, from, to).IsZero() {
						return store.Connection{}, false, fmt.Errorf("a connection that was ended %w", store.ErrConflict)
					}
					return inner.Connect(app, from, to, typ)
				}
			}),
		},
	}
}
