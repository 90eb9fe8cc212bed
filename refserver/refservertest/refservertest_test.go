package refservertest_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/control"
	"github.com/socialfeed/conform/refserver/refservertest"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m)
}

func TestUsersActUnderEveryDialect(t *testing.T) {
	for _, dialect := range refserver.Dialects() {
		t.Run(dialect.Name, func(t *testing.T) {
			t.Parallel()
			fake := refservertest.NewWith(t, control.Settings{Dialect: dialect.Name})
			ada, grace, bob := fake.As("ada"), fake.As("grace"), fake.As("bob")
			ada.Follow(grace)
			ada.Befriend(bob)
			first, second := grace.Post("like"), bob.Post("share")
			fake.Clock.Advance(time.Second)
			got, want := ada.Feed(), []string{second, first}
			if dialect.Choices.ClockSkew > 0 { // each event has the time of another clock
				slices.Sort(got)
				slices.Sort(want)
			}
			if !slices.Equal(got, want) {
				t.Errorf("feed %v, want %v", got, want)
			}
			if again := fake.As("ada"); again.ID != ada.ID {
				t.Errorf("ada is %s and %s", ada.ID, again.ID)
			}
		})
	}
}

func TestSeedWeatherClockAndJournal(t *testing.T) {
	t.Parallel()
	fake := refservertest.New(t)
	fake.Seed("users: [{user_name: ada, password: lovelace, follows: [grace]}, {user_name: grace, events: [{verb: read, at: -1h}]}]")
	ada := fake.As("ada")
	if got := ada.Feed(); len(got) != 1 || ada.Password != "lovelace" {
		t.Errorf("feed %v", got)
	}
	fake.Clock.Freeze()
	fake.Weather("503,on=21,until=10s")
	if status, _ := ada.Do(http.MethodGet, "/0.2/user/feed", nil); status != http.StatusServiceUnavailable {
		t.Errorf("status %d", status)
	}
	fake.Clock.Advance(10 * time.Second)
	if status, _ := ada.Do(http.MethodGet, "/0.2/user/feed", nil); status != http.StatusOK {
		t.Errorf("status %d after the weather", status)
	}
	entries := fake.Journal()
	if last := entries[len(entries)-1]; last.Session != "session:ada#1" || last.Endpoint != 21 || last.Status != http.StatusOK {
		t.Errorf("%+v", last)
	}
	fake.Change(func(s *control.Settings) { s.Dialect = "uuid-ids" })
	if me := fake.As("ada"); len(me.ID) != 36 {
		t.Errorf("id %s", me.ID)
	}
	fake.Reset()
	if got := fake.As("ada").Feed(); len(got) != 0 || len(fake.Journal()) != 2 {
		t.Errorf("after the reset: feed %v, journal %v", got, fake.Journal())
	}
}

func TestClientTrustsTheFake(t *testing.T) {
	t.Parallel()
	fake := refservertest.New(t)
	response, err := fake.Client().Get(fake.URL + "/versions")
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != http.StatusOK || !strings.HasPrefix(string(fake.CA()), "-----BEGIN CERTIFICATE") {
		t.Errorf("status %d", response.StatusCode)
	}
}

// failing stands in for a test that is to fail.
type failing struct {
	testing.TB
	said string
}

// Fatalf ends the test, as the real one does.
func (f *failing) Fatalf(format string, args ...any) {
	f.said = fmt.Sprintf(format, args...)
	panic(f)
}

func TestMistakesFailTheTest(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		mistake func(testing.TB)
		says    string
	}{
		"dialect": {func(t testing.TB) { refservertest.NewWith(t, control.Settings{Dialect: "klingon"}) }, "klingon"},
		"seed":    {func(t testing.TB) { refservertest.New(t).Seed("demo:x=1") }, "x=1"},
		"weather": {func(t testing.TB) { refservertest.New(t).Weather("rain") }, "rain"},
		"clock":   {func(t testing.TB) { refservertest.New(t).Clock.Advance(-1) }, "go back"},
		"change":  {func(t testing.TB) { refservertest.New(t).Change(func(s *control.Settings) { s.Dialect = "x" }) }, `"x"`},
		"password": {func(t testing.TB) {
			fake := refservertest.New(t)
			fake.As("ada").Do(http.MethodPost, "/0.2/users", map[string]string{"user_name": "bob", "password": "x"})
			fake.As("bob")
		}, "not known here"},
		"status": {func(t testing.TB) {
			fake := refservertest.New(t)
			ada := fake.As("ada")
			fake.Weather("500")
			ada.Post("like")
		}, "status 500"},
	} {
		t.Run(name, func(t *testing.T) {
			f := &failing{TB: t}
			defer func() {
				if recovered := recover(); recovered != f || !strings.Contains(f.said, tt.says) {
					t.Errorf("%v, said %q", recovered, f.said)
				}
			}()
			tt.mistake(f)
		})
	}
}
