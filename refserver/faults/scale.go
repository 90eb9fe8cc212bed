package faults

import (
	"errors"
	"maps"
	"net/http"
	"slices"
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
