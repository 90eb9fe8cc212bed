package datafile_test

import (
	"context"
	"fmt"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/socialfeed/conform/refserver/datafile"
	"github.com/socialfeed/conform/refserver/store"
)

const app store.App = 1

func newStore(t testing.TB, policy store.Policy) *store.Store {
	t.Helper()
	s, err := store.New(policy, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func must[T any](t testing.TB) func(T, error) T {
	return func(value T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

// TestFileHoldsWhatTheStoreHolds does one of each kind of write, and compares what is read back.
func TestFileHoldsWhatTheStoreHolds(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "data")
	file, found, err := datafile.Open(path, datafile.Options{Sync: true})
	if err != nil || found != nil {
		t.Fatalf("a new file: %v %v", found, err)
	}
	s := newStore(t, store.Policy{MaxSessions: 2})
	s.KeepIn(file, true)
	var users []store.User
	for n := range 4 {
		users = append(users, must[store.User](t)(s.CreateUser(app, store.User{UserName: fmt.Sprint("user", n), Metadata: map[string]string{"n": "1"}, Password: []byte("hash")})))
	}
	var tokens []string
	for range 3 { // the first one ends
		token, _, err := s.OpenSession(app, users[0].ID, []byte("hash"))
		tokens = append(tokens, must[string](t)(token, err))
	}
	for _, user := range users[1:] {
		_, _, err := s.Connect(app, users[0].ID, user.ID, store.Friend)
		must[bool](t)(true, err)
		must[store.Event](t)(s.CreateEvent(app, user.ID, store.Event{Verb: "v", Object: &store.Object{ID: "o"}}))
	}
	second := must[store.Event](t)(s.CreateEvent(app, users[1].ID, store.Event{Verb: "w"}))
	must[store.Event](t)(s.UpdateEvent(app, users[1].ID, second.ID, func(e *store.Event) { e.Location = "here" }))
	third := must[store.Event](t)(s.CreateEvent(app, users[1].ID, store.Event{Verb: "x"}))
	for _, err := range []error{
		s.DeleteEvent(app, users[1].ID, third.ID), s.Disconnect(app, users[0].ID, users[3].ID, store.Friend), s.DeleteUser(app, users[2].ID), file.Settle(context.Background()),
	} {
		must[bool](t)(true, err)
	}
	want := s.State()
	must[bool](t)(true, file.Close())

	again, read, err := datafile.Open(path, datafile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	restored := newStore(t, store.Policy{MaxSessions: 2})
	must[bool](t)(true, restored.Restore(*read))
	got := restored.State()
	if !reflect.DeepEqual(plain(got), plain(want)) {
		t.Errorf("read back:\n%+v\nkept:\n%+v", plain(got), plain(want))
	}
	for n, token := range tokens {
		if _, err := restored.Session(app, token); (err == nil) != (n > 0) {
			t.Errorf("session %d: %v", n+1, err)
		}
	}
}

// plain is a state without what only a store needs.
func plain(s store.State) string {
	text := fmt.Sprint(s.LastUser, s.LastEvent, s.Connections, s.Sessions)
	for _, u := range s.Users {
		text += fmt.Sprint(u.ID, u.UserName, u.Metadata, string(u.Password), u.CreatedAt.UnixMicro(), u.LastLogin.UnixMicro())
	}
	for _, e := range s.Events {
		text += fmt.Sprint(e.ID, e.Owner, e.Verb, e.Location, e.Object != nil, e.CreatedAt.UnixMicro(), e.UpdatedAt.UnixMicro())
	}
	return text
}

// BenchmarkCreateEvent tells what keeping costs a writer.
func BenchmarkCreateEvent(b *testing.B) {
	for _, way := range []string{"memory", "file"} {
		b.Run(way, func(b *testing.B) {
			s := newStore(b, store.Policy{})
			if way == "file" {
				file, _, err := datafile.Open(filepath.Join(b.TempDir(), "data"), datafile.Options{})
				if err != nil {
					b.Fatal(err)
				}
				defer file.Close()
				s.KeepIn(file, true)
			}
			user := must[store.User](b)(s.CreateUser(app, store.User{UserName: "ann"}))
			for b.Loop() {
				must[store.Event](b)(s.CreateEvent(app, user.ID, store.Event{Verb: "v", Location: "here", Object: &store.Object{ID: "o"}}))
			}
		})
	}
}
