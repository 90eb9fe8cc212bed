package faults

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
)

// blindBodies are the faults of bad bodies that are taken.
func blindBodies() []Fault {
	return slices.Concat(
		breaks("users.create.malformed-json",
			fault("input-user-text-behind-object-taken", "what stands behind the object in the body of a create is not read",
				rewriteRequest(createsUser(), func(r *http.Request) {
					var first json.RawMessage
					body := peekBody(r)
					if json.NewDecoder(bytes.NewReader(body)).Decode(&first) == nil && !json.Valid(body) {
						setBody(r, first)
					}
				}))),
		breaks("users.create.not-an-object",
			fault("input-double-encoded-user-taken", "a text is taken for a new user that is the JSON of one",
				rewriteRequest(createsUser(), func(r *http.Request) {
					if text, is := decode(peekBody(r)).(string); is && objectOf([]byte(text)) != nil {
						setBody(r, []byte(text))
					}
				}))),
		breaks("users.create.user-name-required",
			fault("input-wrapped-user-taken", "the fields of a new user without a user name are looked for in a field called user",
				rewriteBody(createsUser().and(not(sends("user_name"))), func(body map[string]any) {
					if inner, is := body["user"].(map[string]any); is {
						maps.Copy(body, inner)
					}
				}))),
		breaks("users.me.update.wrong-type",
			fault("input-update-activated-list-is-true", "an update takes a list for activated, which is true then",
				rewriteBody(updatesUser().and(sendsA("activated", isA[[]any])), set("activated", "true")))),
		breaks("limits.metadata.strings-only",
			fault("input-user-metadata-map-flattened", "maps of texts in a new user's metadata become entries whose keys have a dot",
				mended(createsUser(), flattenMaps))),
		breaks("limits.metadata.keys",
			fault("input-refused-keys-change-the-rest", "a change of an event with more than 10 keys of metadata is refused, and its other fields are changed",
				refusedButDone(updatesEvent().and(func(r *http.Request) bool { return len(metadataIn(r)) > 10 }), inBody(drop("metadata"))))),
	)
}

// flattenMaps puts the texts in maps beside them, with both keys.
func flattenMaps(metadata map[string]any) {
	for key, value := range maps.Clone(metadata) {
		inner, is := value.(map[string]any)
		if !is || slices.ContainsFunc(slices.Collect(maps.Values(inner)), isNo[string]) {
			continue
		}
		delete(metadata, key)
		for name, text := range inner {
			metadata[key+"."+name] = text
		}
	}
}

// blindReferences are the faults of bad names, passwords and ids, and of odd queries.
func blindReferences() []Fault {
	unnamed := logsIn().and(not(sends("user_name"))).and(not(sends("email")))
	isOperator := func(value any) bool {
		object, _ := value.(map[string]any)
		return slices.ContainsFunc(slices.Collect(maps.Keys(object)), func(key string) bool { return strings.HasPrefix(key, "$") })
	}
	return slices.Concat(
		breaks("sessions.login.wrong-password",
			fault("input-login-operator-for-password-taken", "an object with a query operator, such as $ne, is taken for the right password",
				knowingPasswords(func(known *passwords) mutation {
					return rewriteBody(logsIn().and(sendsA("password", isOperator)), func(login map[string]any) {
						if right, exists := known.by(login); exists {
							login["password"] = right
						}
					})
				}))),
		breaks("errors.no-secret-echo",
			fault("input-login-without-name-repeats-password", "the 422 of a login with neither user name nor email repeats its body, password and all",
				rewriteResponse(unnamed, onStatus(422, func(r *http.Request, resp *response) {
					resp.become(422, complaint("user_name or email is required in "+string(peekBody(r))))
				})))),
		breaks("connections.create.unknown-target",
			fault("input-sign-before-target-dropped", "a sign before the digits of a user_to_id is passed over",
				rewriteBody(connects(), mapField("user_to_id", func(value any) any {
					digits, signed := strings.CutPrefix(fieldText(map[string]any{"": value}, ""), "-")
					if signed && isDigits(digits) {
						return digits
					}
					return value
				})))),
		breaks("connections.lists.unknown-user",
			fault("input-user-zero-is-the-reader", "the lists of a user 0 are those of the one who asks",
				rewriteRequest(readsFollowsOf().or(readsFollowersOf()).or(readsFriendsOf()), func(r *http.Request) {
					if userInPath(r) == "0" {
						r.URL.Path, r.URL.RawPath = "/0.2/user/"+lastSegment(r), ""
					}
				}))),
		breaks("errors.no-5xx",
			fault("input-query-given-twice-fails", "a search with two terms in two parameters fails with 500",
				respond(searches().and(func(r *http.Request) bool { return len(r.URL.Query()["q"]) > 1 }), 500, complaint("internal server error")))),
	)
}
