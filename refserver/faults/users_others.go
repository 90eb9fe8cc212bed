package faults

import (
	"net/http"
	"path"
	"slices"
	"sync"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// ownRecords are the faults of reading the own record (Endpoints, row 4).
func ownRecords() []Fault {
	const rule = "users.me.get"
	return []Fault{
		{
			Name: "users-own-record-of-latest", Rule: rule,
			Summary: "the own record is that of the user who was created last, whoever asks",
			Apply:   ownRecordOf(func(ids []string) string { return ids[len(ids)-1] }),
		},
		{
			Name: "users-own-record-of-first", Rule: rule,
			Summary: "the own record is that of the first user there is, whoever asks",
			Apply:   ownRecordOf(func(ids []string) string { return ids[0] }),
		},
		{
			Name: "users-own-record-answers-201", Rule: rule,
			Summary: "reading the own record answers 201",
			Apply:   edit(readsOwnRecord(), func(_ *http.Request, resp *response) { resp.restatus(http.StatusCreated) }),
		},
		{
			Name: "users-own-record-lacks-custom-id", Rule: rule,
			Summary: "the own record leaves custom_id out",
			Apply:   edit(readsOwnRecord(), inObject(drop("custom_id"))),
		},
		{
			Name: "users-own-record-keeps-one-social-id", Rule: rule,
			Summary: "until the first update the own record has one of several social_ids",
			Apply: edit(readsOwnRecord(), inObject(func(user map[string]any) {
				if user["updated_at"] == user["created_at"] {
					firstEntry("social_ids")(user)
				}
			})),
		},
	}
}

// ownRecordOf shows the record of a user of choice among those that there are,
// in the order of their creation.
func ownRecordOf(choose func(ids []string) string) func(*refserver.Options) {
	return func(o *refserver.Options) {
		var (
			mu  sync.Mutex
			ids []string
		)
		both(
			edit(createsUser(), inObject(func(user map[string]any) {
				mu.Lock()
				defer mu.Unlock()
				ids = append(ids[max(0, len(ids)-mostKept):], fieldText(user, "id"))
			})),
			around(readsOwnRecord(), func(next http.Handler, r *http.Request) *response {
				own := record(next, r)
				mu.Lock()
				defer mu.Unlock()
				for own.ok() && len(ids) > 0 {
					id := choose(ids)
					if other := call(next, r, http.MethodGet, "/0.2/users/"+id, nil); other.ok() {
						own.body = other.body
						break
					}
					ids = slices.DeleteFunc(ids, func(each string) bool { return each == id }) // it is deleted
				}
				return own
			}),
		)(o)
	}
}

// userDeletes are the faults of deleting a user (Endpoints, row 6).
func userDeletes() []Fault {
	const status, gone = "users.me.delete.status", "users.me.delete.gone"
	deletes := on("DELETE /0.2/user")
	return []Fault{
		{
			Name: "users-delete-answers-200", Rule: status,
			Summary: "deleting a user answers 200 and an empty object",
			Apply:   edit(deletes, answers(http.StatusOK, "{}")),
		},
		{
			Name: "users-delete-answers-202", Rule: status,
			Summary: "deleting a user answers 202",
			Apply:   edit(deletes, answers(http.StatusAccepted, "")),
		},
		{
			Name: "users-delete-leaves-record", Rule: gone,
			Summary: "a deleted user's record is still shown by its id",
			Apply:   behind(func(s refserver.Store) refserver.Store { return &ghosts{Store: s} }),
		},
		{
			Name: "users-delete-record-returns", Rule: gone,
			Summary: "a deleted user's record is gone, and shown again a second later",
			Apply:   behind(func(s refserver.Store) refserver.Store { return &ghosts{Store: s, after: time.Second} }),
		},
		{
			Name: "users-delete-record-answers-409", Rule: gone,
			Summary: "a deleted user's id is answered with 409",
			Apply:   behind(func(s refserver.Store) refserver.Store { return &ghosts{Store: s, failing: store.ErrConflict} }),
		},
	}
}

// ghosts remembers deleted users.
type ghosts struct {
	refserver.Store
	after   time.Duration // how long they are gone
	failing error         // what they are answered with; nil shows them

	records memory[store.User]
	deleted memory[time.Time]
}

func (g *ghosts) DeleteUser(app store.App, id store.ID) error {
	user, missing := g.Store.User(app, id)
	err := g.Store.DeleteUser(app, id)
	if missing == nil && err == nil {
		g.records.keep(keyOf(app, id), user)
		g.deleted.keep(keyOf(app, id), time.Now())
	}
	return err
}

func (g *ghosts) User(app store.App, id store.ID) (store.User, error) {
	user, err := g.Store.User(app, id)
	ghost, known := g.records.get(keyOf(app, id))
	at, _ := g.deleted.get(keyOf(app, id))
	switch {
	case !known || time.Since(at) < g.after:
		return user, err
	case g.failing != nil:
		return user, g.failing
	}
	return ghost, nil
}

// otherUsers are the faults of reading another user (Endpoints, row 7).
func otherUsers() []Fault {
	const other, unknown = "users.get.other", "users.get.unknown"
	gets := on("GET /0.2/users/{UserID}")
	return []Fault{
		{
			Name: "users-get-answers-first-asked-for", Rule: other,
			Summary: "whoever asks for users by their ids gets the first one again and again",
			Apply:   firstAskedForAgain,
		},
		{
			Name: "users-get-answers-first-version", Rule: other,
			Summary: "the record of another user stays as it was when it was first asked for",
			Apply:   firstVersionKept,
		},
		{
			Name: "users-get-lacks-user-name", Rule: other,
			Summary: "the record of another user has no user name",
			Apply:   edit(gets, inObject(drop("user_name"))),
		},
		{
			Name: "users-get-needs-connection", Rule: other,
			Summary: "who is not connected to a user gets 403 for its record",
			Apply: around(gets, func(next http.Handler, r *http.Request) *response {
				resp := record(next, r)
				if follows := call(next, r, http.MethodGet, "/0.2/user/follows", nil); resp.ok() && follows.ok() && string(follows.body) == "[]\n" {
					resp.status, resp.body = http.StatusForbidden, []byte("{}")
				}
				return resp
			}),
		},
		{
			Name: "users-get-unknown-answers-204", Rule: unknown,
			Summary: "an id that no user has is answered with 204",
			Apply: unknownIDs(func(_ http.Handler, _ *http.Request, resp *response) {
				resp.status, resp.body = http.StatusNoContent, nil
				resp.header.Del("Content-Type")
			}),
		},
		{
			Name: "users-get-unknown-answers-403", Rule: unknown,
			Summary: "an id that no user has is answered with 403",
			Apply:   unknownIDs(func(_ http.Handler, _ *http.Request, resp *response) { resp.status = http.StatusForbidden }),
		},
		{
			Name: "users-get-unknown-answers-reader", Rule: unknown,
			Summary: "an id that no user has is answered with the record of the one who asks",
			Apply: unknownIDs(func(next http.Handler, r *http.Request, resp *response) {
				if own := call(next, r, http.MethodGet, "/0.2/user", nil); own.ok() {
					resp.status, resp.body = http.StatusOK, own.body
				}
			}),
		},
	}
}

// unknownIDs changes what is answered to ids that no user ever had.
func unknownIDs(change func(next http.Handler, r *http.Request, resp *response)) func(*refserver.Options) {
	return func(o *refserver.Options) {
		ever := &memory[bool]{}
		both(
			edit(createsUser(), inObject(func(user map[string]any) { ever.keep(fieldText(user, "id"), true) })),
			around(on("GET /0.2/users/{UserID}"), func(next http.Handler, r *http.Request) *response {
				resp := record(next, r)
				if known, _ := ever.get(path.Base(r.URL.Path)); !known && resp.status == http.StatusNotFound {
					change(next, r, resp)
				}
				return resp
			}),
		)(o)
	}
}

func firstVersionKept(o *refserver.Options) {
	first := &memory[[]byte]{} // by path
	edit(on("GET /0.2/users/{UserID}"), func(r *http.Request, resp *response) {
		if !resp.ok() {
			return
		}
		if kept, known := first.get(r.URL.Path); known {
			resp.body = kept
		} else {
			first.keep(r.URL.Path, resp.body)
		}
	})(o)
}

func firstAskedForAgain(o *refserver.Options) {
	first := &memory[[]byte]{} // by session token
	edit(on("GET /0.2/users/{UserID}"), func(r *http.Request, resp *response) {
		kept, known := first.get(sessionIn(r))
		switch {
		case resp.ok() && known:
			resp.body = kept
		case resp.ok():
			first.keep(sessionIn(r), resp.body)
		}
	})(o)
}
