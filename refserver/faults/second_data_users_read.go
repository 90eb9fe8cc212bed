package faults

import (
	"encoding/json"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/socialfeed/conform/refserver"
)

// dataUsersRead are the faults of users with certain values where they are read: types that
// change, and an id that is taken for another.
func dataUsersRead() []Fault {
	return slices.Concat(
		breaks("users.types",
			fault("data-metadata-numeric-keys-as-list", "metadata whose keys are the numbers from 0 on is a list where another user is read",
				rewriteObject(readsUser(), mapField("metadata", asListWhereNumbered))),
			fault("data-friends-numeric-texts-as-numbers", "the own friends have names and custom_ids that are numbers as numbers",
				rewriteEach(readsFriends(), func(user map[string]any) {
					for _, field := range []string{"user_name", "first_name", "last_name", "custom_id"} {
						mapField(field, numericAsNumber)(user)
					}
				}))),
		breaks("users.get.other",
			fault("data-custom-id-taken-for-id", "a user is hidden by another whose custom_id is the same as its id", customIDsTakenForIDs)),
	)
}

// asListWhereNumbered is a map as some languages write it: as a list, where its keys
// are those of one.
func asListWhereNumbered(value any) any {
	entries, ok := value.(map[string]any)
	if !ok || len(entries) == 0 {
		return value
	}
	list := make([]any, 0, len(entries))
	for i := range len(entries) {
		entry, there := entries[strconv.Itoa(i)]
		if !there {
			return value
		}
		list = append(list, entry)
	}
	return list
}

// numericAsNumber makes a number of a text that is one.
func numericAsNumber(value any) any {
	text, ok := value.(string)
	if !ok || !isDigits(text) {
		return value
	}
	digits := strings.TrimLeft(text, "0")
	if digits == "" {
		digits = "0"
	}
	return json.Number(digits)
}

// customIDsTakenForIDs looks for the id of a user to read among custom_ids first.
func customIDsTakenForIDs(o *refserver.Options) {
	bearers := &memory[string]{} // ids by application and custom_id
	combine(
		rewriteResponse(createsUser(), func(r *http.Request, resp *response) {
			resp.object(func(user map[string]any) {
				if custom := fieldText(user, "custom_id"); custom != "" {
					bearers.keep(appIn(r)+" "+custom, fieldText(user, "id"))
				}
			})
		}),
		intercept(readsUser(), func(next http.Handler, r *http.Request) *response {
			resp := record(next, r)
			id, known := bearers.lookup(appIn(r) + " " + lastSegment(r))
			if !known || !resp.ok() {
				return resp
			}
			r.URL.Path, r.URL.RawPath = path.Dir(r.URL.Path)+"/"+id, ""
			if other := record(next, r); other.ok() {
				return other
			}
			return resp
		}),
	)(o)
}
