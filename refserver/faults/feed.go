package faults

import (
	"cmp"
	"net/http"
	"slices"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

func feed() []Fault {
	return slices.Concat(feedAnswers(), followedFeeds(), friendsFeeds(), strangersInFeeds(), mergedFeeds(), feedOrders(),
		eventsInFeeds(), changesInFeeds(), unfollows(), refollows(), deletedEvents(),
		purgesForFollowers(), purgesForFriends(), purgesOfOthers(), namesakes())
}

// feedAnswers are the faults of what the feed answers (Endpoints, row 21).
func feedAnswers() []Fault {
	return slices.Concat(
		breaks("feed.status",
			fault("feed-answers-203", "the feed is answered with 203", rewriteResponse(readsFeed(), status(203))),
			fault("feed-in-an-object", "a feed that is not empty is an object around the array",
				rewriteResponse(readsFeed(), onStatus(200, func(_ *http.Request, resp *response) {
					if !resp.empty() {
						resp.json(func(list any) any { return map[string]any{"events": list} })
					}
				})))),
		breaks("feed.empty",
			fault("feed-empty-not-found", "an empty feed is answered with 404", whereEmpty(readsFeed(), 404, `{}`)),
			fault("feed-empty-object", "an empty feed is an object", whereEmpty(readsFeed(), 200, `{}`)),
			fault("feed-empty-no-content", "an empty feed is answered with 204", whereEmpty(readsFeed(), 204, "")),
			fault("feed-of-newcomer-shows-newest", "who never had a connection is shown the newest event of all",
				overrideStore(func(_ refserver.Store, s *overrides) {
					all, alone := archived(s), neverConnected(s)
					s.addToFeeds(func(r reader, _ []store.Event) []store.Event {
						newest := all.of(r.app, func(owner store.ID) bool { return owner != r.id })
						if !alone(r.app, r.id) {
							return nil
						}
						return newest[:min(1, len(newest))]
					})
				}))),
	)
}

// neverConnected watches who makes connections. What it returns reports whether a
// user never had one.
func neverConnected(s *overrides) func(app store.App, id store.ID) bool {
	connected := &memory[bool]{}
	s.onConnect(func(app store.App, from, to store.ID, _ store.ConnectionType) {
		connected.keep(keyOf(app, from), true)
		connected.keep(keyOf(app, to), true)
	})
	return func(app store.App, id store.ID) bool { return !connected.get(keyOf(app, id)) }
}

// mergedFeeds are the faults of feeds from several users.
func mergedFeeds() []Fault {
	const several = 3
	ofSeveral := func(change func(followed []store.ID, feed []store.Event) []store.Event) mutation {
		return rewriteFeeds(func(r reader, feed []store.Event) []store.Event {
			if followed := idsOf(r.store.Follows, r.app, r.id); len(followed) >= several {
				return change(followed, feed)
			}
			return feed
		})
	}
	return breaks("feed.merge",
		fault("feed-of-two-users", "of more than two followed users the first is not in the feed",
			ofSeveral(func(followed []store.ID, feed []store.Event) []store.Event {
				return without(feed, func(event store.Event) bool { return event.Owner == followed[0] })
			})),
		fault("feed-newest-of-each", "of each of more than two followed users only the newest event is shown",
			ofSeveral(func(_ []store.ID, feed []store.Event) []store.Event {
				return firstOfEach(feed, func(event store.Event) store.ID { return event.Owner })
			})),
		fault("feed-repeats-newest", "the newest event of more than two followed users is shown twice",
			ofSeveral(func(_ []store.ID, feed []store.Event) []store.Event {
				return append(slices.Clone(feed[:min(1, len(feed))]), feed...)
			})),
		fault("feed-repeats-oldest", "the oldest event of more than two followed users is shown twice",
			ofSeveral(func(_ []store.ID, feed []store.Event) []store.Event { return append(feed, oldest(feed)...) })),
		fault("feed-one-event-of-a-verb", "of several events with the same verb only the newest is shown",
			rewriteFeeds(func(_ reader, feed []store.Event) []store.Event {
				return firstOfEach(feed, func(event store.Event) string { return event.Verb })
			})))
}

// firstOfEach leaves the first event of each kind.
func firstOfEach[K comparable](feed []store.Event, kind func(store.Event) K) []store.Event {
	shown := map[K]bool{}
	return without(feed, func(event store.Event) bool {
		hidden := shown[kind(event)]
		shown[kind(event)] = true
		return hidden
	})
}

// feedOrders are the faults of the order of feeds.
func feedOrders() []Fault {
	sorted := func(compare func(r reader, a, b store.Event) int) mutation {
		return rewriteFeeds(func(r reader, feed []store.Event) []store.Event {
			slices.SortStableFunc(feed, func(a, b store.Event) int { return compare(r, a, b) })
			return feed
		})
	}
	strangersFirst := func(r reader, a, b store.Event) int {
		number := map[bool]int{true: 1}
		return number[r.befriends(a.Owner)] - number[r.befriends(b.Owner)]
	}
	return breaks("feed.order",
		fault("feed-oldest-first", "feeds begin with the oldest event",
			rewriteFeeds(func(_ reader, feed []store.Event) []store.Event { slices.Reverse(feed); return feed })),
		fault("feed-by-user", "feeds are in order of time for each user apart",
			sorted(func(_ reader, a, b store.Event) int { return cmp.Compare(a.Owner, b.Owner) })),
		fault("feed-newest-last", "the newest event stands at the end, the others in order before it",
			rewriteFeeds(func(_ reader, feed []store.Event) []store.Event {
				return append(slices.Clone(allButNewest(feed)), feed[:min(1, len(feed))]...)
			})),
		fault("feed-changed-events-first", "feeds are in the order of the latest changes",
			sorted(func(_ reader, a, b store.Event) int { return b.UpdatedAt.Compare(a.UpdatedAt) })),
		fault("feed-friends-first", "feeds begin with the friends' events",
			sorted(func(r reader, a, b store.Event) int { return strangersFirst(r, b, a) })),
		fault("feed-friends-last", "feeds end with the friends' events", sorted(strangersFirst)))
}
