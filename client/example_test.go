package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"

	"github.com/socialfeed/conform/client"
)

// fake is a service with the answers of one story.
func fake() *httptest.Server {
	say := func(status int, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(status)
			fmt.Fprint(w, body)
		}
	}
	const event = `{"id":7,"user_id":2,"verb":"like","object":{"id":"song-1"},"created_at":"2014-05-01T10:00:00Z"}`
	mux := http.NewServeMux()
	mux.Handle("POST /0.2/users", say(201, `{"id":1,"user_name":"ada","session_token":"secret"}`))
	mux.Handle("POST /0.2/user/login", say(401, `{"errors":[{"code":1001,"message":"wrong password"}]}`))
	mux.Handle("GET /0.2/users/search", say(200, `[{"id":2,"user_name":"grace"}]`))
	mux.Handle("POST /0.2/user/connections", say(201, `{"user_from_id":1,"user_to_id":2,"type":"follow"}`))
	mux.Handle("POST /0.2/user/events", say(201, event))
	mux.Handle("GET /0.2/user/feed", say(200, "["+event+"]"))
	mux.Handle("GET /0.2/user", say(200, `{"id":1,"nickname":"countess"}`))
	return httptest.NewTLSServer(mux)
}

func connect(s *httptest.Server) *client.Client {
	c, err := client.New(client.Config{BaseURL: s.URL, AppToken: "app", UserAgent: "example/1.0", HTTPClient: s.Client()})
	if err != nil {
		log.Fatal(err)
	}
	return c
}

func Example() {
	service := fake()
	defer service.Close()
	ctx := context.Background()

	password, err := client.HashPassword("correct horse", "example-app")
	if err != nil {
		log.Fatal(err)
	}
	user, session, err := connect(service).CreateUserWithLogin(ctx, client.UserFields{UserName: "ada", Password: password})
	if err != nil {
		log.Fatal(err)
	}
	found, err := session.Search(ctx, "grace")
	if err != nil {
		log.Fatal(err)
	}
	connection, err := session.Connect(ctx, found[0].ID, client.Follow)
	if err != nil {
		log.Fatal(err)
	}
	feed, err := session.Feed(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(user.UserName, connection.Type, found[0].UserName)
	fmt.Println(feed[0].Verb, feed[0].Object.ID, feed[0].UserID.SameAs(found[0].ID))
	// Output:
	// ada follow grace
	// like song-1 true
}

func ExampleError() {
	service := fake()
	defer service.Close()

	_, err := connect(service).Login(context.Background(), client.Credentials{UserName: "ada", Password: "guess"})
	if errors.Is(err, client.ErrUnauthorized) {
		fmt.Println("ask again:", err)
	}
	if e, ok := errors.AsType[*client.Error](err); ok {
		fmt.Println(e.Status, e.Message)
	}
	// Output:
	// ask again: POST /0.2/user/login: 401 Unauthorized: "wrong password"
	// 401 wrong password
}

func ExampleSession_CreateEvent() {
	service := fake()
	defer service.Close()

	equator := 0.0
	event, err := connect(service).Session("stored token").CreateEvent(context.Background(), client.EventFields{
		Verb:     "like",
		Latitude: &equator,
		Object:   &client.Object{ID: "song-1", DisplayName: map[string]string{"en": "Song"}},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(event.ID, event.CreatedAt)
	// Output: 7 2014-05-01 10:00:00 +0000 UTC
}

func ExampleSession_Do() {
	service := fake()
	defer service.Close()

	var answer struct {
		ID       client.ID `json:"id"`
		Nickname string    `json:"nickname"`
	}
	request := client.Request{Method: http.MethodGet, Path: "/0.2/user"}
	if err := connect(service).Session("stored token").Do(context.Background(), request, &answer); err != nil {
		log.Fatal(err)
	}
	fmt.Println(answer.Nickname)
	// Output: countess
}

func ExampleClient_Do() {
	service := fake()
	defer service.Close()

	var body json.RawMessage
	request := client.Request{Method: http.MethodPost, Path: "/0.2/users", Body: map[string]any{"user_name": "ada", "nickname": "countess"}}
	if err := connect(service).Do(context.Background(), request, &body); err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(body) > 0)
	// Output: true
}
