package faults

import (
	"net/http"
	"slices"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

func feed() []Fault {
	return slices.Concat(feedAnswers(), followedFeeds(), friendsFeeds(), strangersInFeeds(), mergedFeeds(), feedOrders(), mixedFeeds(),
		eventsInFeeds(), changesInFeeds(), unfollows(), refollows(), deletedEvents(),
		purgesForFollowers(), purgesForFriends(), purgesOfOthers(), namesakes())
}

func readsFeed() match { return on("GET /0.2/user/feed") }

// feedAnswers are the faults of what the feed answers (Endpoints, row 21).
func feedAnswers() []Fault {
	const path = "/0.2/user/feed"
	return []Fault{
		{
			Name: "feed-answers-203", Rule: "feed.status",
			Summary: "the feed is answered with 203",
			Apply:   edit(readsFeed(), func(_ *http.Request, resp *response) { resp.restatus(http.StatusNonAuthoritativeInfo) }),
		},
		{
			Name: "feed-in-an-object", Rule: "feed.status",
			Summary: "a feed that is not empty is an object around the array",
			Apply: edit(readsFeed(), func(_ *http.Request, resp *response) {
				resp.json(func(value any) any {
					if list, ok := value.([]any); ok && len(list) > 0 {
						return map[string]any{"events": list}
					}
					return value
				})
			}),
		},
		{
			Name: "feed-empty-not-found", Rule: "feed.empty",
			Summary: "an empty feed is answered with 404",
			Apply:   whereEmpty(path, http.StatusNotFound, `{}`),
		},
		{
			Name: "feed-empty-object", Rule: "feed.empty",
			Summary: "an empty feed is an object",
			Apply:   whereEmpty(path, http.StatusOK, `{}`),
		},
		{
			Name: "feed-empty-no-content", Rule: "feed.empty",
			Summary: "an empty feed is answered with 204",
			Apply:   whereEmpty(path, http.StatusNoContent, ""),
		},
		{
			Name: "feed-of-newcomer-shows-newest", Rule: "feed.empty",
			Summary: "who never had a connection is shown the newest event of all",
			Apply: swap(func(inner refserver.Store, s *swapped) {
				all, alone := archived(s), neverConnected(s)
				s.feed = func(app store.App, reader store.ID) ([]store.Event, error) {
					feed, err := inner.Feed(app, reader)
					if newest := all.of(app, func(owner store.ID) bool { return owner != reader }); alone(app, reader) && len(newest) > 0 {
						feed = newest[:1]
					}
					return feed, err
				}
			}),
		},
	}
}

// neverConnected watches who makes connections. What it returns tells whether a
// user never had one.
func neverConnected(s *swapped) func(app store.App, id store.ID) bool {
	connected, connect := &memory[bool]{}, s.connect
	s.connect = func(app store.App, from, to store.ID, typ store.ConnectionType) (store.Connection, bool, error) {
		connected.keep(keyOf(app, from), true)
		connected.keep(keyOf(app, to), true)
		return connect(app, from, to, typ)
	}
	return func(app store.App, id store.ID) bool {
		was, _ := connected.get(keyOf(app, id))
		return !was
	}
}

// followedFeeds are the faults of what a follow brings into a feed (endpoint rules 3 to 5).
func followedFeeds() []Fault {
	// later and earlier tell an event of a followed user from those on the other side of the first follow.
	parted := func(change func(feed []store.Event, later func(store.Event) bool) []store.Event) func(*refserver.Options) {
		return swap(func(inner refserver.Store, s *swapped) {
			since := firstFollows(s)
			s.feed = func(app store.App, reader store.ID) ([]store.Event, error) {
				feed, err := inner.Feed(app, reader)
				friends := idsOf(inner.Friends, app, reader)
				of := func(event store.Event) bool { return !slices.Contains(friends, event.Owner) }
				theirs, others := slices.Clone(feed), slices.Clone(feed)
				theirs = without(theirs, func(event store.Event) bool { return !of(event) })
				theirs = change(theirs, func(event store.Event) bool {
					return event.CreatedAt.After(since(app, reader, event.Owner))
				})
				return newestFirst(append(without(others, of), theirs...)), err
			}
		})
	}
	return []Fault{
		{
			Name: "feed-hides-earlier-events", Rule: "feed.follow.earlier-events",
			Summary: "a follow shows only what is posted after it",
			Apply: parted(func(feed []store.Event, later func(store.Event) bool) []store.Event {
				return without(feed, func(event store.Event) bool { return !later(event) })
			}),
		},
		{
			Name: "feed-shows-one-earlier-event", Rule: "feed.follow.earlier-events",
			Summary: "of what a user posted before it was followed only the newest is shown",
			Apply: parted(func(feed []store.Event, later func(store.Event) bool) []store.Event {
				shown := map[store.ID]bool{}
				return without(feed, func(event store.Event) bool {
					if later(event) {
						return false
					}
					hidden := shown[event.Owner]
					shown[event.Owner] = true
					return hidden
				})
			}),
		},
		{
			Name: "feed-hides-later-events", Rule: "feed.follow.new-events",
			Summary: "a follow shows only what was posted before it",
			Apply: parted(func(feed []store.Event, later func(store.Event) bool) []store.Event {
				return without(feed, later)
			}),
		},
		{
			Name: "feed-forgets-last-follower", Rule: "feed.follow.new-events",
			Summary: "of several followers the last gets no new events",
			Apply: swap(func(inner refserver.Store, s *swapped) {
				since := firstFollows(s)
				s.feed = func(app store.App, reader store.ID) ([]store.Event, error) {
					feed, err := inner.Feed(app, reader)
					return without(feed, func(event store.Event) bool {
						followers := idsOf(inner.Followers, app, event.Owner)
						last := len(followers) > 1 && followers[len(followers)-1] == reader
						return last && event.CreatedAt.After(since(app, reader, event.Owner))
					}), err
				}
			}),
		},
	}
}

// firstFollows watches follows. What it returns tells when a user first followed another.
func firstFollows(s *swapped) func(app store.App, follower, followed store.ID) time.Time {
	since, connect := &memory[time.Time]{}, s.connect
	s.connect = func(app store.App, from, to store.ID, typ store.ConnectionType) (store.Connection, bool, error) {
		made, isNew, err := connect(app, from, to, typ)
		if _, before := since.get(keyOf(app, from, to)); err == nil && typ == store.Follow && !before {
			since.keep(keyOf(app, from, to), made.CreatedAt)
		}
		return made, isNew, err
	}
	return func(app store.App, follower, followed store.ID) time.Time {
		at, _ := since.get(keyOf(app, follower, followed))
		return at
	}
}
