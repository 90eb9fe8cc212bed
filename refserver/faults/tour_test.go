package faults_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/faults"
)

const (
	firstApp  = "first-application-token"
	secondApp = "second-application-token"
	password  = "correct horse"
)

// tour meets a server in memory, and writes down what it answers.
type tour struct {
	t       *testing.T
	handler http.Handler
	tokens  map[string]string // by token, how the transcript calls it
	said    []string
	right   []string // what a server without a fault says; the tour ends where another says something else
	quiet   bool     // what send gets is not written down
	app     string   // the token of the application that it is in
}

// differs ends a tour, as a panic, where the transcript is no longer the right one.
type differs struct{}

func newTour(t *testing.T, fault faults.Fault, right []string) *tour {
	t.Helper()
	options := refserver.Options{AppTokens: []string{firstApp, secondApp}, PasswordCost: 1, RateLimit: -1, AllowPlainHTTP: true}
	if fault.Apply != nil {
		fault.Apply(&options)
	}
	server, err := refserver.New(options)
	if err != nil {
		t.Fatal(err)
	}
	return &tour{t: t, handler: server, app: firstApp, tokens: map[string]string{}, right: right}
}

// take goes on a tour, to its end or to the first difference.
func (x *tour) take(route func(*tour)) {
	defer func() {
		if ended := recover(); ended != nil && ended != (differs{}) {
			panic(ended)
		}
	}()
	route(x)
}

// headers change a request's; a blank value takes one away.
type headers map[string]string

// send sends a request in a session, a moment after the one before.
func (x *tour) send(session, method, path, body string, change ...headers) *httptest.ResponseRecorder {
	x.t.Helper()
	time.Sleep(time.Millisecond)
	resp := x.exchange(session, method, path, body, change...)
	if !x.quiet {
		x.say("%s %s %.80s: %d %s", method, path, body, resp.Code, meaning(resp))
	}
	return resp
}

// exchange is send without a moment before, and without a word after it.
func (x *tour) exchange(session, method, path, body string, change ...headers) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.SetBasicAuth(x.app, session)
	r.Header.Set("User-Agent", "tour")
	r.Header.Set("Accept", "application/json")
	if method == http.MethodPost || method == http.MethodPut {
		r.Header.Set("Content-Type", "application/json")
	}
	for _, each := range change {
		for name, value := range each {
			if r.Header.Set(name, value); value == "" {
				r.Header.Del(name)
			}
		}
	}
	resp := httptest.NewRecorder()
	x.handler.ServeHTTP(resp, r)
	return resp
}

// meaning is what a response says, however it is written.
func meaning(resp *httptest.ResponseRecorder) string {
	said := ""
	for _, name := range []string{"Content-Type", "Allow", "Access-Control-Allow-Origin"} {
		if values := resp.Header().Values(name); len(values) > 0 {
			said += fmt.Sprintf("%s %q ", name, values)
		}
	}
	var value any
	decoder := json.NewDecoder(bytes.NewReader(resp.Body.Bytes()))
	decoder.UseNumber()
	if decoder.Decode(&value) != nil {
		return said + resp.Body.String()
	}
	body, err := json.Marshal(value)
	if err != nil {
		return err.Error()
	}
	return said + string(body)
}

var sessionToken = regexp.MustCompile(`"session_token":"([^"]*)"`)

// say writes a line of the transcript, in which tokens are numbered.
func (x *tour) say(format string, args ...any) {
	x.said = append(x.said, sessionToken.ReplaceAllStringFunc(fmt.Sprintf(format, args...), func(field string) string {
		token := sessionToken.FindStringSubmatch(field)[1]
		if x.tokens[token] == "" {
			x.tokens[token] = fmt.Sprint("token ", len(x.tokens))
		}
		return x.tokens[token]
	}))
	if last := len(x.said) - 1; x.right != nil && (last >= len(x.right) || x.said[last] != x.right[last]) {
		panic(differs{})
	}
}

// user is a user of a tour.
type user struct {
	name, id, session string
}

// create creates a user with a session; fields are members of JSON.
func (x *tour) create(name string, fields ...string) user {
	x.t.Helper()
	body := fmt.Sprintf(`{"user_name":%q,"email":%q,"password":%q`, name, name+"@example.com", password)
	for _, field := range fields {
		body += "," + field
	}
	return x.created(name, body+"}")
}

func (x *tour) created(name, body string) user {
	x.t.Helper()
	return x.createdBy("?withLogin=true", name, body)
}

// idle creates a user who has not logged in.
func (x *tour) idle(name string) user {
	x.t.Helper()
	return x.createdBy("", name, fmt.Sprintf(`{"user_name":%q,"email":%q,"password":%q}`, name, name+"@example.com", password))
}

func (x *tour) createdBy(query, name, body string) user {
	x.t.Helper()
	var made struct {
		ID    json.Number `json:"id"`
		Token string      `json:"session_token"`
	}
	resp := x.send("", "POST", "/0.2/users"+query, body)
	if err := json.Unmarshal(resp.Body.Bytes(), &made); err != nil && resp.Code < 300 {
		x.t.Fatalf("creating %s: %v in %s", name, err, resp.Body)
	}
	return user{name, made.ID.String(), made.Token}
}

// login logs in, and returns the token.
func (x *tour) login(body string, change ...headers) string {
	x.t.Helper()
	var made struct {
		Token string `json:"session_token"`
	}
	_ = json.Unmarshal(x.send("", "POST", "/0.2/user/login", body, change...).Body.Bytes(), &made) // a refusal has none
	return made.Token
}

func (x *tour) byName(name, password string) string {
	return x.login(fmt.Sprintf(`{"user_name":%q,"password":%q}`, name, password))
}

func (x *tour) byEmail(email, password string) string {
	return x.login(fmt.Sprintf(`{"email":%q,"password":%q}`, email, password))
}

func (x *tour) update(u user, fields ...string) {
	x.t.Helper()
	body := fmt.Sprintf(`{"user_name":%q,"email":%q`, u.name, u.name+"@example.com")
	for _, field := range fields {
		body += "," + field
	}
	x.send(u.session, "PUT", "/0.2/user", body+"}")
	x.send(u.session, "GET", "/0.2/user", "")
}

func (x *tour) connect(from, to user, typ string) {
	x.send(from.session, "POST", "/0.2/user/connections", fmt.Sprintf(`{"user_to_id":%s,"type":%q}`, to.id, typ))
}

func (x *tour) end(from, to user) { x.send(from.session, "DELETE", "/0.2/user/connections/"+to.id, "") }

// post creates an event and returns its id; fields are members of JSON.
func (x *tour) post(u user, fields ...string) string {
	var made struct {
		ID json.Number `json:"id"`
	}
	_ = json.Unmarshal(x.send(u.session, "POST", "/0.2/user/events", "{"+strings.Join(fields, ",")+"}").Body.Bytes(), &made)
	return made.ID.String()
}

func (x *tour) change(u user, event string, fields ...string) {
	x.send(u.session, "PUT", "/0.2/user/events/"+event, "{"+strings.Join(fields, ",")+"}")
}

func (x *tour) feed(u user) string {
	return x.send(u.session, "GET", "/0.2/user/feed", "").Body.String()
}

func (x *tour) remove(u user) { x.send(u.session, "DELETE", "/0.2/user", "") }

// lists reads a user's lists, in the user's eyes and in a reader's.
func (x *tour) lists(u, reader user) {
	for _, list := range []string{"follows", "followers", "friends"} {
		x.send(u.session, "GET", "/0.2/user/"+list, "")
		x.send(reader.session, "GET", "/0.2/users/"+u.id+"/"+list, "")
	}
}

func (x *tour) search(u user, term string) {
	x.send(u.session, "GET", "/0.2/users/search?q="+url.QueryEscape(term), "")
}
