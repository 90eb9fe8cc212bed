package faults

import (
	"net/http"
	"regexp"
	"slices"
	"time"

	"github.com/socialfeed/conform/refserver"
)

// blindLenience are the faults of bad input that is taken, or that leaves something behind.
func blindLenience() []Fault {
	alwaysTrue := regexp.MustCompile(`(?i)'\s*or\b`)
	return slices.Concat(
		breaks("sessions.login.wrong-password",
			fault("input-login-password-ends-the-query", "a password with a quote and OR behind it is read as a part of the query, and logs in whoever's user name is given",
				misled(logsInByName(), func(_, given string) bool { return alwaysTrue.MatchString(given) }))),
		breaks("social.wrong-type",
			fault("input-social-nested-lists-flattened", "a list of lists is taken for the identifiers of a social connection, as one list",
				rewriteBody(connectsSocially(), mapField("connection_ids", flattened)))),
		breaks("users.me.update.wrong-type",
			fault("input-refused-social-ids-clear-the-old", "an update whose social_ids are not all texts is refused, and the user has none any more",
				intercept(updatesUser().and(sendsA("social_ids", isMixedMap)), func(next http.Handler, r *http.Request) *response {
					resp := record(next, r)
					if resp.status == http.StatusUnprocessableEntity {
						call(next, r, http.MethodPut, "/0.2/user", map[string]any{"user_name": ownName(next, r), "social_ids": map[string]any{}})
					}
					return resp
				}))),
		breaks("users.me.update.keeps-identity",
			fault("input-update-takes-created-at", "an update takes a created_at over from the request", createdAtTaken)),
		breaks("events.create.object-id-required",
			fault("input-object-without-id-takes-its-url", "the object of a new event without an id has its url for one",
				rewriteBody(createsEvent(), within("object", func(object map[string]any) {
					if _, there := object["id"]; !there && fieldText(object, "url") != "" {
						object["id"] = object["url"]
					}
				})))),
	)
}

// flattened takes the items out of lists in a list.
func flattened(value any) any {
	list, is := value.([]any)
	if !is {
		return value
	}
	flat := []any{}
	for _, item := range list {
		if inner, nested := item.([]any); nested {
			flat = append(flat, inner...)
			continue
		}
		flat = append(flat, item)
	}
	return flat
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
