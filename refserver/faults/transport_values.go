package faults

import (
	"bytes"
	"net/http"
	"strings"
	"time"
)

// asObject decodes an object, nil where it is none.
func asObject(data []byte) map[string]any {
	object, _ := decode(data).(map[string]any)
	return object
}

// replaceText replaces text in a body, byte for byte.
func replaceText(data []byte, from, to string) []byte {
	return bytes.ReplaceAll(data, []byte(from), []byte(to))
}

// rewrite writes a time of a resource in another layout.
func rewrite(field, layout string) func(map[string]any) {
	return func(object map[string]any) {
		if at, err := time.Parse(time.RFC3339Nano, fieldText(object, field)); err == nil {
			object[field] = at.Format(layout)
		}
	}
}

// brokenTimes are the faults of times that are not RFC 3339 (What the service
// does, transport rule 4).
func brokenTimes() []Fault {
	const rule = "transport.timestamps"
	return []Fault{
		{
			Name: "transport-time-without-zone", Rule: rule,
			Summary: "created_at has neither Z nor an offset among the results of a search",
			Apply:   edit(on("GET /0.2/users/search"), inEach(rewrite("created_at", "2006-01-02T15:04:05"))),
		},
		{
			Name: "transport-time-with-space", Rule: rule,
			Summary: "updated_at has a space between date and time when another user is read",
			Apply:   edit(on("GET /0.2/users/{UserID}"), inObject(rewrite("updated_at", "2006-01-02 15:04:05Z"))),
		},
		{
			Name: "transport-time-offset-without-colon", Rule: rule,
			Summary: "the offset of updated_at has no colon in the answer to a changed event",
			Apply:   edit(on("PUT /0.2/user/events/{EventID}"), inObject(rewrite("updated_at", "2006-01-02T15:04:05-0700"))),
		},
		{
			Name: "transport-confirmed-at-as-http-date", Rule: rule,
			Summary: "confirmed_at of a new friend is written like the dates of HTTP headers",
			Apply:   edit(on("POST /0.2/user/connections"), inObject(rewrite("confirmed_at", http.TimeFormat))),
		},
		{
			Name: "transport-last-login-in-month-zero", Rule: rule,
			Summary: "before any login last_login is 0000-00-00T00:00:00Z when another user is read",
			Apply: edit(on("GET /0.2/users/{UserID}"), inObject(func(user map[string]any) {
				if strings.HasPrefix(fieldText(user, "last_login"), "0000-") {
					user["last_login"] = "0000-00-00T00:00:00Z"
				}
			})),
		},
	}
}

// nullAndBlank are the faults of fields that stand there without a value (What
// the service does, transport rule 5).
func nullAndBlank() []Fault {
	const null, blank = "transport.no-null", "transport.blank-omitted"
	lacking := func(field string, value any) func(map[string]any) {
		return func(object map[string]any) {
			if _, there := object[field]; !there {
				object[field] = value
			}
		}
	}
	return []Fault{
		{
			Name: "transport-null-url", Rule: null,
			Summary: "the session's user without a url has null for one",
			Apply:   edit(on("GET /0.2/user"), inObject(lacking("url", nil))),
		},
		{
			Name: "transport-null-image-in-followers", Rule: null,
			Summary: "users without an image have null for one in a list of another user's followers",
			Apply:   edit(on("GET /0.2/users/{UserID}/followers"), inEach(lacking("image", nil))),
		},
		{
			Name: "transport-null-in-version", Rule: null,
			Summary: "each version says null where the day of its end would stand",
			Apply:   edit(on("GET /versions"), inEach(lacking("ends_at", nil))),
		},
		{
			Name: "transport-null-in-error", Rule: null,
			Summary: "a 415 names null as the field that is wrong",
			Apply: edit(on("PUT /0.2/user/events/{EventID}"),
				answered(http.StatusUnsupportedMediaType, body(`{"errors":[{"code":1008,"message":"no JSON","field":null}]}`))),
		},
		{
			Name: "transport-blank-custom-id", Rule: blank,
			Summary: "a user without a custom_id has a blank one in a list of friends",
			Apply:   edit(on("GET /0.2/user/friends"), inEach(lacking("custom_id", ""))),
		},
		{
			Name: "transport-blank-object-type", Rule: blank,
			Summary: "the object of a new event without a type has a blank one",
			Apply: edit(on("POST /0.2/user/events"), inObject(func(event map[string]any) {
				if object, there := event["object"].(map[string]any); there {
					lacking("type", "")(object)
				}
			})),
		},
		{
			Name: "transport-blank-language", Rule: blank,
			Summary: "an event without a language has a blank one in the answer to a change",
			Apply:   edit(on("PUT /0.2/user/events/{EventID}"), inObject(lacking("language", ""))),
		},
		{
			Name: "transport-blank-confirmation", Rule: blank,
			Summary: "a new follow says in a blank field who confirmed it",
			Apply:   edit(on("POST /0.2/user/connections"), inObject(lacking("confirmed_by", ""))),
		},
	}
}
