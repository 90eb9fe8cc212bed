package faults

import (
	"net/http"
	"slices"

	"github.com/socialfeed/conform/refserver"
)

func search() []Fault {
	return slices.Concat(searchAnswers(), searchAttributes(), searchCases(), searchWords(), searchExclusions(), searchPatterns(), searchDeletions())
}

func searches() match { return on("GET /0.2/users/search") }

// searchAnswers are the faults of what a search answers (Endpoints, row 8).
func searchAnswers() []Fault {
	const status, empty = "search.status", "search.no-match-empty"
	noMatch := func(change func(*response)) func(*refserver.Options) {
		return edit(searches(), func(_ *http.Request, resp *response) {
			if resp.ok() && string(resp.body) == "[]\n" {
				change(resp)
			}
		})
	}
	return []Fault{
		{
			Name: "search-answers-206", Rule: status,
			Summary: "a search answers 206",
			Apply:   edit(searches(), func(_ *http.Request, resp *response) { resp.restatus(http.StatusPartialContent) }),
		},
		{
			Name: "search-wraps-results", Rule: status,
			Summary: "a search answers an object that holds the array",
			Apply: edit(searches(), func(_ *http.Request, resp *response) {
				if resp.ok() {
					resp.json(func(list any) any { return map[string]any{"users": list} })
				}
			}),
		},
		{
			Name: "search-answers-ids", Rule: status,
			Summary: "a search answers ids in place of users",
			Apply: edit(searches(), func(_ *http.Request, resp *response) {
				resp.list(func(users []any) []any {
					for i, user := range users {
						users[i] = user.(map[string]any)["id"]
					}
					return users
				})
			}),
		},
		{
			Name: "search-no-match-answers-404", Rule: empty,
			Summary: "a search without matches answers 404",
			Apply: noMatch(func(resp *response) {
				resp.status, resp.body = http.StatusNotFound, []byte("{}")
			}),
		},
		{
			Name: "search-no-match-answers-204", Rule: empty,
			Summary: "a search without matches answers 204",
			Apply: noMatch(func(resp *response) {
				resp.status, resp.body = http.StatusNoContent, nil
				resp.header.Del("Content-Type")
			}),
		},
		{
			Name: "search-no-match-answers-object", Rule: empty,
			Summary: "a search without matches answers an empty object",
			Apply:   noMatch(func(resp *response) { resp.body = []byte("{}") }),
		},
		{
			Name: "search-no-match-suggests-users", Rule: empty,
			Summary: "a search without matches answers users who might be meant",
			Apply: around(searches(), func(next http.Handler, r *http.Request) *response {
				resp := record(next, r)
				if own := call(next, r, http.MethodGet, "/0.2/user", nil); resp.ok() && own.ok() && string(resp.body) == "[]\n" {
					resp.body = encode([]any{decode(own.body)})
				}
				return resp
			}),
		},
	}
}
