// Package example makes example requests and answers from the contract's table.
package example

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/socialfeed/conform/conformance/report/plain"
	"github.com/socialfeed/conform/conformance/rules"
	"github.com/socialfeed/conform/internal/shell"
)

// Example is a valid request to an endpoint, and the answer that the contract promises to it.
type Example struct {
	method, path string
	credentials  string // user name and password of Basic authentication, "" for none
	body         string // USER_ID, unquoted, stands for a number
	status       string
	answer       string // "" for no body
}

// Of derives an example from the contract's table.
func Of(e rules.Endpoint) Example {
	asked := e.Request()
	x := Example{method: e.Method(), path: e.Path(), status: fmt.Sprintf("%d %s", e.Success(), http.StatusText(e.Success())), answer: exampleAnswer(e.Answer())}
	switch e.Caller() {
	case rules.Application:
		x.credentials = "APP_TOKEN:"
	case rules.SessionUser:
		x.credentials = "APP_TOKEN:SESSION_TOKEN"
	}
	for _, parameter := range asked.Query {
		if parameter.Sample != "" {
			x.path += fmt.Sprintf("?%s=%v", parameter.Name, exampleValue(parameter.Sample))
		}
	}
	if body := asked.ValidBody(exampleValue); len(body) > 0 {
		var fields []string
		for _, param := range asked.Body {
			if value, sent := body[param.Name]; sent {
				fields = append(fields, exampleField(param.Name, value))
			}
		}
		x.body = "{" + strings.Join(fields, ",") + "}"
	}
	return x
}

// exampleValue is an example of what fills in a request.
func exampleValue(source rules.Source) any {
	switch source {
	case rules.NewName, rules.OwnName:
		return "ada"
	case rules.NewEmail, rules.OwnEmail:
		return "ada@example.com"
	case rules.NewPassword, rules.OwnPassword:
		return "<HASH>"
	case rules.OtherID:
		return "USER_ID"
	}
	return "42"
}

// exampleAnswer is an example of a resource, or of a list of it: the fields that identify it, those of a
// valid request and those that the server sets always.
func exampleAnswer(shape rules.AnswerShape) string {
	const times = `"created_at":"2026-01-02T03:04:05Z","updated_at":"2026-01-02T03:04:05Z"`
	answer := map[rules.Resource]string{
		rules.User:       `{"id":1,"user_name":"ada","email":"ada@example.com","enabled":true,` + times + `}`,
		rules.Connection: `{"user_from_id":1,"user_to_id":2,"type":"follow","enabled":true,` + times + `}`,
		rules.Event:      `{"id":7,"user_id":1,"verb":"like","enabled":true,` + times + `}`,
		rules.Session:    `{"id":"1","session_token":"<SESSION_TOKEN>"}`,
		rules.Version:    `{"version":"0.2","status":"current"}`,
	}[shape.Resource]
	if shape.List {
		return "[" + answer + "]"
	}
	return answer
}

// exampleField is a field of a JSON object.
func exampleField(name string, value any) string {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(map[string]any{name: value}); err != nil {
		return "" // every value is text, or a list of it
	}
	field := strings.TrimSpace(b.String())
	return strings.ReplaceAll(field[1:len(field)-1], `"USER_ID"`, "USER_ID")
}

// RequestLines are the request as it is sent, without the headers that every request has.
func (x Example) RequestLines() []string {
	lines := []string{x.method + " " + x.path}
	if x.credentials != "" {
		lines = append(lines, "Authorization: Basic <base64 of "+x.credentials+">")
	}
	return append(lines, jsonLines(strings.ReplaceAll(x.body, "USER_ID", "2"))...)
}

// ResponseLines are the answer, with its status first.
func (x Example) ResponseLines() []string { return append([]string{x.status}, jsonLines(x.answer)...) }

// jsonLines are the Content-Type header and the body, nothing for a blank body.
func jsonLines(body string) []string {
	if body == "" {
		return nil
	}
	return []string{"Content-Type: application/json", "", body}
}

// Curl is the request as a command, with the headers that every request carries (the
// contract's parts What the service does and Authentication).
func (x Example) Curl() string {
	words := plain.Constants("-sS", "-i")
	if x.method != "GET" {
		words = append(words, plain.Constants("-X", x.method)...)
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

func variableIn(name string) shell.Word { return shell.Var(plain.Variable(name)) }
