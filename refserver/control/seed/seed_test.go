package seed_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/socialfeed/conform/refserver/control/seed"
	"github.com/socialfeed/conform/refserver/store"
)

var noon = time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)

func state(t *testing.T, text string) store.State {
	t.Helper()
	data, err := seed.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	state, err := data.State(noon, 1)
	if err != nil {
		t.Fatal(err)
	}
	return state
}

func TestTown(t *testing.T) {
	s := state(t, `
users:
  - user_name: ada
    password: lovelace
    metadata: {city: London}
    follows: [grace]
    events:
      - {verb: visit, at: -3d, location: Turin, latitude: 45.1, longitude: 7.7}
      - {verb: like, at: 2026-01-31T11:00:00Z, object: {id: engine, display_name: {en: Engine}}}
  - user_name: grace
    friends: [ada]
    events:
      - {verb: read, at: -90m}
`)
	if len(s.Users) != 2 || s.Users[0].UserName != "ada" || s.Users[0].ID != 1 || s.Users[0].Metadata["city"] != "London" || len(s.Sessions) != 0 {
		t.Errorf("users %+v, %d sessions", s.Users, len(s.Sessions))
	}
	if len(s.Connections) != 2 || s.Connections[0].Type != store.Follow || s.Connections[1].Type != store.Friend {
		t.Errorf("connections %+v", s.Connections)
	}
	var verbs []string
	for _, event := range s.Events {
		verbs = append(verbs, event.Verb)
	}
	if strings.Join(verbs, " ") != "visit read like" || !s.Events[1].CreatedAt.Equal(noon.Add(-90*time.Minute)) || *s.Events[0].Latitude != 45.1 {
		t.Errorf("events %v at %s", verbs, s.Events[1].CreatedAt)
	}
}

func TestDemoIsTheSameEachTime(t *testing.T) {
	a, b := state(t, "demo:users=30,events=500,rand=7"), state(t, "demo:users=30,events=500,rand=7")
	for i := range a.Users {
		a.Users[i].Password, b.Users[i].Password = nil, nil // salted by chance
	}
	if len(a.Users) != 30 || len(a.Events) != 500 || text(t, a) != text(t, b) {
		t.Errorf("two demos of one seed differ: %d users, %d events", len(a.Users), len(a.Events))
	}
	if c := state(t, "demo:users=30,events=500,rand=8"); text(t, a) == text(t, c) {
		t.Error("another seed gives the same events")
	}
	first, last := a.Events[0].CreatedAt, a.Events[499].CreatedAt
	if last.Sub(first) < 14*24*time.Hour || last.After(noon) || len(a.Connections) < 60 {
		t.Errorf("from %s to %s, %d connections", first, last, len(a.Connections))
	}
}

func text(t *testing.T, s store.State) string {
	t.Helper()
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestWrongSeeds(t *testing.T) {
	for text, says := range map[string]string{
		"": "no users", "demo:users=0": "from 1", "demo:people=3": "people=3", "demo:users=many": "users=many", "demo:users=2,events=9999999": "up to",
		"users: [{user_nam: ada}]":                                        "user_nam",
		"users: [{user_name: ada}, {user_name: ada}]":                     "twice",
		"users: [{user_name: ada, follows: [bob]}]":                       "bob",
		"users: [{password: x}]":                                          "user_name",
		"users: [{user_name: ada, events: [{verb: like, at: tomorrow}]}]": "tomorrow",
		"users: [{user_name: ada, events: [{verb: like, at: 2h}]}]":       "2h",
		"users: [{user_name: ada, events: [{verb: like, at: 5d}]}]":       "5d",
		"users: [{user_name: ada, events: [{location: here}]}]":           "verb",
		"users: [{user_name: ada, metadata: {k: [1]}}]":                   "cannot unmarshal",
		"users: &a [*a]": "seed", "{": "seed",
	} {
		data, err := seed.Parse(text)
		if err == nil {
			_, err = data.State(noon, 1)
		}
		if err == nil || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v, want %q", text, err, says)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("demo:users=3,events=5,rand=2")
	f.Add("users: [{user_name: ada, follows: [bob], events: [{verb: like, at: -2h}]}]")
	f.Fuzz(func(t *testing.T, text string) {
		data, err := seed.Parse(text)
		if err != nil || len(data.Users) > 50 {
			return
		}
		_, _ = data.State(noon, 1)
	})
}

func BenchmarkDemo(b *testing.B) {
	data, err := seed.Parse("demo:users=50,events=10000,rand=7")
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := data.State(noon, 1); err != nil {
			b.Fatal(err)
		}
	}
}
