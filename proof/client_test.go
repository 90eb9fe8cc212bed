package proof_test

import (
	"encoding/pem"
	"errors"
	"net/http/httptest"
	"testing"

	"github.com/socialfeed/conform/client"
	"github.com/socialfeed/conform/refserver"
)

// TestClientAgainstTheReferenceServer lives through every endpoint of the contract, in
// each form that the service may give ids.
func TestClientAgainstTheReferenceServer(t *testing.T) {
	for _, dialect := range refserver.Dialects() {
		switch dialect.Name {
		case "default", "big-ids", "digit-string-ids", "uuid-ids", "mixed-ids":
			t.Run(dialect.Name, func(t *testing.T) { life(t, dialect.Choices) })
		}
	}
}

func life(t *testing.T, choices refserver.Choices) {
	server, err := refserver.New(refserver.Options{AppTokens: []string{"app"}, Choices: choices})
	must(t, err)
	ts := httptest.NewTLSServer(server)
	defer ts.Close()
	api, err := client.New(client.Config{BaseURL: ts.URL, AppToken: "app", HTTPClient: ts.Client()})
	must(t, err)
	ctx := t.Context()

	ada, reader, err := api.CreateUserWithLogin(ctx, client.UserFields{UserName: "ada", Password: "a", Email: "ada@example.com"})
	must(t, err)
	bob, err := api.CreateUser(ctx, client.UserFields{UserName: "bob", Password: "b", SocialIDs: map[string]string{"facebook": "bob7"}})
	must(t, err)
	author, err := api.Login(ctx, client.Credentials{UserName: "bob", Password: "b"})
	must(t, err)
	_, _, err = api.LoginWithDetails(ctx, client.Credentials{Email: "ada@example.com", Password: "a"})
	must(t, err)
	_, err = api.Versions(ctx)
	must(t, err)

	event, err := author.CreateEvent(ctx, client.EventFields{Verb: "liked"})
	must(t, err)
	connection, err := reader.Connect(ctx, bob.ID, client.Follow)
	must(t, err)
	if !connection.UserToID.SameAs(bob.ID) {
		t.Errorf("connected to %s, want %s", connection.UserToID, bob.ID)
	}
	event, err = author.UpdateEvent(ctx, event.ID, client.EventFields{Location: "Berlin"})
	must(t, err)
	feed, err := reader.Feed(ctx)
	must(t, err)
	if len(feed) != 1 || feed[0].ID != event.ID || feed[0].Location != "Berlin" || feed[0].Verb != "liked" {
		t.Errorf("the feed is %+v, want the event %s", feed, event.ID)
	}
	_, err = author.Connect(ctx, ada.ID, client.Friend)
	must(t, err)
	must(t, reader.ConnectSocial(ctx, client.SocialConnections{
		Platform: "facebook", Type: client.Follow, PlatformUserID: "ada7", ConnectionIDs: []string{"bob7"}}))

	for name, list := range map[string]func() ([]client.User, error){
		"search":       func() ([]client.User, error) { return reader.Search(ctx, "BOB") },
		"follows":      func() ([]client.User, error) { return reader.Follows(ctx) },
		"friends":      func() ([]client.User, error) { return reader.Friends(ctx) },
		"follows of":   func() ([]client.User, error) { return author.FollowsOf(ctx, ada.ID) },
		"friends of":   func() ([]client.User, error) { return author.FriendsOf(ctx, ada.ID) },
		"followers of": func() ([]client.User, error) { return reader.FollowersOf(ctx, bob.ID) },
		"followers":    func() ([]client.User, error) { return author.Followers(ctx) },
	} {
		users, err := list()
		must(t, err)
		want := bob.ID
		if name == "followers" || name == "followers of" {
			want = ada.ID
		}
		if len(users) != 1 || users[0].ID != want {
			t.Errorf("%s: %+v, want user %s alone", name, users, want)
		}
	}

	must(t, author.DeleteEvent(ctx, event.ID))
	if err := author.DeleteEvent(ctx, event.ID); !errors.Is(err, client.ErrNotFound) {
		t.Errorf("deleting an event twice: %v, want not found", err)
	}
	must(t, reader.Disconnect(ctx, bob.ID))
	me, err := reader.UpdateMe(ctx, client.UserFields{UserName: "ada", FirstName: "Ada"})
	must(t, err)
	again, err := reader.Me(ctx)
	must(t, err)
	if me.FirstName != "Ada" || again.FirstName != "Ada" {
		t.Errorf("after an update, the user is %+v, and read again %+v", me, again)
	}
	must(t, author.Logout(ctx))
	if _, err := author.Me(ctx); !errors.Is(err, client.ErrUnauthorized) {
		t.Errorf("after a logout: %v, want unauthorized", err)
	}
	_, err = reader.User(ctx, bob.ID)
	must(t, err)
	must(t, reader.DeleteMe(ctx))
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// certificateOf is a test server's certificate, for those who are to trust it.
func certificateOf(ts *httptest.Server) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: ts.Certificate().Raw})
}
