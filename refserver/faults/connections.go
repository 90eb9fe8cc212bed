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
