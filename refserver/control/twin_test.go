package control_test

import (
	"slices"
	"sync"
	"testing"

	"github.com/socialfeed/conform/refserver/control"
	"github.com/socialfeed/conform/refserver/twin"
)

// differing starts a fake with faults that notes the answers in which it differs from a sound one.
func differing(t *testing.T, faults ...string) (x *rig, seen func() []string) {
	t.Helper()
	var mu sync.Mutex
	var all []string
	x = start(t, control.Options{First: control.Settings{Faults: faults}, Differs: func(d twin.Difference) {
		mu.Lock()
		defer mu.Unlock()
		all = append(all, d.Method+" "+d.Target)
	}})
	return x, func() []string {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(all)
	}
}

// story has two users, a follow, events, a logout and a reset.
func (x *rig) story() {
	user := map[string]any{"user_name": "ada", "password": "p-1"}
	ada := x.send(appToken, "", "POST", "/0.2/users?withLogin=true", user).object()["session_token"].(string)
	bob := x.send(appToken, "", "POST", "/0.2/users?withLogin=true", map[string]any{"user_name": "bob", "password": "p-2"}).object()
	bobs := bob["session_token"].(string)
	x.send(appToken, ada, "POST", "/0.2/user/connections", map[string]any{"user_to_id": bob["id"], "type": "follow"})
	for _, verb := range []string{"liked", "shared"} {
		x.send(appToken, bobs, "POST", "/0.2/user/events", map[string]any{"verb": verb})
	}
	x.send(appToken, ada, "GET", "/0.2/user/feed", nil)
	x.send(appToken, ada, "DELETE", "/0.2/user/logout", nil)
	x.send(appToken, ada, "GET", "/0.2/user", nil)
	again := x.send(appToken, "", "POST", "/0.2/user/login", user).object()["session_token"].(string)
	x.send(appToken, again, "GET", "/0.2/user/feed", nil)
	x.send("", "", "GET", "/no/such/path", nil)
}

// TestASoundFakeDiffersInNothing asks a sound server beside a sound one: ids, times and sessions are
// the same to the client, before a reset and after it.
func TestASoundFakeDiffersInNothing(t *testing.T) {
	x, seen := differing(t)
	for range 2 {
		x.story()
		state, err := x.fake.Default().State(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if err := x.fake.Default().Restore(t.Context(), state); err != nil {
			t.Fatal(err)
		}
		x.send(appToken, "", "POST", "/0.2/user/login", map[string]any{"user_name": "ada", "password": "p-1"})
		if err := x.fake.Default().Reset(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if all := seen(); len(all) > 0 {
		t.Errorf("%v", all)
	}
}

// TestAFaultDiffersWhereItShows names the requests whose answers a fault changes, and no others.
func TestAFaultDiffersWhereItShows(t *testing.T) {
	for fault, want := range map[string][]string{
		"feed-oldest-first":             {"GET /0.2/user/feed", "GET /0.2/user/feed"},
		"sessions-logout-keeps-session": {"GET /0.2/user"},
		"search-folds-users-alone":      nil,
		"users-search-rounds-ids":       nil, // the form of ids that it comes with is lawful
	} {
		x, seen := differing(t, fault)
		x.story()
		if all := seen(); !slices.Equal(all, want) {
			t.Errorf("%s: %v, want %v", fault, all, want)
		}
	}
}
