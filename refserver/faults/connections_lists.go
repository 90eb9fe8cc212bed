package faults

import (
	"net/http"
	"strings"

	"github.com/socialfeed/conform/refserver"
)

// connectionLists are the faults of the lists of users (Endpoints, rows 11 to 16).
func connectionLists() []Fault {
	const most = 2
	noLast := func(list []any) []any {
		if len(list) > most {
			return list[:len(list)-1]
		}
		return list
	}
	noFirst := func(list []any) []any {
		if len(list) > most {
			return list[1:]
		}
		return list
	}
	listing := func(path string, change func([]any) []any) func(*refserver.Options) {
		return edit(on("GET "+path), func(_ *http.Request, resp *response) { resp.list(change) })
	}
	return []Fault{
		{
			Name: "connections-follows-cut-short", Rule: "connections.lists.follows",
			Summary: "the last of more than two followed users is not listed",
			Apply:   listing("/0.2/user/follows", noLast),
		},
		{
			Name: "connections-follows-repeat-who-follows-back", Rule: "connections.lists.follows",
			Summary: "a followed user who follows back is listed twice",
			Apply:   repeatsWhoIsIn("/0.2/user/follows", "/0.2/user/followers"),
		},
		{
			Name: "connections-followers-cut-short", Rule: "connections.lists.followers",
			Summary: "the first of more than two followers is not listed",
			Apply:   listing("/0.2/user/followers", noFirst),
		},
		{
			Name: "connections-followers-answer-206", Rule: "connections.lists.followers",
			Summary: "the followers are answered with 206",
			Apply: edit(on("GET /0.2/user/followers"), func(_ *http.Request, resp *response) {
				resp.restatus(http.StatusPartialContent)
			}),
		},
		{
			Name: "connections-friends-cut-short", Rule: "connections.lists.friends",
			Summary: "the last of more than two friends is not listed",
			Apply:   listing("/0.2/user/friends", noLast),
		},
		{
			Name: "connections-friends-twice", Rule: "connections.lists.friends",
			Summary: "every friend is listed once for each side's connection",
			Apply:   listing("/0.2/user/friends", func(list []any) []any { return append(list, list...) }),
		},
		{
			Name: "connections-follows-of-reader", Rule: "connections.lists.of-user",
			Summary: "the follows of any user are those of the one who asks",
			Apply:   readersOwn("follows"),
		},
		{
			Name: "connections-followers-of-reader", Rule: "connections.lists.of-user",
			Summary: "the followers of any user are those of the one who asks",
			Apply:   readersOwn("followers"),
		},
		{
			Name: "connections-friends-of-reader", Rule: "connections.lists.of-user",
			Summary: "the friends of any user are those of the one who asks",
			Apply:   readersOwn("friends"),
		},
		{
			Name: "connections-followers-of-user-are-follows", Rule: "connections.lists.of-user",
			Summary: "the followers of any user are those whom it follows",
			Apply: tamper(on("GET /0.2/users/{UserID}/followers"), func(r *http.Request) {
				r.URL.Path = strings.TrimSuffix(r.URL.Path, "ers") + "s"
			}),
		},
		{
			Name: "connections-friends-of-user-cut-short", Rule: "connections.lists.of-user",
			Summary: "the last of more than two friends of any user is not listed",
			Apply:   listing("/0.2/users/{UserID}/friends", noLast),
		},
		{
			Name: "connections-friends-of-user-ids-rounded", Rule: "connections.lists.of-user",
			Summary: "ids above 2^53 lose their last digits among the friends of any user, and there alone",
			Apply: both(bigUserIDs, edit(on("GET /0.2/users/{UserID}/friends"), inEach(func(user map[string]any) {
				user["id"] = rounded(user["id"])
			}))),
		},
		{
			Name: "connections-no-followers-not-found", Rule: "connections.lists.empty",
			Summary: "followers that nobody is one of are not found",
			Apply:   whereEmpty("/0.2/user/followers", http.StatusNotFound, `{}`),
		},
		{
			Name: "connections-no-friends-object", Rule: "connections.lists.empty",
			Summary: "the empty list of any user's friends is an object",
			Apply:   whereEmpty("/0.2/users/{UserID}/friends", http.StatusOK, `{}`),
		},
		{
			Name: "connections-no-follows-no-content", Rule: "connections.lists.empty",
			Summary: "the empty list of any user's follows is answered with 204",
			Apply:   whereEmpty("/0.2/users/{UserID}/follows", http.StatusNoContent, ""),
		},
		{
			Name: "connections-follows-of-nobody", Rule: "connections.lists.unknown-user",
			Summary: "the follows of an unknown user are an empty list",
			Apply:   edit(on("GET /0.2/users/{UserID}/follows"), instead(404, 200, `[]`)),
		},
		{
			Name: "connections-followers-of-nobody-forbidden", Rule: "connections.lists.unknown-user",
			Summary: "the followers of an unknown user are answered with 403",
			Apply:   edit(on("GET /0.2/users/{UserID}/followers"), instead(404, 403, `{}`)),
		},
		{
			Name: "connections-friends-of-nobody", Rule: "connections.lists.unknown-user",
			Summary: "the friends of an unknown user are an empty list",
			Apply:   edit(on("GET /0.2/users/{UserID}/friends"), instead(404, 200, `[]`)),
		},
	}
}

// repeatsWhoIsIn lists the users twice that are on another of the reader's lists.
func repeatsWhoIsIn(path, other string) func(*refserver.Options) {
	return around(on("GET "+path), func(next http.Handler, r *http.Request) *response {
		resp, others := record(next, r), call(next, r, http.MethodGet, other, nil)
		resp.list(func(list []any) []any {
			for _, item := range list {
				if user, ok := item.(map[string]any); ok && listsUser(others, fieldText(user, "id")) {
					list = append(list, item)
				}
			}
			return list
		})
		return resp
	})
}

// readersOwn answers another user's list with the reader's own, if that user exists.
func readersOwn(list string) func(*refserver.Options) {
	return around(on("GET /0.2/users/{UserID}/"+list), func(next http.Handler, r *http.Request) *response {
		if resp := record(next, r); !resp.ok() {
			return resp
		}
		own := r.Clone(r.Context())
		own.URL.Path = "/0.2/user/" + list
		return record(next, own)
	})
}

// whereEmpty answers an empty list otherwise.
func whereEmpty(path string, status int, body string) func(*refserver.Options) {
	return edit(on("GET "+path), func(r *http.Request, resp *response) {
		if strings.TrimSpace(string(resp.body)) == "[]" {
			answers(status, body)(r, resp)
		}
	})
}
