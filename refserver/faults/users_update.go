package faults

import (
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/socialfeed/conform/refserver"
)

// userUpdates are the faults of whether an update takes effect (Endpoints, row 5).
func userUpdates() []Fault {
	return slices.Concat(
		breaks("users.me.update.status",
			fault("users-update-answers-200", "an update answers 200", rewriteResponse(updatesUser(), status(200)))),
		breaks("users.me.update.applies",
			fault("users-update-answers-old-names", "an update answers the last name as it was before",
				intercept(updatesUser(), func(next http.Handler, r *http.Request) *response {
					before := ownRecord(next, r)
					resp := record(next, r)
					if name, there := before["last_name"]; there {
						resp.object(set("last_name", name))
					}
					return resp
				})),
			fault("users-update-url-not-stored", "an update answers the new url and does not store it",
				intercept(updatesUser(), func(next http.Handler, r *http.Request) *response {
					url, there := requestObject(r)["url"]
					inBody(ignoring("url", isA[string]))(r)
					resp := record(next, r)
					if isA[string](url) && there && url != "" {
						resp.object(set("url", url))
					}
					return resp
				})),
			fault("users-update-ignores-metadata", "metadata is set by the create alone", rewriteBody(updatesUser(), ignoring("metadata", allTexts))),
			fault("users-update-ignores-email", "an update leaves the email as it was", rewriteBody(updatesUser(), ignoring("email", isA[string]))),
			fault("users-update-ignores-user-name", "an update requires the user name and leaves it as it was",
				intercept(updatesUser(), func(next http.Handler, r *http.Request) *response {
					if own := ownName(next, r); own != "" && fieldText(requestObject(r), "user_name") != "" && isA[string](requestObject(r)["user_name"]) {
						inBody(set("user_name", own))(r)
					}
					return record(next, r)
				}))),
		breaks("users.me.update.password",
			fault("users-update-ignores-password", "an update leaves the password as it was",
				rewriteBody(updatesUser(), ignoring("password", isA[string]))),
			fault("users-update-keeps-old-password", "after a change of password the old one logs in by email too", knowingPasswords(oldPasswordsLogIn)),
			fault("users-update-spoils-password", "after a change of password neither the new one nor the old one logs in",
				knowingPasswords(spoiledPasswords))),
	)
}

func ownName(next http.Handler, r *http.Request) string {
	return fieldText(ownRecord(next, r), "user_name")
}

// allTexts reports whether a value is a map of string to string, within the limits.
func allTexts(value any) bool {
	entries, ok := value.(map[string]any)
	for key, entry := range entries {
		text, is := entry.(string)
		ok = ok && is && len([]rune(key)) <= 40 && len([]rune(text)) <= 500
	}
	return ok && len(entries) <= 10
}

func oldPasswordsLogIn(known *passwords) mutation {
	former := &memory[string]{} // a password by email
	return combine(
		intercept(updatesUser(), func(next http.Handler, r *http.Request) *response {
			email := fieldText(requestObject(r), "email")
			before := known.byEmail.get(email)
			resp := record(next, r)
			if resp.ok() && before != requestObject(r)["password"] {
				former.keep(email, before)
			}
			return resp
		}),
		rewriteBody(logsInByEmail(), func(login map[string]any) {
			email := fieldText(login, "email")
			if old := former.get(email); old != "" && login["password"] == old {
				login["password"] = known.byEmail.get(email)
			}
		}),
	)
}

func spoiledPasswords(known *passwords) mutation {
	return rewriteBody(updatesUser(), func(body map[string]any) {
		before, ok := known.byEmail.lookup(fieldText(body, "email"))
		if after, is := body["password"].(string); ok && is && after != before {
			body["password"] = after + " "
		}
	})
}

// updatedIdentities are the faults of what an update must leave alone.
func updatedIdentities() []Fault {
	return slices.Concat(
		breaks("users.me.update.keeps-identity",
			fault("users-update-answers-new-created-at", "the answer to an update has the time of the update as created_at",
				rewriteObject(updatesUser(), copied("created_at", "updated_at"))),
			fault("users-update-renews-created-at", "after an update the own record shows its time as created_at",
				rewriteObject(readsOwnRecord(), copied("created_at", "updated_at"))),
			fault("users-update-renumbers", "the answer to an update has another id", rewriteObject(updatesUser(), prefixedID))),
		breaks("users.me.update.updated-at",
			fault("users-update-answers-earlier-updated-at", "the answer to an update has updated_at in local time, labelled as UTC",
				rewriteObject(updatesUser(), func(user map[string]any) {
					user["updated_at"] = timeIn(user, "updated_at").Add(-5 * time.Hour).Format(time.RFC3339Nano)
				})),
			fault("users-update-turns-updated-at-back", "an update leaves updated_at a minute before what it was", updatesTurnBack),
			fault("users-update-resets-updated-at", "a second update turns updated_at back to the time of the create", secondUpdatesReset)),
	)
}

// updatesTurnBack shows updated_at earlier with each update, in its answer and in the own record.
func updatesTurnBack(o *refserver.Options) {
	updates := &memory[int]{} // by id
	back := func(user map[string]any) {
		if n := updates.get(fieldText(user, "id")); n > 0 {
			user["updated_at"] = timeIn(user, "created_at").Add(-time.Duration(n) * time.Minute).Format(time.RFC3339Nano)
		}
	}
	combine(
		rewriteObject(updatesUser(), func(user map[string]any) {
			updates.update(fieldText(user, "id"), func(n int) int { return n + 1 })
			back(user)
		}),
		rewriteObject(readsOwnRecord(), back),
	)(o)
}

func secondUpdatesReset(o *refserver.Options) {
	updates := &memory[int]{} // by id
	combine(
		rewriteObject(updatesUser(), func(user map[string]any) { updates.update(fieldText(user, "id"), func(n int) int { return n + 1 }) }),
		rewriteObject(readsOwnRecord(), func(user map[string]any) {
			if updates.get(fieldText(user, "id")) > 1 {
				user["updated_at"] = user["created_at"]
			}
		}),
	)(o)
}

// refusedUserUpdates are the faults of updates that change nothing (Errors, rows 400 and 422).
func refusedUserUpdates() []Fault {
	nameless := updatesUser().and(not(sends("user_name")))
	return slices.Concat(
		breaks("users.me.update.user-name-required",
			fault("users-update-needs-no-user-name", "an update without a user name keeps the one that stands",
				intercept(nameless, func(next http.Handler, r *http.Request) *response {
					if own := ownName(next, r); own != "" {
						inBody(set("user_name", own))(r)
					}
					return record(next, r)
				})),
			fault("users-update-without-user-name-takes-effect", "an update without a user name is refused and done",
				intercept(nameless, func(next http.Handler, r *http.Request) *response {
					body := maps.Clone(requestObject(r))
					if own := ownName(next, r); own != "" && body != nil {
						body["user_name"] = own
						call(next, r, http.MethodPut, "/0.2/user", body)
					}
					return record(next, r)
				}))),
		breaks("users.me.update.wrong-type",
			fault("users-update-takes-number-as-url", "an update takes a number for a url, as text", rewriteBody(updatesUser(), textOf("url"))),
			fault("users-update-wrong-type-changes-others", "an update with metadata of the wrong type is refused, and the other fields are changed",
				refusedButDone(updatesUser(), inBody(ignoring("metadata", isA[[]any])))),
			fault("users-update-wrong-type-changes-password", "an update with a first name of the wrong type is refused, and the password is changed",
				refusedButDone(updatesUser().and(sendsA("first_name", isNo[string])), inBody(func(body map[string]any) {
					maps.DeleteFunc(body, func(name string, _ any) bool { return name != "user_name" && name != "password" })
				}))),
			fault("users-update-ignores-boolean-last-name", "an update ignores a last name that is a boolean",
				rewriteBody(updatesUser(), ignoring("last_name", isA[bool])))),
	)
}
