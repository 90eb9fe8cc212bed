package faults

import (
	"bytes"
	"encoding/json"
	"maps"
	"math"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strconv"
	"time"

	"github.com/socialfeed/conform/refserver"
)

// inputUsers are the faults of bad users, and bad updates of users, that are taken, mended
// or passed over; and of one that is refused and leaves something behind.
func inputUsers() []Fault {
	const comment = `/\*[^*]*\*/`
	passwordAlone := func(user map[string]any) {
		maps.DeleteFunc(user, func(field string, _ any) bool { return field != "user_name" && field != "password" })
	}
	metadataAlone := match(func(r *http.Request) bool { return len(requestObject(r)) == 1 }).and(sends("metadata"))
	return slices.Concat(
		breaks("users.create.user-name-required",
			fault("input-user-name-null-taken", "a new user's name may be null",
				rewriteBody(createsUser().and(sendsA("user_name", isNull)), set("user_name", "null"))),
			fault("input-wrapped-user-taken", "the fields of a new user without a user name are looked for in a field called user",
				rewriteBody(createsUser().and(not(sends("user_name"))), func(body map[string]any) {
					if inner, is := body["user"].(map[string]any); is {
						maps.Copy(body, inner)
					}
				}))),
		breaks("users.create.wrong-type",
			fault("input-user-first-name-list-joined", "a list is taken for a new user's first name, joined by commas", creatingUser(mapField("first_name", joined))),
			fault("input-user-empty-metadata-list-taken", "an empty list is taken for a new user's metadata", creatingUser(ignoring("metadata", isEmptyList))),
			fault("input-user-social-id-number-taken", "numbers are taken for a new user's social ids", creatingUser(mapField("social_ids", eachItem(numberAsText)))),
			fault("input-user-empty-email-object-ignored", "an object without fields is passed over where a new user's email should be",
				creatingUser(ignoring("email", func(value any) bool { object, ok := value.(map[string]any); return ok && len(object) == 0 }))),
			fault("input-user-password-boolean-taken", "a boolean is taken for a new user's password", creatingUser(mapField("password", boolAsText))),
			fault("input-social-id-object-flattened", "an object with an id is taken for one of a new user's social ids",
				creatingUser(mapField("social_ids", eachItem(func(value any) any {
					if object, ok := value.(map[string]any); ok && isA[string](object["id"]) {
						return object["id"]
					}
					return value
				})))),
			fault("input-user-activated-number-taken", "a number is taken for a new user's activated, which is true unless it is 0",
				creatingUser(mapField("activated", numberAsFlag))),
			fault("input-create-with-login-takes-number-as-last-name", "a create that also logs in takes a number for a last name", rewriteBody(createWithLogin(), textOf("last_name"))),
			fault("input-empty-list-taken-for-metadata", "an empty list is taken for the metadata of a new user, as if it were an empty object",
				creatingUser(ignoring("metadata", isEmptyList)))),
		breaks("users.create.malformed-json",
			fault("input-user-trailing-comma-taken", "a comma may stand behind the last field of a new user", mendJSON(createsUser(), trailingComma, "}")),
			fault("input-user-without-quotes-taken", "the names of a new user's fields need no quotes", mendJSON(createsUser(), unquotedKey, `$1"$2":`)),
			fault("input-user-text-behind-object-taken", "what stands behind the object in the body of a create is not read",
				rewriteRequest(createsUser(), func(r *http.Request) {
					var first json.RawMessage
					body := peekBody(r)
					if json.NewDecoder(bytes.NewReader(body)).Decode(&first) == nil && !json.Valid(body) {
						setBody(r, first)
					}
				})),
			fault("input-user-with-comment-taken", "a comment may stand in the body of a create", mendJSON(createsUser(), comment, "")),
			fault("input-user-cut-off-at-the-end-taken", "the last brace of a new user may be missing", mendJSON(createsUser(), `\z`, "}")),
			fault("input-create-takes-trailing-comma", "a create is taken with a comma behind the last member of an object", rewriteRequest(createsUser(), trailingCommasDropped)),
			fault("input-create-takes-raw-line-breaks-in-texts", "a create takes texts with line breaks and tabs in them that are not escaped, as lenient parsers do",
				mendJSON(createsUser(), `[\n\r\t]`, ` `))),
		breaks("users.create.not-an-object",
			fault("input-user-empty-list-answers-409", "a create whose body is an empty list is answered with 409",
				rewriteResponse(createsUser().and(func(r *http.Request) bool { return isEmptyList(decode(peekBody(r))) }), replaceStatus(400, 409, "{}"))),
			fault("input-user-true-answers-404", "a create whose body is true is answered with 404",
				rewriteResponse(createsUser().and(func(r *http.Request) bool { return decode(peekBody(r)) == true }), replaceStatus(400, 404, "{}"))),
			fault("input-double-encoded-user-taken", "a text is taken for a new user that is the JSON of one",
				rewriteRequest(createsUser(), func(r *http.Request) {
					if text, is := decode(peekBody(r)).(string); is && objectOf([]byte(text)) != nil {
						setBody(r, []byte(text))
					}
				}))),
		breaks("users.me.update.user-name-required",
			fault("input-update-name-null-keeps-it", "an update with null for a user name keeps the one that stands",
				intercept(updatesUser().and(sendsA("user_name", isNull)), func(next http.Handler, r *http.Request) *response {
					if own := ownName(next, r); own != "" {
						inBody(set("user_name", own))(r)
					}
					return record(next, r)
				})),
			fault("input-nameless-update-changes-password", "an update without a user name is refused, and its password counts all the same",
				intercept(updatesUser(), func(next http.Handler, r *http.Request) *response {
					resp := record(next, r)
					sent := requestObject(r)
					own := ownRecord(next, r)
					if !refusesInput(resp) || sent["user_name"] != nil || fieldText(sent, "password") == "" || own == nil {
						return resp
					}
					body := map[string]any{"password": sent["password"]}
					for _, field := range []string{"user_name", "email", "custom_id", "first_name", "last_name", "url", "social_ids", "metadata"} {
						if value, there := own[field]; there {
							body[field] = value
						}
					}
					call(next, r, http.MethodPut, "/0.2/user", body)
					return resp
				})),
			fault("input-update-of-metadata-alone-needs-no-name", "an update that sends metadata and nothing else needs no user name",
				intercept(updatesUser().and(metadataAlone), func(next http.Handler, r *http.Request) *response {
					if name := ownName(next, r); name != "" {
						inBody(set("user_name", name))(r)
					}
					return record(next, r)
				}))),
		breaks("users.me.update.keeps-identity",
			fault("input-update-takes-created-at", "an update takes a created_at over from the request", createdAtTaken)),
		breaks("users.me.update.wrong-type",
			fault("input-update-password-number-taken", "an update takes a number for a password", updatingUser(textOf("password"))),
			fault("input-update-social-ids-text-ignored", "an update passes over social_ids that are a text", updatingUser(ignoring("social_ids", isA[string]))),
			fault("input-update-empty-url-list-ignored", "an update passes over a url that is an empty list", updatingUser(ignoring("url", isEmptyList))),
			fault("input-update-custom-id-false-ignored", "an update passes over a custom_id that is false",
				updatingUser(ignoring("custom_id", func(value any) bool { return value == false }))),
			fault("input-update-activated-list-is-true", "an update takes a list for activated, which is true then",
				rewriteBody(updatesUser().and(sendsA("activated", isA[[]any])), set("activated", "true"))),
			fault("input-refused-social-ids-clear-the-old", "an update whose social_ids are not all texts is refused, and the user has none any more",
				intercept(updatesUser().and(sendsA("social_ids", isMixedMap)), func(next http.Handler, r *http.Request) *response {
					resp := record(next, r)
					if resp.status == http.StatusUnprocessableEntity {
						call(next, r, http.MethodPut, "/0.2/user", map[string]any{"user_name": ownName(next, r), "social_ids": map[string]any{}})
					}
					return resp
				})),
			fault("input-update-metadata-json-text-taken", "an update takes the text of a JSON object for metadata",
				updatingUser(mapField("metadata", parsed))),
			fault("input-update-email-list-taken", "of a list of emails an update takes the first", updatingUser(mapField("email", firstOfList))),
			fault("input-update-custom-id-number-taken", "an update takes a number for a custom_id", updatingUser(textOf("custom_id"))),
			fault("input-update-takes-empty-list-for-metadata", "an update of the user takes an empty list for metadata, as one without entries",
				rewriteBody(updatesUser().and(sendsA("metadata", isEmptyList)), set("metadata", map[string]any{}))),
			fault("input-refused-update-keeps-password", "an update that is refused as its metadata is no object has changed the password all the same",
				refusedButDone(updatesUser().and(sends("password")).and(sendsA("metadata", isNo[map[string]any])), inBody(passwordAlone)))),
		breaks("users.get.unknown",
			fault("input-user-id-wraps-at-32-bits", "of the id of a user to read the lowest 32 bits count",
				intercept(readsUser(), func(next http.Handler, r *http.Request) *response {
					resp := record(next, r)
					id, err := strconv.ParseUint(lastSegment(r), 10, 64)
					if resp.status != 404 || err != nil || id <= math.MaxUint32 {
						return resp
					}
					r.URL.Path, r.URL.RawPath = path.Dir(r.URL.Path)+"/"+strconv.FormatUint(id&math.MaxUint32, 10), ""
					return record(next, r)
				}))),
	)
}

// numberAsFlag makes of a number the text that stands for true or false.
func numberAsFlag(value any) any {
	number, ok := value.(json.Number)
	if !ok {
		return value
	}
	if isZero(number) {
		return "false"
	}
	return "true"
}

// trailingCommasDropped mends a body that is JSON but for commas behind the last.
func trailingCommasDropped(r *http.Request) {
	sent := peekBody(r)
	if mended := commaBehindLast.ReplaceAll(sent, []byte("$1")); !json.Valid(sent) && json.Valid(mended) {
		setBody(r, mended)
	}
}

var commaBehindLast = regexp.MustCompile(`,(\s*[}\]])`)

// createdAtTaken shows users with the created_at that their updates sent.
func createdAtTaken(o *refserver.Options) {
	sent := &memory[string]{} // by application and id
	combine(
		rewriteResponse(updatesUser(), func(r *http.Request, resp *response) {
			at := fieldText(requestObject(r), "created_at")
			if _, err := time.Parse(time.RFC3339Nano, at); err == nil && resp.ok() {
				sent.keep(appIn(r)+fieldText(objectOf(resp.body), "id"), at)
			}
		}),
		rewriteResponse(updatesUser().or(readsOwnRecord()).or(readsUser()), func(r *http.Request, resp *response) {
			resp.object(func(user map[string]any) {
				if at, taken := sent.lookup(appIn(r) + fieldText(user, "id")); taken {
					user["created_at"] = at
				}
			})
		}),
	)(o)
}

// isMixedMap reports whether a value is a map with something that is neither a text nor null.
func isMixedMap(value any) bool {
	entries, _ := value.(map[string]any)
	for _, entry := range entries {
		if entry != nil && isNo[string](entry) {
			return true
		}
	}
	return false
}

// parsed is the object whose JSON a text is; other values stay.
func parsed(value any) any {
	text, _ := value.(string)
	if object := objectOf([]byte(text)); object != nil {
		return object
	}
	return value
}
