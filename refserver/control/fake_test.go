package control_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/control"
	"github.com/socialfeed/conform/refserver/control/seed"
)

func TestJournalTellsWhyAndHidesTokens(t *testing.T) {
	x := start(t, control.Options{First: control.Settings{Dialect: "terse"}})
	ada, _ := x.actor(appToken, "ada")
	if a := x.send(appToken, ada, "GET", "/0.2/user", nil); a.status != 200 {
		t.Fatal(a)
	}
	if e := x.last(); e.Session != "session:ada#1" || e.App != "app:1" || e.Endpoint != 4 || e.Status != 200 || e.Why != nil {
		t.Errorf("%+v", e)
	}
	if a := x.send(appToken, "hush-made-up", "GET", "/0.2/user", nil); a.text != "{}\n" {
		t.Errorf("the wire of a terse server: %q", a.text)
	}
	if e := x.last(); e.Why == nil || e.Why.Stage != "credentials" || !strings.Contains(e.Why.Reason, "session token") || e.Session != "session:unknown" {
		t.Errorf("%+v, why %+v", e, e.Why)
	}
	x.send(appToken, ada, "DELETE", "/0.2/user/logout", nil)
	x.send(appToken, ada, "GET", "/0.2/user", nil)
	if e := x.last(); e.Status != 401 || e.Session != "session:ada#1" {
		t.Errorf("a destroyed session: %+v", e)
	}
	login := x.send(appToken, "", "POST", "/0.2/user/login", object{"user_name": "ada", "password": "hush-password"})
	second, _ := login.object()["session_token"].(string)
	third := x.send(appToken, "", "POST", "/0.2/user/login", object{"user_name": "ada", "password": "hush-password"}).object()["session_token"].(string)
	x.send(appToken, third, "GET", "/0.2/user", nil)
	if e := x.last(); e.Session != "session:ada#3" {
		t.Errorf("the third session, used before the second: %+v", e)
	}
	x.send(appToken, second, "GET", "/0.2/user", nil)
	if e := x.last(); e.Session != "session:ada#2" {
		t.Errorf("the second session: %+v", e)
	}
	for _, e := range entries(x) {
		shown, err := json.Marshal(e.View())
		if err != nil {
			t.Fatal(err)
		}
		for _, secret := range []string{"hush", ada, second} {
			if strings.Contains(string(shown), secret) || strings.Contains(e.Line(), secret) {
				t.Errorf("%q is shown in %s", secret, shown)
			}
		}
	}
}

// lastByte looks into the journal when the answer's body goes out.
type lastByte struct {
	*httptest.ResponseRecorder
	fake   *control.Fake
	booked int
}

func (l *lastByte) Write(p []byte) (int, error) {
	entries, _ := l.fake.Journal.Entries("", 0)
	l.booked = len(entries)
	return l.ResponseRecorder.Write(p)
}

func TestWhoeverHasTheAnswerFindsItInTheJournal(t *testing.T) {
	x := start(t, control.Options{Server: refserver.Options{AllowPlainHTTP: true}})
	request := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/versions", nil)
	request.Header.Set("User-Agent", "test/1")
	answer := &lastByte{ResponseRecorder: httptest.NewRecorder(), fake: x.fake}
	x.fake.ServeHTTP(answer, request)
	if answer.Code != http.StatusOK || answer.booked != 1 {
		t.Errorf("status %d, %d entries when the body went out", answer.Code, answer.booked)
	}
}

func TestWorldsAreApart(t *testing.T) {
	x := start(t, control.Options{WorldPrefix: "test-", First: control.Settings{Seed: "demo:users=3,events=5"}})
	var tests sync.WaitGroup
	for n := range 8 {
		tests.Go(func() {
			token := fmt.Sprintf("test-%d", n/2)
			session, _ := x.actor(token, fmt.Sprintf("ada%d", n))
			found := x.send(token, session, "GET", "/0.2/users/search?q=ada", nil)
			if found.status != 200 || strings.Contains(found.text, fmt.Sprintf("ada%d", (n+2)%8)) {
				t.Errorf("world %s: %d %s", token, found.status, found.text)
			}
		})
	}
	tests.Wait()
	if got := len(x.fake.Worlds()); got != 5 {
		t.Errorf("%d worlds", got)
	}
	session, id := x.actor("test-0", "grace")
	if id != "20006" {
		t.Errorf("the sixth user of the world has the id %s", id)
	}
	if a := x.send(appToken, session, "GET", "/0.2/user", nil); a.status != 401 {
		t.Errorf("a session of one world in another: %d", a.status)
	}
	if err := x.fake.Close("0"); err != nil {
		t.Fatal(err)
	}
	if a := x.send("test-0", session, "GET", "/0.2/user", nil); a.status != 401 {
		t.Errorf("a session of a world that was closed: %d", a.status)
	}
	if a := x.send("test-", "", "POST", "/0.2/users", object{"user_name": "x"}); a.status != 401 {
		t.Errorf("the prefix alone: %d", a.status)
	}
}

func TestWorldsAreBounded(t *testing.T) {
	x := start(t, control.Options{WorldPrefix: "test-"})
	for n := range control.MaxWorlds - 1 {
		if _, _, err := x.fake.Open(fmt.Sprint(n), control.Settings{}); err != nil {
			t.Fatal(err)
		}
	}
	if a := x.send("test-more", "", "POST", "/0.2/users", object{"user_name": "x"}); a.status != 503 || !strings.Contains(a.text, "delete some") {
		t.Errorf("%d %s", a.status, a.text)
	}
}

func TestDialectChoicesAndFaultsChangeUnderway(t *testing.T) {
	x := start(t, control.Options{})
	world := x.fake.Default()
	ada, id := x.actor(appToken, "ada")
	err := world.Change(t.Context(), func(s *control.Settings) {
		s.Dialect, s.Choose, s.Faults = "uuid-ids+lenient", map[string]string{"hide-email": "true"}, []string{"users-create-answers-200"}
	})
	if err != nil {
		t.Fatal(err)
	}
	me := x.send(appToken, ada, "GET", "/0.2/user", nil)
	if got := fmt.Sprint(me.object()["id"]); me.status != 200 || len(got) != 36 || got == id {
		t.Errorf("the session after the change: %d, id %s", me.status, got)
	}
	if a := x.send(appToken, "", "POST", "/0.2/users", object{"user_name": "bob"}); a.status != 200 {
		t.Errorf("the fault does not show: %d", a.status)
	}
	for _, wrong := range []func(*control.Settings){
		func(s *control.Settings) { s.Dialect = "uuid-ids+big-ids" },
		func(s *control.Settings) { s.Choose = map[string]string{"lag": "soon"} },
		func(s *control.Settings) { s.Faults = []string{"nothing"} },
	} {
		if err := world.Change(t.Context(), wrong); err == nil {
			t.Error("a wrong setting was taken")
		}
	}
	if settings, err := world.Settings(t.Context()); err != nil || settings.Dialect != "uuid-ids+lenient" {
		t.Errorf("after refused changes: %+v (%v)", settings, err)
	}
	if err := world.Reset(t.Context()); err != nil {
		t.Fatal(err)
	}
	if a := x.send(appToken, ada, "GET", "/0.2/user", nil); a.status != 401 {
		t.Errorf("a session after the reset: %d", a.status)
	}
}

func TestChangeWaitsForRequests(t *testing.T) {
	x := start(t, control.Options{Server: unlimited})
	ada, _ := x.actor(appToken, "ada")
	var users sync.WaitGroup
	for range 4 {
		users.Go(func() {
			for range 30 {
				if a := x.send(appToken, ada, "POST", "/0.2/user/events", object{"verb": "like"}); a.status != 201 {
					t.Errorf("an event while the dialect changes: %d %s", a.status, a.text)
				}
			}
		})
	}
	for n := range 20 {
		dialect := []string{"default", "lagging"}[n%2]
		if err := x.fake.Default().Change(t.Context(), func(s *control.Settings) { s.Dialect = dialect }); err != nil {
			t.Error(err)
		}
	}
	users.Wait()
	if state, err := x.fake.Default().State(t.Context()); err != nil || len(state.Events) != 120 {
		t.Errorf("%d events are left of 120 (%v)", len(state.Events), err)
	}
}

func TestClockMovesLagAndRateWindows(t *testing.T) {
	noon := time.Now().Add(time.Hour)
	x := start(t, control.Options{First: control.Settings{Clock: noon, Choose: map[string]string{"lag": "10s"}}})
	world := x.fake.Default()
	ada, id := x.actor(appToken, "ada")
	search := func() string { return x.send(appToken, ada, "GET", "/0.2/users/search?q=ada", nil).text }
	if got := search(); got != "[]\n" {
		t.Errorf("at once: %s", got)
	}
	if err := world.Clock.Advance(10 * time.Second); err != nil {
		t.Fatal(err)
	}
	if got := search(); !strings.Contains(got, id) {
		t.Errorf("after the lag: %s", got)
	}
	if err := world.Clock.Freeze(noon); err == nil {
		t.Error("the clock went back")
	}
	if err := world.Clock.Advance(-time.Second); err == nil {
		t.Error("the clock went back")
	}
	world.Clock.Run()
	if world.Clock.Frozen() || world.Clock.Now().Before(noon.Add(10*time.Second)) {
		t.Errorf("running on from %s", world.Clock.Now())
	}
}

func TestWorldGoesToAFileAndBack(t *testing.T) {
	x := start(t, control.Options{First: control.Settings{Seed: "demo:users=5,events=30"}})
	world := x.fake.Default()
	ada, id := x.actor(appToken, "ada")
	var file bytes.Buffer
	if err := world.Export(t.Context(), &file); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(file.String(), ada) || strings.Contains(file.String(), "hush") {
		t.Error("the file holds a secret")
	}
	if err := world.Reset(t.Context()); err != nil {
		t.Fatal(err)
	}
	kept := file.String()
	if err := world.Import(t.Context(), &file); err != nil {
		t.Fatal(err)
	}
	if a := x.send(appToken, ada, "GET", "/0.2/user", nil); a.status != 200 || fmt.Sprint(a.object()["id"]) == "" || !strings.Contains(a.text, id) {
		t.Errorf("the session after the import: %d %s", a.status, a.text)
	}
	for _, wrong := range []string{"", "{}", strings.Replace(kept, `"LastUser":6`, `"LastUser":1`, 1), kept[:len(kept)/2]} {
		if err := world.Import(t.Context(), strings.NewReader(wrong)); err == nil {
			t.Errorf("imported: %.60s", wrong)
		}
	}
	if a := x.send(appToken, ada, "GET", "/0.2/user", nil); a.status != 200 {
		t.Errorf("after refused imports: %d", a.status)
	}
}

func TestWeatherMeetsUsersAndWrites(t *testing.T) {
	x := start(t, control.Options{})
	world := x.fake.Default()
	ada, _ := x.actor(appToken, "ada")
	bob, _ := x.actor(appToken, "bob")
	if err := world.Weather("504,done,on=18", "503,user=ada,on=4", "cut=5,on=21"); err != nil {
		t.Fatal(err)
	}
	if a := x.send(appToken, ada, "POST", "/0.2/user/events", object{"verb": "like"}); a.status != 504 {
		t.Errorf("event: %d", a.status)
	}
	if state, err := world.State(t.Context()); err != nil || len(state.Events) != 1 {
		t.Errorf("504 with the write done left %d events (%v)", len(state.Events), err)
	}
	if e := x.last(); e.Why == nil || e.Why.Stage != "weather" || e.Weather != "504,done,on=18" {
		t.Errorf("%+v", e)
	}
	if a, b := x.send(appToken, ada, "GET", "/0.2/user", nil), x.send(appToken, bob, "GET", "/0.2/user", nil); a.status != 503 || b.status != 200 {
		t.Errorf("ada %d, bob %d", a.status, b.status)
	}
	if err := world.Weather("cut=2,on=4"); err != nil {
		t.Fatal(err)
	}
	if a := x.send(appToken, bob, "GET", "/0.2/user", nil); a.status != 200 || a.err == nil || len(a.text) != 2 {
		t.Errorf("cut: %d %q (%v)", a.status, a.text, a.err)
	}
	if err := world.Weather(); err != nil {
		t.Fatal(err)
	}
	if a := x.send(appToken, bob, "GET", "/0.2/user", nil); a.status != 200 || a.err != nil {
		t.Errorf("under a clear sky: %d (%v)", a.status, a.err)
	}
}

func TestSeedReplaces(t *testing.T) {
	x := start(t, control.Options{})
	x.actor(appToken, "ada")
	data := seed.Data{Users: []seed.Person{{UserName: "grace", Password: "hopper"}}}
	if err := x.fake.Default().Seed(t.Context(), data); err != nil {
		t.Fatal(err)
	}
	if a := x.send(appToken, "", "POST", "/0.2/user/login", object{"user_name": "grace", "password": "hopper"}); a.status != http.StatusOK {
		t.Errorf("grace: %d", a.status)
	}
	if a := x.send(appToken, "", "POST", "/0.2/user/login", object{"user_name": "ada", "password": "hush-password"}); a.status != http.StatusUnauthorized {
		t.Errorf("ada: %d", a.status)
	}
}
