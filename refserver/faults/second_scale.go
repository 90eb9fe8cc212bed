package faults

import (
	"net/http"
	"slices"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// Servers may cap lists and feeds. So beyond some number these faults lose what
// stands among others, repeat it or misplace it, and beyond a few more, which no
// server may cap, what stands at the end.

// fromPosition returns a feed's or a list's items from a position on.
func fromPosition[T any](items []T, position int) []T { return items[min(position, len(items)):] }

// feedScale are the faults of feeds with many events, or from many users.
func feedScale() []Fault {
	const page = 20
	beyond := func(n int, change func(feed []store.Event) []store.Event) mutation {
		return rewriteFeeds(func(_ reader, feed []store.Event) []store.Event {
			if len(feed) > n {
				return change(feed)
			}
			return feed
		})
	}
	return slices.Concat(
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
				}))),
		breaks("feed.follow.new-events",
			fault("scale-feed-full-at-50", "a feed that has 50 events shows no newer ones",
				rewriteFeeds(func(_ reader, feed []store.Event) []store.Event { return feed[max(0, len(feed)-50):] })),
			fault("scale-fanout-to-15-followers", "new events reach the first 15 followers alone",
				overrideStore(func(_ refserver.Store, s *overrides) {
					since := firstFollows(s)
					s.hideFromFeeds(func(r reader, event store.Event) bool {
						return slices.Contains(fromPosition(idsOf(r.store.Followers, r.app, event.Owner), 15), r.id) &&
							event.CreatedAt.After(since(r.app, r.id, event.Owner))
					})
				}))),
		breaks("feed.follow.earlier-events",
			fault("scale-backfill-of-the-oldest", "of more than 15 events that a user posted before it was followed the newest is left out",
				overrideStore(func(_ refserver.Store, s *overrides) {
					since := firstFollows(s)
					s.rewriteFeeds(func(r reader, feed []store.Event) []store.Event {
						earlier := map[store.ID][]store.ID{}
						for _, event := range feed {
							if event.CreatedAt.Before(since(r.app, r.id, event.Owner)) {
								earlier[event.Owner] = append(earlier[event.Owner], event.ID)
							}
						}
						return without(feed, func(event store.Event) bool {
							ids := earlier[event.Owner]
							return len(ids) > 15 && ids[0] == event.ID
						})
					})
				}))),
		breaks("feed.update-visible",
			fault("scale-changes-reach-15-followers", "changes of an event are seen by the first 15 followers alone",
				staying(func(event *store.Event, first store.Event) { *event = first }, func(r reader, owner store.ID) bool {
					return slices.Contains(fromPosition(idsOf(r.store.Followers, r.app, owner), 15), r.id)
				}))),
		breaks("feed.event-delete",
			fault("scale-deletion-reaches-15-followers", "a deleted event leaves the feeds of the first 15 followers alone",
				deletionPassesOver(allOf, beyondFirst(15, allFollowers), atOnce))),
	)
}

// beyondFirst leaves out the first readers.
func beyondFirst(n int, in readers) readers {
	return func(inner refserver.Store, s *overrides) func(store.App, store.ID) []store.ID {
		all := in(inner, s)
		return func(app store.App, owner store.ID) []store.ID { return fromPosition(all(app, owner), n) }
	}
}

// listScale are the faults of lists of many users, searches with many results and
// users with many sessions.
func listScale() []Fault {
	const most = 15
	gap := func(list func(*overrides) *members) mutation {
		return overrideStore(func(_ refserver.Store, s *overrides) {
			shown := list(s)
			all := *shown
			*shown = func(app store.App, id store.ID) ([]store.User, error) {
				users, err := all(app, id)
				if len(users) > most {
					users = slices.Delete(users, most-1, most)
				}
				return users, err
			}
		})
	}
	repeat := func(m match) mutation {
		return rewriteResponse(m, inList(func(list []any) []any {
			if len(list) > most {
				return slices.Insert(list, most, list[most-1])
			}
			return list
		}))
	}
	return slices.Concat(
		breaks("connections.lists.follows",
			fault("scale-follows-gap-between-pages", "of more than 15 followed users the fifteenth is not listed",
				gap(func(s *overrides) *members { return &s.follows }))),
		breaks("connections.lists.followers",
			fault("scale-followers-lack-the-tenth", "of ten, twenty or thirty followers the last is not listed",
				rewriteResponse(readsFollowers(), inList(func(list []any) []any {
					if n := len(list); n > 0 && n%10 == 0 {
						return list[:n-1]
					}
					return list
				}))),
			fault("scale-followers-repeat-between-pages", "of more than 15 followers the fifteenth is listed twice", repeat(readsFollowers()))),
		breaks("connections.lists.friends",
			fault("scale-friends-gap-between-pages", "of more than 15 friends the fifteenth is not listed",
				gap(func(s *overrides) *members { return &s.friends }))),
		breaks("connections.lists.of-user",
			fault("scale-followers-of-user-repeat", "of more than 15 followers of another user the fifteenth is listed twice", repeat(readsFollowersOf()))),
		breaks("connections.delete.removes",
			fault("scale-sixteenth-follow-stays", "the end of a follow is answered as if it were, where more than 15 users are followed and this is one of the others",
				overrideStore(func(inner refserver.Store, s *overrides) {
					s.disconnect = func(app store.App, from, to store.ID, types ...store.ConnectionType) error {
						if slices.Contains(fromPosition(idsOf(inner.Follows, app, from), most), to) {
							return nil
						}
						return inner.Disconnect(app, from, to, types...)
					}
				}))),
		breaks("connections.lists.after-user-delete",
			fault("scale-deleted-stays-for-sixteenth-follower", "a deleted user stays among the follows of all but its first 15 followers",
				deletedStays(0, func(s *overrides) *members { return &s.follows }, beyondFirst(most, allFollowers)))),
		breaks("search.user-name",
			fault("scale-search-gap-between-pages", "of more than 10 results of a search the tenth is left out",
				rewriteResponse(searches(), inList(func(list []any) []any {
					if len(list) > 10 {
						return slices.Delete(list, 9, 10)
					}
					return list
				})))),
		breaks("search.non-match-excluded",
			fault("scale-search-fills-the-page", "a search with more than 10 results adds the first user there is",
				overrideStore(func(inner refserver.Store, s *overrides) {
					s.search = func(app store.App, term string) ([]store.User, error) {
						hits, err := inner.Search(app, term)
						everyone, cause := inner.Search(app, "")
						if len(hits) > 10 && cause == nil && hits[0].ID != everyone[0].ID {
							hits = append(hits, everyone[0])
						}
						return hits, err
					}
				}))),
		breaks("sessions.login.user-name",
			fault("scale-tenth-session-is-void", "the session tokens of a user's tenth login and those after it open nothing", func(o *refserver.Options) {
				sessions := &memory[int]{}
				opened(func(r *http.Request, user map[string]any, id, _ string) {
					if tally(sessions, id) >= 10 && logsInByName()(r) {
						user["session_token"] = refserver.NewAppToken()
					}
				})(o)
			})),
		breaks("social.connects",
			fault("scale-social-first-ten", "of more than 10 social identifiers the others are passed over",
				rewriteBody(connectsSocially(), mapField("connection_ids", func(value any) any {
					if list, ok := value.([]any); ok {
						return list[:min(10, len(list))]
					}
					return value
				})))),
	)
}

// purgeScale are the faults of the purge of many events, or for many readers.
func purgeScale() []Fault {
	return slices.Concat(
		breaks("feed.purge.followers",
			fault("scale-purge-of-15-events", "of a deleted user's events the 15 newest leave the feeds of followers",
				purgePassesOver(func(events []store.Event) []store.Event { return fromPosition(events, 15) }, followersAlone, atOnce)),
			fault("scale-purge-of-50-events", "of a deleted user's events the 50 newest leave the feeds of followers",
				purgePassesOver(func(events []store.Event) []store.Event { return fromPosition(events, 50) }, followersAlone, atOnce)),
			fault("scale-purge-for-15-followers", "a deleted user's events leave the feeds of its first 15 followers alone",
				purgePassesOver(allOf, beyondFirst(15, followersAlone), atOnce)),
			fault("scale-purge-for-30-followers", "a deleted user's events leave the feeds of its first 30 followers alone",
				purgePassesOver(allOf, beyondFirst(30, followersAlone), atOnce))),
		breaks("feed.purge.friends",
			fault("scale-purge-for-15-friends", "a deleted user's events leave the feeds of its first 15 friends alone",
				purgePassesOver(allOf, beyondFirst(15, allFriends), atOnce))),
		breaks("feed.purge.keeps-others",
			fault("scale-purge-of-many-takes-followed", "with the events of a deleted user who had more than 15 those of the users whom it followed leave the feeds",
				purgeTakes(func(gone deletion, _ store.ID, event store.Event) bool {
					return len(gone.events) > 15 && slices.Contains(gone.follows, event.Owner) && gone.isOlder(event)
				}))),
	)
}
