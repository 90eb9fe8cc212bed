package refserver_test

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

func TestNewRefusesWhatItCannotServe(t *testing.T) {
	for says, options := range map[string]refserver.Options{
		"no app token":      {},
		"is blank":          {AppTokens: []string{"a", " "}},
		"a colon":           {AppTokens: []string{"hush:hush"}},
		"given twice":       {AppTokens: []string{"hush", "hush"}},
		"user-ids":          {AppTokens: []string{"a"}, Choices: refserver.Choices{UserIDs: "roman"}},
		"user-agent-status": {AppTokens: []string{"a"}, Choices: refserver.Choices{UserAgentStatus: 418}},
		"Lag":               {AppTokens: []string{"a"}, Choices: refserver.Choices{Lag: -1}},
		"negative":          {AppTokens: []string{"a"}, PasswordCost: -1},
	} {
		_, err := refserver.New(options)
		if err == nil || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "hush") {
			t.Errorf("want an error that says %q, got %v", says, err)
		}
	}
}

// brokenStore is a store with some methods replaced, as a fault would do it.
type brokenStore struct {
	refserver.Store
}

func (brokenStore) Feed(store.App, store.ID) ([]store.Event, error) { panic("the feed is broken") }
func (brokenStore) Friends(store.App, store.ID) ([]store.User, error) {
	return nil, errors.New("the friends are broken")
}

func TestFailuresAre500AndTheServerGoesOn(t *testing.T) {
	var logged bytes.Buffer
	x := start(t, func(o *refserver.Options) {
		o.WrapStore = func(whole refserver.Store) refserver.Store { return brokenStore{whole} }
		o.Logger = slog.New(slog.NewTextHandler(&logged, &slog.HandlerOptions{Level: slog.LevelDebug}))
	})
	ann := x.actor("ann")
	for _, path := range []string{"/0.2/user/feed", "/0.2/user/friends"} {
		a := x.do(call{method: "GET", path: path, session: ann.session, header: http.Header{"Origin": {"https://app.example"}}})
		if a.status != 500 || a.object()["errors"] == nil || a.header.Get("Access-Control-Allow-Origin") == "" {
			t.Errorf("%s: status %d, %s", path, a.status, a.text)
		}
		ann.must(200, "GET", "/0.2/user", nil)
	}
	for _, want := range []string{"the feed is broken", "the friends are broken", "/0.2/user/feed"} {
		if !strings.Contains(logged.String(), want) {
			t.Errorf("the log does not say %q", want)
		}
	}
	for _, secret := range []string{ann.session, appToken, "pw-ann"} {
		if strings.Contains(logged.String(), secret) {
			t.Errorf("the log holds a secret")
		}
	}
}

func TestWrapHandlerMeetsEveryResponse(t *testing.T) {
	x := start(t, func(o *refserver.Options) {
		o.WrapHandler = func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("X-Wrapped", "yes")
				next.ServeHTTP(w, r)
			})
		}
	})
	for _, path := range []string{"/versions", "/nothing"} {
		if a := x.do(call{method: "GET", path: path}); a.header.Get("X-Wrapped") != "yes" {
			t.Errorf("%s went around the wrapper", path)
		}
	}
}

func Example() {
	server, err := refserver.New(refserver.Options{AppTokens: []string{"my-app"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	listening := httptest.NewTLSServer(server)
	defer listening.Close()

	request, err := http.NewRequest("POST", listening.URL+"/0.2/users", strings.NewReader(`{"user_name":"ann"}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	request.SetBasicAuth("my-app", "")
	request.Header.Set("Content-Type", "application/json")
	response, err := listening.Client().Do(request)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer response.Body.Close()
	fmt.Println(response.Status, server.Stats().Users)
	// Output: 201 Created 1
}
