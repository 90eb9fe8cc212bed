package faults

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

func connections() []Fault {
	return slices.Concat(connectionAnswers(), connectionRefusals(), connectionTypes(),
		endedConnections(), connectionLists(), oneWayLists(), listsAfterDeletion(), listsOfOthers(), friendships())
}

// createsFollow and createsFriend pick the new connections of a type.
func createsFollow() match { return connects().and(sendsA("type", is("follow"))) }
func createsFriend() match { return connects().and(sendsA("type", is("friend"))) }

func is(wanted string) func(any) bool { return func(value any) bool { return value == wanted } }

// isUnknownType reports whether a value is a text, and no type of a connection.
func isUnknownType(value any) bool {
	return isA[string](value) && value != "follow" && value != "friend"
}

// connectionAnswers are the faults of what a new connection answers (Endpoints, row 9).
func connectionAnswers() []Fault {
	return slices.Concat(
		breaks("connections.create.follow",
			fault("connections-follow-answers-200", "a new follow answers 200", rewriteResponse(createsFollow(), status(200))),
			fault("connections-follow-ends-swapped", "a new follow is answered with its two ends swapped",
				rewriteObject(createsFollow(), func(c map[string]any) { c["user_from_id"], c["user_to_id"] = c["user_to_id"], c["user_from_id"] })),
			fault("connections-follow-without-updated-at", "a new follow is answered without updated_at",
				rewriteObject(createsFollow(), drop("updated_at"))),
			fault("connections-refollow-refused", "a user cannot be followed again",
				breaking(fails(toFollow, fmt.Errorf("a connection that was ended %w", store.ErrConflict), endedBefore))),
			fault("connections-follow-ids-rounded", "ids above 2^53 lose their last digits in a new follow, and there alone",
				combine(bigUserIDs, rewriteObject(createsFollow(), rounded("user_from_id")), rewriteObject(createsFollow(), rounded("user_to_id"))))),
		breaks("connections.create.friend",
			fault("connections-friend-disabled", "a new friend connection is not enabled before the other side confirms it",
				rewriteObject(createsFriend(), set("enabled", false))),
			fault("connections-friend-answers-202", "a friend connection is answered with 202, as if it were a request",
				rewriteResponse(createsFriend(), status(202))),
			fault("connections-friend-answers-follow", "a new friend connection is answered as a follow",
				combine(rewriteObject(createsFriend(), set("type", "follow")), rewriteObject(createsFriend(), drop("confirmed_at"))))),
	)
}

func bigUserIDs(o *refserver.Options) { o.Choices.UserIDs = refserver.BigIntegerIDs }

// rounded makes an id what a language writes that keeps 14 digits.
func rounded(field string) objectEdit {
	return mapField(field, func(id any) any {
		number, _ := id.(json.Number)
		value, err := number.Float64()
		if err != nil {
			return id
		}
		short, err := strconv.ParseFloat(strconv.FormatFloat(value, 'e', 13, 64), 64)
		if err != nil {
			return id
		}
		return int64(short)
	})
}

// connectionRefusals are the faults of connections that must be refused.
func connectionRefusals() []Fault {
	const madeUp = "2020-01-01T00:00:00Z"
	untargeted, mistyped := not(sends("user_to_id")), connects().and(sendsA("type", isUnknownType))
	return slices.Concat(
		breaks("connections.create.target-required",
			fault("connections-to-nobody-not-found", "a follow without user_to_id is answered with 404",
				rewriteResponse(createsFollow().and(untargeted), replaceStatus(422, 404, `{}`))),
			fault("connections-friend-with-nobody", "a friend connection without user_to_id is taken, and comes to nothing",
				rewriteResponse(createsFriend().and(untargeted), replaceStatus(422, 202, "")))),
		breaks("connections.create.unknown-target",
			fault("connections-to-unknown-user", "a connection to an id that no user has is answered as if it were made",
				rewriteResponse(connects(), func(r *http.Request, resp *response) {
					c := requestObject(r)
					replaceStatus(404, 201, string(encode(map[string]any{
						"user_from_id": c["user_to_id"], "user_to_id": c["user_to_id"], "type": c["type"], "enabled": true,
						"created_at": madeUp, "updated_at": madeUp,
					})))(r, resp)
				})),
			fault("connections-friend-with-unknown-user-conflicts", "a friend connection to an id that no user has is answered with 409",
				rewriteResponse(createsFriend(), replaceStatus(404, 409, `{}`)))),
		breaks("connections.create.type-invalid",
			fault("connections-any-type-follows", "a connection of an unknown type becomes a follow", rewriteBody(mistyped, set("type", "follow"))),
			fault("connections-type-by-prefix", "whatever begins with follow is taken for a follow",
				rewriteBody(connects(), mapText("type", func(typ string) string {
					if strings.HasPrefix(typ, "follow") {
						return "follow"
					}
					return typ
				}))),
			fault("connections-unknown-type-makes-follow", "a connection of an unknown type is refused, and is there as a follow anyway",
				refusedButDone(mistyped, inBody(set("type", "follow")))),
			fault("connections-unknown-type-makes-friend", "a connection of an unknown type is refused, and is there as a friend anyway",
				refusedButDone(mistyped, inBody(set("type", "friend"))))),
		breaks("connections.create.wrong-type",
			fault("connections-type-number-taken", "a number is taken for the type follow",
				rewriteBody(connects().and(sendsA("type", isA[json.Number])), set("type", "follow"))),
			fault("connections-type-list-taken", "of a list of types the first is taken", rewriteBody(connects(), mapField("type", firstOfList))),
			fault("connections-target-list-taken", "of a list of user ids the first is taken",
				rewriteBody(connects(), mapField("user_to_id", firstOfList))),
			fault("connections-target-object-not-found", "an object for a user_to_id is answered with 404",
				rewriteResponse(connects().and(sendsA("user_to_id", isA[map[string]any])), replaceStatus(422, 404, `{}`)))),
	)
}

// connectionTypes are the faults of the Connection as a resource, wherever it is sent.
func connectionTypes() []Fault {
	return slices.Concat(
		breaks("connections.types",
			fault("connections-times-as-numbers", "a connection's created_at is a number of seconds",
				rewriteObject(connects(), func(c map[string]any) { c["created_at"] = timeIn(c, "created_at").Unix() })),
			fault("connections-confirmed-at-boolean", "a friend connection's confirmed_at says true or false",
				rewriteObject(createsFriend(), set("confirmed_at", true))),
			fault("connections-standing-enabled-as-text", "when a connection is made again, the one that stands is answered with enabled as a text", remembering(func(before *memory[bool]) mutation {
				return rewriteResponse(connects(), func(_ *http.Request, resp *response) {
					if before.keep(strings.TrimSpace(string(resp.body)), true) { // that stands
						resp.object(set("enabled", "true"))
					}
				})
			}))),
		breaks("connections.confirmed-at",
			fault("connections-follow-confirmed", "a follow has a confirmed_at, the time of its creation",
				rewriteObject(createsFollow(), copied("confirmed_at", "created_at"))),
			fault("connections-follow-confirmed-by-zero", "a follow has the zero time as its confirmed_at",
				rewriteObject(createsFollow(), set("confirmed_at", "0001-01-01T00:00:00Z"))),
			fault("connections-follow-back-confirmed", "who follows a follower back gets a follow with a confirmed_at",
				answers(createsFollow(), func(q asked) {
					if q.lists("/0.2/user/followers", q.target()) {
						q.object(copied("confirmed_at", "created_at"))
					}
				}))),
	)
}

// aMoment is how long something seems to be gone that comes back.
const aMoment = time.Second

// endedConnections are the faults of ending a connection (Endpoints, row 10).
func endedConnections() []Fault {
	return slices.Concat(
		breaks("connections.delete.status",
			fault("connections-end-answers-200", "the end of a connection is answered with 200",
				rewriteResponse(disconnects(), replaceSuccess(200, `{}`))),
			fault("connections-end-of-friendship-answers-200", "the end of a friendship is answered with 200",
				knowing(disconnects(), isFriend, func(q asked, friend bool) {
					if friend {
						replaceSuccess(200, `{}`)(q.Request, q.response)
					}
				}))),
		breaks("connections.delete.removes",
			fault("connections-ended-stays-in-followers", "who ends a follow stays among the followers of the other",
				breaking(list.keepsEnded(ofFollowers, ended, theyEnded))),
			fault("connections-ended-returns-to-follows", "who is no longer followed is back among the follows a second later",
				breaking(list.keepsEnded(ofFollows, ended, to(iEnded, aMomentAgo)))),
			fault("connections-end-takes-the-next", "the end of a follow also ends that of the followed user who comes next",
				breaking(ending(func(l look, err error) error {
					for _, next := range l.followsOf(l.me) {
						if err == nil && next > l.other {
							return l.store.Disconnect(l.app, l.me, next, store.Follow)
						}
					}
					return err
				}))),
			fault("connections-end-does-nothing", "the end of a connection is answered as if it were, and the connection stays",
				breaking(fails(toEnd, nil, func(l look) bool { return l.follows() || l.befriends() }))),
			fault("connections-end-leaves-friendship", "the end of a friendship is answered as if it were, and both stay friends",
				breaking(around(toEnd, func(l *step) error {
					l.types = []store.ConnectionType{store.Follow}
					err := l.do()
					if errors.Is(err, store.ErrNotFound) && l.befriends() {
						return nil
					}
					return err
				})))),
		breaks("connections.delete.unknown",
			fault("connections-end-of-none-answers-200", "the end of a connection that does not exist is answered with 200",
				rewriteResponse(disconnects(), replaceStatus(404, 200, `{}`)))),
		breaks("connections.delete.only-own",
			fault("connections-ended-by-the-followed", "a followed user can end the follower's follow", endedByTheFollowed(func(_, back error) error { return back })),
			fault("connections-ended-by-the-followed-unsaid", "a followed user gets a 404 for ending the connection, and the follower's follow is gone",
				endedByTheFollowed(func(err, back error) error { return errors.Join(err, back) })),
			fault("connections-ended-both-ways-by-the-older", "of two users who follow each other, the one who was created first ends both follows",
				endsFollowBack(func(l look) bool { return l.me < l.other })),
			fault("connections-ended-both-ways", "of two users who follow each other, one ends both follows", endsFollowBack(always))),
	)
}

// endedByTheFollowed ends the other user's connection if one has none of one's own; said is made of the results of both ends.
func endedByTheFollowed(said func(err, back error) error) mutation {
	return breaking(ending(func(l look, err error) error {
		if !errors.Is(err, store.ErrNotFound) {
			return err
		}
		return said(err, l.store.Disconnect(l.app, l.other, l.me, store.Follow, store.Friend))
	}))
}

// endsFollowBack ends the other's follow, too.
func endsFollowBack(where when) mutation {
	return breaking(ending(func(l look, err error) error {
		if err == nil && where(l) {
			_ = l.store.Disconnect(l.app, l.other, l.me, store.Follow) // there may be none
		}
		return err
	}))
}

// friendships are the faults of friend connections that both sides make.
func friendships() []Fault {
	return breaks("connections.friends.mutual",
		fault("connections-friend-only-of-who-asked", "of two friends only the one who asked first lists the other", breaking(list.lacks(ofFriends, look.wasAsked))),
		fault("connections-friend-back-refused", "to ask a friend back is refused as a wrong parameter",
			knowing(createsFriend(), isFriend, func(q asked, friend bool) {
				if friend {
					replaceSuccess(422, `{}`)(q.Request, q.response)
				}
			})))
}

// isFriend reports whether the request's subject is a friend.
func isFriend(q asked) bool { return q.lists("/0.2/user/friends", q.target()) }

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

func social() []Fault {
	return slices.Concat(socialAnswers(), socialConnections())
}

// socialAnswers are the faults of what is answered and what is refused (Endpoints, row 17).
func socialAnswers() []Fault {
	mistyped := connectsSocially().and(sendsA("type", isUnknownType))
	defaulted := func(field string, value any) mutation {
		return rewriteBody(connectsSocially().and(not(sends(field))), set(field, value))
	}
	return slices.Concat(
		breaks("social.status",
			fault("social-answers-200", "connecting by social identifiers answers 200", rewriteResponse(connectsSocially(), status(200))),
			fault("social-answers-a-count", "the answer tells how many were connected", rewriteObject(connectsSocially(), set("connected", 1)))),
		breaks("social.type-invalid",
			fault("social-unknown-type-taken", "an unknown type is taken for follow", rewriteBody(mistyped, set("type", "follow"))),
			fault("social-unknown-type-not-found", "an unknown type is answered with 404", rewriteResponse(mistyped, replaceStatus(422, 404, `{}`)))),
		breaks("social.wrong-type",
			fault("social-ids-text-taken", "a text is taken for a list of one identifier",
				rewriteBody(connectsSocially(), mapField("connection_ids", func(v any) any {
					if isA[string](v) {
						return []any{v}
					}
					return v
				}))),
			fault("social-platform-number-taken", "a number is taken for a platform", rewriteBody(connectsSocially(), textOf("platform"))),
			fault("social-own-id-of-any-type", "platform_user_id, which nothing is done with, may be of any type",
				rewriteBody(connectsSocially().and(sends("platform_user_id")), set("platform_user_id", "anything")))),
		breaks("social.required",
			fault("social-platform-optional", "platform may be missing", defaulted("platform", "facebook")),
			fault("social-type-optional", "type may be missing", defaulted("type", "follow")),
			fault("social-own-id-optional", "platform_user_id may be missing", defaulted("platform_user_id", "anything")),
			fault("social-ids-optional", "connection_ids may be missing", defaulted("connection_ids", []any{}))),
	)
}

// socialConnections are the faults of who becomes connected.
func socialConnections() []Fault {
	connecting := func(connect func(c contacts) error) mutation {
		return breaking(socially(func(c contacts, _ func([]string) error) error { return connect(c) }))
	}
	return slices.Concat(
		breaks("social.connects",
			fault("social-connects-nobody", "nobody is connected", connecting(func(contacts) error { return nil })),
			fault("social-connects-the-first", "only the first identifier is looked up",
				breaking(asksFor(func(c contacts) []string { return c.ids[:min(1, len(c.ids))] }))),
			fault("social-connects-across-platforms", "the platform is not looked at",
				connecting(func(c contacts) error {
					return eachBearer(c.store, c.app, "", c.ids, func(bearer ID) error { return c.connect(c.typ, User{ID: bearer}) })
				})),
			fault("social-connects-backwards", "the users found follow the one who looked for them",
				connecting(func(c contacts) error {
					return eachBearer(c.store, c.app, c.platform, c.ids, func(bearer ID) error {
						_, _, err := c.store.Connect(c.app, bearer, c.me, c.typ)
						return err
					})
				})),
			fault("social-friend-becomes-follow", "whatever the type, the users are followed",
				connecting(func(c contacts) error { return c.store.ConnectSocial(c.app, c.me, c.platform, c.ids, store.Follow) })),
			fault("social-follows-without-feed", "the events of users who are followed by social identifiers are in no feed", breaking(hides(look.socially)))),
		breaks("connections.lists.follows",
			fault("social-follows-unlisted", "who was followed by social identifiers is not among the follows", breaking(list.lacks(ofFollows, look.socially)))),
		breaks("connections.lists.followers",
			fault("social-follows-unlisted-as-followers", "who follows by social identifiers is not among the followers",
				breaking(list.lacks(ofFollowers, func(l look) bool { return l.back().socially() })))),
		breaks("social.unknown-ids",
			fault("social-unknown-ids-not-found", "if no user has any of the identifiers, the answer is 404",
				breaking(socially(func(c contacts, proceed func([]string) error) error {
					if len(c.bearersOf(c.ids...)) == 0 {
						return store.ErrNotFound
					}
					return proceed(c.ids)
				}))),
			fault("social-one-unknown-id-conflicts", "if no user has one of the identifiers, the answer is 409",
				breaking(socially(func(c contacts, proceed func([]string) error) error {
					if slices.ContainsFunc(c.ids, func(id string) bool { return len(c.bearersOf(id)) == 0 }) {
						return store.ErrConflict
					}
					return proceed(c.ids)
				})))),
	)
}

// eachBearer visits the users with one of the identifiers on a platform, or on any.
func eachBearer(inner refserver.Store, app store.App, platform string, ids []string, visit func(store.ID) error) error {
	all, err := inner.Search(app, "")
	if err != nil {
		return err
	}
	for _, user := range all {
		for network, id := range user.SocialIDs {
			if (platform == "" || platform == network) && slices.Contains(ids, id) {
				if err := visit(user.ID); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
