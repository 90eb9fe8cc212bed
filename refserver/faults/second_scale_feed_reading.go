package faults

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// scaleFeedReading are the faults of feeds with many events, or from many users, that are
// read.
func scaleFeedReading() []Fault {
	beyond := func(n int, change func(feed []store.Event) []store.Event) mutation {
		return rewriteFeeds(func(_ reader, feed []store.Event) []store.Event {
			if len(feed) > n {
				return change(feed)
			}
			return feed
		})
	}
	const page = 20
	return slices.Concat(
		breaks("feed.friends",
			fault("scale-feed-of-eight-friends", "the events of a user's ninth friend and those after it are not in the feed",
				hideFromFeeds(func(r reader, event store.Event) bool {
					return slices.Contains(fromPosition(idsOf(r.store.Friends, r.app, r.id), 8), event.Owner) && !r.follows(event.Owner)
				}))),
		breaks("feed.merge",
			fault("scale-feed-gap-between-pages", "of more than 20 events in a feed the twentieth is left out",
				beyond(page, func(feed []store.Event) []store.Event { return slices.Delete(feed, page-1, page) })),
			fault("scale-feed-repeats-between-pages", "of more than 15 events in a feed the fifteenth is there twice",
				beyond(15, func(feed []store.Event) []store.Event { return slices.Insert(feed, 15, feed[14]) })),
			fault("scale-feed-from-15-users", "of more than 15 followed users the others' events are in no feed",
				hideFromFeeds(func(r reader, event store.Event) bool {
					return slices.Contains(fromPosition(idsOf(r.store.Follows, r.app, r.id), 15), event.Owner)
				})),
			fault("scale-feed-misses-users-with-many-events", "of a user with more than 20 events the feed of several users misses the second",
				rewriteFeeds(func(r reader, feed []store.Event) []store.Event {
					seen, hidden := map[store.ID]int{}, map[store.ID]store.ID{}
					for _, event := range feed {
						if seen[event.Owner]++; seen[event.Owner] == 2 {
							hidden[event.Owner] = event.ID
						}
					}
					return without(feed, func(event store.Event) bool { return seen[event.Owner] > 20 && hidden[event.Owner] == event.ID })
				})),
			fault("scale-feed-shows-ten-of-each-user", "the feed of several users has the ten newest events of each",
				rewriteFeeds(func(_ reader, feed []store.Event) []store.Event {
					several := slices.ContainsFunc(feed, func(event store.Event) bool { return event.Owner != feed[0].Owner })
					shown := map[store.ID]int{}
					return without(feed, func(event store.Event) bool {
						shown[event.Owner]++
						return several && shown[event.Owner] > 10
					})
				})),
			fault("scale-feed-five-authors", "a feed has the events of the first five followed users alone",
				hideFromFeeds(func(r reader, event store.Event) bool {
					return slices.Contains(fromPosition(idsOf(r.store.Follows, r.app, r.id), 5), event.Owner) && !r.befriends(event.Owner)
				}))),
		breaks("feed.order",
			fault("scale-feed-second-page-reversed", "of more than 20 events in a feed those from the eleventh to the twentieth stand in the other order",
				beyond(page, func(feed []store.Event) []store.Event { slices.Reverse(feed[10:20]); return feed })),
			fault("scale-feed-newest-last-beyond-30", "of more than 30 events in a feed the newest stands at the thirtieth place",
				beyond(30, func(feed []store.Event) []store.Event {
					newest := feed[0]
					copy(feed, feed[1:30])
					feed[29] = newest
					return feed
				})),
			fault("scale-feed-merges-six-users", "of more than six followed users the events of the others stand behind those of the first six",
				rewriteFeeds(func(r reader, feed []store.Event) []store.Event {
					followed := idsOf(r.store.Follows, r.app, r.id)
					batch := func(event store.Event) int { return max(0, slices.Index(followed, event.Owner)) / 6 }
					slices.SortStableFunc(feed, func(a, b store.Event) int { return batch(a) - batch(b) })
					return feed
				})),
			fault("scale-feed-sorts-numbers-of-events-as-text", "in a feed a user's events are sorted by their numbers as text, in which the tenth stands before the second", overrideStore(numbersAsText)),
			fault("scale-events-of-popular-users-stand-last", "the events of users with more than ten followers stand behind all others in feeds",
				rewriteFeeds(func(r reader, feed []store.Event) []store.Event {
					popular := func(event store.Event) bool { return len(idsOf(r.store.Followers, r.app, event.Owner)) > 10 }
					last := without(slices.Clone(feed), func(event store.Event) bool { return !popular(event) })
					return append(without(slices.Clone(feed), popular), last...)
				})),
			fault("scale-feed-order-chunks", "a feed of more than five users is read five users at a time, and not put in order as a whole",
				rewriteFeeds(func(r reader, feed []store.Event) []store.Event {
					sources := slices.Concat(idsOf(r.store.Follows, r.app, r.id), idsOf(r.store.Friends, r.app, r.id))
					part := func(event store.Event) int { return slices.Index(sources, event.Owner) / 5 }
					slices.SortStableFunc(feed, func(a, b store.Event) int { return part(a) - part(b) })
					return feed
				}))),
		breaks("feed.no-duplicates",
			fault("scale-events-of-followed-friends-beyond-ten-twice", "beyond the ten newest events of a feed those of a friend who is also followed are there twice",
				rewriteFeeds(func(r reader, feed []store.Event) []store.Event {
					var shown []store.Event
					for i, event := range feed {
						shown = append(shown, event)
						if i >= 10 && r.follows(event.Owner) && r.befriends(event.Owner) {
							shown = append(shown, event)
						}
					}
					return shown
				}))),
	)
}

// numbersAsText sorts each user's events, in the places that they have in a feed.
func numbersAsText(_ refserver.Store, s *overrides) {
	counts, numbers := &memory[int]{}, &memory[string]{} // by owner; by event
	s.onCreateEvent(func(event store.Event) {
		numbers.keep(keyOf(event.App, event.ID), strconv.Itoa(tally(counts, keyOf(event.App, event.Owner))))
	})
	s.rewriteFeeds(func(r reader, feed []store.Event) []store.Event {
		events := map[store.ID][]store.Event{}
		for _, event := range feed {
			events[event.Owner] = append(events[event.Owner], event)
		}
		for _, own := range events {
			slices.SortStableFunc(own, func(a, b store.Event) int {
				return cmp.Compare(numbers.get(keyOf(r.app, b.ID)), numbers.get(keyOf(r.app, a.ID)))
			})
		}
		for i, event := range feed {
			feed[i], events[event.Owner] = events[event.Owner][0], events[event.Owner][1:]
		}
		return feed
	})
}
