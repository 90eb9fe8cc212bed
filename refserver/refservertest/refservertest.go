// Package refservertest is the local fake in anybody's go test: a server of the
// contract for one test alone, with users, weather, a clock and a journal.
//
//	fake := refservertest.New(t)
//	ada, grace := fake.As("ada"), fake.As("grace")
//	ada.Follow(grace)
//	app := myapp.New(fake.URL, fake.AppToken, fake.Client())
//
// Fakes share nothing, so tests may run in parallel. A call that fails ends its
// test at once.
package refservertest

import (
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/control"
	"github.com/socialfeed/conform/refserver/control/journal"
	"github.com/socialfeed/conform/refserver/control/seed"
)

// Fake is a server of the contract that lives as long as its test.
type Fake struct {
	URL      string // its base URL, https on a port of its own
	AppToken string
	Clock    Clock

	t         testing.TB
	server    *httptest.Server
	fake      *control.Fake
	passwords map[string]string // of the users that a seed or As made
}

// New starts an empty fake of the friendly defaults, without rate limits.
func New(t testing.TB) *Fake {
	t.Helper()
	return NewWith(t, control.Settings{})
}

// NewWith starts a fake with a dialect, choices, faults, weather, a seed or a
// clock that stands still.
func NewWith(t testing.TB, settings control.Settings) *Fake {
	t.Helper()
	f := &Fake{t: t, AppToken: refserver.NewAppToken(), passwords: make(map[string]string)}
	var err error
	f.fake, err = control.New(control.Options{
		Server: refserver.Options{AppTokens: []string{f.AppToken}, RateLimit: -1, PasswordCost: 1},
		First:  settings,
	})
	if err != nil {
		t.Fatalf("refservertest: %v", err)
	}
	if settings.Seed != "" {
		f.learn(settings.Seed)
	}
	f.server = httptest.NewTLSServer(f.fake)
	t.Cleanup(func() {
		f.server.CloseClientConnections() // so that nobody waits for weather that delays
		f.server.Close()
	})
	f.URL, f.Clock = f.server.URL, Clock{t, f.World().Clock}
	return f
}

// Client returns a client that trusts the fake and does nothing else.
func (f *Fake) Client() *http.Client {
	return &http.Client{Transport: f.server.Client().Transport}
}

// CA is the PEM of what to trust, for clients that are not Go's.
func (f *Fake) CA() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: f.server.Certificate().Raw})
}

// World is the fake's world, for everything that Fake has no method for.
func (f *Fake) World() *control.World { return f.fake.Default() }

// Seed replaces what the fake holds: "demo:users=50,events=1000,rand=7", or data as YAML.
func (f *Fake) Seed(text string) {
	f.t.Helper()
	data, err := seed.Parse(text)
	if err == nil {
		err = f.World().Seed(f.t.Context(), data)
	}
	if err != nil {
		f.t.Fatalf("refservertest: %v", err)
	}
	f.learn(text)
}

// learn keeps the passwords of a seed that was taken.
func (f *Fake) learn(text string) {
	f.t.Helper()
	data, err := seed.Parse(text)
	if err != nil {
		f.t.Fatalf("refservertest: %v", err)
	}
	for _, person := range data.Users {
		f.passwords[person.UserName] = person.Password
		if person.Password == "" {
			f.passwords[person.UserName] = seed.DefaultPassword
		}
	}
}

// Weather replaces the weather, such as "429,after=5" or "delay=2s,on=21"; no
// rules are a clear sky.
func (f *Fake) Weather(rules ...string) {
	f.t.Helper()
	if err := f.World().Weather(rules...); err != nil {
		f.t.Fatalf("refservertest: %v", err)
	}
}

// Change sets dialect, choices and faults; users, sessions and events stay.
func (f *Fake) Change(change func(*control.Settings)) {
	f.t.Helper()
	if err := f.World().Change(f.t.Context(), change); err != nil {
		f.t.Fatalf("refservertest: %v", err)
	}
}

// Reset takes the fake back to what it began with.
func (f *Fake) Reset() {
	f.t.Helper()
	if err := f.World().Reset(f.t.Context()); err != nil {
		f.t.Fatalf("refservertest: %v", err)
	}
	f.fake.Journal.Clear("")
}

// Journal returns the fake's last 1,000 requests with their answers, oldest first,
// without secrets.
func (f *Fake) Journal() []journal.View {
	entries, _ := f.fake.Journal.Entries(journal.Filter{})
	views := make([]journal.View, 0, len(entries))
	for _, e := range entries {
		views = append(views, e.View())
	}
	return views
}

// Clock is the fake's time. Sessions, rate windows, lag and weather follow it.
type Clock struct {
	t     testing.TB
	clock *control.Clock
}

// Now is the fake's time.
func (c Clock) Now() time.Time { return c.clock.Now() }

// Advance moves the time forward, whether it runs or stands still.
func (c Clock) Advance(d time.Duration) {
	c.t.Helper()
	if err := c.clock.Advance(d); err != nil {
		c.t.Fatalf("refservertest: %v", err)
	}
}

// Freeze stops the clock at its present time.
func (c Clock) Freeze() {
	c.t.Helper()
	if err := c.clock.Freeze(time.Time{}); err != nil {
		c.t.Fatalf("refservertest: %v", err)
	}
}
