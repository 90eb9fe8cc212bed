package faults

import (
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/socialfeed/conform/refserver"
)

// refusedUpdatesIndexed has a search look at what updates sent, whether they were taken or not.
func refusedUpdatesIndexed(o *refserver.Options) {
	drafts := &memory[map[string]string]{} // names by id, by application
	combine(
		intercept(updatesUser(), func(next http.Handler, r *http.Request) *response {
			id, resp, names := fieldText(ownRecord(next, r), "id"), record(next, r), ""
			if resp.status == http.StatusUnprocessableEntity {
				sent := requestObject(r)
				names = strings.Join([]string{fieldText(sent, "user_name"), fieldText(sent, "first_name"), fieldText(sent, "last_name")}, "\n")
			}
			drafts.update(appIn(r), func(before map[string]string) map[string]string {
				after := map[string]string{}
				maps.Copy(after, before)
				after[id] = names
				return after
			})
			return resp
		}),
		intercept(searches(), func(next http.Handler, r *http.Request) *response {
			resp, term, indexed := record(next, r), r.URL.Query().Get("q"), drafts.get(appIn(r))
			for _, id := range slices.Sorted(maps.Keys(indexed)) {
				if id != "" && term != "" && holdsText(indexed[id], term) {
					resp.list(func(list []any) []any { return withUser(list, call(next, r, http.MethodGet, "/0.2/users/"+id, nil)) })
				}
			}
			return resp
		}),
	)(o)
}

// deletedContactsFound keeps, with each user, the records of the users that it follows.
func deletedContactsFound(o *refserver.Options) {
	gone := &memory[[]*response]{} // by application and follower
	combine(
		intercept(deletesUser(), func(next http.Handler, r *http.Request) *response {
			read := call(next, r, http.MethodGet, "/0.2/user", nil)
			followers := call(next, r, http.MethodGet, "/0.2/user/followers", nil)
			resp := record(next, r)
			if resp.ok() && read.ok() {
				inEach(func(follower map[string]any) {
					gone.update(appIn(r)+"\n"+fieldText(follower, "id"), func(before []*response) []*response { return append(slices.Clip(before), read) })
				})(r, followers)
			}
			return resp
		}),
		intercept(searches(), func(next http.Handler, r *http.Request) *response {
			resp, term := record(next, r), r.URL.Query().Get("q")
			for _, read := range gone.get(appIn(r) + "\n" + fieldText(ownRecord(next, r), "id")) {
				if term != "" && holdsText(fieldText(objectOf(read.body), "user_name"), term) {
					resp.list(func(list []any) []any { return withUser(list, read) })
				}
			}
			return resp
		}),
	)(o)
}
