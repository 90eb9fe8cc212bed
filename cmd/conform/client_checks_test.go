package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/socialfeed/conform/client"
)

// checkingClient is the beginning of the way of a client with tests of its own: the names of those
// that assert something follow. It sends the same requests whatever it asserts.
const checkingClient = "checks:"

// check returns the code of the client's tests.
func check(ctx context.Context, names []string) int {
	asserted, err := checks(ctx)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	for name, holds := range asserted {
		if slices.Contains(names, name) && !holds {
			fmt.Fprintln(os.Stderr, "the test fails:", name)
			return 1
		}
	}
	return 0
}

// checks does what the tests do, and returns what each asserts.
func checks(ctx context.Context) (map[string]bool, error) {
	api, err := client.New(client.Config{BaseURL: os.Getenv("REFSERVER_URL"), AppToken: os.Getenv("REFSERVER_APP_TOKEN"), UserAgent: "checks/1.0"})
	if err != nil {
		return nil, err
	}
	defer api.CloseIdleConnections()
	made, ada, err := api.CreateUserWithLogin(ctx, client.UserFields{UserName: "ada", Password: "p-1"})
	if err != nil {
		return nil, err
	}
	bob, bobs, err := api.CreateUserWithLogin(ctx, client.UserFields{UserName: "bob", Password: "p-2"})
	if err != nil {
		return nil, err
	}
	if _, err := ada.Connect(ctx, bob.ID, client.Follow); err != nil {
		return nil, err
	}
	for _, verb := range []string{"liked", "shared", "left"} {
		if _, err := bobs.CreateEvent(ctx, client.EventFields{Verb: verb}); err != nil {
			return nil, err
		}
	}
	feed, err := ada.Feed(ctx)
	if err != nil {
		return nil, err
	}
	found, err := ada.Search(ctx, "BOB")
	if err != nil {
		return nil, err
	}
	if err := bobs.DeleteMe(ctx); err != nil {
		return nil, err
	}
	purged, err := ada.Feed(ctx)
	if err != nil {
		return nil, err
	}
	if err := ada.Logout(ctx); err != nil {
		return nil, err
	}
	_, after := ada.Me(ctx)
	return map[string]bool{
		"enabled":   made.Enabled,
		"feed":      len(feed) == 3,
		"order":     len(feed) == 0 || feed[0].Verb == "left",
		"search":    len(found) == 1,
		"purge":     len(purged) == 0,
		"logout":    errors.Is(after, client.ErrUnauthorized),
		"unrelated": made.UserName == "ada",
	}, nil
}
