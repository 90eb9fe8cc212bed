package faults

import (
	"cmp"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// behind reports whether a user stands on a list behind the first n.
func behind(n int, ids []ID, id ID) bool { return slices.Index(ids, id) >= n }

// fromPosition returns the items from a position on.
func fromPosition[T any](items []T, position int) []T { return items[min(position, len(items)):] }

// gapAfter leaves out the nth item of more than n.
func gapAfter[T any](n int) func(items []T) []T {
	return func(items []T) []T {
		if len(items) > n {
			return slices.Delete(items, n-1, n)
		}
		return items
	}
}

// twiceAt repeats the nth item of more than n.
func twiceAt[T any](n int) func(items []T) []T {
	return func(items []T) []T {
		if len(items) > n {
			return slices.Insert(items, n, items[n-1])
		}
		return items
	}
}

// scaleConnections are the faults of lists of many users, and of deletions and social
// identifiers that reach the first of many alone.
func scaleConnections() []Fault {
	gap := func(of list) mutation {
		return breaking(of.changes(func(_ look, users []User) []User { return gapAfter[User](15)(users) }))
	}
	staysFor := func(of list, n int, ids func(gone *act) []ID) mutation {
		return breaking(of.keeps(func(l look) bool { return behind(n, ids(l.gone), l.me) }))
	}
	followers, follows, friends := func(gone *act) []ID { return gone.followers }, func(gone *act) []ID { return gone.follows }, func(gone *act) []ID { return gone.friends }
	return slices.Concat(
		breaks("connections.delete.removes",
			fault("scale-sixteenth-follow-stays", "the end of a follow is answered as if it were, where more than 15 users are followed and this is one of the others",
				breaking(fails(toEnd, nil, func(l look) bool { return behind(15, l.followsOf(l.me), l.other) }))),
			fault("scale-more-than-eight-followers-seen-after-end", "who ends the follow of a user with more than eight followers is among them in the eyes of others until the next follow", endedAmongManySeen)),
		breaks("connections.lists.follows",
			fault("scale-follows-gap-between-pages", "of more than 15 followed users the fifteenth is not listed", gap(ofFollows)),
			fault("scale-friends-crowd-out-follows", "of twelve connections that are read the friends come first, and the follows beyond them are not listed",
				breaking(list.changes(ofFollows, func(l look, users []User) []User { return users[:min(len(users), max(0, 12-len(l.friendsOf(l.me))))] })))),
		breaks("connections.lists.followers",
			fault("scale-followers-lack-the-tenth", "of ten, twenty or thirty followers the last is not listed",
				rewriteResponse(readsFollowers(), inList(func(list []any) []any {
					if n := len(list); n > 0 && n%10 == 0 {
						return list[:n-1]
					}
					return list
				}))),
			fault("scale-followers-repeat-between-pages", "of more than 15 followers the fifteenth is listed twice", rewriteResponse(readsFollowers(), inList(twiceAt[any](15)))),
			fault("scale-follower-repeated-at-end-of-page", "of more than five followers the fifth is listed twice", rewriteResponse(readsFollowers(), inList(twiceAt[any](5))))),
		breaks("connections.lists.friends",
			fault("scale-friends-gap-between-pages", "of more than 15 friends the fifteenth is not listed", gap(ofFriends))),
		breaks("connections.lists.of-user",
			fault("scale-followers-of-user-repeat", "of more than 15 followers of another user the fifteenth is listed twice", rewriteResponse(readsFollowersOf(), inList(twiceAt[any](15)))),
			fault("scale-follows-of-user-lack-the-last-part", "of more than ten follows of another user those beyond the last full ten are not listed",
				rewriteResponse(readsFollowsOf(), inList(func(users []any) []any {
					if n := len(users); n > 10 {
						return users[:n/10*10]
					}
					return users
				})))),
		breaks("connections.lists.after-user-delete",
			fault("scale-deleted-stays-for-sixteenth-follower", "a deleted user stays among the follows of all but its first 15 followers", staysFor(ofFollows, 15, followers)),
			fault("scale-deletion-ends-ten-follows", "a deleted user stays among the followers of all but the first ten whom it followed", staysFor(ofFollowers, 10, follows)),
			fault("scale-deleted-stays-follower-beyond-fourth", "a deleted user stays among the followers of those whom it followed, but for the first four", staysFor(ofFollowers, 4, follows)),
			fault("scale-deletion-cleans-ten-lists", "a deleted user stays among the follows of its followers behind the first ten", staysFor(ofFollows, 10, followers)),
			fault("scale-deleted-user-leaves-eight-lists", "a deleted user is gone from the follows of eight of its followers, and stays in those of the others", staysFor(ofFollows, 8, followers)),
			fault("scale-deleted-stays-friend-of-the-eleventh", "a deleted user is taken out of the lists of its first ten friends alone", staysFor(ofFriends, 10, friends))),
		breaks("connections.friends.mutual",
			fault("scale-friends-of-who-has-eight-do-not-list-it", "who has more than eight friends is not listed by those behind the eighth of them",
				breaking(list.lacks(ofFriends, func(l look) bool { return behind(8, l.friendsOf(l.other), l.me) })))),
		breaks("social.connects",
			fault("scale-social-first-ten", "of more than 10 social identifiers the others are passed over",
				breaking(asksFor(func(c contacts) []string { return c.ids[:min(10, len(c.ids))] }))),
			fault("scale-social-friends-beyond-six-are-followed", "of more than six users whom connecting by social identifiers is to make friends the others are followed",
				breaking(socially(func(c contacts, _ func([]string) error) error {
					users := c.found()
					return errors.Join(c.connect(c.typ, users[:min(6, len(users))]...), c.connect(store.Follow, fromPosition(users, 6)...))
				}))),
			fault("scale-social-chunks-lose-the-tenth", "of social identifiers the tenth, the twentieth and so on are passed over",
				breaking(asksFor(func(c contacts) (read []string) {
					for part := range slices.Chunk(c.ids, 10) {
						read = append(read, part[:min(len(part), 9)]...)
					}
					return read
				}))),
			fault("scale-fourth-social-id-finds-nobody", "who has more than three social ids is connected by the first three alone, in the order of the platforms",
				breaking(passesOver(func(c contacts, user User) bool {
					return slices.Contains(fromPosition(slices.Sorted(maps.Keys(user.SocialIDs)), 3), c.platform)
				}))),
			fault("scale-social-first-eight-ids", "of more than eight social ids the first eight connect",
				breaking(asksFor(func(c contacts) []string { return c.ids[:min(8, len(c.ids))] })))),
	)
}

// endedAmongManySeen keeps the followers of users with many, and forgets them at the next follow.
func endedAmongManySeen(o *refserver.Options) {
	kept := &memory[[]byte]{} // by application and id
	combine(
		intercept(disconnects(), func(next http.Handler, r *http.Request) *response {
			before := call(next, r, http.MethodGet, "/0.2/users/"+lastSegment(r)+"/followers", nil)
			resp := record(next, r)
			if resp.ok() && len(idsIn(before)) > 8 {
				kept.keep(appIn(r)+lastSegment(r), before.body)
			}
			return resp
		}),
		rewriteResponse(connects(), onSuccess(func(r *http.Request, _ *response) {
			kept.keep(appIn(r)+fieldText(requestObject(r), "user_to_id"), nil)
		})),
		rewriteResponse(readsFollowersOf(), onSuccess(func(r *http.Request, resp *response) {
			if list := kept.get(appIn(r) + userInPath(r)); list != nil {
				resp.body = list
			}
		})),
	)(o)
}

// scaleRest are the faults of searches with many results, of many events, updates and sessions, and of
// what is too long.
func scaleRest() []Fault {
	exactLost := func(n int) mutation {
		return breaking(searching(func(l look, hits []User) []User {
			many := len(hits) > n
			return slices.DeleteFunc(hits, func(user User) bool { return many && whole(user.UserName, l.term) })
		}))
	}
	displayNames := func(n int) mutation {
		return creatingEvent(within("object", within("display_name", func(names map[string]any) {
			if !slices.ContainsFunc(slices.Collect(maps.Values(names)), isNo[string]) {
				firstKeys(n)(names)
			}
		})))
	}
	const column = 4096
	tooLong := func(m match, is func(any) bool) mutation {
		return refused(m.and(sendsA("metadata", is)), 422, complaint("metadata is too long"))
	}
	return slices.Concat(
		breaks("transport.json-body",
			fault("scale-feed-cut-at-8-kib", "of a feed of more than 8,192 bytes the first so many are sent",
				rewriteResponse(readsFeed(), onSuccess(func(_ *http.Request, resp *response) { resp.body = resp.body[:min(8192, len(resp.body))] })))),
		breaks("errors.no-5xx",
			fault("scale-update-of-who-posted-much-fails", "the update of a user who has posted more than twelve events fails with 500, as it takes too long to write its name to all of them",
				breaking(fails(toUpdate, errors.New("statement timeout"), func(l look) bool { return l.times(posted, l.me, 0) > 12 })))),
		breaks("search.exact",
			fault("scale-search-drops-exact-among-many", "a search that finds more than six users leaves out who is called exactly so", exactLost(6)),
			fault("scale-search-of-many-leaves-out-the-exact", "a search that finds more than eight users leaves out those whose user name is the term", exactLost(8))),
		breaks("search.user-name",
			fault("scale-search-gap-between-pages", "of more than 10 results of a search the tenth is left out", rewriteResponse(searches(), inList(gapAfter[any](10)))),
			fault("scale-deleted-crowd-out-of-search", "where five deleted users had a term in the user name, a search for it does not find those who came after them",
				breaking(missesBy(userName, func(l look) bool {
					before := 0
					for _, gone := range l.all(deleted, 0, 0) {
						if gone.by < l.other && holdsText(gone.text, l.term) {
							before++
						}
					}
					return before >= 5 && !whole(l.user.UserName, l.term)
				})))),
		breaks("search.last-name",
			fault("scale-user-names-crowd-out-last-names", "where twelve users have a term in the user name, a search for it finds nobody who has it in the last name alone",
				breaking(searching(func(l look, hits []User) []User {
					named := slices.DeleteFunc(slices.Clone(hits), func(user User) bool { return l.term == "" || !holdsText(user.UserName, l.term) })
					return slices.DeleteFunc(hits, func(user User) bool { return len(named) >= 12 && foundBy(lastName, user, l.term) })
				})))),
		breaks("search.non-match-excluded",
			fault("scale-search-fills-the-page", "a search with more than 10 results adds the first user there is",
				breaking(searching(func(l look, hits []User) []User {
					everyone, err := l.store.Search(l.app, "")
					if len(hits) > 10 && err == nil && hits[0].ID != everyone[0].ID {
						hits = append(hits, everyone[0])
					}
					return hits
				})))),
		breaks("events.create.echo",
			fault("scale-display-names-beyond-six-lost", "of more than six display names of a new event's object those whose languages sort last are lost", displayNames(6)),
			fault("scale-display-names-limited-like-metadata", "a display name of a new event's object keeps ten languages, as many as metadata has keys", displayNames(10)),
			fault("scale-display-names-in-three-languages", "of the display names of a new event's object only three are kept", displayNames(3)),
			fault("scale-display-name-in-five-languages-at-most", "of an object's display name five languages are kept", displayNames(5))),
		breaks("events.update.status",
			fault("scale-ten-latest-events-changeable", "of a user's events those before the ten latest are not found by a change",
				breaking(fails(toChange, store.ErrNotFound, func(l look) bool {
					return slices.IndexFunc(l.eventsOf(l.me), func(event Event) bool { return event.ID == l.event.ID }) >= 10
				})))),
		breaks("limits.metadata.keys",
			fault("scale-user-metadata-beyond-4-kb-refused", "an update of the user with more than 4096 bytes of metadata in all is refused",
				tooLong(updatesUser(), func(value any) bool { return allTexts(value) && len(encode(value)) > column })),
			fault("scale-metadata-of-user-beyond-its-column", "a new user's metadata is refused where all its keys and values together are more than 4,000 bytes",
				tooLong(createsUser(), func(value any) bool { return len(encode(value)) > 4000 }))),
		breaks("limits.metadata.value-length",
			fault("scale-update-with-metadata-beyond-4096-characters-refused", "an update of the user refuses metadata of more than 4096 characters in all, as ten values of 500 are",
				tooLong(updatesUser(), func(value any) bool {
					entries, _ := value.(map[string]any)
					length := 0
					for key := range entries {
						length += utf8.RuneCountInString(key + fieldText(entries, key))
					}
					return length > column
				}))),
		breaks("sessions.login.user-name",
			fault("scale-tenth-session-is-void", "the session tokens of a user's tenth login and those after it open nothing",
				answersWhere(logsInByName(), func(l look) bool { return l.times(loggedIn, l.me, 0) >= 10 }, inObject(voidToken)))),
		breaks("sessions.logout.destroys",
			fault("scale-logout-of-fourth-session", "of a user's open sessions the fourth and those after it are not ended by their logout",
				breaking(fails(toLogOut, nil, func(l look) bool { return slices.Index(l.openSessions(), l.term) >= 3 }))),
			fault("scale-denylist-of-twelve-logouts", "a destroyed session token works again after twelve more logouts of anybody",
				breaking(sessionsLast(func(l look) bool { return len(l.since(l.gone, loggedOut, 0, 0)) >= 12 })))),
		breaks("sessions.deleted-user",
			fault("scale-deletion-ends-five-sessions", "the deletion of a user ends its five latest sessions, and the older ones go on showing it",
				deletedOwnRecords(func(l look) bool {
					open := l.then(l.gone).openSessions()
					return slices.Contains(open[:max(0, len(open)-5)], l.term) && !deleting(l)
				}))),
		breaks("users.create.echo",
			fault("scale-social-ids-beyond-five-lost", "of a new user's social_ids those of five networks are kept", creatingUser(within("social_ids", firstKeys(5))))),
		breaks("users.me.update.applies",
			fault("scale-own-record-stays-at-ninth-update", "the own record is the version whose number sorts last as a text: from the tenth update on it is that of the ninth", recordStaysAtNinth)),
		breaks("users.me.delete.gone",
			fault("scale-deletion-leaves-record-of-busy-user", "the record of a deleted user who had more than twelve events is still shown",
				breaking(recordsStay(func(l look) bool { return len(l.gone.events) > 12 })))),
	)
}

// recordStaysAtNinth keeps the version that the text 9 belongs to.
func recordStaysAtNinth(o *refserver.Options) {
	updates, ninths := &memory[int]{}, &memory[[]byte]{} // by application and id
	key := func(r *http.Request, resp *response) string { return appIn(r) + fieldText(objectOf(resp.body), "id") }
	combine(
		rewriteResponse(updatesUser(), onSuccess(func(r *http.Request, resp *response) {
			if tally(updates, key(r, resp)) == 9 {
				ninths.keep(key(r, resp), resp.body)
			}
		})),
		rewriteResponse(readsOwnRecord(), onSuccess(func(r *http.Request, resp *response) {
			if ninth, known := ninths.lookup(key(r, resp)); known && updates.get(key(r, resp)) > 9 {
				resp.body = ninth
			}
		})),
	)(o)
}

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
