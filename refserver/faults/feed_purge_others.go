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
	user                        store.User
	at                          time.Time
	first, last                 store.ID // of its events
	follows, followers, friends []store.ID
	events                      []store.Event // in the order of feeds
}

// isOlder reports whether an event was there before the deletion.
func (d deletion) isOlder(event store.Event) bool { return event.CreatedAt.Before(d.at) }

// deletions are the latest ones.
type deletions struct {
	mu  sync.Mutex
	all []deletion
}

// watchDeletions keeps what there was to know of users before they are deleted.
func watchDeletions(inner refserver.Store, s *overrides) *deletions {
	const most = 1000
	d, all := &deletions{}, archived(s)
	s.deleteUser = func(app store.App, id store.ID) error {
		user, err := inner.User(app, id)
		if err != nil {
			return fmt.Errorf("looking at who is deleted: %w", err)
		}
		gone := deletion{user: user, at: time.Now(), follows: idsOf(inner.Follows, app, id), followers: idsOf(inner.Followers, app, id),
			friends: idsOf(inner.Friends, app, id), events: all.of(app, func(owner store.ID) bool { return owner == id })}
		if n := len(gone.events); n > 0 {
			gone.first, gone.last = gone.events[n-1].ID, gone.events[0].ID
		}
		d.mu.Lock()
		defer d.mu.Unlock()
		d.all = append(d.all[max(0, len(d.all)-most):], gone)
		return inner.DeleteUser(app, id)
	}
	return d
}

// in lists the deletions in an application.
func (d *deletions) in(app store.App) []deletion {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(d.all), func(gone deletion) bool { return gone.user.App != app })
}

// purgesOfOthers are the faults of a purge that takes what is not the deleted user's.
func purgesOfOthers() []Fault {
	return breaks("feed.purge.keeps-others",
		fault("feed-purge-takes-all-between", "with a deleted user's events all that were created between its first and its last leave its followers' feeds",
			purgeTakes(func(gone deletion, reader store.ID, event store.Event) bool {
				return slices.Contains(gone.followers, reader) && gone.first < event.ID && event.ID < gone.last
			})),
		fault("feed-purge-takes-all-before", "with a deleted user's events everything older leaves the feeds of its followers",
			purgeTakes(func(gone deletion, reader store.ID, event store.Event) bool {
				return slices.Contains(gone.followers, reader) && gone.isOlder(event)
			})),
		fault("feed-purge-takes-all-before-from-friends", "with a deleted user's events everything older leaves the feeds of its friends",
			purgeTakes(func(gone deletion, reader store.ID, event store.Event) bool {
				return slices.Contains(gone.friends, reader) && gone.isOlder(event)
			})),
		fault("feed-purge-takes-followers-events", "with a deleted user's events those of its followers leave the feeds",
			purgeTakes(func(gone deletion, _ store.ID, event store.Event) bool {
				return slices.Contains(gone.followers, event.Owner) && gone.isOlder(event)
			})),
		fault("feed-purge-takes-friends-events", "with a deleted user's events those of its friends leave the feeds",
			purgeTakes(func(gone deletion, _ store.ID, event store.Event) bool {
				return slices.Contains(gone.friends, event.Owner) && gone.isOlder(event)
			})),
		fault("feed-purge-takes-followed-events", "with a deleted user's events those of the users whom it followed leave the feeds",
			purgeTakes(func(gone deletion, _ store.ID, event store.Event) bool {
				return slices.Contains(gone.follows, event.Owner) && gone.isOlder(event)
			})),
		fault("feed-purge-takes-new-events", "with a deleted user's events all that is posted from then on is kept from its followers' feeds",
			purgeTakes(func(gone deletion, reader store.ID, event store.Event) bool {
				return slices.Contains(gone.followers, reader) && !gone.isOlder(event)
			})),
		fault("feed-purge-breaks-feeds", "after the deletion of a followed user the follower's feed is not found",
			overrideStore(func(inner refserver.Store, s *overrides) {
				deleted := watchDeletions(inner, s)
				s.feed = func(app store.App, reader store.ID) ([]store.Event, error) {
					for _, gone := range deleted.in(app) {
						if slices.Contains(gone.followers, reader) {
							return nil, fmt.Errorf("a followed user %w", store.ErrNotFound)
						}
					}
					return inner.Feed(app, reader)
				}
			})))
}

// purgeTakes leaves an event out of a reader's feed when a deletion took it along.
func purgeTakes(takes func(gone deletion, reader store.ID, event store.Event) bool) mutation {
	return overrideStore(func(inner refserver.Store, s *overrides) {
		deleted := watchDeletions(inner, s)
		s.hideFromFeeds(func(r reader, event store.Event) bool {
			return slices.ContainsFunc(deleted.in(r.app), func(gone deletion) bool { return takes(gone, r.id, event) })
		})
	})
}

// sameName reports whether a user has the name of one who was deleted.
func sameName(gone, user store.User) bool {
	return user.UserName != "" && gone.UserName == user.UserName
}

// bringer brings back the events of the deleted users who are the same as a user,
// to some of their former readers.
type bringer func(user store.User, to func(reader store.ID) bool)

// namesakes are the faults of users under the name of a deleted one.
func namesakes() []Fault {
	return breaks("feed.purge.no-return",
		fault("feed-namesake-brings-events-back", "a new user under the name of a deleted one brings the old events back to the former followers",
			returning(sameName, withCreate)),
		fault("feed-follow-of-namesake-brings-events-back", "who follows a new user under the name of a deleted one that it followed sees the old events",
			returning(sameName, func(s *overrides, bringBack bringer) {
				s.onConnect(func(app store.App, from, to store.ID, _ store.ConnectionType) {
					if user, err := s.Store.User(app, to); err == nil {
						bringBack(user, func(reader store.ID) bool { return reader == from })
					}
				})
			})),
		fault("feed-post-of-namesake-brings-events-back", "with the first event of a new user under the name of a deleted one the old events are back",
			returning(sameName, func(s *overrides, bringBack bringer) {
				s.onCreateEvent(func(event store.Event) {
					if user, err := s.Store.User(event.App, event.Owner); err == nil {
						bringBack(user, func(store.ID) bool { return true })
					}
				})
			})))
}

// withCreate brings events back when the user is created.
func withCreate(s *overrides, bringBack bringer) {
	s.onCreateUser(func(user store.User) { bringBack(user, func(store.ID) bool { return true }) })
}

// returning lets the events of deleted users come back.
func returning(same func(gone, user store.User) bool, when func(s *overrides, bringBack bringer)) mutation {
	return overrideStore(func(inner refserver.Store, s *overrides) {
		stale, deleted := keepStaleReads(s), watchDeletions(inner, s)
		when(s, func(user store.User, to func(reader store.ID) bool) {
			for _, gone := range deleted.in(user.App) {
				for _, reader := range slices.Concat(gone.followers, gone.friends) {
					if same(gone.user, user) && to(reader) {
						stale.keep(user.App, reader, gone.events, atOnce(gone.at))
					}
				}
			}
		})
	})
}
