package faults

import (
	"net/http"
	"slices"
	"strings"
)

// nullAndBlank are the faults of fields that stand there without a value (What
// the service does, transport rule 5).
func nullAndBlank() []Fault {
	return slices.Concat(
		breaks("transport.no-null",
			fault("transport-null-url", "the session's user without a url has null for one", rewriteObject(readsOwnRecord(), lacking("url", nil))),
			fault("transport-null-image-in-followers", "users without an image have null for one in a list of another user's followers",
				rewriteEach(readsFollowersOf(), lacking("image", nil))),
			fault("transport-null-in-version", "each version says null where the day of its end would stand",
				rewriteEach(readsVersions(), lacking("ends_at", nil))),
			fault("transport-null-in-error", "a 415 names null as the field that is wrong",
				rewriteResponse(updatesEvent(), onStatus(415, body(`{"errors":[{"code":1008,"message":"no JSON","field":null}]}`)))),
			fault("transport-null-in-new-user-stays", "fields that a create has as null are null in its answer", repeats(createsUser(), nil)),
			fault("transport-null-in-update-stays", "fields that an update of the user has as null are null in its answer", repeats(updatesUser(), nil)),
			fault("transport-null-in-new-event-stays", "fields that a new event has as null are null in the answer", repeats(createsEvent(), nil)),
			fault("transport-null-in-changed-event-stays", "fields that a change of an event has as null are null in its answer",
				repeats(updatesEvent(), nil))),
		breaks("transport.blank-omitted",
			fault("transport-blank-custom-id", "a user without a custom_id has a blank one in a list of friends",
				rewriteEach(readsFriends(), lacking("custom_id", ""))),
			fault("transport-blank-object-type", "the object of a new event without a type has a blank one",
				rewriteObject(createsEvent(), within("object", lacking("type", "")))),
			fault("transport-blank-language", "an event without a language has a blank one in the answer to a change",
				rewriteObject(updatesEvent(), lacking("language", ""))),
			fault("transport-blank-confirmation", "a new follow says in a blank field who confirmed it",
				rewriteObject(connects(), lacking("confirmed_by", ""))),
			fault("transport-blank-in-new-user-stays", "fields that a create has blank are blank in its answer", repeats(createsUser(), "")),
			fault("transport-blank-in-update-stays", "fields that an update of the user has blank are blank in its answer", repeats(updatesUser(), "")),
			fault("transport-blank-in-new-event-stays", "fields that a new event has blank are blank in the answer", repeats(createsEvent(), "")),
			fault("transport-blank-in-changed-event-stays", "fields that a change of an event has blank are blank in its answer",
				repeats(updatesEvent(), ""))),
	)
}

// lacking gives a field that is not there a value that says nothing.
func lacking(field string, nothing any) objectEdit {
	return func(object map[string]any) {
		if _, there := object[field]; !there {
			object[field] = nothing
		}
	}
}

// repeats answers what a request sends with a value that says nothing.
func repeats(m match, nothing any) mutation {
	return rewriteResponse(m, func(r *http.Request, resp *response) {
		resp.object(func(resource map[string]any) {
			for field, value := range requestObject(r) {
				if value == nothing && field != "password" {
					resource[field] = nothing
				}
			}
		})
	})
}

// brokenTimes are the faults of times that are not RFC 3339 (What the service
// does, transport rule 4).
func brokenTimes() []Fault {
	written := func(field, layout string) objectEdit {
		return func(object map[string]any) {
			if at := timeIn(object, field); !at.IsZero() {
				object[field] = at.Format(layout)
			}
		}
	}
	return breaks("transport.timestamps",
		fault("transport-time-without-zone", "created_at has neither Z nor an offset among the results of a search",
			rewriteEach(searches(), written("created_at", "2006-01-02T15:04:05"))),
		fault("transport-time-with-space", "updated_at has a space between date and time when another user is read",
			rewriteObject(readsUser(), written("updated_at", "2006-01-02 15:04:05Z"))),
		fault("transport-time-offset-without-colon", "the offset of updated_at has no colon in the answer to a changed event",
			rewriteObject(updatesEvent(), written("updated_at", "2006-01-02T15:04:05-0700"))),
		fault("transport-confirmed-at-as-http-date", "confirmed_at of a new friend is written like the dates of HTTP headers",
			rewriteObject(connects(), written("confirmed_at", http.TimeFormat))),
		fault("transport-last-login-in-month-zero", "before any login last_login is 0000-00-00T00:00:00Z when another user is read",
			rewriteObject(readsUser(), mapText("last_login", func(text string) string {
				if strings.HasPrefix(text, "0000-") {
					return "0000-00-00T00:00:00Z"
				}
				return text
			}))))
}
