package faults

import (
	"net/http"
	"strings"

	"github.com/socialfeed/conform/refserver"
)

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
