package control_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/socialfeed/conform/refserver/control"
)

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
