package faults

import (
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// userUpdates are the faults of whether an update takes effect (Endpoints, row 5).
func userUpdateFaults() []Fault {
	return slices.Concat(
		breaks("users.me.update.status",
			fault("users-update-answers-200", "an update answers 200", rewriteResponse(updatesUser(), status(200)))),
		breaks("users.me.update.applies",
			fault("users-update-answers-old-names", "an update answers the last name as it was before",
				knowing(updatesUser(), asked.own, func(q asked, before map[string]any) {
					if name, there := before["last_name"]; there {
						q.object(set("last_name", name))
					}
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
				rewriteKnowing(updatesUser(), func(own, sent map[string]any) {
					if name, _ := sent["user_name"].(string); name != "" {
						keepingName(own, sent)
					}
				}))),
		breaks("users.me.update.password",
			fault("users-update-ignores-password", "an update leaves the password as it was",
				rewriteBody(updatesUser(), ignoring("password", isA[string]))),
			fault("users-update-keeps-old-password", "after a change of password the old one logs in by email too",
				breaking(passwordsTaken(byEmail, func(l look, given []byte) bool { return l.last(newPassword, l.me, 0).ended(given) }))),
			fault("users-update-spoils-password", "after a change of password neither the new one nor the old one logs in",
				newPasswords(func(_ look, _ User, now *User) { now.Password = void(now.Password) }))),
	)
}

func ownName(next http.Handler, r *http.Request) string {
	return fieldText(ownRecord(next, r), "user_name")
}

// keepingName has an update send the user name that stands.
func keepingName(own, sent map[string]any) { sent["user_name"] = own["user_name"] }

// allTexts reports whether a value is a map of string to string, within the limits.
func allTexts(value any) bool {
	entries, ok := value.(map[string]any)
	for key, entry := range entries {
		text, is := entry.(string)
		ok = ok && is && len([]rune(key)) <= 40 && len([]rune(text)) <= 500
	}
	return ok && len(entries) <= 10
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
			fault("users-update-turns-updated-at-back", "an update leaves updated_at a minute before what it was",
				answersLooking(updatesUser().or(readsOwnRecord()), func(l look, q asked) {
					if n := time.Duration(l.times(updated, l.me, 0)); n > 0 {
						q.object(func(user map[string]any) {
							user["updated_at"] = timeIn(user, "created_at").Add(-n * time.Minute).Format(time.RFC3339Nano)
						})
					}
				})),
			fault("users-update-resets-updated-at", "a second update turns updated_at back to the time of the create",
				answersWhere(readsOwnRecord(), func(l look) bool { return l.times(updated, l.me, 0) > 1 }, inObject(copied("updated_at", "created_at"))))),
	)
}

// refusedUserUpdates are the faults of updates that change nothing (Errors, rows 400 and 422).
func refusedUserUpdates() []Fault {
	nameless := updatesUser().and(not(sends("user_name")))
	return slices.Concat(
		breaks("users.me.update.user-name-required",
			fault("users-update-needs-no-user-name", "an update without a user name keeps the one that stands", rewriteKnowing(nameless, keepingName)),
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

// ownRecords are the faults of reading the own record (Endpoints, row 4).
func ownRecords() []Fault {
	return breaks("users.me.get",
		fault("users-own-record-of-latest", "the own record is that of another user, the one who was created last", ownRecordOfLatest),
		fault("users-own-record-of-first", "the own record is that of another user, the one who was created first", ownRecordOfFirst),
		fault("users-own-record-answers-201", "reading the own record answers 201", rewriteResponse(readsOwnRecord(), status(201))),
		fault("users-own-record-lacks-custom-id", "the own record leaves custom_id out", rewriteObject(readsOwnRecord(), drop("custom_id"))),
		fault("users-own-record-keeps-one-social-id", "until the first update the own record has one of several social_ids",
			rewriteObject(readsOwnRecord(), where(func(user map[string]any) bool { return !wasChanged(user) }, firstEntry("social_ids")))))
}

// ownRecordOfLatest shows the record of the latest other user as it was created, as a cache with
// one place does.
func ownRecordOfLatest(o *refserver.Options) {
	created := &others[map[string]any]{}
	ownRecordOf(created.keep, created.of)(o)
}

// ownRecordOfFirst shows the record of the first other user as it was created.
func ownRecordOfFirst(o *refserver.Options) {
	var (
		mu      sync.Mutex
		created []map[string]any // the first two
	)
	ownRecordOf(func(_ string, user map[string]any) {
		mu.Lock()
		defer mu.Unlock()
		if len(created) < 2 {
			created = append(created, user)
		}
	}, func(id string) map[string]any {
		mu.Lock()
		defer mu.Unlock()
		for _, user := range created {
			if fieldText(user, "id") != id {
				return user
			}
		}
		return nil
	})(o)
}

// ownRecordOf shows the record of another user, if there is one: what is kept of each when it is
// created, and who is the other one.
func ownRecordOf(keep func(id string, user map[string]any), other func(id string) map[string]any) mutation {
	return combine(
		rewriteObject(createsUser(), func(user map[string]any) {
			kept := maps.Clone(user)
			delete(kept, "session_token")
			keep(fieldText(user, "id"), kept)
		}),
		rewriteObject(readsOwnRecord(), func(user map[string]any) {
			if shown := other(fieldText(user, "id")); shown != nil {
				clear(user)
				maps.Copy(user, shown)
			}
		}),
	)
}

// userDeletes are the faults of deleting a user (Endpoints, row 6).
func userDeletes() []Fault {
	return slices.Concat(
		breaks("users.me.delete.status",
			fault("users-delete-answers-200", "deleting a user answers 200 and an empty object",
				rewriteResponse(deletesUser(), replaceSuccess(200, "{}"))),
			fault("users-delete-answers-202", "deleting a user answers 202", rewriteResponse(deletesUser(), replaceSuccess(202, "")))),
		breaks("users.me.delete.gone",
			fault("users-delete-leaves-record", "a deleted user's record is still shown by its id", breaking(recordsStay(always))),
			fault("users-delete-record-returns", "a deleted user's record is gone, and shown again a second later", breaking(recordsStay(aMomentAgo))),
			fault("users-delete-record-answers-409", "a deleted user's id is answered with 409",
				breaking(reading(func(l *step, err error) error {
					if l.ever(deleted, l.other, 0) {
						return store.ErrConflict
					}
					return err
				})))),
	)
}

// otherUsers are the faults of reading another user (Endpoints, row 7).
func otherUsers() []Fault {
	return slices.Concat(
		breaks("users.get.other",
			fault("users-get-answers-first-asked-for", "every request for a user by id gets the user that was asked for first",
				cached(readsUser(), sessionIn, wasFound)),
			fault("users-get-answers-first-version", "the record of another user stays as it was when it was first asked for",
				cached(readsUser(), func(r *http.Request) string { return r.URL.Path }, wasFound)),
			fault("users-get-lacks-user-name", "the record of another user has no user name", rewriteObject(readsUser(), drop("user_name"))),
			fault("users-get-needs-connection", "who is not connected to a user gets 403 for its record",
				answers(readsUser(), func(q asked) {
					if q.ok() && q.get("/0.2/user/follows").empty() {
						restated(403, "{}")(q.Request, q.response)
					}
				}))),
		breaks("users.get.unknown",
			fault("users-get-unknown-answers-204", "an id that no user has is answered with 204",
				answersWhere(readsUser(), neverThere, replaceStatus(404, 204, ""))),
			fault("users-get-unknown-answers-403", "an id that no user has is answered with 403",
				answersWhere(readsUser(), neverThere, otherStatus(404, 403))),
			fault("users-get-unknown-answers-reader", "an id that no user has is answered with the record of the one who asks",
				answersLooking(readsUser(), func(l look, q asked) {
					if own := q.get("/0.2/user"); q.status == 404 && neverThere(l) && own.ok() {
						q.status, q.body = 200, own.body
					}
				}))),
	)
}

func wasFound(_ *http.Request, _ kept, resp *response) bool { return resp.ok() }
