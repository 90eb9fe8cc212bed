package control_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/control"
	"github.com/socialfeed/conform/refserver/control/openapi"
)

// judging checks every request and answer against the OpenAPI document.
type judging struct {
	t      *testing.T
	next   http.RoundTripper
	router routers.Router
	seen   map[string]bool // operations, by their ids
}

// RoundTrip sends a request, once the document allows it.
func (j *judging) RoundTrip(r *http.Request) (*http.Response, error) {
	route, parameters, err := j.router.FindRoute(r)
	if err != nil {
		j.t.Errorf("%s %s is not in the document: %v", r.Method, r.URL.Path, err)
		return j.next.RoundTrip(r)
	}
	input := &openapi3filter.RequestValidationInput{
		Request: r, PathParams: parameters, Route: route,
		Options: &openapi3filter.Options{AuthenticationFunc: openapi3filter.NoopAuthenticationFunc, IncludeResponseStatus: true},
	}
	if err := openapi3filter.ValidateRequest(r.Context(), input); err != nil {
		j.t.Errorf("%s %s: the document refuses the request: %v", r.Method, r.URL, err)
	}
	response, err := j.next.RoundTrip(r)
	if err != nil {
		return response, err
	}
	body, err := io.ReadAll(response.Body)
	response.Body.Close()
	if err != nil {
		return response, err
	}
	response.Body = io.NopCloser(bytes.NewReader(body))
	output := &openapi3filter.ResponseValidationInput{RequestValidationInput: input, Status: response.StatusCode, Header: response.Header, Options: input.Options}
	if len(body) > 0 {
		output.SetBodyBytes(body)
	}
	if err := openapi3filter.ValidateResponse(context.Background(), output); err != nil {
		j.t.Errorf("%s %s: the document does not allow the answer %d %s: %v", r.Method, r.URL, response.StatusCode, body, err)
	}
	if response.StatusCode < 300 {
		j.seen[route.Operation.OperationID] = true
	}
	return response, nil
}

// TestDocumentHoldsAgainstTheLiveServer lives through every endpoint under every
// dialect, with the document looking on.
func TestDocumentHoldsAgainstTheLiveServer(t *testing.T) {
	for _, dialect := range refserver.Dialects() {
		t.Run(dialect.Name, func(t *testing.T) {
			x := start(t, control.Options{First: control.Settings{Dialect: dialect.Name}})
			text := openapi.JSON(x.url)
			document, err := openapi3.NewLoader().LoadFromData(text)
			if err != nil {
				t.Fatal(err)
			}
			router, err := gorillamux.NewRouter(document)
			if err != nil {
				t.Fatal(err)
			}
			judge := &judging{t, x.http.Transport, router, make(map[string]bool)}
			x.http = &http.Client{Transport: judge}
			x.liveThrough()
			operations := openapi.Operations()
			for _, op := range operations {
				if !judge.seen[op.ID] {
					t.Errorf("%s was not answered with success", op.ID)
				}
			}
		})
	}
}

// liveThrough asks every endpoint once at least, and is refused a few times.
func (x *rig) liveThrough() {
	user := func(name string) object {
		return object{"user_name": name, "password": "hashed", "email": name + "@example.com", "metadata": object{"city": "Turin"}, "social_ids": object{"network": name}}
	}
	join := func(name string) (session, id string) {
		a := x.send(appToken, "", "POST", "/0.2/users?withLogin=true", user(name))
		var joined struct {
			ID           json.RawMessage
			SessionToken string `json:"session_token"`
		}
		if err := json.Unmarshal([]byte(a.text), &joined); err != nil {
			x.t.Fatalf("%d %s: %v", a.status, a.text, err)
		}
		return joined.SessionToken, strings.Trim(string(joined.ID), `"`)
	}
	_, graceID := join("grace")
	_, bobID := join("bob")
	ada, _ := join("ada")
	login := x.send(appToken, "", "POST", "/0.2/user/login?withUserDetails=true", object{"email": "ada@example.com", "password": "hashed"})
	if token, ok := login.object()["session_token"].(string); ok {
		ada = token
	}
	x.send(appToken, ada, "POST", "/0.2/user/connections", object{"user_to_id": graceID, "type": "follow"})
	x.send(appToken, ada, "POST", "/0.2/user/connections", object{"user_to_id": bobID, "type": "friend"})
	x.send(appToken, ada, "POST", "/0.2/user/connections/social", object{"platform": "network", "type": "follow", "platform_user_id": "ada", "connection_ids": []string{"bob"}})
	for _, path := range []string{"/0.2/user", "/0.2/users/" + graceID, "/0.2/users/search?q=" + url.QueryEscape("GRACE"), "/0.2/user/follows", "/0.2/user/followers",
		"/0.2/user/friends", "/0.2/users/" + graceID + "/follows", "/0.2/users/" + graceID + "/followers", "/0.2/users/" + graceID + "/friends", "/0.2/user/feed", "/versions", "/0.2/users/0"} {
		x.send(appToken, ada, "GET", path, nil)
	}
	if err := x.fake.Worlds()[0].Clock.Advance(time.Second); err != nil { // in which what lags has arrived
		x.t.Fatal(err)
	}
	x.send(appToken, ada, "GET", "/0.2/users/"+graceID, nil)
	event := x.send(appToken, ada, "POST", "/0.2/user/events", object{"verb": "visit", "latitude": 45.07, "object": object{"id": "o", "display_name": object{"en": "O"}}})
	var made struct{ ID json.RawMessage }
	if err := json.Unmarshal([]byte(event.text), &made); err != nil {
		x.t.Fatal(err)
	}
	eventPath := "/0.2/user/events/" + strings.Trim(string(made.ID), `"`)
	x.send(appToken, ada, "PUT", eventPath, object{"location": "Turin"})
	x.send(appToken, ada, "DELETE", eventPath, nil)
	x.send(appToken, ada, "DELETE", eventPath, nil)
	x.send(appToken, ada, "DELETE", "/0.2/user/connections/"+graceID, nil)
	x.send(appToken, "made-up", "GET", "/0.2/user", nil)
	change := user("ada")
	x.send(appToken, ada, "PUT", "/0.2/user", change)
	login = x.send(appToken, "", "POST", "/0.2/user/login", object{"user_name": "ada", "password": "hashed"}) // the update may have ended the session
	ada, _ = login.object()["session_token"].(string)
	x.send(appToken, ada, "DELETE", "/0.2/user/logout", nil)
	login = x.send(appToken, "", "POST", "/0.2/user/login", object{"user_name": "ada", "password": "hashed"})
	ada, _ = login.object()["session_token"].(string)
	x.send(appToken, ada, "DELETE", "/0.2/user", nil)
}
