package faults

import (
	"cmp"
	"slices"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// friendsFeeds are the faults of what friends bring into a feed (endpoint rule 4).
func friendsFeeds() []Fault {
	return []Fault{
		{
			Name: "feed-hides-friends", Rule: "feed.friends",
			Summary: "friends see each other's events only where they follow",
			Apply: reading(func(inner refserver.Store, app store.App, reader store.ID, feed []store.Event) []store.Event {
				followed := idsOf(inner.Follows, app, reader)
				return without(feed, func(event store.Event) bool { return !slices.Contains(followed, event.Owner) })
			}),
		},
		{
			Name: "feed-hides-friends-from-who-was-asked", Rule: "feed.friends",
			Summary: "of two friends only the one who asked first sees the other's events",
			Apply: swap(func(inner refserver.Store, s *swapped) {
				askedFirst := whoAskedFirst(s)
				s.feed = func(app store.App, reader store.ID) ([]store.Event, error) {
					feed, err := inner.Feed(app, reader)
					followed := idsOf(inner.Follows, app, reader)
					return without(feed, func(event store.Event) bool {
						return askedFirst(app, event.Owner, reader) && !slices.Contains(followed, event.Owner)
					}), err
				}
			}),
		},
		{
			Name: "feed-friends-followed-twice", Rule: "feed.no-duplicates",
			Summary: "the events of a friend who is also followed are shown twice",
			Apply: reading(func(inner refserver.Store, app store.App, reader store.ID, feed []store.Event) []store.Event {
				return repeated(feed, func(owner store.ID) bool {
					return among(inner.Friends, app, reader, owner) && among(inner.Follows, app, reader, owner)
				})
			}),
		},
		{
			Name: "feed-friends-twice", Rule: "feed.no-duplicates",
			Summary: "the events of a friend are shown once for each side's connection",
			Apply: reading(func(inner refserver.Store, app store.App, reader store.ID, feed []store.Event) []store.Event {
				return repeated(feed, func(owner store.ID) bool { return among(inner.Friends, app, reader, owner) })
			}),
		},
	}
}

// repeated shows the events of some users twice.
func repeated(feed []store.Event, of func(owner store.ID) bool) []store.Event {
	again := without(slices.Clone(feed), func(event store.Event) bool { return !of(event.Owner) })
	return newestFirst(append(feed, again...))
}

// strangersInFeeds are the faults of feeds that show the events of those whom
// the reader has nothing to do with.
func strangersInFeeds() []Fault {
	// showing adds the events of users near those with whom the reader is connected.
	showing := func(name, summary string, near, nearer func(inner refserver.Store) members) Fault {
		return Fault{
			Name: "feed-shows-" + name, Rule: "feed.only-connected", Summary: "a feed shows the events of " + summary,
			Apply: swap(func(inner refserver.Store, s *swapped) {
				all := archived(s)
				s.feed = func(app store.App, reader store.ID) ([]store.Event, error) {
					feed, err := inner.Feed(app, reader)
					owners := idsOf(near(inner), app, reader)
					if nearer != nil {
						for _, middle := range slices.Clone(owners) {
							owners = append(owners, idsOf(nearer(inner), app, middle)...)
						}
					}
					return withThese(feed, all.of(app, func(owner store.ID) bool {
						return owner != reader && slices.Contains(owners, owner)
					})), err
				}
			}),
		}
	}
	follows := func(inner refserver.Store) members { return inner.Follows }
	followers := func(inner refserver.Store) members { return inner.Followers }
	friends := func(inner refserver.Store) members { return inner.Friends }
	return []Fault{
		showing("followers", "those who follow the reader", followers, nil),
		showing("followed-of-followed", "those whom the followed users follow", follows, follows),
		showing("followed-of-friends", "those whom the reader's friends follow", friends, follows),
		showing("friends-of-friends", "the friends of friends", friends, friends),
		{
			Name: "feed-shows-strangers", Rule: "feed.only-connected",
			Summary: "the feed of one who follows somebody also shows the events of users without any connection",
			Apply: swap(func(inner refserver.Store, s *swapped) {
				all, alone := archived(s), neverConnected(s)
				s.feed = func(app store.App, reader store.ID) ([]store.Event, error) {
					feed, err := inner.Feed(app, reader)
					if len(idsOf(inner.Follows, app, reader)) == 0 {
						return feed, err
					}
					return withThese(feed, all.of(app, func(owner store.ID) bool { return alone(app, owner) })), err
				}
			}),
		},
	}
}

// withThese adds the events to a feed that are not there.
func withThese(feed, further []store.Event) []store.Event {
	for _, event := range further {
		if !slices.ContainsFunc(feed, func(e store.Event) bool { return e.ID == event.ID }) {
			feed = append(feed, event)
		}
	}
	return newestFirst(feed)
}

// mergedFeeds are the faults of feeds from several users.
func mergedFeeds() []Fault {
	const several = 3
	of := func(change func(followed []store.ID, feed []store.Event) []store.Event) func(*refserver.Options) {
		return reading(func(inner refserver.Store, app store.App, reader store.ID, feed []store.Event) []store.Event {
			followed := idsOf(inner.Follows, app, reader)
			if len(followed) < several {
				return feed
			}
			return change(followed, feed)
		})
	}
	return []Fault{
		{
			Name: "feed-of-two-users", Rule: "feed.merge",
			Summary: "of more than two followed users the first is not in the feed",
			Apply: of(func(followed []store.ID, feed []store.Event) []store.Event {
				return without(feed, func(event store.Event) bool { return event.Owner == followed[0] })
			}),
		},
		{
			Name: "feed-newest-of-each", Rule: "feed.merge",
			Summary: "of each of more than two followed users only the newest event is shown",
			Apply: of(func(_ []store.ID, feed []store.Event) []store.Event {
				shown := map[store.ID]bool{}
				return without(feed, func(event store.Event) bool {
					hidden := shown[event.Owner]
					shown[event.Owner] = true
					return hidden
				})
			}),
		},
		{
			Name: "feed-repeats-newest", Rule: "feed.merge",
			Summary: "the newest event of more than two followed users is shown twice",
			Apply: of(func(_ []store.ID, feed []store.Event) []store.Event {
				return append(slices.Clone(feed[:min(1, len(feed))]), feed...)
			}),
		},
		{
			Name: "feed-repeats-oldest", Rule: "feed.merge",
			Summary: "the oldest event of more than two followed users is shown twice",
			Apply: of(func(_ []store.ID, feed []store.Event) []store.Event {
				return append(feed, feed[max(0, len(feed)-1):]...)
			}),
		},
		{
			Name: "feed-one-event-of-a-verb", Rule: "feed.merge",
			Summary: "of several events with the same verb only the newest is shown",
			Apply: reading(func(_ refserver.Store, _ store.App, _ store.ID, feed []store.Event) []store.Event {
				shown := map[string]bool{}
				return without(feed, func(event store.Event) bool {
					hidden := shown[event.Verb]
					shown[event.Verb] = true
					return hidden
				})
			}),
		},
	}
}

// feedOrders are the faults of the order of feeds.
func feedOrders() []Fault {
	sorted := func(sort func(feed []store.Event)) func(*refserver.Options) {
		return reading(func(_ refserver.Store, _ store.App, _ store.ID, feed []store.Event) []store.Event {
			sort(feed)
			return feed
		})
	}
	return []Fault{
		{
			Name: "feed-oldest-first", Rule: "feed.order",
			Summary: "feeds begin with the oldest event",
			Apply:   sorted(slices.Reverse[[]store.Event]),
		},
		{
			Name: "feed-by-user", Rule: "feed.order",
			Summary: "feeds are in order of time for each user apart",
			Apply: sorted(func(feed []store.Event) {
				slices.SortStableFunc(feed, func(a, b store.Event) int { return cmp.Compare(a.Owner, b.Owner) })
			}),
		},
		{
			Name: "feed-newest-last", Rule: "feed.order",
			Summary: "the newest event stands at the end, the others in order before it",
			Apply: sorted(func(feed []store.Event) {
				if len(feed) > 1 {
					newest := feed[0]
					copy(feed, feed[1:])
					feed[len(feed)-1] = newest
				}
			}),
		},
	}
}
