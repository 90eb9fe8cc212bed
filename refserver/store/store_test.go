package store_test

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/socialfeed/conform/refserver/store"
)

func newStore(tb testing.TB, policy store.Policy, clock func() time.Time) *store.Store {
	tb.Helper()
	s, err := store.New(policy, clock)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

func newUser(tb testing.TB, s *store.Store, app store.App, name string) store.User {
	tb.Helper()
	user, err := s.CreateUser(app, store.User{UserName: name, SocialIDs: map[string]string{"net": name}})
	if err != nil {
		tb.Fatal(err)
	}
	return user
}

// TestStaleActors: what a deleted user was admitted to do is refused inside the
// transaction, and leaves nothing behind.
func TestStaleActors(t *testing.T) {
	s := newStore(t, store.Policy{}, time.Now)
	ann, bob := newUser(t, s, app, "ann"), newUser(t, s, app, "bob")
	token, _, err := s.OpenSession(app, ann.ID, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.DeleteUser(app, ann.ID); err != nil {
		t.Fatal(err)
	}
	left := s.Counts()
	for name, act := range map[string]func() error{
		"create an event": func() error { _, err := s.CreateEvent(app, ann.ID, store.Event{Verb: "like"}); return err },
		"connect":         func() error { _, _, err := s.Connect(app, ann.ID, bob.ID, store.Follow); return err },
		"connect social":  func() error { return s.ConnectSocial(app, ann.ID, "net", []string{"bob"}, store.Follow) },
		"update":          func() error { _, err := s.UpdateUser(app, ann.ID, func(*store.User) {}); return err },
		"log in":          func() error { _, _, err := s.OpenSession(app, ann.ID, nil); return err },
		"log out":         func() error { return s.CloseSession(app, token) },
		"delete again":    func() error { return s.DeleteUser(app, ann.ID) },
	} {
		if err := act(); !errors.Is(err, store.ErrStale) {
			t.Errorf("%s: %v, want %v", name, err, store.ErrStale)
		}
	}
	if _, err := s.Session(app, token); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("the session: %v", err)
	}
	if now := s.Counts(); now != left || left != (store.Counts{Users: 1}) {
		t.Errorf("counts went from %+v to %+v (%v)", left, now, err)
	}
}

func TestLoginNeedsThePasswordThatStands(t *testing.T) {
	s := newStore(t, store.Policy{}, time.Now)
	ann := newUser(t, s, app, "ann")
	if _, err := s.UpdateUser(app, ann.ID, func(u *store.User) { u.Password = []byte("new") }); err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.OpenSession(app, ann.ID, ann.Password); !errors.Is(err, store.ErrStale) {
		t.Errorf("a login with the old password, changed meanwhile: %v", err)
	}
}

// TestUserNamesOfTheDeleted: the user name of a deleted user is free again, unless names are reserved.
func TestUserNamesOfTheDeleted(t *testing.T) {
	for _, reserved := range []bool{false, true} {
		s := newStore(t, store.Policy{UniqueUserName: true, ReserveUserName: reserved}, time.Now)
		if err := s.DeleteUser(app, newUser(t, s, app, "ann").ID); err != nil {
			t.Fatal(err)
		}
		if _, err := s.CreateUser(app, store.User{UserName: "ann"}); errors.Is(err, store.ErrConflict) != reserved {
			t.Errorf("reserved %v: a user under the name of a deleted one: %v", reserved, err)
		}
		if _, err := s.CreateUser(2, store.User{UserName: "ann"}); err != nil {
			t.Errorf("reserved %v: in another application: %v", reserved, err)
		}
	}
}

func TestApplicationsDoNotMeet(t *testing.T) {
	const other = store.App(2)
	s := newStore(t, store.Policy{UniqueUserName: true}, time.Now)
	ann, twin := newUser(t, s, app, "ann"), newUser(t, s, other, "ann")
	token, _, err := s.OpenSession(app, ann.ID, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Session(other, token); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("a session in another application: %v", err)
	}
	if _, _, err := s.Connect(app, ann.ID, twin.ID, store.Follow); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("a connection to another application's user: %v", err)
	}
	if named, err := s.Identify(other, "ann", "", nil); err == nil {
		t.Errorf("who has no password is identified: %v", named)
	}
}

// TestSocialContactsComeTogether: up to 200 contacts are connected in one step, so
// that nobody sees some of them and not the others; and more take turns with others.
func TestSocialContactsComeTogether(t *testing.T) {
	for contacts, atOnce := range map[int]bool{199: true, 5000: false} {
		s := newStore(t, store.Policy{}, time.Now)
		ann := newUser(t, s, app, "ann")
		for range contacts {
			newUser(t, s, app, "contact")
		}
		request := store.NewSocialContacts("net", []string{"contact"}, store.Follow)
		done, err := s.ConnectSocialStep(app, ann.ID, request)
		if err != nil || done != atOnce {
			t.Errorf("%d contacts in one step: %t (%v)", contacts, done, err)
		}
		for !done && err == nil {
			done, err = s.ConnectSocialStep(app, ann.ID, request)
		}
		if follows, err := s.Follows(app, ann.ID); err != nil || len(follows) != contacts {
			t.Errorf("%d of %d contacts are followed (%v)", len(follows), contacts, err)
		}
	}
}

// TestTimesNeverGoBack: the feed's order and created_at agree even where the clock does not.
func TestTimesNeverGoBack(t *testing.T) {
	now := time.Date(1969, 1, 1, 0, 0, 0, 0, time.UTC)
	s := newStore(t, store.Policy{OwnEvents: true}, func() time.Time { return now })
	ann := newUser(t, s, app, "ann")
	for _, step := range []time.Duration{0, 2 * 365 * 24 * time.Hour, -time.Hour, time.Minute, 3 * time.Hour} { // over 1970, and back
		now = now.Add(step)
		if _, err := s.CreateEvent(app, ann.ID, store.Event{Verb: "like"}); err != nil {
			t.Fatal(err)
		}
	}
	feed, err := s.Feed(app, ann.ID)
	if err != nil || len(feed) != 5 {
		t.Fatalf("%d events (%v)", len(feed), err)
	}
	for i := 1; i < len(feed); i++ {
		if feed[i].ID >= feed[i-1].ID || feed[i].CreatedAt.After(feed[i-1].CreatedAt) {
			t.Errorf("event %d (%s) is shown after %d (%s)", feed[i].ID, feed[i].CreatedAt, feed[i-1].ID, feed[i-1].CreatedAt)
		}
	}
}

// FuzzSearch: a term is found wherever it stands, and whatever a regular
// expression that ignores case would find is found too.
func FuzzSearch(f *testing.F) {
	f.Add("a", "%_", "z")
	f.Add("", "É", "é")
	f.Add("e", "\u0301", "ß")
	f.Add("İ", "ı", "K")
	f.Fuzz(func(t *testing.T, before, term, after string) {
		if !utf8.ValidString(before) || !utf8.ValidString(term) || !utf8.ValidString(after) {
			return
		}
		s := newStore(t, store.Policy{}, time.Now)
		for name, findable := range map[string]bool{
			before + term + after: true,
			after + before:        regexp.MustCompile("(?i)" + regexp.QuoteMeta(term)).MatchString(after + before),
		} {
			user, err := s.CreateUser(app, store.User{LastName: name})
			if err != nil {
				t.Fatal(err)
			}
			found, err := s.Search(app, term)
			if err != nil {
				t.Fatal(err)
			}
			if findable && (len(found) == 0 || found[len(found)-1].ID != user.ID) {
				t.Errorf("%q does not find %q", term, name)
			}
		}
	})
}

// BenchmarkFeed reads a feed of 100 events from 10 users: its cost must not
// depend on how many events others have (beyond what a larger heap costs the
// garbage collector, which the allocations, the same in every case, set apart).
func BenchmarkFeed(b *testing.B) {
	for _, others := range []int{0, 10_000, 100_000} {
		b.Run(fmt.Sprintf("others=%d", others), func(b *testing.B) {
			s := newStore(b, store.Policy{}, time.Now)
			reader, stranger := newUser(b, s, app, "reader"), newUser(b, s, app, "stranger")
			add := func(owner store.ID, events int) {
				for range events {
					if _, err := s.CreateEvent(app, owner, store.Event{Verb: "like"}); err != nil {
						b.Fatal(err)
					}
				}
			}
			for i := range 10 {
				followed := newUser(b, s, app, strings.Repeat("f", i+1))
				if _, _, err := s.Connect(app, reader.ID, followed.ID, store.Follow); err != nil {
					b.Fatal(err)
				}
				add(followed.ID, 10)
			}
			add(stranger.ID, others)
			b.ReportAllocs()
			for b.Loop() {
				if feed, err := s.Feed(app, reader.ID); err != nil || len(feed) != 100 {
					b.Fatal(len(feed), err)
				}
			}
		})
	}
}

// TestRestoreRefusesAnEventTwice: the store finds an event by its id alone.
func TestRestoreRefusesAnEventTwice(t *testing.T) {
	s := newStore(t, store.Policy{}, time.Now)
	ann := newUser(t, s, app, "ann")
	if _, err := s.CreateEvent(app, ann.ID, store.Event{Verb: "like"}); err != nil {
		t.Fatal(err)
	}
	state := s.State()
	for range 600 { // more than one piece of a timeline
		state.Events = append(state.Events, state.Events[0])
	}
	if err := s.Restore(state); err == nil {
		t.Error("an event that is there twice was restored")
		_ = s.DeleteEvent(app, ann.ID, state.Events[0].ID)
	}
}
