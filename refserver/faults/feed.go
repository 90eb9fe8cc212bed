package faults

import (
	"cmp"
	"math"
	"net/http"
	"slices"
	"strconv"
	"time"

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

// eventsInFeeds are the faults of how an event looks in a feed.
func eventsInFeeds() []Fault {
	looking := func(change objectEdit) mutation { return rewriteEach(readsFeed(), change) }
	oneDecimal := func(value any) any {
		if degrees, err := strconv.ParseFloat(fieldText(map[string]any{"": value}, ""), 64); err == nil {
			return math.Round(degrees*10) / 10
		}
		return value
	}
	return breaks("feed.event-shape",
		fault("feed-user-ids-rounded", "ids above 2^53 lose their last digits in a feed's user_id, and there alone",
			combine(bigUserIDs, looking(rounded("user_id")))),
		fault("feed-without-metadata", "in a feed events have no metadata", looking(drop("metadata"))),
		fault("feed-without-enabled", "in a feed events do not say whether they are enabled", looking(drop("enabled"))),
		fault("feed-object-without-type", "in a feed objects have no type", looking(within("object", drop("type")))),
		fault("feed-display-name-in-one-language", "in a feed objects have their English name alone",
			looking(within("object", func(object map[string]any) {
				if names, ok := object["display_name"].(map[string]any); ok {
					object["display_name"] = map[string]any{"en": fieldText(names, "en")}
				}
			}))),
		fault("feed-coordinates-rounded", "in a feed coordinates have one decimal",
			combine(looking(mapField("latitude", oneDecimal)), looking(mapField("longitude", oneDecimal)))),
		fault("feed-of-friends-without-metadata", "in a feed the events of friends have no metadata",
			rewriteFeeds(func(r reader, feed []store.Event) []store.Event {
				for i, event := range feed {
					if r.befriends(event.Owner) {
						feed[i].Metadata = nil
					}
				}
				return feed
			})))
}

// changesInFeeds are the faults of what an update does to feeds.
func changesInFeeds() []Fault {
	whole := func(event *store.Event, first store.Event) { *event = first }
	everyone := func(reader, store.ID) bool { return true }
	return breaks("feed.update-visible",
		fault("feed-shows-first-version", "feeds show an event as it was at first", staying(whole, everyone)),
		fault("feed-shows-first-version-to-last-follower", "the last of several followers sees an event as it was at first",
			staying(whole, reader.isLastFollower)),
		fault("feed-shows-first-location", "feeds show the location that an event had at first",
			staying(func(event *store.Event, first store.Event) { event.Location = first.Location }, everyone)),
		fault("feed-shows-first-object", "feeds show the object that an event had at first",
			staying(func(event *store.Event, first store.Event) { event.Object = first.Object }, everyone)))
}

// staying shows an event with something of what it was at first, to some of its readers.
func staying(stays func(event *store.Event, first store.Event), to func(r reader, owner store.ID) bool) mutation {
	return overrideStore(func(_ refserver.Store, s *overrides) {
		firsts := &memory[store.Event]{}
		s.onCreateEvent(func(event store.Event) { firsts.keep(keyOf(event.App, event.ID), event) })
		s.rewriteFeeds(func(r reader, feed []store.Event) []store.Event {
			for i, event := range feed {
				if first, known := firsts.lookup(keyOf(r.app, event.ID)); known && to(r, event.Owner) {
					stays(&feed[i], first)
				}
			}
			return feed
		})
	})
}

// deletedEvents are the faults of what the deletion of an event does to feeds.
func deletedEvents() []Fault {
	keeps := func(readers, is when) mutation { return breaking(stays(removed, to(readers, is))) }
	return breaks("feed.event-delete",
		fault("feed-deleted-event-stays-for-last-follower", "a deleted event stays in the feed of the last follower", keeps(look.wasLastFollower, always)),
		fault("feed-deleted-event-stays-for-friends", "a deleted event stays in the feeds of friends", keeps(look.wasFriendAlone, always)),
		fault("feed-deleted-event-returns", "a deleted event is back in the feeds of followers a second later", keeps(look.wasFollower, aMomentAgo)),
		fault("feed-deleted-event-returns-with-the-next", "a deleted event is back in the feeds of followers when something is posted",
			keeps(look.wasFollower, look.withTheNextPost)),
		fault("feed-deletion-takes-the-event-before", "with a deleted event the one that its owner created before it leaves the feeds",
			breaking(hides(func(l look) bool {
				return slices.ContainsFunc(l.all(removed, l.other, 0), func(gone *act) bool {
					return l.then(l.last(posted, l.other, gone.to)).last(posted, l.other, 0).to == l.event.ID
				})
			}))))
}

// followedFeeds are the faults of what a follow brings into a feed (endpoint rules 3 to 5).
func followedFeeds() []Fault {
	// hiding hides events of followed users who are no friends; later says whether
	// an event was posted after the first follow.
	hiding := func(out func(feed []store.Event, event store.Event, later func(store.Event) bool) bool) mutation {
		return overrideStore(func(_ refserver.Store, s *overrides) {
			since := firstFollows(s)
			s.rewriteFeeds(func(r reader, feed []store.Event) []store.Event {
				later := func(event store.Event) bool { return event.CreatedAt.After(since(r.app, r.id, event.Owner)) }
				all := slices.Clone(feed)
				return without(feed, func(event store.Event) bool { return !r.befriends(event.Owner) && out(all, event, later) })
			})
		})
	}
	return slices.Concat(
		breaks("feed.follow.earlier-events",
			fault("feed-hides-earlier-events", "a follow shows only what is posted after it",
				hiding(func(_ []store.Event, event store.Event, later func(store.Event) bool) bool { return !later(event) })),
			fault("feed-shows-one-earlier-event", "of what a user posted before it was followed only the newest is shown",
				hiding(func(feed []store.Event, event store.Event, later func(store.Event) bool) bool {
					earlier := func(e store.Event) bool { return e.Owner == event.Owner && !later(e) }
					return earlier(event) && event.ID != feed[slices.IndexFunc(feed, earlier)].ID
				}))),
		breaks("feed.follow.new-events",
			fault("feed-hides-later-events", "a follow shows only what was posted before it",
				hiding(func(_ []store.Event, event store.Event, later func(store.Event) bool) bool { return later(event) })),
			fault("feed-forgets-last-follower", "of several followers the last gets no new events",
				overrideStore(func(_ refserver.Store, s *overrides) {
					since := firstFollows(s)
					s.hideFromFeeds(func(r reader, event store.Event) bool {
						return r.isLastFollower(event.Owner) && event.CreatedAt.After(since(r.app, r.id, event.Owner))
					})
				})),
			fault("feed-hides-events-with-objects", "events with an object are in no feed",
				hideFromFeeds(func(_ reader, event store.Event) bool { return event.Object != nil })).
				also("feed.follow.earlier-events", hasObjects).also("feed.friends", hasObjects).also("feed.merge", hasObjects).
				also("social.connects", hasObjects).also("feed.refollow", hasObjects).also("feed.update-visible", hasObjects),
			fault("feed-loses-changed-events", "a changed event leaves the feeds",
				hideFromFeeds(func(_ reader, event store.Event) bool { return event.UpdatedAt.After(event.CreatedAt) }))),
	)
}

// hasObjects is why a fault of events with objects shows in other feeds, too.
const hasObjects = "the events that its scenario creates may have objects"

// firstFollows watches follows. What it returns says when a user first followed another.
func firstFollows(s *overrides) func(app store.App, follower, followed store.ID) time.Time {
	since, connect := &memory[time.Time]{}, s.connect
	s.connect = func(app store.App, from, to store.ID, typ store.ConnectionType) (store.Connection, bool, error) {
		made, isNew, err := connect(app, from, to, typ)
		if err == nil && typ == store.Follow && !since.has(keyOf(app, from, to)) {
			since.keep(keyOf(app, from, to), made.CreatedAt)
		}
		return made, isNew, err
	}
	return func(app store.App, follower, followed store.ID) time.Time {
		return since.get(keyOf(app, follower, followed))
	}
}

// unfollows are the faults of what the end of a connection does to the reader's feed.
func unfollows() []Fault {
	keeps := func(is when) mutation { return breaking(stays(ended, is)) }
	return breaks("feed.unfollow",
		fault("feed-unfollow-keeps-events", "what was in the feed stays after an unfollow, only new events do not come", keeps(always)),
		fault("feed-unfollowed-returns", "the events of a user who is no longer followed are back a second later", keeps(aMomentAgo)),
		fault("feed-unfollowed-returns-with-the-next", "the events of a user who is no longer followed are back when something is posted", keeps(look.withTheNextPost)),
		fault("feed-unfollow-never-empties", "the events of the only followed user stay after an unfollow", keeps(look.withNothingElse)),
		fault("feed-unfriended-stays", "what was in the feed stays there when a friendship ends",
			keeps(func(l look) bool { return slices.Contains(l.gone.friends, l.other) })),
		fault("feed-unfollow-lets-new-events-in", "after an unfollow the events so far are gone, and new ones come",
			breaking(adds(func(l look) bool { return !l.follows() && l.newer(l.ended()) }))))
}

// refollows are the faults of following a user again.
func refollows() []Fault {
	hiding := func(hidden func(older []store.Event) []store.Event) mutation {
		return overrideStore(func(_ refserver.Store, s *overrides) {
			ended := endedAt(s)
			s.rewriteFeeds(func(r reader, feed []store.Event) []store.Event {
				older := without(slices.Clone(feed), func(event store.Event) bool { return !event.CreatedAt.Before(ended(r.app, r.id, event.Owner)) })
				hide := map[store.ID]bool{}
				for _, event := range hidden(older) {
					hide[event.ID] = true
				}
				return without(feed, func(event store.Event) bool { return hide[event.ID] })
			})
		})
	}
	return breaks("feed.refollow",
		fault("feed-refollow-shows-only-new", "who follows a user again sees only what is posted from then on", hiding(allOf)),
		fault("feed-refollow-shows-the-newest", "who follows a user again sees only the newest of the events so far", hiding(allButNewest)))
}

// friendsFeeds are the faults of what friends bring into a feed (endpoint rule 4).
func friendsFeeds() []Fault {
	return slices.Concat(
		breaks("feed.friends",
			fault("feed-hides-friends", "friends see each other's events only where they follow",
				hideFromFeeds(func(r reader, event store.Event) bool { return !r.follows(event.Owner) })),
			fault("feed-hides-friends-from-who-was-asked", "of two friends only the one who asked first sees the other's events",
				overrideStore(func(_ refserver.Store, s *overrides) {
					askedFirst := whoAskedFirst(s)
					s.hideFromFeeds(func(r reader, event store.Event) bool {
						return askedFirst(r.app, event.Owner, r.id) && !r.follows(event.Owner)
					})
				}))),
		breaks("feed.no-duplicates",
			fault("feed-friends-followed-twice", "the events of a friend who is also followed are shown twice",
				repeatedInFeeds(func(r reader, owner store.ID) bool { return r.befriends(owner) && r.follows(owner) })),
			fault("feed-friends-twice", "the events of a friend are shown once for each side's connection", repeatedInFeeds(reader.befriends))),
	)
}

// repeatedInFeeds shows the events of some users twice.
func repeatedInFeeds(of func(r reader, owner store.ID) bool) mutation {
	return rewriteFeeds(func(r reader, feed []store.Event) []store.Event {
		again := without(slices.Clone(feed), func(event store.Event) bool { return !of(r, event.Owner) })
		return newestFirst(append(feed, again...))
	})
}

// strangersInFeeds are the faults of feeds that show the events of those whom
// the reader has nothing to do with.
func strangersInFeeds() []Fault {
	follows, followers, friends := refserver.Store.Follows, refserver.Store.Followers, refserver.Store.Friends
	return breaks("feed.only-connected",
		fault("feed-shows-followers", "a feed shows the events of those who follow the reader", showingEventsOf(followers, nil)),
		fault("feed-shows-followed-of-followed", "a feed shows the events of those whom the followed users follow", showingEventsOf(follows, follows)),
		fault("feed-shows-followed-of-friends", "a feed shows the events of those whom the reader's friends follow", showingEventsOf(friends, follows)),
		fault("feed-shows-friends-of-friends", "a feed shows the events of the friends of friends", showingEventsOf(friends, friends)),
		fault("feed-shows-whom-others-follow", "the feed of one who follows somebody also shows the newest event of a stranger whom somebody else follows",
			overrideStore(func(inner refserver.Store, s *overrides) {
				all := archived(s)
				s.addToFeeds(func(r reader, feed []store.Event) []store.Event {
					if len(feed) == 0 {
						return nil
					}
					near := slices.Concat(idsOf(inner.Follows, r.app, r.id), idsOf(inner.Friends, r.app, r.id), []store.ID{r.id})
					strangers := all.of(r.app, func(owner store.ID) bool {
						return !slices.Contains(near, owner) && len(idsOf(inner.Followers, r.app, owner)) > 0
					})
					return strangers[:min(1, len(strangers))]
				})
			})),
		fault("feed-shows-strangers", "the feed of one who follows somebody also shows the events of users without any connection",
			overrideStore(func(inner refserver.Store, s *overrides) {
				all, alone := archived(s), neverConnected(s)
				s.addToFeeds(func(r reader, _ []store.Event) []store.Event {
					followsSomebody := len(idsOf(inner.Follows, r.app, r.id)) > 0
					return all.of(r.app, func(owner store.ID) bool { return followsSomebody && alone(r.app, owner) })
				})
			})))
}

// listOf is one of a store's lists of users.
type listOf func(s refserver.Store, app store.App, id store.ID) ([]store.User, error)

// showingEventsOf adds the events of the users on a list of the reader, and of those on a
// list of theirs.
func showingEventsOf(near, nearer listOf) mutation {
	return overrideStore(func(inner refserver.Store, s *overrides) {
		all := archived(s)
		ids := func(list listOf, app store.App, id store.ID) []store.ID {
			return idsOf(func(app store.App, id store.ID) ([]store.User, error) { return list(inner, app, id) }, app, id)
		}
		s.addToFeeds(func(r reader, _ []store.Event) []store.Event {
			owners := ids(near, r.app, r.id)
			for _, middle := range slices.Clone(owners) {
				if nearer != nil {
					owners = append(owners, ids(nearer, r.app, middle)...)
				}
			}
			return all.of(r.app, func(owner store.ID) bool { return owner != r.id && slices.Contains(owners, owner) })
		})
	})
}

// staleEvent is an event that is gone, and that a feed goes on showing.
type staleEvent struct {
	event store.Event
	shows showing
}

// showing decides at reading whether a stale event shows, given the feed without it.
type showing func(feed []store.Event) bool

func atOnce(time.Time) showing { return func([]store.Event) bool { return true } }

// staleReads are the stale events by reader.
type staleReads struct{ kept memory[[]staleEvent] }

// keepStaleReads makes feeds show the stale events that are kept.
func keepStaleReads(s *overrides) *staleReads {
	stale := &staleReads{}
	s.addToFeeds(func(r reader, feed []store.Event) (shown []store.Event) {
		for _, each := range stale.kept.get(keyOf(r.app, r.id)) {
			if each.shows(feed) {
				shown = append(shown, each.event)
			}
		}
		return shown
	})
	return stale
}

// keep keeps events for a reader's feed.
func (stale *staleReads) keep(app store.App, reader store.ID, events []store.Event, shows showing) {
	stale.kept.update(keyOf(app, reader), func(kept []staleEvent) []staleEvent {
		kept = slices.Clip(kept)
		for _, event := range events {
			kept = append(kept, staleEvent{event, shows})
		}
		return kept
	})
}

// forget lets go of what is kept of a user's events for a reader's feed.
func (stale *staleReads) forget(app store.App, reader, owner store.ID) {
	stale.kept.update(keyOf(app, reader), func(kept []staleEvent) []staleEvent {
		return slices.DeleteFunc(slices.Clone(kept), func(each staleEvent) bool { return each.event.Owner == owner })
	})
}

// whileThere shows a stale event as long as its owner is there.
func whileThere(inner refserver.Store, app store.App, owner store.ID) showing {
	return func([]store.Event) bool {
		_, gone := inner.User(app, owner)
		return gone == nil
	}
}
