package faults

import (
	"encoding/json"
	"math"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/socialfeed/conform/refserver"
)

// blindInput are the faults of bad input that is taken, and of good input that is not.
func blindInput() []Fault {
	return slices.Concat(
		breaks("users.create.wrong-type",
			fault("input-social-id-object-flattened", "an object with an id is taken for one of a new user's social ids",
				rewriteBody(createsUser(), mapField("social_ids", eachItem(func(value any) any {
					if object, ok := value.(map[string]any); ok && isA[string](object["id"]) {
						return object["id"]
					}
					return value
				}))))),
		breaks("events.create.malformed-json",
			fault("input-event-raw-newline-taken", "texts of a new event may hold line breaks and tabs as they are",
				rewriteRequest(createsEvent(), func(r *http.Request) {
					if body := peekBody(r); !json.Valid(body) {
						if mended := controlsEscaped(body); json.Valid(mended) {
							setBody(r, mended)
						}
					}
				}))),
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

// controlsEscaped escapes line breaks and tabs inside of the texts of what is to be JSON.
func controlsEscaped(body []byte) []byte {
	var mended []byte
	inText, escaped := false, false
	for _, b := range body {
		if i := strings.IndexByte("\n\r\t", b); i >= 0 && inText {
			mended = append(mended, '\\', "nrt"[i])
			continue
		}
		if b == '"' && !escaped {
			inText = !inText
		}
		escaped = b == '\\' && !escaped
		mended = append(mended, b)
	}
	return mended
}

// blindRemains are the faults of bad input that is refused and leaves a change behind.
func blindRemains() []Fault {
	refusesInput := func(resp *response) bool { return resp.status == 400 || resp.status == 422 }
	isNumber := isA[json.Number]
	return slices.Concat(
		breaks("users.me.update.user-name-required",
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
				}))),
		breaks("events.update.wrong-type",
			fault("input-refused-longitude-moves-latitude", "an update of an event whose longitude is no number is refused, and its latitude counts all the same",
				intercept(updatesEvent(), func(next http.Handler, r *http.Request) *response {
					resp := record(next, r)
					sent := requestObject(r)
					if refusesInput(resp) && isNumber(sent["latitude"]) && sent["longitude"] != nil && !isNumber(sent["longitude"]) {
						call(next, r, http.MethodPut, r.URL.Path, map[string]any{"latitude": sent["latitude"]})
					}
					return resp
				}))),
	)
}

// blindEndpoints are the faults at one endpoint of several.
func blindEndpoints() []Fault {
	return slices.Concat(
		breaks("connections.lists.of-user",
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
				}))),
		breaks("transport.no-null",
			fault("endpoint-login-details-null-first-name", "the details of a login have null for the first name of a user without one",
				rewriteObject(logsIn().and(detailed), lacking("first_name", nil)))),
		breaks("limits.metadata.keys",
			fault("endpoint-create-with-login-takes-11-keys", "a create does not count the keys of metadata where it also logs in",
				unbounded(createWithLogin(), firstKeys(10)))),
		breaks("sessions.deleted-user",
			fault("endpoint-deleted-user-reads-empty-feed", "the feed in the session that deleted its user is empty", func(o *refserver.Options) {
				deleted := &memory[bool]{} // by token
				combine(
					rewriteResponse(deletesUser(), func(r *http.Request, resp *response) {
						if resp.ok() {
							deleted.keep(sessionIn(r), true)
						}
					}),
					rewriteResponse(readsFeed(), onStatus(401, func(r *http.Request, resp *response) {
						if deleted.get(sessionIn(r)) {
							resp.become(200, "[]")
							resp.header.Del("WWW-Authenticate")
						}
					})),
				)(o)
			})),
		breaks("events.types",
			fault("endpoint-changed-event-latitude-as-text", "the answer to a change of an event that sends no latitude has the one that stands as a text",
				rewriteObject(updatesEvent().and(not(sends("latitude"))), textOf("latitude")))),
	)
}
