package faults

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/socialfeed/conform/refserver"
)

// endpointConnectionsSocial are the faults of one list of users of several, that leaves
// some out or adds some, or that is written otherwise when it is empty; and of what
// connecting by social identifiers answers.
func endpointConnectionsSocial() []Fault {
	return slices.Concat(
		breaks("connections.lists.follows",
			fault("endpoint-follows-without-newcomers", "the own follows lack those who have never logged in",
				rewriteResponse(readsFollows(), inList(func(list []any) []any {
					return slices.DeleteFunc(list, func(each any) bool {
						user, _ := each.(map[string]any)
						at := fieldText(user, "last_login")
						return at == "" || strings.HasPrefix(at, "0000")
					})
				})))),
		breaks("connections.lists.followers",
			fault("endpoint-followers-created-an-hour-later", "the own followers are listed with a created_at that is an hour late",
				rewriteEach(readsFollowers(), mapText("created_at", func(text string) string {
					at, err := time.Parse(time.RFC3339Nano, text)
					if err != nil {
						return text
					}
					return at.Add(time.Hour).Format(time.RFC3339Nano)
				})))),
		breaks("connections.lists.of-user",
			fault("endpoint-friends-of-user-by-two-follows", "who follows any user and is followed by it is among its friends that others see",
				intercept(readsFriendsOf(), func(next http.Handler, r *http.Request) *response {
					resp := record(next, r)
					resp.list(func(friends []any) []any {
						of := strings.TrimSuffix(r.URL.Path, "friends")
						inEach(func(user map[string]any) {
							id := fieldText(user, "id")
							if lists(next, r, of+"followers", id) && !lists(next, r, of+"friends", id) {
								friends = append(friends, user)
							}
						})(r, call(next, r, http.MethodGet, of+"follows", nil))
						return friends
					})
					return resp
				})),
			fault("endpoint-own-list-by-id-empty", "who asks for the own follows by id sees none",
				intercept(readsFollowsOf(), func(next http.Handler, r *http.Request) *response {
					resp := record(next, r)
					if resp.ok() && fieldText(ownRecord(next, r), "id") == userInPath(r) {
						resp.body = []byte("[]")
					}
					return resp
				})),
			fault("endpoint-followers-of-user-without-reader", "who follows a user is not among the followers of that user in its own eyes",
				intercept(readsFollowersOf(), func(next http.Handler, r *http.Request) *response {
					resp := record(next, r)
					own := fieldText(ownRecord(next, r), "id")
					resp.list(func(list []any) []any {
						return slices.DeleteFunc(list, func(each any) bool {
							user, _ := each.(map[string]any)
							return fieldText(user, "id") == own
						})
					})
					return resp
				})),
			fault("endpoint-followers-of-user-numbered-by-follow", "another user's followers have the numbers of their follows for ids",
				numberedByFollow),
			fault("endpoint-followers-of-user-begin-with-the-user", "the followers of another user, where there are any, begin with that user",
				intercept(readsFollowersOf(), func(next http.Handler, r *http.Request) *response {
					resp := record(next, r)
					user := objectOf(call(next, r, http.MethodGet, "/0.2/users/"+userInPath(r), nil).body)
					if resp.ok() && !resp.empty() && user != nil {
						resp.list(func(list []any) []any { return append([]any{user}, list...) })
					}
					return resp
				})),
			fault("endpoint-follows-of-user-without-who-follows-back", "another user's follows lack those who follow that user",
				intercept(readsFollowsOf(), func(next http.Handler, r *http.Request) *response {
					resp, followers := record(next, r), "/0.2/users/"+userInPath(r)+"/followers"
					resp.list(func(follows []any) []any {
						return slices.DeleteFunc(follows, func(item any) bool {
							user, _ := item.(map[string]any)
							return lists(next, r, followers, fieldText(user, "id"))
						})
					})
					return resp
				})),
			fault("endpoint-friends-of-user-without-common-ones", "another user's friends lack those who are friends of the reader, too", commonFriendsApart),
			fault("endpoint-friends-of-user-without-the-reader", "who reads another user's friends is not among them",
				intercept(readsFriendsOf(), func(next http.Handler, r *http.Request) *response {
					resp := record(next, r)
					self := fieldText(ownRecord(next, r), "id")
					resp.list(func(users []any) []any {
						return slices.DeleteFunc(users, func(item any) bool {
							user, _ := item.(map[string]any)
							return fieldText(user, "id") == self
						})
					})
					return resp
				})),
			fault("endpoint-followers-of-others-leave-out-the-reader", "who reads the followers of a user whom it follows is not among them itself",
				intercept(readsFollowersOf(), func(next http.Handler, r *http.Request) *response {
					resp, own := record(next, r), fieldText(ownRecord(next, r), "id")
					resp.list(func(users []any) []any {
						return slices.DeleteFunc(users, func(user any) bool {
							follower, _ := user.(map[string]any)
							return fieldText(follower, "id") == own
						})
					})
					return resp
				}))),
		breaks("connections.lists.empty",
			fault("endpoint-no-own-follows-no-content", "the empty list of the own follows is answered with 204", whereEmpty(readsFollows(), 204, "")),
			fault("endpoint-no-own-friends-not-found", "friends that nobody is one of are not found", whereEmpty(readsFriends(), 404, "{}")),
			fault("endpoint-no-followers-of-user-object", "the empty list of any user's followers is an object", whereEmpty(readsFollowersOf(), 200, "{}")),
			fault("endpoint-no-friends-of-another-as-object", "where another user has no friends, the list of them is {}",
				whereEmpty(readsFriendsOf(), http.StatusOK, "{}")),
			fault("endpoint-user-without-friends-not-found", "the friends of a user who has none, as others ask for them, are answered with 404",
				whereEmpty(readsFriendsOf(), 404, complaint("no friends")))),
		breaks("social.unknown-ids",
			fault("endpoint-social-lists-unknown-ids", "the answer to a connecting by social identifiers lists those that nobody bears", unknownIDsListed)),
	)
}

// numberedByFollow has the rows of a join overwrite the ids of users by their own.
func numberedByFollow(o *refserver.Options) {
	numbers, count := &memory[int]{}, &memory[int]{} // by followed and follower
	rewriteResponse(readsFollowersOf(), func(r *http.Request, resp *response) {
		inEach(func(user map[string]any) {
			key := userInPath(r) + " " + fieldText(user, "id")
			if !numbers.has(key) {
				numbers.keep(key, 100_000+tally(count, ""))
			}
			user["id"] = numbers.get(key)
		})(r, resp)
	})(o)
}

// commonFriendsApart leaves out of other users' friends those whom the reader has, too, as a
// page does that shows them in a place of their own.
func commonFriendsApart(o *refserver.Options) {
	intercept(readsFriendsOf(), func(next http.Handler, r *http.Request) *response {
		resp := record(next, r)
		if fieldText(ownRecord(next, r), "id") == userInPath(r) {
			return resp
		}
		common := map[string]bool{}
		inEach(func(user map[string]any) { common[fieldText(user, "id")] = true })(r, call(next, r, http.MethodGet, "/0.2/user/friends", nil))
		resp.list(func(list []any) []any {
			return slices.DeleteFunc(list, func(item any) bool {
				user, _ := item.(map[string]any)
				return common[fieldText(user, "id")]
			})
		})
		return resp
	})(o)
}

// unknownIDsListed tells which identifiers have come with no create or update.
func unknownIDsListed(o *refserver.Options) {
	borne := &memory[bool]{} // by application, platform and identifier
	combine(
		rewriteResponse(createsUser().or(updatesUser()), func(r *http.Request, resp *response) {
			ids, _ := requestObject(r)["social_ids"].(map[string]any)
			for platform := range ids {
				if resp.ok() {
					borne.keep(appIn(r)+"\n"+platform+"\n"+fieldText(ids, platform), true)
				}
			}
		}),
		rewriteResponse(connectsSocially(), func(r *http.Request, resp *response) {
			sent := requestObject(r)
			ids, _ := sent["connection_ids"].([]any)
			unknown := slices.DeleteFunc(slices.Clone(ids), func(id any) bool {
				text, _ := id.(string)
				return borne.get(appIn(r) + "\n" + fieldText(sent, "platform") + "\n" + text)
			})
			if len(unknown) > 0 {
				resp.object(set("unknown_ids", unknown))
			}
		}),
	)(o)
}
