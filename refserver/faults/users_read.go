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

// ownRecords are the faults of reading the own record (Endpoints, row 4).
func ownRecords() []Fault {
	return breaks("users.me.get",
		fault("users-own-record-of-latest", "the own record is that of another user, the one who was created last", ownRecordOfLatest),
		fault("users-own-record-of-first", "the own record is that of another user, the one who was created first", ownRecordOfFirst),
		fault("users-own-record-answers-201", "reading the own record answers 201", rewriteResponse(readsOwnRecord(), status(201))),
		fault("users-own-record-lacks-custom-id", "the own record leaves custom_id out", rewriteObject(readsOwnRecord(), drop("custom_id"))),
		fault("users-own-record-keeps-one-social-id", "until the first update the own record has one of several social_ids",
			rewriteObject(readsOwnRecord(), func(user map[string]any) {
				if user["updated_at"] == user["created_at"] {
					firstEntry("social_ids")(user)
				}
			})))
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
			fault("users-delete-leaves-record", "a deleted user's record is still shown by its id", deletedShown(0, nil)),
			fault("users-delete-record-returns", "a deleted user's record is gone, and shown again a second later", deletedShown(time.Second, nil)),
			fault("users-delete-record-answers-409", "a deleted user's id is answered with 409", deletedShown(0, store.ErrConflict))),
	)
}

// deletedShown shows deleted users once they are gone for a while, or answers
// their ids with an error.
func deletedShown(after time.Duration, failing error) mutation {
	return overrideStore(func(inner refserver.Store, s *overrides) {
		records, deleted := &memory[store.User]{}, &memory[time.Time]{}
		s.onDeleteUser(func(user store.User) {
			records.keep(keyOf(user.App, user.ID), user)
			deleted.keep(keyOf(user.App, user.ID), time.Now())
		})
		s.user = func(app store.App, id store.ID) (store.User, error) {
			if at, gone := deleted.lookup(keyOf(app, id)); gone && time.Since(at) >= after {
				return records.get(keyOf(app, id)), failing
			}
			return inner.User(app, id)
		}
	})
}

// otherUsers are the faults of reading another user (Endpoints, row 7).
func otherUsers() []Fault {
	return slices.Concat(
		breaks("users.get.other",
			fault("users-get-answers-first-asked-for", "whoever asks for users by their ids gets the first one again and again",
				firstAnswerKept(sessionIn)),
			fault("users-get-answers-first-version", "the record of another user stays as it was when it was first asked for",
				firstAnswerKept(func(r *http.Request) string { return r.URL.Path })),
			fault("users-get-lacks-user-name", "the record of another user has no user name", rewriteObject(readsUser(), drop("user_name"))),
			fault("users-get-needs-connection", "who is not connected to a user gets 403 for its record",
				intercept(readsUser(), func(next http.Handler, r *http.Request) *response {
					resp := record(next, r)
					if resp.ok() && call(next, r, http.MethodGet, "/0.2/user/follows", nil).empty() {
						resp.status, resp.body = 403, []byte("{}")
					}
					return resp
				}))),
		breaks("users.get.unknown",
			fault("users-get-unknown-answers-204", "an id that no user has is answered with 204",
				unknownIDs(func(_ http.Handler, _ *http.Request, resp *response) { resp.become(204, "") })),
			fault("users-get-unknown-answers-403", "an id that no user has is answered with 403",
				unknownIDs(func(_ http.Handler, _ *http.Request, resp *response) { resp.status = 403 })),
			fault("users-get-unknown-answers-reader", "an id that no user has is answered with the record of the one who asks",
				unknownIDs(func(next http.Handler, r *http.Request, resp *response) {
					if own := call(next, r, http.MethodGet, "/0.2/user", nil); own.ok() {
						resp.status, resp.body = 200, own.body
					}
				}))),
	)
}

// unknownIDs changes what is answered to ids that no user ever had.
func unknownIDs(change func(next http.Handler, r *http.Request, resp *response)) mutation {
	return func(o *refserver.Options) {
		ever := &memory[bool]{}
		combine(
			rewriteObject(createsUser(), func(user map[string]any) { ever.keep(fieldText(user, "id"), true) }),
			intercept(readsUser(), func(next http.Handler, r *http.Request) *response {
				resp := record(next, r)
				if resp.status == 404 && !ever.get(lastSegment(r)) {
					change(next, r, resp)
				}
				return resp
			}),
		)(o)
	}
}

// firstAnswerKept goes on answering what was answered first to requests of one kind.
func firstAnswerKept(kind func(*http.Request) string) mutation {
	return func(o *refserver.Options) {
		first := &memory[[]byte]{}
		rewriteResponse(readsUser(), func(r *http.Request, resp *response) {
			kept, known := first.lookup(kind(r))
			switch {
			case resp.ok() && known:
				resp.body = kept
			case resp.ok():
				first.keep(kind(r), resp.body)
			}
		})(o)
	}
}
