package faults

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
)

// scaleFeeds are the faults of feeds with many events or readers, and of purges and deletions that
// reach some of them.
func scaleFeeds() []Fault {
	purge := func(readers, is when) mutation { return breaking(stays(deleted, to(readers, is))) }
	remove := func(readers, is when) mutation { return breaking(stays(removed, to(readers, is))) }
	follower, followers := look.wasFollower, func(l look) bool { return slices.Contains(l.gone.followers, l.me) }
	from := func(n int) when { return func(l look) bool { return l.i >= n } }
	behindFirst := func(n int) when { return func(l look) bool { return l.beyond(n) } }
	beyond := func(n int, change func(feed []Event) []Event) mutation {
		return breaking(feeds(func(_ look, feed []Event) []Event {
			if len(feed) > n {
				return change(feed)
			}
			return feed
		}))
	}
	inParts := func(n int, of func(l look) []ID) mutation {
		return breaking(sorts(func(a, b look) int {
			part := func(l look) int { return max(0, slices.Index(of(l), l.other)) / n }
			return part(a) - part(b)
		}))
	}
	return slices.Concat(
		breaks("feed.event-shape",
			fault("scale-feed-details-of-first-ten", "in a feed the events beyond the tenth have neither metadata nor an object",
				breaking(edits(from(10), func(event *Event) { event.Metadata, event.Object = nil, nil }))),
			fault("scale-feed-shows-eight-keys-of-metadata", "in a feed events have at most eight entries of metadata",
				rewriteEach(readsFeed(), within("metadata", firstKeys(8)))),
			fault("scale-eleventh-event-has-metadata-of-the-tenth", "the eleventh event of a feed also has the entries of metadata of the tenth, as one map is used again",
				beyond(10, func(feed []Event) []Event {
					if entries := maps.Clone(feed[9].Metadata); len(entries) > 0 {
						maps.Copy(entries, feed[10].Metadata)
						feed[10].Metadata = entries
					}
					return feed
				})),
			fault("scale-large-events-in-feeds-without-metadata", "an event of more than 4 KiB has no metadata in feeds, as the message that hands it out leaves it behind",
				breaking(edits(func(l look) bool { return len(encode(l.event)) > 4<<10 }, func(event *Event) { event.Metadata = nil })))),
		breaks("feed.update-visible",
			fault("scale-changes-reach-15-followers", "changes of an event are seen by the first 15 followers alone",
				breaking(showsFirst(func(l look) bool { return behind(15, l.followersOf(l.other), l.me) }))),
			fault("scale-events-behind-ten-as-at-first", "in a feed the events behind the ten newest are as they were before any change", breaking(showsFirst(from(10))))),
		breaks("feed.event-delete",
			fault("scale-deletion-reaches-15-followers", "a deleted event leaves the feeds of the first 15 followers alone",
				remove(always, func(l look) bool { return behind(15, l.gone.followers, l.me) })),
			fault("scale-deletion-among-eight-latest", "a deleted event stays in the feeds of followers where its owner posted eight or more after it", remove(follower, from(8))),
			fault("scale-marks-of-eight-deletions", "of the events that a user has deleted the eight latest are marked as such, and those before are back in the feeds of followers",
				remove(followers, func(l look) bool { return len(l.now().since(l.gone, removed, l.other, 0)) >= 8 && l.follows() })),
			fault("scale-event-changed-ten-times-stays", "a deleted event that was changed ten times or more is in the feeds of followers as it was at first, as its ten latest versions are deleted",
				breaking(stay(removed, func(l look) []Event {
					if l = l.at(l.gone.event); l.follows() && l.times(changed, 0, l.event.ID) >= 10 {
						return []Event{l.atFirst()}
					}
					return nil
				}))),
			fault("scale-deleted-event-behind-fifteen-stays", "an event that is deleted when its owner has fifteen newer ones stays in the feeds of followers", remove(followers, from(15))),
			fault("scale-event-deletion-reaches-ten-followers", "a deleted event leaves the feeds of ten followers, and stays in those of further ones", remove(follower, behindFirst(10)))),
		breaks("feed.follow.new-events",
			fault("scale-feed-full-at-50", "a feed that has 50 events shows no newer ones", beyond(50, func(feed []Event) []Event { return feed[len(feed)-50:] })),
			fault("scale-fanout-to-15-followers", "new events reach the first 15 followers alone",
				breaking(hides(func(l look) bool { return behind(15, l.followersOf(l.other), l.me) && l.newer(l.followedAt().at) })))),
		breaks("feed.follow.earlier-events",
			fault("scale-backfill-of-the-oldest", "of more than 15 events that a user posted before it was followed the newest is left out",
				breaking(feeds(func(l look, feed []Event) []Event {
					earlier := map[ID][]ID{}
					for _, event := range feed {
						if beforeFollow(l.at(event)) {
							earlier[event.Owner] = append(earlier[event.Owner], event.ID)
						}
					}
					return without(feed, func(event Event) bool { ids := earlier[event.Owner]; return len(ids) > 15 && ids[0] == event.ID })
				})))),
		breaks("feed.unfollow",
			fault("scale-unfollow-takes-ten-events", "of the events of a user who is no longer followed the ten newest leave the feed",
				breaking(stays(ended, func(l look) bool { return l.i >= 10 && l.there(l.other) }))),
			fault("scale-unfollow-takes-newest-five-events", "the end of a follow takes the newest five events of the followed user out of the feed, and no older ones",
				breaking(stays(ended, func(l look) bool { return l.i >= 5 && l.there(l.other) })))),
		breaks("feed.refollow",
			fault("scale-refollow-brings-five-back", "who follows a user again sees of its events so far the five newest alone",
				breaking(feeds(func(l look, feed []Event) []Event {
					back := map[ID]int{}
					return without(feed, func(event Event) bool {
						l := l.at(event)
						if l.older(l.ended()) {
							back[event.Owner]++
						}
						return l.older(l.ended()) && back[event.Owner] > 5
					})
				})))),
		breaks("feed.purge.followers",
			fault("scale-purge-of-15-events", "of a deleted user's events the 15 newest leave the feeds of followers", purge(follower, from(15))),
			fault("scale-purge-of-50-events", "of a deleted user's events the 50 newest leave the feeds of followers", purge(follower, from(50))),
			fault("scale-purge-for-15-followers", "a deleted user's events leave the feeds of its first 15 followers alone", purge(follower, behindFirst(15))),
			fault("scale-purge-for-30-followers", "a deleted user's events leave the feeds of its first 30 followers alone", purge(follower, behindFirst(30))),
			fault("scale-purge-looks-at-ten-of-a-feed", "a deleted user's events stay in the feed of a follower where ten or more events of anybody stand before them",
				breaking(beforePurge(func(l look, feed []Event) []Event {
					return without(slices.Clone(fromPosition(feed, 10)), func(event Event) bool { return event.Owner != l.other })
				}), addsSome(setAside))),
			fault("scale-purge-skips-every-other-page", "of a deleted user's events every second five stay in the feeds of followers, as each page is deleted before the next is counted off",
				purge(follower, func(l look) bool { return (len(l.gone.events)-1-l.i)/5%2 == 1 })),
			fault("scale-purge-ten-events", "the deletion of a user takes its ten oldest events out of the feeds of followers, and no further ten",
				purge(follower, func(l look) bool { return l.i < len(l.gone.events)-10 }))),
		breaks("feed.purge.friends",
			fault("scale-purge-for-15-friends", "a deleted user's events leave the feeds of its first 15 friends alone",
				purge(always, func(l look) bool { return behind(15, l.gone.friends, l.me) })),
			fault("scale-purge-batch-of-ten", "of a deleted user's events only the ten newest leave the feeds of friends", purge(look.wasFriendAlone, from(10)))),
		breaks("feed.purge.keeps-others",
			fault("scale-purge-of-many-takes-followed", "with the events of a deleted user who had more than 15 those of the users whom it followed leave the feeds",
				breaking(purgeTakes(func(l look) bool {
					return len(l.gone.events) > 15 && slices.Contains(l.gone.follows, l.other) && l.older(l.gone.at)
				}))),
			fault("scale-purge-takes-one-more", "where more than five events of a deleted user leave a follower's feed, the event that comes behind them leaves, too",
				breaking(beforePurge(func(l look, feed []Event) []Event {
					own := 0
					for i, event := range feed {
						if event.Owner != l.other {
							continue
						}
						if own++; own == len(l.eventsOf(l.other)) && own > 5 {
							return feed[i+1 : min(i+2, len(feed))]
						}
					}
					return nil
				}), hides(func(l look) bool { return holdsEvent(setAside(l), l.event.ID) }))),
			fault("scale-purge-trims-feeds-to-ten", "the deletion of a user leaves only the ten newest events in the feeds of its followers",
				breaking(feeds(func(l look, feed []Event) []Event {
					for _, gone := range l.all(deleted, 0, 0) {
						kept := 0
						feed = without(feed, func(event Event) bool {
							if !slices.Contains(gone.followers, l.me) || !event.CreatedAt.Before(gone.at) {
								return false
							}
							kept++
							return kept > 10
						})
					}
					return feed
				})))),
		breaks("feed.friends",
			fault("scale-feed-of-eight-friends", "the events of a user's ninth friend and those after it are not in the feed",
				breaking(hides(func(l look) bool { return behind(8, l.friendsOf(l.me), l.other) && !l.follows() })))),
		breaks("feed.merge",
			fault("scale-feed-gap-between-pages", "of more than 20 events in a feed the twentieth is left out", beyond(20, gapAfter[Event](20))),
			fault("scale-feed-repeats-between-pages", "of more than 15 events in a feed the fifteenth is there twice", beyond(15, twiceAt[Event](15))),
			fault("scale-feed-from-15-users", "of more than 15 followed users the others' events are in no feed",
				breaking(hides(func(l look) bool { return behind(15, l.followsOf(l.me), l.other) }))),
			fault("scale-feed-misses-users-with-many-events", "of a user with more than 20 events the feed of several users misses the second",
				breaking(feeds(func(_ look, feed []Event) []Event {
					seen, second := map[ID]int{}, map[ID]ID{}
					for _, event := range feed {
						if seen[event.Owner]++; seen[event.Owner] == 2 {
							second[event.Owner] = event.ID
						}
					}
					return without(feed, func(event Event) bool { return seen[event.Owner] > 20 && second[event.Owner] == event.ID })
				}))),
			fault("scale-feed-shows-ten-of-each-user", "the feed of several users has the ten newest events of each",
				breaking(feeds(func(_ look, feed []Event) []Event {
					several := slices.ContainsFunc(feed, func(event Event) bool { return event.Owner != feed[0].Owner })
					shown := map[ID]int{}
					return without(feed, func(event Event) bool {
						shown[event.Owner]++
						return several && shown[event.Owner] > 10
					})
				}))),
			fault("scale-feed-five-authors", "a feed has the events of the first five followed users alone",
				breaking(hides(func(l look) bool { return behind(5, l.followsOf(l.me), l.other) && !l.befriends() })))),
		breaks("feed.order",
			fault("scale-feed-second-page-reversed", "in a feed of more than 20 events the eleventh to the twentieth are in reverse order",
				beyond(20, func(feed []Event) []Event { slices.Reverse(feed[10:20]); return feed })),
			fault("scale-feed-newest-last-beyond-30", "of more than 30 events in a feed the newest stands at the thirtieth place",
				beyond(30, func(feed []Event) []Event { return slices.Insert(slices.Clone(feed[1:]), 29, feed[0]) })),
			fault("scale-feed-merges-six-users", "of more than six followed users the events of the others stand behind those of the first six",
				inParts(6, func(l look) []ID { return l.followsOf(l.me) })),
			fault("scale-feed-sorts-numbers-of-events-as-text", "in a feed a user's events are sorted by their numbers as text, in which the tenth stands before the second",
				breaking(feeds(numbersAsText))),
			fault("scale-events-of-popular-users-stand-last", "the events of users with more than ten followers stand behind all others in feeds",
				breaking(last(func(l look) bool { return len(l.followersOf(l.other)) > 10 }))),
			fault("scale-feed-order-chunks", "a feed of more than five users is read five users at a time, and not put in order as a whole",
				inParts(5, func(l look) []ID { return slices.Concat(l.followsOf(l.me), l.friendsOf(l.me)) }))),
		breaks("feed.no-duplicates",
			fault("scale-events-of-followed-friends-beyond-ten-twice", "beyond the ten newest events of a feed those of a friend who is also followed are there twice",
				breaking(feeds(func(l look, feed []Event) (shown []Event) {
					for i, event := range feed {
						shown = append(shown, event)
						if l := l.at(event); i >= 10 && l.follows() && l.befriends() {
							shown = append(shown, event)
						}
					}
					return shown
				})))),
	)
}

// numbersAsText sorts each user's events, in the places that they have in a feed.
func numbersAsText(l look, feed []Event) []Event {
	number := func(event Event) string {
		post := l.at(event).post()
		return strconv.Itoa(len(l.then(post).all(posted, event.Owner, 0)) + 1)
	}
	events := map[ID][]Event{}
	for _, event := range feed {
		events[event.Owner] = append(events[event.Owner], event)
	}
	for _, own := range events {
		slices.SortStableFunc(own, func(a, b Event) int { return cmp.Compare(number(b), number(a)) })
	}
	for i, event := range feed {
		feed[i], events[event.Owner] = events[event.Owner][0], events[event.Owner][1:]
	}
	return feed
}
