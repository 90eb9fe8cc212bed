package faults

import (
	"slices"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// mixedFeeds are the faults of feeds in which friends' events are beside those of
// followed users, changed ones beside new ones, and large ones beside small ones.
func mixedFeeds() []Fault {
	const order = "feed.order"
	friendsApart := func(last bool) func(*refserver.Options) {
		return reading(func(inner refserver.Store, app store.App, reader store.ID, feed []store.Event) []store.Event {
			friends := idsOf(inner.Friends, app, reader)
			isLast := func(event store.Event) bool { return slices.Contains(friends, event.Owner) == last }
			ofLast := without(slices.Clone(feed), func(event store.Event) bool { return !isLast(event) })
			return append(without(feed, isLast), ofLast...)
		})
	}
	return []Fault{
		{
			Name: "feed-changed-events-first", Rule: order,
			Summary: "feeds are in the order of the latest changes",
			Apply: reading(func(_ refserver.Store, _ store.App, _ store.ID, feed []store.Event) []store.Event {
				slices.SortStableFunc(feed, func(a, b store.Event) int { return b.UpdatedAt.Compare(a.UpdatedAt) })
				return feed
			}),
		},
		{
			Name: "feed-friends-first", Rule: order,
			Summary: "feeds begin with the friends' events",
			Apply:   friendsApart(false),
		},
		{
			Name: "feed-friends-last", Rule: order,
			Summary: "feeds end with the friends' events",
			Apply:   friendsApart(true),
		},
		{
			Name: "feed-hides-events-with-objects", Rule: "feed.follow.new-events",
			Summary: "events with an object are in no feed",
			Apply: reading(func(_ refserver.Store, _ store.App, _ store.ID, feed []store.Event) []store.Event {
				return without(feed, func(event store.Event) bool { return event.Object != nil })
			}),
		},
		{
			Name: "feed-of-friends-without-metadata", Rule: "feed.event-shape",
			Summary: "in a feed the events of friends have no metadata",
			Apply: reading(func(inner refserver.Store, app store.App, reader store.ID, feed []store.Event) []store.Event {
				for i, event := range feed {
					if among(inner.Friends, app, reader, event.Owner) {
						feed[i].Metadata = nil
					}
				}
				return feed
			}),
		},
		{
			Name: "feed-unfriended-stays", Rule: "feed.unfollow",
			Summary: "what was in the feed stays there when a friendship ends",
			Apply: swap(func(inner refserver.Store, s *swapped) {
				kept := haunt(s)
				s.disconnect = func(app store.App, from, to store.ID, types ...store.ConnectionType) error {
					var left []store.Event
					if among(inner.Friends, app, from, to) {
						left = ownedBy(inner, app, from, to)
					}
					err := inner.Disconnect(app, from, to, types...)
					if err == nil {
						kept.keep(app, from, left, atOnce(time.Now()))
					}
					return err
				}
			}),
		},
	}
}
