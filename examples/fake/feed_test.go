// Package fake shows how a client is tested against the local fake in go test.
package fake

import (
	"net/http"
	"testing"
	"time"

	"github.com/socialfeed/conform/client"
	"github.com/socialfeed/conform/refserver/control"
	"github.com/socialfeed/conform/refserver/refservertest"
)

// TestFeedShowsWhomOneFollows is the shortest story: two users, a follow, an event.
func TestFeedShowsWhomOneFollows(t *testing.T) {
	t.Parallel()
	fake := refservertest.New(t)
	ada, grace := fake.As("ada"), fake.As("grace")
	ada.Follow(grace)
	event := grace.Post("like")
	if feed := ada.Feed(); len(feed) != 1 || feed[0] != event {
		t.Errorf("ada's feed is %v, want %s", feed, event)
	}
}

// TestClientWaitsAsTold puts the client under test in front of a service that
// refuses once, and looks at what it then did.
func TestClientWaitsAsTold(t *testing.T) {
	t.Parallel()
	fake := refservertest.New(t)
	fake.Weather("503,on=POST /0.2/users,nth=1,retry-after=1s")
	api, err := client.New(client.Config{BaseURL: fake.URL, AppToken: fake.AppToken, HTTPClient: fake.Client()})
	if err != nil {
		t.Fatal(err)
	}
	const hash = "5f4dcc3b5aa765d61d8327deb882cf99" // as the contract has clients send passwords
	if _, err := api.CreateUser(t.Context(), client.UserFields{UserName: "ada", Password: hash}); err != nil {
		t.Fatal(err)
	}
	journal := fake.Journal()
	if len(journal) != 2 || journal[0].Status != http.StatusServiceUnavailable || journal[1].Status != http.StatusCreated {
		t.Fatalf("the client sent %+v", journal)
	}
	if waited := journal[1].At.Sub(journal[0].At); waited < time.Second {
		t.Errorf("the client waited %s, it was told to wait 1s", waited)
	}
}

// TestFeedThatLags moves the clock instead of waiting for it.
func TestFeedThatLags(t *testing.T) {
	t.Parallel()
	fake := refservertest.NewWith(t, control.Settings{
		Seed:   "users: [{user_name: ada, follows: [grace]}, {user_name: grace}]",
		Choose: map[string]string{"lag": "10m"},
	})
	ada := fake.As("ada")
	fake.As("grace").Post("like")
	if feed := ada.Feed(); len(feed) != 0 {
		t.Errorf("at once: %v", feed)
	}
	fake.Clock.Advance(10 * time.Minute)
	if feed := ada.Feed(); len(feed) != 1 {
		t.Errorf("ten minutes later: %v", feed)
	}
}
