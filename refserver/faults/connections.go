package faults

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/socialfeed/conform/refserver"
)

func connections() []Fault {
	return slices.Concat(connectionAnswers(), connectionRefusals(), connectionTypes(),
		endedConnections(), connectionLists(), oneWayLists(), listsAfterDeletion(), listsOfOthers(), friendships())
}

func connects() match { return on("POST /0.2/user/connections") }

// ofType picks the requests whose body names the type of a connection.
func ofType(kind string) match {
	return func(r *http.Request) bool { return sent(r)["type"] == kind }
}

// instead answers with another status and body where the server answered with
// the first status.
func instead(of, status int, body string) func(*http.Request, *response) {
	return func(r *http.Request, resp *response) {
		if resp.status == of {
			resp.status = http.StatusOK
			answers(status, body)(r, resp)
		}
	}
}

// connectionAnswers are the faults of what a new connection answers (Endpoints, row 9).
func connectionAnswers() []Fault {
	follow, friend := connects().and(ofType("follow")), connects().and(ofType("friend"))
	return []Fault{
		{
			Name: "connections-follow-answers-200", Rule: "connections.create.follow",
			Summary: "a new follow answers 200",
			Apply:   edit(follow, func(_ *http.Request, resp *response) { resp.restatus(http.StatusOK) }),
		},
		{
			Name: "connections-follow-ends-swapped", Rule: "connections.create.follow",
			Summary: "a new follow is answered with its two ends swapped",
			Apply: edit(follow, inObject(func(c map[string]any) {
				c["user_from_id"], c["user_to_id"] = c["user_to_id"], c["user_from_id"]
			})),
		},
		{
			Name: "connections-follow-without-updated-at", Rule: "connections.create.follow",
			Summary: "a new follow is answered without updated_at",
			Apply:   edit(follow, inObject(drop("updated_at"))),
		},
		{
			Name: "connections-follow-ids-rounded", Rule: "connections.create.follow",
			Summary: "ids above 2^53 lose their last digits in a new follow, and there alone",
			Apply: both(bigUserIDs, edit(follow, inObject(func(c map[string]any) {
				c["user_from_id"], c["user_to_id"] = rounded(c["user_from_id"]), rounded(c["user_to_id"])
			}))),
		},
		{
			Name: "connections-friend-disabled", Rule: "connections.create.friend",
			Summary: "a new friend connection is not enabled before the other side confirms it",
			Apply:   edit(friend, inObject(set("enabled", false))),
		},
		{
			Name: "connections-friend-answers-202", Rule: "connections.create.friend",
			Summary: "a friend connection is answered with 202, as if it were a request",
			Apply:   edit(friend, func(_ *http.Request, resp *response) { resp.restatus(http.StatusAccepted) }),
		},
		{
			Name: "connections-friend-answers-follow", Rule: "connections.create.friend",
			Summary: "a new friend connection is answered as a follow",
			Apply: edit(friend, inObject(func(c map[string]any) {
				c["type"] = "follow"
				delete(c, "confirmed_at")
			})),
		},
	}
}

func bigUserIDs(o *refserver.Options) { o.Choices.UserIDs = refserver.BigIntegerIDs }

// rounded is an integer as a language writes it that keeps 14 digits.
func rounded(id any) any {
	number, ok := id.(interface{ Float64() (float64, error) })
	if !ok {
		return id
	}
	value, err := number.Float64()
	if err != nil {
		return id
	}
	short, err := strconv.ParseFloat(strconv.FormatFloat(value, 'e', 13, 64), 64)
	if err != nil {
		return id
	}
	return int64(short)
}

// connectionRefusals are the faults of connections that must be refused.
func connectionRefusals() []Fault {
	untargeted := connects().and(not(sends("user_to_id")))
	unknownType := func(r *http.Request) bool {
		kind, text := sent(r)["type"].(string)
		return text && kind != "follow" && kind != "friend"
	}
	misread := func(field string, read func(any) any) func(*refserver.Options) {
		return tamper(connects().and(sends(field)), resent(func(c map[string]any) { c[field] = read(c[field]) }))
	}
	return []Fault{
		{
			Name: "connections-to-nobody-not-found", Rule: "connections.create.target-required",
			Summary: "a follow without user_to_id is answered with 404",
			Apply:   edit(untargeted.and(ofType("follow")), instead(422, 404, `{}`)),
		},
		{
			Name: "connections-friend-with-nobody", Rule: "connections.create.target-required",
			Summary: "a friend connection without user_to_id is taken, and comes to nothing",
			Apply:   edit(untargeted.and(ofType("friend")), instead(422, 202, "")),
		},
		{
			Name: "connections-to-unknown-user", Rule: "connections.create.unknown-target",
			Summary: "a connection to an id that no user has is answered as if it were made",
			Apply: edit(connects(), func(r *http.Request, resp *response) {
				c := sent(r)
				made := encode(map[string]any{
					"user_from_id": c["user_to_id"], "user_to_id": c["user_to_id"], "type": c["type"], "enabled": true,
					"created_at": "2020-01-01T00:00:00Z", "updated_at": "2020-01-01T00:00:00Z",
				})
				instead(404, 201, string(made))(r, resp)
			}),
		},
		{
			Name: "connections-friend-with-unknown-user-conflicts", Rule: "connections.create.unknown-target",
			Summary: "a friend connection to an id that no user has is answered with 409",
			Apply:   edit(connects().and(ofType("friend")), instead(404, 409, `{}`)),
		},
		{
			Name: "connections-any-type-follows", Rule: "connections.create.type-invalid",
			Summary: "a connection of an unknown type becomes a follow",
			Apply:   tamper(connects().and(unknownType), resent(set("type", "follow"))),
		},
		{
			Name: "connections-type-by-prefix", Rule: "connections.create.type-invalid",
			Summary: "whatever begins with follow is taken for a follow",
			Apply: misread("type", func(v any) any {
				if kind, text := v.(string); text && strings.HasPrefix(kind, "follow") {
					return "follow"
				}
				return v
			}),
		},
		refusedButMade("follow", unknownType), refusedButMade("friend", unknownType),
		{
			Name: "connections-type-number-taken", Rule: "connections.create.wrong-type",
			Summary: "a number is taken for the type follow",
			Apply: misread("type", func(v any) any {
				if _, number := v.(interface{ Int64() (int64, error) }); number {
					return "follow"
				}
				return v
			}),
		},
		{
			Name: "connections-type-list-taken", Rule: "connections.create.wrong-type",
			Summary: "of a list of types the first is taken",
			Apply:   misread("type", firstOfList),
		},
		{
			Name: "connections-target-list-taken", Rule: "connections.create.wrong-type",
			Summary: "of a list of user ids the first is taken",
			Apply:   misread("user_to_id", firstOfList),
		},
		{
			Name: "connections-target-object-not-found", Rule: "connections.create.wrong-type",
			Summary: "an object for a user_to_id is answered with 404",
			Apply: edit(connects().and(func(r *http.Request) bool {
				_, object := sent(r)["user_to_id"].(map[string]any)
				return object
			}), instead(422, 404, `{}`)),
		},
	}
}

func firstOfList(value any) any {
	if list, ok := value.([]any); ok && len(list) > 0 {
		return list[0]
	}
	return value
}

func refusedButMade(kind string, unknownType match) Fault {
	return Fault{
		Name: "connections-unknown-type-makes-" + kind, Rule: "connections.create.type-invalid",
		Summary: "a connection of an unknown type is refused, and is there as a " + kind + " all the same",
		Apply: around(connects().and(unknownType), func(next http.Handler, r *http.Request) *response {
			resp := record(next, r)
			if resp.status == http.StatusUnprocessableEntity {
				c := sent(r)
				c["type"] = kind
				call(next, r, http.MethodPost, r.URL.Path, c)
			}
			return resp
		}),
	}
}
