package faults

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// inputConnections are the faults of bad connections that are taken, or refused in another
// way than they should be.
func inputConnections() []Fault {
	return slices.Concat(
		breaks("connections.create.target-required",
			fault("input-target-null-not-found", "null for a user_to_id is answered with 404",
				rewriteResponse(connects().and(sendsA("user_to_id", isNull)), replaceStatus(422, 404, "{}")))),
		breaks("connections.create.unknown-target",
			fault("input-sign-before-target-dropped", "a sign before the digits of a user_to_id is passed over",
				rewriteBody(connects(), mapField("user_to_id", func(value any) any {
					digits, signed := strings.CutPrefix(fieldText(map[string]any{"": value}, ""), "-")
					if signed && isDigits(digits) {
						return digits
					}
					return value
				})))),
		breaks("connections.create.type-invalid",
			fault("input-plural-type-taken", "the type friends is taken for friend", rewriteBody(connects().and(sendsA("type", is("friends"))), set("type", "friend"))),
			fault("input-list-of-types-in-text-taken", "of types in one text, with a comma between them, the first is taken",
				rewriteBody(connects(), mapText("type", cutAt(func(r rune) bool { return r == ',' })))),
			fault("input-type-by-its-number-taken", "the texts 1 and 2 are taken for the types of a connection, as a database numbers them",
				rewriteBody(connects(), mapText("type", func(typ string) string { return exactly("1", "friend")(exactly("2", "follow")(typ)) }))),
			fault("input-type-between-blanks-taken", "the type of a connection may have blanks around it",
				rewriteBody(connects(), mapText("type", strings.TrimSpace)))),
		breaks("connections.create.wrong-type",
			fault("input-target-in-object-taken", "an object with an id is taken for a user_to_id",
				rewriteBody(connects(), mapField("user_to_id", func(value any) any {
					if object, ok := value.(map[string]any); ok && object["id"] != nil {
						return object["id"]
					}
					return value
				}))),
			fault("input-type-in-object-taken", "an object with a name is taken for the type of a connection",
				rewriteBody(connects(), mapField("type", func(value any) any {
					if object, ok := value.(map[string]any); ok && object["name"] != nil {
						return object["name"]
					}
					return value
				}))),
			fault("input-target-true-not-found", "true for a user_to_id is answered with 404",
				rewriteResponse(connects().and(sendsA("user_to_id", isA[bool])), replaceStatus(422, 404, "{}"))),
			fault("input-target-with-fraction-cut", "of a user_to_id with a fraction the whole part is taken",
				rewriteBody(connects(), mapField("user_to_id", wholePart))),
			fault("input-connection-type-by-ordinal", "a connection is accepted with a number for its type: 0 is follow and 1 is friend",
				rewriteBody(connects(), mapField("type", func(value any) any {
					switch value {
					case json.Number("0"):
						return "follow"
					case json.Number("1"):
						return "friend"
					}
					return value
				})))),
		breaks("connections.lists.unknown-user",
			fault("input-user-zero-is-the-reader", "the lists of a user 0 are those of the one who asks",
				rewriteRequest(readsFollowsOf().or(readsFollowersOf()).or(readsFriendsOf()), func(r *http.Request) {
					if userInPath(r) == "0" {
						r.URL.Path, r.URL.RawPath = "/0.2/user/"+lastSegment(r), ""
					}
				})),
			fault("input-follows-of-no-number-are-ones-own", "the follows of an id that cannot be parsed, or is 0, are those of the session's user",
				rewriteRequest(readsFollowsOf(), func(r *http.Request) {
					if id, err := strconv.ParseUint(userInPath(r), 10, 64); err != nil || id == 0 {
						r.URL.Path, r.URL.RawPath = "/0.2/user/follows", ""
					}
				}))),
	)
}

// wholePart cuts a fraction off a number, and off a text that is one.
func wholePart(value any) any {
	text, _ := numberAsText(value).(string)
	whole, fraction, has := strings.Cut(text, ".")
	if !has || !isDigits(whole) || !isDigits(fraction) {
		return value
	}
	return json.Number(whole)
}
