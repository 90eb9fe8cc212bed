package report

import (
	"strings"

	"github.com/socialfeed/conform/conformance/rules"
	"github.com/socialfeed/conform/internal/shell"
)

// example is a valid request to an endpoint, and the answer that the contract promises to it.
type example struct {
	method, path string
	credentials  string // user name and password of Basic authentication, "" for none
	body         string // USER_ID stands for a number
	status       string
	answer       string // "" for no body
}

func exampleOf(e rules.Endpoint) example {
	const (
		created = "201 Created"
		account = `{"user_name":"ada","password":"<HASH>","email":"ada@example.com"}`
		times   = `"created_at":"2026-01-02T03:04:05Z","updated_at":"2026-01-02T03:04:05Z"`
		user    = `{"id":1,"user_name":"ada","email":"ada@example.com","enabled":true,` + times + `}`
		event   = `{"id":7,"user_id":1,"verb":"like","enabled":true,` + times + `}`
	)
	x := example{method: e.Method(), path: e.Path(), credentials: "APP_TOKEN:SESSION_TOKEN", status: "200 OK"}
	switch e {
	case rules.CreateUser:
		x.credentials, x.body, x.status, x.answer = "APP_TOKEN:", account, created, user
	case rules.Login:
		x.credentials, x.body, x.answer = "APP_TOKEN:", `{"user_name":"ada","password":"<HASH>"}`, `{"id":"1","session_token":"<SESSION_TOKEN>"}`
	case rules.UpdateMe:
		x.body, x.status, x.answer = account, created, user
	case rules.GetMe, rules.GetUser:
		x.answer = user
	case rules.SearchUsers:
		x.path, x.answer = x.path+"?q=ada", "["+user+"]"
	case rules.MyFollows, rules.MyFollowers, rules.MyFriends, rules.FollowsOf, rules.FollowersOf, rules.FriendsOf:
		x.answer = "[" + user + "]"
	case rules.CreateConnection:
		x.body, x.status, x.answer = `{"user_to_id":USER_ID,"type":"follow"}`, created, `{"user_from_id":1,"user_to_id":2,"type":"follow","enabled":true,`+times+`}`
	case rules.ConnectSocial:
		x.body, x.status, x.answer = `{"platform":"example","type":"follow","platform_user_id":"42","connection_ids":["43"]}`, created, "{}"
	case rules.CreateEvent:
		x.body, x.status, x.answer = `{"verb":"like"}`, created, event
	case rules.UpdateEvent:
		x.body, x.answer = `{"verb":"like"}`, event
	case rules.Feed:
		x.answer = "[" + event + "]"
	case rules.Versions:
		x.credentials, x.answer = "", `[{"version":"0.1","status":"disabled"},{"version":"0.2","status":"current"}]`
	case rules.Logout, rules.DeleteMe, rules.DeleteConnection, rules.DeleteEvent:
		x.status = "204 No Content"
	}
	return x
}

// requestLines are the request as it is sent, without the headers that every request has.
func (x example) requestLines() []string {
	lines := []string{x.method + " " + x.path}
	if x.credentials != "" {
		lines = append(lines, "Authorization: Basic <base64 of "+x.credentials+">")
	}
	return append(lines, jsonLines(strings.ReplaceAll(x.body, "USER_ID", "2"))...)
}

func (x example) responseLines() []string { return append([]string{x.status}, jsonLines(x.answer)...) }

// jsonLines are the Content-Type header and the body, nothing for a blank body.
func jsonLines(body string) []string {
	if body == "" {
		return nil
	}
	return []string{"Content-Type: application/json", "", body}
}

// curl is the request as a command, with the headers that every request carries (the
// contract's parts What the service does and Authentication).
func (x example) curl() string {
	words := constants("-sS", "-i")
	if x.method != "GET" {
		words = append(words, constants("-X", x.method)...)
	}
	if app, session, has := strings.Cut(x.credentials, ":"); has {
		user := []shell.Word{variableIn(app), shell.Lit(":")}
		if session != "" {
			user = append(user, variableIn(session))
		}
		words = append(words, shell.Plain("-u"), shell.Joined(user...))
	}
	words = append(words, shell.Plain("-H"), shell.Lit("User-Agent: example/1.0"), shell.Plain("-H"), shell.Lit("Accept: application/json"))
	if x.body != "" {
		words = append(words, shell.Plain("-H"), shell.Lit("Content-Type: application/json"), shell.Plain("--data-raw"), withVariables(x.body, "USER_ID"))
	}
	path := strings.NewReplacer("{UserID}", "USER_ID", "{EventID}", "EVENT_ID").Replace(x.path)
	address := shell.Joined(shell.Var(shell.Named("BASE_URL")), withVariables(path, "USER_ID", "EVENT_ID"))
	return shell.MustLine(shell.Call("curl", append(words, address)...))
}

// withVariables is a text as a word in which names stand for variables.
func withVariables(text string, names ...string) shell.Word {
	for _, name := range names {
		if before, after, found := strings.Cut(text, name); found {
			return shell.Joined(withVariables(before, names...), variableIn(name), withVariables(after, names...))
		}
	}
	return shell.Lit(text)
}

func variableIn(name string) shell.Word { return shell.Var(variable(name)) }
