package faults

import (
	"cmp"
	"math"
	"net/http"
	"slices"
	"strconv"
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
				rewriteResponse(readsFeed(), func(r *http.Request, resp *response) {
					if !resp.empty() {
						wrapped("events")(r, resp)
					}
				}))),
		breaks("feed.empty",
			fault("feed-empty-not-found", "an empty feed is answered with 404", whereEmpty(readsFeed(), 404, `{}`)),
			fault("feed-empty-object", "an empty feed is an object", whereEmpty(readsFeed(), 200, `{}`)),
			fault("feed-empty-no-content", "an empty feed is answered with 204", whereEmpty(readsFeed(), 204, "")),
			fault("feed-of-newcomer-shows-newest", "who never had a connection is shown the newest event of all",
				breaking(addsSome(func(l look) []Event {
					if !l.unconnected(l.me) {
						return nil
					}
					others := l.journal.standing(l.app, func(event Event) bool { return event.Owner != l.me })
					return others[:min(1, len(others))]
				})))),
	)
}

// mergedFeeds are the faults of feeds from several users.
func mergedFeeds() []Fault {
	const several = 3
	ofSeveral := func(change func(l look, feed []Event) []Event) mutation {
		return breaking(feeds(func(l look, feed []Event) []Event {
			if len(l.followsOf(l.me)) >= several {
				return change(l, feed)
			}
			return feed
		}))
	}
	return breaks("feed.merge",
		fault("feed-of-two-users", "of more than two followed users the first is not in the feed",
			ofSeveral(func(l look, feed []Event) []Event {
				return without(feed, func(event Event) bool { return event.Owner == l.followsOf(l.me)[0] })
			})),
		fault("feed-newest-of-each", "of each of more than two followed users only the newest event is shown",
			ofSeveral(func(_ look, feed []Event) []Event {
				return firstOfEach(feed, func(event Event) any { return event.Owner })
			})),
		fault("feed-repeats-newest", "the newest event of more than two followed users is shown twice",
			ofSeveral(func(_ look, feed []Event) []Event { return append(slices.Clone(feed[:min(1, len(feed))]), feed...) })),
		fault("feed-repeats-oldest", "the oldest event of more than two followed users is shown twice",
			ofSeveral(func(_ look, feed []Event) []Event { return append(feed, feed[max(0, len(feed)-1):]...) })),
		fault("feed-one-event-of-a-verb", "of several events with the same verb only the newest is shown", oneOfEach(func(event Event) any { return event.Verb })))
}

// oneOfEach has feeds show the newest event of each kind.
func oneOfEach(kind func(event Event) any) mutation {
	return breaking(feeds(func(_ look, feed []Event) []Event { return firstOfEach(feed, kind) }))
}

// firstOfEach leaves the first of each kind.
func firstOfEach[T any](items []T, kind func(T) any) []T {
	shown := map[any]bool{}
	return slices.DeleteFunc(items, func(item T) bool {
		hidden := shown[kind(item)]
		shown[kind(item)] = true
		return hidden
	})
}

// feedOrders are the faults of the order of feeds.
func feedOrders() []Fault {
	rank := func(l look) int {
		if l.befriends() {
			return 1
		}
		return 0
	}
	return breaks("feed.order",
		fault("feed-oldest-first", "feeds begin with the oldest event",
			breaking(feeds(func(_ look, feed []Event) []Event { slices.Reverse(feed); return feed }))),
		fault("feed-by-user", "feeds are in order of time for each user apart",
			breaking(sorts(func(a, b look) int { return cmp.Compare(a.other, b.other) }))),
		fault("feed-newest-last", "the newest event stands at the end, the others in order before it",
			breaking(feeds(func(_ look, feed []Event) []Event {
				return slices.Concat(feed[min(1, len(feed)):], feed[:min(1, len(feed))])
			}))),
		fault("feed-changed-events-first", "feeds are in the order of the latest changes",
			breaking(sorts(func(a, b look) int { return b.event.UpdatedAt.Compare(a.event.UpdatedAt) }))),
		fault("feed-friends-first", "feeds begin with the friends' events", breaking(sorts(func(a, b look) int { return rank(b) - rank(a) }))),
		fault("feed-friends-last", "feeds end with the friends' events", breaking(last(look.befriends))))
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
			breaking(edits(look.befriends, func(event *Event) { event.Metadata = nil }))))
}

// changesInFeeds are the faults of what an update does to feeds.
func changesInFeeds() []Fault {
	first := func(keep func(event *Event, first Event)) mutation {
		return breaking(shows(func(l look) Event { keep(&l.event, l.atFirst()); return l.event }))
	}
	return breaks("feed.update-visible",
		fault("feed-shows-first-version", "feeds show an event as it was at first", breaking(showsFirst(always))),
		fault("feed-shows-first-version-to-last-follower", "the last of several followers sees an event as it was at first", breaking(showsFirst(look.lastFollower))),
		fault("feed-shows-first-location", "feeds show the location that an event had at first",
			first(func(event *Event, first Event) { event.Location = first.Location })),
		fault("feed-shows-first-object", "feeds show the object that an event had at first",
			first(func(event *Event, first Event) { event.Object = first.Object })))
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
	later := func(l look) bool { return l.event.CreatedAt.After(l.followedAt().at) }
	earlier := func(l look) bool { return !later(l) && !l.befriends() }
	return slices.Concat(
		breaks("feed.follow.earlier-events",
			fault("feed-hides-earlier-events", "a follow shows only what is posted after it", breaking(hides(earlier))),
			fault("feed-shows-one-earlier-event", "of what a user posted before it was followed only the newest is shown",
				breaking(hides(func(l look) bool {
					newest := slices.IndexFunc(l.feed, func(event Event) bool { return event.Owner == l.other && earlier(l.at(event)) })
					return earlier(l) && l.event.ID != l.feed[newest].ID
				})))),
		breaks("feed.follow.new-events",
			fault("feed-hides-later-events", "a follow shows only what was posted before it",
				breaking(hides(func(l look) bool { return later(l) && !l.befriends() }))),
			fault("feed-forgets-last-follower", "of several followers the last gets no new events",
				breaking(hides(func(l look) bool { return l.lastFollower() && later(l) }))),
			fault("feed-hides-events-with-objects", "events with an object are in no feed",
				breaking(hides(func(l look) bool { return l.event.Object != nil }))).
				also("feed.follow.earlier-events", hasObjects).also("feed.friends", hasObjects).also("feed.merge", hasObjects).
				also("social.connects", hasObjects).also("feed.refollow", hasObjects).also("feed.update-visible", hasObjects),
			fault("feed-loses-changed-events", "a changed event leaves the feeds",
				breaking(hides(look.edited)))),
	)
}

// hasObjects is why a fault of events with objects shows in other feeds, too.
const hasObjects = "the events that its scenario creates may have objects"

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
	older := func(l look) bool { return l.older(l.ended()) }
	return breaks("feed.refollow",
		fault("feed-refollow-shows-only-new", "who follows a user again sees only what is posted from then on", breaking(hides(older))),
		fault("feed-refollow-shows-the-newest", "who follows a user again sees only the newest of the events so far",
			breaking(hides(func(l look) bool {
				newest := slices.IndexFunc(l.feed, func(event Event) bool { return older(l.at(event)) })
				return older(l) && l.event.ID != l.feed[newest].ID
			}))))
}

// friendsFeeds are the faults of what friends bring into a feed (endpoint rule 4).
func friendsFeeds() []Fault {
	return slices.Concat(
		breaks("feed.friends",
			fault("feed-hides-friends", "friends see each other's events only where they follow",
				breaking(hides(func(l look) bool { return !l.follows() }))),
			fault("feed-hides-friends-from-who-was-asked", "of two friends only the one who asked first sees the other's events",
				breaking(hides(func(l look) bool { return l.wasAsked() && !l.follows() })))),
		breaks("feed.no-duplicates",
			fault("feed-friends-followed-twice", "the events of a friend who is also followed are shown twice",
				breaking(doubles(func(l look) bool { return l.befriends() && l.follows() }))),
			fault("feed-friends-twice", "the events of a friend are shown once for each side's connection", breaking(doubles(look.befriends)))),
	)
}

// strangersInFeeds are faults of feeds that show events of users without a connection to
// the reader.
func strangersInFeeds() []Fault {
	of := func(owners func(l look) []ID) mutation {
		return breaking(addsSome(func(l look) []Event {
			shown := owners(l)
			return l.journal.standing(l.app, func(event Event) bool { return event.Owner != l.me && slices.Contains(shown, event.Owner) })
		}))
	}
	// through adds those on a list of each of some users.
	through := func(middle []ID, list func(id ID) []ID) (all []ID) {
		for _, id := range middle {
			all = append(all, list(id)...)
		}
		return append(all, middle...)
	}
	return breaks("feed.only-connected",
		fault("feed-shows-followers", "a feed shows the events of those who follow the reader", of(func(l look) []ID { return l.followersOf(l.me) })),
		fault("feed-shows-followed-of-followed", "a feed shows the events of those whom the followed users follow",
			of(func(l look) []ID { return through(l.followsOf(l.me), l.followsOf) })),
		fault("feed-shows-followed-of-friends", "a feed shows the events of those whom the reader's friends follow",
			of(func(l look) []ID { return through(l.friendsOf(l.me), l.followsOf) })),
		fault("feed-shows-friends-of-friends", "a feed shows the events of the friends of friends",
			of(func(l look) []ID { return through(l.friendsOf(l.me), l.friendsOf) })),
		fault("feed-shows-whom-others-follow", "the feed of one who follows somebody also shows the newest event of a stranger whom somebody else follows",
			breaking(addsSome(func(l look) []Event {
				near := slices.Concat(l.followsOf(l.me), l.friendsOf(l.me), []ID{l.me})
				strangers := l.journal.standing(l.app, func(event Event) bool {
					return len(l.feed) > 0 && !slices.Contains(near, event.Owner) && len(l.followersOf(event.Owner)) > 0
				})
				return strangers[:min(1, len(strangers))]
			}))),
		fault("feed-shows-strangers", "the feed of one who follows somebody also shows the events of users without any connection",
			breaking(addsSome(func(l look) []Event {
				followsSomebody := len(l.followsOf(l.me)) > 0
				return l.journal.standing(l.app, func(event Event) bool { return followsSomebody && l.unconnected(event.Owner) })
			}))))
}
