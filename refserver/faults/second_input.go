package faults

import (
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strings"
)

// isEmptyList reports whether a value is a list without items: what some
// languages write for an empty map.
func isEmptyList(value any) bool {
	list, ok := value.([]any)
	return ok && len(list) == 0
}

// joined makes a text of a list.
func joined(value any) any {
	list, ok := value.([]any)
	if !ok {
		return value
	}
	var parts []string
	for _, item := range list {
		if text, ok := numberAsText(item).(string); ok {
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, ",")
}

func boolAsNumber(value any) any {
	if flag, ok := value.(bool); ok {
		return map[bool]int{true: 1}[flag]
	}
	return value
}

// eachItem changes the values in a list or a map.
func eachItem(change func(any) any) func(any) any {
	return func(value any) any {
		switch items := value.(type) {
		case []any:
			for i, item := range items {
				items[i] = change(item)
			}
		case map[string]any:
			for key, item := range items {
				items[key] = change(item)
			}
		}
		return value
	}
}

func isNull(value any) bool { return value == nil }

// userInput are the faults of bad users that are taken.
func userInput() []Fault {
	creating := func(change objectEdit) mutation { return rewriteBody(createsUser(), change) }
	updating := func(change objectEdit) mutation { return rewriteBody(updatesUser(), change) }
	return slices.Concat(
		breaks("users.create.wrong-type",
			fault("input-user-first-name-list-joined", "a list is taken for a new user's first name, joined by commas", creating(mapField("first_name", joined))),
			fault("input-user-empty-metadata-list-taken", "an empty list is taken for a new user's metadata", creating(ignoring("metadata", isEmptyList))),
			fault("input-user-social-id-number-taken", "numbers are taken for a new user's social ids", creating(mapField("social_ids", eachItem(numberAsText)))),
			fault("input-user-empty-email-object-ignored", "an object without fields is passed over where a new user's email should be",
				creating(ignoring("email", func(value any) bool { object, ok := value.(map[string]any); return ok && len(object) == 0 }))),
			fault("input-user-password-boolean-taken", "a boolean is taken for a new user's password", creating(mapField("password", boolAsText)))),
		breaks("users.create.user-name-required",
			fault("input-user-name-null-taken", "a new user's name may be null",
				rewriteBody(createsUser().and(sendsA("user_name", isNull)), set("user_name", "null")))),
		breaks("users.create.malformed-json",
			fault("input-user-trailing-comma-taken", "a comma may stand behind the last field of a new user", mendJSON(createsUser(), trailingComma, "}")),
			fault("input-user-without-quotes-taken", "the names of a new user's fields need no quotes", mendJSON(createsUser(), unquotedKey, `$1"$2":`))),
		breaks("users.create.not-an-object",
			fault("input-user-empty-list-answers-409", "a create whose body is an empty list is answered with 409",
				rewriteResponse(createsUser().and(func(r *http.Request) bool { return isEmptyList(decode(peekBody(r))) }), replaceStatus(400, 409, "{}"))),
			fault("input-user-true-answers-404", "a create whose body is true is answered with 404",
				rewriteResponse(createsUser().and(func(r *http.Request) bool { return decode(peekBody(r)) == true }), replaceStatus(400, 404, "{}")))),
		breaks("users.me.update.user-name-required",
			fault("input-update-name-null-keeps-it", "an update with null for a user name keeps the one that stands",
				intercept(updatesUser().and(sendsA("user_name", isNull)), func(next http.Handler, r *http.Request) *response {
					if own := ownName(next, r); own != "" {
						inBody(set("user_name", own))(r)
					}
					return record(next, r)
				}))),
		breaks("users.me.update.wrong-type",
			fault("input-update-password-number-taken", "an update takes a number for a password", updating(textOf("password"))),
			fault("input-update-social-ids-text-ignored", "an update passes over social_ids that are a text", updating(ignoring("social_ids", isA[string]))),
			fault("input-update-empty-url-list-ignored", "an update passes over a url that is an empty list", updating(ignoring("url", isEmptyList))),
			fault("input-update-custom-id-false-ignored", "an update passes over a custom_id that is false",
				updating(ignoring("custom_id", func(value any) bool { return value == false })))),
		breaks("sessions.login.password-required",
			fault("input-login-null-password-taken", "a login by user name needs no password where that is null",
				misled(logsInByName().and(sendsA("password", isNull)), func(_, given string) bool { return given == "" }))),
		breaks("sessions.login.identifier-required",
			fault("input-login-null-names-conflict", "a login with null for user name and email is answered with 409",
				rewriteResponse(logsIn().and(sendsA("user_name", isNull)).and(sendsA("email", isNull)), replaceStatus(422, 409, "{}")))),
		breaks("sessions.login.brief",
			fault("input-details-false-gives-details", "a login with withUserDetails=false answers the full user",
				rewriteRequest(logsIn().and(hasQuery("withUserDetails", "false")), func(r *http.Request) { r.URL.RawQuery = "withUserDetails=true" }))),
	)
}

// The JSON of lenient parsers.
const (
	trailingComma = `,\s*}\s*$`
	unquotedKey   = `([{,]\s*)([a-z_]+):`
	singleQuoted  = `'([^']*)'`
	notANumber    = `\bNaN\b`
)

// mendJSON changes what a pattern finds in bodies that are no JSON.
func mendJSON(m match, pattern, replacement string) mutation {
	found := regexp.MustCompile(pattern)
	return rewriteRequest(m, func(r *http.Request) {
		if body := peekBody(r); !json.Valid(body) {
			if mended := found.ReplaceAll(body, []byte(replacement)); json.Valid(mended) {
				setBody(r, mended)
			}
		}
	})
}

// connectionInput are the faults of bad connections that are taken.
func connectionInput() []Fault {
	return slices.Concat(
		breaks("connections.create.type-invalid",
			fault("input-plural-type-taken", "the type friends is taken for friend", rewriteBody(connects().and(sendsA("type", is("friends"))), set("type", "friend"))),
			fault("input-list-of-types-in-text-taken", "of types in one text, with a comma between them, the first is taken",
				rewriteBody(connects(), mapText("type", cutAt(func(r rune) bool { return r == ',' }))))),
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
				rewriteResponse(connects().and(sendsA("user_to_id", isA[bool])), replaceStatus(422, 404, "{}")))),
		breaks("connections.create.target-required",
			fault("input-target-null-not-found", "null for a user_to_id is answered with 404",
				rewriteResponse(connects().and(sendsA("user_to_id", isNull)), replaceStatus(422, 404, "{}")))),
		breaks("social.type-invalid",
			fault("input-social-plural-type-taken", "the type follows is taken for follow", rewriteBody(connectsSocially().and(sendsA("type", is("follows"))), set("type", "follow")))),
		breaks("social.wrong-type",
			fault("input-social-numbers-in-list-taken", "numbers are taken for the identifiers in a list",
				rewriteBody(connectsSocially(), mapField("connection_ids", eachItem(numberAsText)))),
			fault("input-social-object-for-list-taken", "of an object in place of the list of identifiers nothing is taken",
				rewriteBody(connectsSocially().and(sendsA("connection_ids", isA[map[string]any])), set("connection_ids", []any{}))),
			fault("input-social-platform-list-taken", "of a list of platforms the first is taken", rewriteBody(connectsSocially(), mapField("platform", firstOfList)))),
		breaks("social.required",
			fault("input-social-null-list-taken", "the list of identifiers may be null",
				rewriteBody(connectsSocially().and(sendsA("connection_ids", isNull)), set("connection_ids", []any{})))),
	)
}

// eventInput are the faults of bad events that are taken.
func eventInput() []Fault {
	creating := func(change objectEdit) mutation { return rewriteBody(createsEvent(), change) }
	updating := func(change objectEdit) mutation { return rewriteBody(updatesEvent(), change) }
	return slices.Concat(
		breaks("events.create.wrong-type",
			fault("input-latitude-true-is-one", "a boolean is taken for a new event's latitude", creating(mapField("latitude", boolAsNumber))),
			fault("input-latitude-empty-text-ignored", "a text without characters is passed over where a new event's latitude should be",
				creating(ignoring("latitude", is("")))),
			fault("input-longitude-object-ignored", "an object is passed over where a new event's longitude should be",
				creating(ignoring("longitude", isA[map[string]any]))),
			fault("input-empty-object-list-ignored", "an empty list is passed over where a new event's object should be", creating(ignoring("object", isEmptyList))),
			fault("input-empty-metadata-list-ignored", "an empty list is passed over where a new event's metadata should be",
				creating(ignoring("metadata", isEmptyList))),
			fault("input-display-name-number-taken", "numbers are taken for the display names of a new event's object",
				creating(within("object", mapField("display_name", eachItem(numberAsText))))),
			fault("input-object-url-list-ignored", "a list is passed over where the url of a new event's object should be",
				creating(within("object", ignoring("url", isA[[]any])))),
			fault("input-verb-false-taken", "a boolean is taken for the verb of a new event", creating(mapField("verb", boolAsText))),
			fault("input-language-list-joined", "a list is taken for a new event's language, joined by commas", creating(mapField("language", joined)))),
		breaks("events.create.malformed-json",
			fault("input-event-single-quotes-taken", "single quotes do for double ones in a new event", mendJSON(createsEvent(), singleQuoted, `"$1"`)),
			fault("input-event-nan-taken", "NaN is taken for a coordinate, and passed over", mendJSON(createsEvent(), notANumber, "null"))),
		breaks("events.create.verb-required",
			fault("input-event-null-verb-taken", "a new event's verb may be null",
				rewriteBody(createsEvent().and(sendsA("verb", isNull)), set("verb", "null")))),
		breaks("events.create.object-id-required",
			fault("input-event-null-object-id-taken", "the id of a new event's object may be null", creating(within("object", func(object map[string]any) {
				if id, there := object["id"]; there && id == nil {
					object["id"] = "null"
				}
			}))),
			fault("input-event-empty-object-ignored", "an object without fields is passed over in a new event",
				creating(ignoring("object", func(value any) bool { object, ok := value.(map[string]any); return ok && len(object) == 0 })))),
		breaks("events.update.wrong-type",
			fault("input-update-object-text-ignored", "an update passes over an object that is a text", updating(ignoring("object", isA[string]))),
			fault("input-update-metadata-number-ignored", "an update passes over metadata that are a number", updating(ignoring("metadata", isA[json.Number]))),
			fault("input-update-latitude-false-is-zero", "an update takes a boolean for a latitude", updating(mapField("latitude", boolAsNumber))),
			fault("input-update-display-name-list-ignored", "an update passes over display names that are a list",
				updating(within("object", ignoring("display_name", isA[[]any]))))),
	)
}

// metadataInput are the faults of metadata that is taken, or refused, at its bounds.
func metadataInput() []Fault {
	dropping := func(is func(any) bool) objectEdit {
		return func(metadata map[string]any) {
			for key, value := range metadata {
				if is(value) {
					delete(metadata, key)
				}
			}
		}
	}
	upTo := func(keys int) match { return func(r *http.Request) bool { return len(metadataIn(r)) <= keys } }
	return slices.Concat(
		breaks("limits.metadata.strings-only",
			fault("input-user-metadata-false-dropped", "values of a new user's metadata that are false are dropped",
				mended(createsUser(), dropping(func(value any) bool { return value == false }))),
			fault("input-user-metadata-empty-list-dropped", "values of a new user's metadata that are empty lists are dropped", mended(createsUser(), dropping(isEmptyList))),
			fault("input-update-metadata-list-joined", "lists in the metadata of an update are joined by commas",
				rewriteBody(updatesUser(), mapField("metadata", eachItem(joined)))),
			fault("input-update-metadata-null-dropped", "values of an update's metadata that are null are dropped", mended(updatesUser(), dropping(isNull))),
			fault("input-event-metadata-true-is-text", "booleans in a new event's metadata are taken as text",
				rewriteBody(createsEvent(), mapField("metadata", eachItem(boolAsText)))),
			fault("input-event-change-metadata-number-is-text", "numbers in the metadata of a changed event are taken as text",
				rewriteBody(updatesEvent(), mapField("metadata", eachItem(numberAsText))))),
		breaks("limits.metadata.keys",
			fault("input-event-takes-up-to-16-keys", "a new event takes up to 16 keys of metadata",
				unbounded(createsEvent().and(upTo(16)), firstKeys(10)))),
		breaks("limits.metadata.value-length",
			fault("input-long-metadata-together-refused", "a change of an event whose body is longer than 4,096 bytes is refused with 413", refusingBodies(updatesEvent(), 4096)),
			fault("input-user-takes-up-to-512-characters", "a create takes values of metadata of up to 512 characters",
				unbounded(createsUser().and(not(anyEntry(func(_ string, value any) bool { text, _ := value.(string); return len([]rune(text)) > 512 }))), cutValues(500)))),
		breaks("limits.metadata.key-length",
			fault("input-event-change-takes-up-to-64-characters", "a change of an event takes keys of metadata of up to 64 characters",
				unbounded(updatesEvent().and(not(anyEntry(func(key string, _ any) bool { return len([]rune(key)) > 64 }))), cutKeys(40)))),
	)
}
