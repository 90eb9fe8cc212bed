package faults

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// deletion is what a fault keeps of a deleted user.
type deletion struct {
	app                         store.App
	user                        store.User
	at                          time.Time
	first, last                 store.ID // of its events
	follows, followers, friends []store.ID
	events                      []store.Event // in the order of feeds
}

// readers are those in whose feeds its events were.
func (d deletion) readers() []store.ID { return slices.Concat(d.followers, d.friends) }

// deletions are the latest ones.
type deletions struct {
	mu  sync.Mutex
	all []deletion
}

// watchDeletions keeps what there was to know of users before they are deleted.
func watchDeletions(inner refserver.Store, s *swapped) *deletions {
	const most = 1000
	d, all := &deletions{}, archived(s)
	s.deleteUser = func(app store.App, id store.ID) error {
		user, err := inner.User(app, id)
		if err != nil {
			return fmt.Errorf("looking at who is deleted: %w", err)
		}
		gone := deletion{app: app, user: user, at: time.Now(), follows: idsOf(inner.Follows, app, id), followers: idsOf(inner.Followers, app, id),
			friends: idsOf(inner.Friends, app, id), events: all.of(app, func(owner store.ID) bool { return owner == id })}
		if n := len(gone.events); n > 0 {
			gone.first, gone.last = gone.events[n-1].ID, gone.events[0].ID
		}
		d.mu.Lock()
		defer d.mu.Unlock()
		if len(d.all) >= most {
			d.all = nil
		}
		d.all = append(d.all, gone)
		return inner.DeleteUser(app, id)
	}
	return d
}

// any tells whether something holds of a deletion in an application.
func (d *deletions) any(app store.App, holds func(deletion) bool) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.ContainsFunc(d.all, func(gone deletion) bool { return gone.app == app && holds(gone) })
}

// purgesOfOthers are the faults of a purge that takes what is not the deleted user's.
func purgesOfOthers() []Fault {
	// taking leaves an event out of a reader's feed when it was taken along in a deletion.
	taking := func(name, summary string, takes func(gone deletion, reader store.ID, event store.Event) bool) Fault {
		return Fault{
			Name: "feed-purge-takes-" + name, Rule: "feed.purge.keeps-others", Summary: "with a deleted user's events " + summary,
			Apply: swap(func(inner refserver.Store, s *swapped) {
				d := watchDeletions(inner, s)
				s.feed = func(app store.App, reader store.ID) ([]store.Event, error) {
					feed, err := inner.Feed(app, reader)
					return without(feed, func(event store.Event) bool {
						return d.any(app, func(gone deletion) bool { return takes(gone, reader, event) })
					}), err
				}
			}),
		}
	}
	older := func(gone deletion, event store.Event) bool { return event.CreatedAt.Before(gone.at) }
	return []Fault{
		taking("all-between", "all events leave the feeds that were created between its first and its last",
			func(gone deletion, _ store.ID, event store.Event) bool {
				return gone.first < event.ID && event.ID < gone.last
			}),
		taking("all-before", "everything older leaves the feeds of its followers",
			func(gone deletion, reader store.ID, event store.Event) bool {
				return slices.Contains(gone.followers, reader) && older(gone, event)
			}),
		taking("all-before-from-friends", "everything older leaves the feeds of its friends",
			func(gone deletion, reader store.ID, event store.Event) bool {
				return slices.Contains(gone.friends, reader) && older(gone, event)
			}),
		taking("followers-events", "those of its followers leave the feeds",
			func(gone deletion, _ store.ID, event store.Event) bool {
				return slices.Contains(gone.followers, event.Owner) && older(gone, event)
			}),
		taking("friends-events", "those of its friends leave the feeds",
			func(gone deletion, _ store.ID, event store.Event) bool {
				return slices.Contains(gone.friends, event.Owner) && older(gone, event)
			}),
		taking("followed-events", "those of the users whom it followed leave the feeds",
			func(gone deletion, _ store.ID, event store.Event) bool {
				return slices.Contains(gone.follows, event.Owner) && older(gone, event)
			}),
		taking("new-events", "all that is posted from then on is kept from its followers' feeds",
			func(gone deletion, reader store.ID, event store.Event) bool {
				return slices.Contains(gone.followers, reader) && !older(gone, event)
			}),
		{
			Name: "feed-purge-breaks-feeds", Rule: "feed.purge.keeps-others",
			Summary: "after the deletion of a followed user the follower's feed is not found",
			Apply: swap(func(inner refserver.Store, s *swapped) {
				d := watchDeletions(inner, s)
				s.feed = func(app store.App, reader store.ID) ([]store.Event, error) {
					if d.any(app, func(gone deletion) bool { return slices.Contains(gone.followers, reader) }) {
						return nil, fmt.Errorf("a followed user %w", store.ErrNotFound)
					}
					return inner.Feed(app, reader)
				}
			}),
		},
	}
}

// namesakes are the faults of users under the name of a deleted one.
func namesakes() []Fault {
	const rule = "feed.purge.no-return"
	return []Fault{
		{
			Name: "feed-namesake-brings-events-back", Rule: rule,
			Summary: "a new user under the name of a deleted one brings the old events back to the former followers",
			Apply: swap(func(inner refserver.Store, s *swapped) {
				returning := returnsWithNamesakes(inner, s)
				s.createUser = func(app store.App, user store.User) (store.User, error) {
					user, err := inner.CreateUser(app, user)
					returning(user, err, nil)
					return user, err
				}
			}),
		},
		{
			Name: "feed-follow-of-namesake-brings-events-back", Rule: rule,
			Summary: "who follows a new user under the name of a deleted one that it followed sees the old events",
			Apply: swap(func(inner refserver.Store, s *swapped) {
				returning := returnsWithNamesakes(inner, s)
				s.connect = func(app store.App, from, to store.ID, typ store.ConnectionType) (store.Connection, bool, error) {
					made, isNew, err := inner.Connect(app, from, to, typ)
					user, cause := inner.User(app, to)
					returning(user, cause, func(reader store.ID) bool { return reader == from })
					return made, isNew, err
				}
			}),
		},
		{
			Name: "feed-post-of-namesake-brings-events-back", Rule: rule,
			Summary: "with the first event of a new user under the name of a deleted one the old events are back",
			Apply: swap(func(inner refserver.Store, s *swapped) {
				returning := returnsWithNamesakes(inner, s)
				create := s.createEvent
				s.createEvent = func(app store.App, owner store.ID, event store.Event) (store.Event, error) {
					event, err := create(app, owner, event)
					user, cause := inner.User(app, owner)
					returning(user, cause, nil)
					return event, err
				}
			}),
		},
	}
}

// returnsWithNamesakes returns a function to bring back the events of the deleted
// users of that name, to all of their former readers or to some.
func returnsWithNamesakes(inner refserver.Store, s *swapped) func(user store.User, err error, to func(reader store.ID) bool) {
	kept, d := haunt(s), watchDeletions(inner, s)
	return func(user store.User, err error, to func(reader store.ID) bool) {
		if err != nil || user.UserName == "" {
			return
		}
		d.any(user.App, func(gone deletion) bool {
			for _, reader := range gone.readers() {
				if gone.user.UserName == user.UserName && (to == nil || to(reader)) {
					kept.keep(user.App, reader, gone.events, atOnce(gone.at))
				}
			}
			return false
		})
	}
}
