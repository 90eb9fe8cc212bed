package faults

import (
	"net/http"
	"slices"
	"strings"

	"github.com/socialfeed/conform/refserver"
)

// connectionLists are the faults of the lists of users (Endpoints, rows 11 to 16).
func connectionLists() []Fault {
	return slices.Concat(
		breaks("connections.lists.follows",
			fault("connections-follows-cut-short", "the last of more than two followed users is not listed",
				rewriteResponse(readsFollows(), inList(noLast))),
			fault("connections-follows-repeat-who-follows-back", "a followed user who follows back is listed twice",
				intercept(readsFollows(), func(next http.Handler, r *http.Request) *response {
					resp := record(next, r)
					resp.list(func(list []any) []any {
						for _, item := range list {
							if user, ok := item.(map[string]any); ok && lists(next, r, "/0.2/user/followers", fieldText(user, "id")) {
								list = append(list, item)
							}
						}
						return list
					})
					return resp
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
			fault("connections-lists-of-deleted-empty", "the followers of a deleted user are an empty list", listsOfDeletedEmpty)),
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
	return intercept(m, func(next http.Handler, r *http.Request) *response {
		if resp := record(next, r); !resp.ok() {
			return resp
		}
		r.URL.Path = "/0.2/user/" + lastSegment(r)
		return record(next, r)
	})
}

func listsOfDeletedEmpty(o *refserver.Options) {
	deleted := &memory[bool]{} // by id
	combine(
		intercept(deletesUser(), func(next http.Handler, r *http.Request) *response {
			me := ownRecord(next, r)
			resp := record(next, r)
			if resp.ok() {
				deleted.keep(fieldText(me, "id"), true)
			}
			return resp
		}),
		rewriteResponse(readsFollowersOf(), onStatus(404, func(r *http.Request, resp *response) {
			if deleted.get(userInPath(r)) {
				resp.status, resp.body = 200, []byte("[]")
			}
		})),
	)(o)
}

// oneWayLists are the faults of what a follow means for its other end.
func oneWayLists() []Fault {
	return breaks("connections.lists.one-way",
		fault("connections-follow-is-returned", "the follows of a user hold its followers too",
			overrideStore(func(inner refserver.Store, s *overrides) { extend(&s.follows, inner.Followers) })).
			also("connections.lists.follows", "a list that holds a follower who is not followed is not exactly the users followed"),
		fault("connections-followers-hold-the-followed", "the followers of a user hold those whom it follows too",
			overrideStore(func(inner refserver.Store, s *overrides) { extend(&s.followers, inner.Follows) })).
			also("connections.lists.followers", "a list that holds a followed user who does not follow is not exactly the followers"),
		fault("connections-follower-is-a-friend", "the friends of a user hold its followers too",
			overrideStore(func(inner refserver.Store, s *overrides) { extend(&s.friends, inner.Followers) })))
}
