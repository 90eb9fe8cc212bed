package faults

import (
	"maps"
	"net/http"
	"time"

	"github.com/socialfeed/conform/refserver"
)

func updatesUser() match { return on("PUT /0.2/user") }

func readsOwnRecord() match { return on("GET /0.2/user") }

// userUpdates are the faults of whether an update takes effect (Endpoints, row 5).
func userUpdates() []Fault {
	const applies, password = "users.me.update.applies", "users.me.update.password"
	return []Fault{
		{
			Name: "users-update-answers-200", Rule: "users.me.update.status",
			Summary: "an update answers 200",
			Apply:   edit(updatesUser(), func(_ *http.Request, resp *response) { resp.restatus(http.StatusOK) }),
		},
		{
			Name: "users-update-answers-old-names", Rule: applies,
			Summary: "an update answers the last name as it was before",
			Apply: around(updatesUser(), func(next http.Handler, r *http.Request) *response {
				before, _ := decode(call(next, r, http.MethodGet, "/0.2/user", nil).body).(map[string]any)
				resp := record(next, r)
				if name, there := before["last_name"]; there {
					resp.object(set("last_name", name))
				}
				return resp
			}),
		},
		{
			Name: "users-update-url-not-stored", Rule: applies,
			Summary: "an update answers the new url and does not store it",
			Apply: around(updatesUser(), func(next http.Handler, r *http.Request) *response {
				url, there := sent(r)["url"]
				resent(ignoring("url", isA[string]))(r)
				resp := record(next, r)
				if isA[string](url) && there && url != "" {
					resp.object(set("url", url))
				}
				return resp
			}),
		},
		{
			Name: "users-update-ignores-metadata", Rule: applies,
			Summary: "metadata is set by the create alone",
			Apply:   tamper(updatesUser(), resent(ignoring("metadata", allTexts))),
		},
		{
			Name: "users-update-ignores-email", Rule: applies,
			Summary: "an update leaves the email as it was",
			Apply:   tamper(updatesUser(), resent(ignoring("email", isA[string]))),
		},
		{
			Name: "users-update-ignores-user-name", Rule: applies,
			Summary: "an update requires the user name and leaves it as it was",
			Apply: around(updatesUser(), func(next http.Handler, r *http.Request) *response {
				if own := ownName(next, r); own != "" && fieldText(sent(r), "user_name") != "" && isA[string](sent(r)["user_name"]) {
					resent(set("user_name", own))(r)
				}
				return record(next, r)
			}),
		},
		{
			Name: "users-update-ignores-password", Rule: password,
			Summary: "an update leaves the password as it was",
			Apply:   tamper(updatesUser(), resent(ignoring("password", isA[string]))),
		},
		{
			Name: "users-update-keeps-old-password", Rule: password,
			Summary: "after a change of password the old one logs in by email too",
			Apply:   oldPasswordsLogIn,
		},
		{
			Name: "users-update-spoils-password", Rule: password,
			Summary: "after a change of password neither the new one nor the old one logs in",
			Apply:   spoiledPasswords,
		},
	}
}

func ownName(next http.Handler, r *http.Request) string {
	own, _ := decode(call(next, r, http.MethodGet, "/0.2/user", nil).body).(map[string]any)
	return fieldText(own, "user_name")
}

// allTexts tells whether a value is a map of string to string, within the limits.
func allTexts(value any) bool {
	entries, ok := value.(map[string]any)
	for key, entry := range entries {
		text, is := entry.(string)
		ok = ok && is && len([]rune(key)) <= 40 && len([]rune(text)) <= 500
	}
	return ok && len(entries) <= 10
}

func oldPasswordsLogIn(o *refserver.Options) {
	known := &passwords{}
	former := &memory[string]{} // a password by email
	both(
		known.learn,
		around(updatesUser(), func(next http.Handler, r *http.Request) *response {
			email := fieldText(sent(r), "email")
			before, _ := known.byEmail.get(email)
			resp := record(next, r)
			if resp.ok() && before != sent(r)["password"] {
				former.keep(email, before)
			}
			return resp
		}),
		tamper(logsIn().and(sends("email")), resent(func(login map[string]any) {
			email := fieldText(login, "email")
			if old, ok := former.get(email); ok && old != "" && login["password"] == old {
				login["password"], _ = known.byEmail.get(email)
			}
		})),
	)(o)
}

func spoiledPasswords(o *refserver.Options) {
	known := &passwords{}
	both(tamper(updatesUser(), resent(func(body map[string]any) {
		before, ok := known.byEmail.get(fieldText(body, "email"))
		if after, is := body["password"].(string); ok && is && after != before {
			body["password"] = after + " "
		}
	})), known.learn)(o)
}

// updatedIdentities are the faults of what an update must leave alone.
func updatedIdentities() []Fault {
	const identity, updatedAt = "users.me.update.keeps-identity", "users.me.update.updated-at"
	return []Fault{
		{
			Name: "users-update-answers-new-created-at", Rule: identity,
			Summary: "the answer to an update has the time of the update as created_at",
			Apply:   edit(updatesUser(), inObject(func(user map[string]any) { user["created_at"] = user["updated_at"] })),
		},
		{
			Name: "users-update-renews-created-at", Rule: identity,
			Summary: "after an update the own record shows its time as created_at",
			Apply:   edit(readsOwnRecord(), inObject(func(user map[string]any) { user["created_at"] = user["updated_at"] })),
		},
		{
			Name: "users-update-renumbers", Rule: identity,
			Summary: "the answer to an update has another id",
			Apply:   edit(updatesUser(), inObject(prefixedID)),
		},
		{
			Name: "users-update-answers-earlier-updated-at", Rule: updatedAt,
			Summary: "the answer to an update has updated_at in local time, labelled as UTC",
			Apply: edit(updatesUser(), inObject(func(user map[string]any) {
				if at, err := time.Parse(time.RFC3339Nano, fieldText(user, "updated_at")); err == nil {
					user["updated_at"] = at.Add(-5 * time.Hour).Format(time.RFC3339Nano)
				}
			})),
		},
		{
			Name: "users-update-resets-updated-at", Rule: updatedAt,
			Summary: "a second update turns updated_at back to the time of the create",
			Apply:   secondUpdatesReset,
		},
	}
}

func secondUpdatesReset(o *refserver.Options) {
	updates := &memory[int]{} // by id
	both(
		edit(updatesUser(), inObject(func(user map[string]any) {
			id := fieldText(user, "id")
			before, _ := updates.get(id)
			updates.keep(id, before+1)
		})),
		edit(readsOwnRecord(), inObject(func(user map[string]any) {
			if n, _ := updates.get(fieldText(user, "id")); n > 1 {
				user["updated_at"] = user["created_at"]
			}
		})),
	)(o)
}

// refusedUserUpdates are the faults of updates that change nothing (Errors, rows 400 and 422).
func refusedUserUpdates() []Fault {
	const unnamed, mistyped = "users.me.update.user-name-required", "users.me.update.wrong-type"
	nameless := updatesUser().and(not(sends("user_name")))
	return []Fault{
		{
			Name: "users-update-needs-no-user-name", Rule: unnamed,
			Summary: "an update without a user name keeps the one that stands",
			Apply: around(nameless, func(next http.Handler, r *http.Request) *response {
				if own := ownName(next, r); own != "" {
					resent(set("user_name", own))(r)
				}
				return record(next, r)
			}),
		},
		{
			Name: "users-update-without-user-name-takes-effect", Rule: unnamed,
			Summary: "an update without a user name is refused and done",
			Apply: around(nameless, func(next http.Handler, r *http.Request) *response {
				body := maps.Clone(sent(r))
				if own := ownName(next, r); own != "" && body != nil {
					body["user_name"] = own
					call(next, r, http.MethodPut, "/0.2/user", body)
				}
				return record(next, r)
			}),
		},
		{
			Name: "users-update-takes-number-as-url", Rule: mistyped,
			Summary: "an update takes a number for a url, as text",
			Apply:   tamper(updatesUser(), resent(textOf("url"))),
		},
		{
			Name: "users-update-wrong-type-changes-others", Rule: mistyped,
			Summary: "an update with metadata of the wrong type is refused, and the other fields are changed",
			Apply:   refusedThoughDone(updatesUser(), ignoring("metadata", isA[[]any])),
		},
		{
			Name: "users-update-wrong-type-changes-password", Rule: mistyped,
			Summary: "an update with a first name of the wrong type is refused, and the password is changed",
			Apply: refusedThoughDone(updatesUser(), func(body map[string]any) {
				wrong := isNo[string](body["first_name"])
				maps.DeleteFunc(body, func(name string, _ any) bool { return !wrong || name != "user_name" && name != "password" })
			}),
		},
		{
			Name: "users-update-ignores-boolean-last-name", Rule: mistyped,
			Summary: "an update ignores a last name that is a boolean",
			Apply:   tamper(updatesUser(), resent(ignoring("last_name", isA[bool]))),
		},
	}
}
