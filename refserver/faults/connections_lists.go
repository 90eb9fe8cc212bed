package faults

import (
	"net/http"
	"slices"
	"strings"
)

// connectionLists are the faults of the lists of users (Endpoints, rows 11 to 16).
func connectionLists() []Fault {
	return slices.Concat(
		breaks("connections.lists.follows",
			fault("connections-follows-cut-short", "the last of more than two followed users is not listed",
				rewriteResponse(readsFollows(), inList(noLast))),
			fault("connections-follows-repeat-who-follows-back", "a followed user who follows back is listed twice",
				answers(readsFollows(), func(q asked) {
					q.list(func(list []any) []any {
						for _, item := range list {
							if user, ok := item.(map[string]any); ok && q.lists("/0.2/user/followers", fieldText(user, "id")) {
								list = append(list, item)
							}
						}
						return list
					})
				}))),
		breaks("connections.lists.followers",
			fault("connections-followers-cut-short", "the first of more than two followers is not listed",
				rewriteResponse(readsFollowers(), inList(noFirst))),
			fault("connections-followers-answer-206", "the followers are answered with 206", rewriteResponse(readsFollowers(), status(206)))),
		breaks("connections.lists.friends",
			fault("connections-friends-cut-short", "the last of more than two friends is not listed", rewriteResponse(readsFriends(), inList(noLast))),
			fault("connections-friends-twice", "every friend is listed once for each side's connection",
				rewriteResponse(readsFriends(), inList(func(list []any) []any { return append(list, list...) })))),
		breaks("connections.lists.of-user",
			fault("connections-follows-of-reader", "the follows of any user are those of the one who asks", readersOwn(readsFollowsOf())),
			fault("connections-followers-of-reader", "the followers of any user are those of the one who asks", readersOwn(readsFollowersOf())),
			fault("connections-friends-of-reader", "the friends of any user are those of the one who asks", readersOwn(readsFriendsOf())),
			fault("connections-followers-of-user-are-follows", "the followers of any user are those whom it follows",
				rewriteRequest(readsFollowersOf(), func(r *http.Request) { r.URL.Path = strings.TrimSuffix(r.URL.Path, "ers") + "s" })),
			fault("connections-friends-of-user-cut-short", "the last of more than two friends of any user is not listed",
				rewriteResponse(readsFriendsOf(), inList(noLast))),
			fault("connections-friends-of-user-ids-rounded", "ids above 2^53 lose their last digits among the friends of any user, and there alone",
				combine(bigUserIDs, rewriteEach(readsFriendsOf(), rounded("id"))))),
		breaks("connections.lists.empty",
			fault("connections-no-followers-not-found", "followers that nobody is one of are not found", whereEmpty(readsFollowers(), 404, `{}`)),
			fault("connections-no-friends-object", "the empty list of any user's friends is an object", whereEmpty(readsFriendsOf(), 200, `{}`)),
			fault("connections-no-follows-no-content", "the empty list of any user's follows is answered with 204",
				whereEmpty(readsFollowsOf(), 204, ""))),
		breaks("connections.lists.unknown-user",
			fault("connections-follows-of-nobody", "the follows of an unknown user are an empty list",
				rewriteResponse(readsFollowsOf(), replaceStatus(404, 200, `[]`))),
			fault("connections-followers-of-nobody-forbidden", "the followers of an unknown user are answered with 403",
				rewriteResponse(readsFollowersOf(), replaceStatus(404, 403, `{}`))),
			fault("connections-friends-of-nobody", "the friends of an unknown user are an empty list",
				rewriteResponse(readsFriendsOf(), replaceStatus(404, 200, `[]`))),
			fault("connections-lists-of-deleted-empty", "the followers of a deleted user are an empty list",
				answersWhere(readsFollowersOf(), func(l look) bool { return l.other != 0 && l.ever(deleted, l.other, 0) }, onStatus(404, restated(200, "[]"))))),
	)
}

// noLast and noFirst leave somebody out of a list of more than two.
func noLast(list []any) []any {
	if len(list) > 2 {
		return list[:len(list)-1]
	}
	return list
}

func noFirst(list []any) []any {
	if len(list) > 2 {
		return list[1:]
	}
	return list
}

// readersOwn answers another user's list with the reader's own, if that user exists.
func readersOwn(m match) mutation {
	return answers(m, func(q asked) {
		if q.ok() {
			*q.response = *q.get("/0.2/user/" + q.last())
		}
	})
}

// oneWayLists are the faults of what a follow means for its other end.
func oneWayLists() []Fault {
	return breaks("connections.lists.one-way",
		fault("connections-follow-is-returned", "the follows of a user hold its followers too", breaking(list.addsThose(ofFollows, func(l look) []ID { return l.followersOf(l.me) }))).
			also("connections.lists.follows", "a list that holds a follower who is not followed is not exactly the users followed"),
		fault("connections-followers-hold-the-followed", "the followers of a user hold those whom it follows too",
			breaking(list.addsThose(ofFollowers, func(l look) []ID { return l.followsOf(l.me) }))).
			also("connections.lists.followers", "a list that holds a followed user who does not follow is not exactly the followers"),
		fault("connections-follower-is-a-friend", "the friends of a user hold its followers too", breaking(list.addsThose(ofFriends, func(l look) []ID { return l.followersOf(l.me) }))))
}

// listsAfterDeletion are the faults of lists that a deleted user was in.
func listsAfterDeletion() []Fault {
	return breaks("connections.lists.after-user-delete",
		fault("connections-deleted-stays-followed", "a deleted user stays among the follows of others",
			breaking(list.keeps(ofFollows, func(l look) bool { return slices.Contains(l.gone.followers, l.me) }))),
		fault("connections-deleted-stays-follower", "a deleted user stays among the followers of the last user that it followed",
			breaking(list.keeps(ofFollowers, func(l look) bool { n := len(l.gone.follows); return n > 0 && l.gone.follows[n-1] == l.me }))),
		fault("connections-deleted-stays-friend", "a deleted user stays among the friends of others", breaking(list.keeps(ofFriends, look.wasFriend))),
		fault("connections-deleted-returns-as-friend", "a deleted user is back among the friends of others a second later",
			breaking(list.keeps(ofFriends, to(look.wasFriend, aMomentAgo)))))
}

// listsOfOthers are the faults of lists that are right for the user whose they
// are, and outdated for others.
func listsOfOthers() []Fault {
	return slices.Concat(
		breaks("connections.delete.removes",
			fault("connections-ended-seen-in-follows", "who is no longer followed is among the follows that others see",
				outdated(disconnects(), "follows", "follows")),
			fault("connections-ended-seen-in-followers", "who no longer follows is among the followers that others see",
				outdated(disconnects(), "followers", "follows"))),
		breaks("connections.lists.after-user-delete",
			fault("connections-deleted-seen-in-follows", "a deleted user is among the follows that others see",
				outdated(deletesUser(), "follows", "followers")),
			fault("connections-deleted-seen-in-followers", "a deleted user is among the followers that others see",
				outdated(deletesUser(), "followers", "follows")),
			fault("connections-deleted-seen-in-friends", "a deleted user is among the friends that others see",
				outdated(deletesUser(), "friends", "friends"))),
	)
}

// outdated shows a user's list to others as it was before its latest removal. own,
// if it is another list, is the list of the user that made the change, and names
// whose lists these are; a new connection brings them up to date.
func outdated(change match, list, own string) mutation {
	before := &memory[[]byte]{} // by user
	return combine(
		intercept(change, func(next http.Handler, r *http.Request) *response {
			var affected []string
			inEach(func(user map[string]any) { affected = append(affected, fieldText(user, "id")) })(r, call(next, r, http.MethodGet, "/0.2/user/"+own, nil))
			if ended, is := strings.CutPrefix(r.URL.Path, "/0.2/user/connections/"); is {
				affected = []string{ended}
			}
			if list == own && list != "friends" {
				affected = []string{fieldText(ownRecord(next, r), "id")}
			}
			seen := map[string][]byte{}
			for _, id := range affected {
				seen[id] = call(next, r, http.MethodGet, "/0.2/users/"+id+"/"+list, nil).body
			}
			resp := record(next, r)
			for id, list := range seen {
				if resp.ok() {
					before.keep(id, list)
				}
			}
			return resp
		}),
		rewriteObject(connects(), func(connection map[string]any) {
			before.keep(fieldText(connection, "user_from_id"), nil)
			before.keep(fieldText(connection, "user_to_id"), nil)
		}),
		rewriteResponse(on("GET /0.2/users/{UserID}/"+list), func(r *http.Request, resp *response) {
			if was := before.get(userInPath(r)); len(was) > 0 && resp.ok() {
				resp.body = was
			}
		}),
	)
}
