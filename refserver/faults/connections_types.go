package faults

import (
	"net/http"
	"strings"
	"time"

	"github.com/socialfeed/conform/refserver"
)

// connectionTypes are the faults of the Connection as a resource, wherever it is sent.
func connectionTypes() []Fault {
	follow, friend := connects().and(ofType("follow")), connects().and(ofType("friend"))
	created := func(c map[string]any) time.Time {
		at, err := time.Parse(time.RFC3339, fieldText(c, "created_at"))
		if err != nil {
			return time.Time{}
		}
		return at
	}
	return []Fault{
		{
			Name: "connections-times-as-numbers", Rule: "connections.types",
			Summary: "a connection's created_at is a number of seconds",
			Apply:   edit(connects(), inObject(func(c map[string]any) { c["created_at"] = created(c).Unix() })),
		},
		{
			Name: "connections-confirmed-at-boolean", Rule: "connections.types",
			Summary: "a friend connection's confirmed_at says true or false",
			Apply:   edit(friend, inObject(set("confirmed_at", true))),
		},
		{
			Name: "connections-standing-enabled-as-text", Rule: "connections.types",
			Summary: "when a connection is made again, the one that stands is answered with enabled as a text",
			Apply:   standingEnabledAsText(),
		},
		{
			Name: "connections-follow-confirmed", Rule: "connections.confirmed-at",
			Summary: "a follow has a confirmed_at, the time of its creation",
			Apply:   edit(follow, inObject(func(c map[string]any) { c["confirmed_at"] = c["created_at"] })),
		},
		{
			Name: "connections-follow-confirmed-by-zero", Rule: "connections.confirmed-at",
			Summary: "a follow has the zero time as its confirmed_at",
			Apply:   edit(follow, inObject(set("confirmed_at", "0001-01-01T00:00:00Z"))),
		},
		{
			Name: "connections-follow-back-confirmed", Rule: "connections.confirmed-at",
			Summary: "who follows a follower back gets a follow with a confirmed_at",
			Apply: around(follow, func(next http.Handler, r *http.Request) *response {
				resp := record(next, r)
				back := listsUser(call(next, r, http.MethodGet, "/0.2/user/followers", nil), fieldText(sent(r), "user_to_id"))
				resp.object(func(c map[string]any) {
					if back {
						c["confirmed_at"] = c["created_at"]
					}
				})
				return resp
			}),
		},
	}
}

// listsUser tells whether a list of users has the id.
func listsUser(resp *response, id string) bool {
	found := false
	inEach(func(user map[string]any) { found = found || fieldText(user, "id") == id })(nil, resp)
	return found
}

// standingEnabledAsText knows a connection that stands by the answer that it had before.
func standingEnabledAsText() func(*refserver.Options) {
	answered := &memory[bool]{}
	return edit(connects(), func(_ *http.Request, resp *response) {
		if again := answered.swap(strings.TrimSpace(string(resp.body)), true); again {
			resp.object(set("enabled", "true"))
		}
	})
}
