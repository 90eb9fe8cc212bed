package report

import (
	"fmt"
	"strings"

	"github.com/socialfeed/conform/conformance/rules"
)

// exampleRequest is a valid request to an endpoint as it goes over the wire, without
// the headers that say nothing of it.
func exampleRequest(e rules.Endpoint) []string {
	path := e.Path()
	if e == rules.SearchUsers {
		path += "?q=ada"
	}
	lines := []string{e.Method() + " " + path}
	switch e {
	case rules.Versions:
	case rules.CreateUser, rules.Login:
		lines = append(lines, "Authorization: Basic <base64 of APP_TOKEN:>")
	default:
		lines = append(lines, "Authorization: Basic <base64 of APP_TOKEN:SESSION_TOKEN>")
	}
	body := strings.NewReplacer(`'"$USER_ID"'`, "2").Replace(exampleBody(e))
	if body == "" {
		return lines
	}
	return append(lines, "Content-Type: application/json", "", body)
}

// exampleAnswer is the answer that the contract promises to exampleRequest.
func exampleAnswer(e rules.Endpoint) []string {
	const times = `"created_at":"2026-01-02T03:04:05Z","updated_at":"2026-01-02T03:04:05Z"`
	const user = `{"id":1,"user_name":"ada","email":"ada@example.com","enabled":true,` + times + `}`
	const event = `{"id":7,"user_id":1,"verb":"like","enabled":true,` + times + `}`
	switch e {
	case rules.CreateUser, rules.UpdateMe:
		return answered("201 Created", user)
	case rules.Login:
		return answered("200 OK", `{"id":"1","session_token":"<SESSION_TOKEN>"}`)
	case rules.GetMe, rules.GetUser:
		return answered("200 OK", user)
	case rules.SearchUsers, rules.MyFollows, rules.MyFollowers, rules.MyFriends, rules.FollowsOf, rules.FollowersOf, rules.FriendsOf:
		return answered("200 OK", "["+user+"]")
	case rules.CreateConnection:
		return answered("201 Created", `{"user_from_id":1,"user_to_id":2,"type":"follow","enabled":true,`+times+`}`)
	case rules.ConnectSocial:
		return answered("201 Created", "{}")
	case rules.CreateEvent:
		return answered("201 Created", event)
	case rules.UpdateEvent:
		return answered("200 OK", event)
	case rules.Feed:
		return answered("200 OK", "["+event+"]")
	case rules.Versions:
		return answered("200 OK", `[{"version":"0.1","status":"disabled"},{"version":"0.2","status":"current"}]`)
	case rules.Logout, rules.DeleteMe, rules.DeleteConnection, rules.DeleteEvent:
		return []string{"204 No Content"}
	}
	panic(fmt.Sprintf("the endpoint %d has no example", int(e))) // a mistake of ours, which a test would have met
}

func answered(status, body string) []string {
	return []string{status, "Content-Type: application/json", "", body}
}
