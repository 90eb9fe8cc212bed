package faults

import (
	"net/http"
	"strings"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// repeatedConnections are the faults of connections that are asked for twice:
// what that answers is open, but not what it leaves behind.
func repeatedConnections() []Fault {
	listing := func(name, rule, summary string, kind store.ConnectionType, list func(*swapped) *members, ends func(from, to store.ID) (reader, shown store.ID)) Fault {
		also := []Unavoidable{{"connections.lists.of-user", "others are shown the same list"}}
		return Fault{Name: "connections-" + name, Rule: rule, Summary: summary, Also: also, Apply: swap(func(_ refserver.Store, s *swapped) {
			times, listed := timesAsked(s, kind), *list(s)
			*list(s) = func(app store.App, id store.ID) ([]store.User, error) {
				users, err := listed(app, id)
				for _, user := range users {
					from, to := ends(id, user.ID)
					if n, _ := times.get(keyOf(app, from, to)); n > 1 {
						users = append(users, user)
					}
				}
				return users, err
			}
		})}
	}
	to := func(reader, shown store.ID) (store.ID, store.ID) { return reader, shown }
	from := func(reader, shown store.ID) (store.ID, store.ID) { return shown, reader }
	return []Fault{
		listing("followed-twice-listed-twice", "connections.lists.follows", "who is followed twice is listed twice",
			store.Follow, func(s *swapped) *members { return &s.follows }, to),
		listing("following-twice-listed-twice", "connections.lists.followers", "who follows twice is listed twice",
			store.Follow, func(s *swapped) *members { return &s.followers }, from),
		listing("friend-asked-twice-listed-twice", "connections.lists.friends", "a friend who is asked twice is listed twice",
			store.Friend, func(s *swapped) *members { return &s.friends }, to),
		{
			Name: "connections-followed-twice-ends-twice", Rule: "connections.delete.removes",
			Summary: "who is followed twice is followed until that is ended twice",
			Apply: swap(func(inner refserver.Store, s *swapped) {
				times := timesAsked(s, store.Follow)
				s.disconnect = func(app store.App, from, to store.ID, types ...store.ConnectionType) error {
					key := keyOf(app, from, to)
					if n, _ := times.get(key); n > 1 {
						times.keep(key, n-1)
						return nil
					}
					times.keep(key, 0)
					return inner.Disconnect(app, from, to, types...)
				}
			}),
		},
	}
}

// timesAsked counts how often a connection was asked for.
func timesAsked(s *swapped, kind store.ConnectionType) *memory[int] {
	times, connect := &memory[int]{}, s.connect
	s.connect = func(app store.App, from, to store.ID, typ store.ConnectionType) (store.Connection, bool, error) {
		connection, created, err := connect(app, from, to, typ)
		if err == nil && typ == kind {
			n, _ := times.get(keyOf(app, from, to))
			times.keep(keyOf(app, from, to), n+1)
		}
		return connection, created, err
	}
	return times
}

// listsOfOthers are the faults of lists that are right for the user whose they
// are, and outdated for others.
func listsOfOthers() []Fault {
	const removes, deleted, unknown = "connections.delete.removes", "connections.lists.after-user-delete", "connections.lists.unknown-user"
	ends, deletes := on("DELETE /0.2/user/connections/{UserID}"), on("DELETE /0.2/user")
	fault := func(name, rule, summary string, change match, list, own string) Fault {
		return Fault{Name: "connections-" + name, Rule: rule, Summary: summary, Apply: outdated(change, list, own)}
	}
	return []Fault{
		fault("ended-seen-in-follows", removes, "who is no longer followed is among the follows that others see", ends, "follows", "follows"),
		fault("ended-seen-in-followers", removes, "who no longer follows is among the followers that others see", ends, "followers", "follows"),
		fault("deleted-seen-in-follows", deleted, "a deleted user is among the follows that others see", deletes, "follows", "followers"),
		fault("deleted-seen-in-followers", deleted, "a deleted user is among the followers that others see", deletes, "followers", "follows"),
		fault("deleted-seen-in-friends", deleted, "a deleted user is among the friends that others see", deletes, "friends", "friends"),
		{
			Name: "connections-lists-of-deleted-empty", Rule: unknown,
			Summary: "the followers of a deleted user are an empty list",
			Apply:   listsOfDeletedEmpty,
		},
	}
}

// outdated shows a user's list to others as it was before the latest change to it
// that took somebody out. Where own is another list, it is that of the one who
// made the change, and names whose lists these are; a new connection mends them.
func outdated(change match, list, own string) func(*refserver.Options) {
	before := &memory[[]byte]{} // by user
	return both(
		around(change, func(next http.Handler, r *http.Request) *response {
			affected := idsIn(call(next, r, http.MethodGet, "/0.2/user/"+own, nil))
			if ended, is := strings.CutPrefix(r.URL.Path, "/0.2/user/connections/"); is {
				affected = []string{ended}
			}
			if list == own && list != "friends" {
				me, _ := decode(call(next, r, http.MethodGet, "/0.2/user", nil).body).(map[string]any)
				affected = []string{fieldText(me, "id")}
			}
			seen := map[string][]byte{}
			for _, id := range affected {
				seen[id] = call(next, r, http.MethodGet, "/0.2/users/"+id+"/"+list, nil).body
			}
			resp := record(next, r)
			for id, list := range seen {
				if resp.ok() {
					before.keep(id, list)
				}
			}
			return resp
		}),
		edit(connects(), inObject(func(connection map[string]any) {
			before.keep(fieldText(connection, "user_from_id"), nil)
			before.keep(fieldText(connection, "user_to_id"), nil)
		})),
		edit(on("GET /0.2/users/{UserID}/"+list), func(r *http.Request, resp *response) {
			if was, _ := before.get(strings.Split(r.URL.Path, "/")[3]); len(was) > 0 && resp.ok() {
				resp.body = was
			}
		}),
	)
}

// idsIn are the ids in a list.
func idsIn(resp *response) []string {
	list, _ := decode(resp.body).([]any)
	var ids []string
	for _, item := range list {
		if object, ok := item.(map[string]any); ok {
			ids = append(ids, fieldText(object, "id"))
		}
	}
	return ids
}

func listsOfDeletedEmpty(o *refserver.Options) {
	deleted := &memory[bool]{} // by id
	both(
		around(on("DELETE /0.2/user"), func(next http.Handler, r *http.Request) *response {
			me, _ := decode(call(next, r, http.MethodGet, "/0.2/user", nil).body).(map[string]any)
			resp := record(next, r)
			if resp.ok() {
				deleted.keep(fieldText(me, "id"), true)
			}
			return resp
		}),
		edit(on("GET /0.2/users/{UserID}/followers"), func(r *http.Request, resp *response) {
			if gone, _ := deleted.get(strings.Split(r.URL.Path, "/")[3]); gone && resp.status == http.StatusNotFound {
				resp.status, resp.body = http.StatusOK, []byte("[]")
			}
		}),
	)(o)
}
