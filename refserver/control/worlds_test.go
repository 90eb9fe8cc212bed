package control_test

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/socialfeed/conform/refserver/control"
	"github.com/socialfeed/conform/refserver/control/seed"
)

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
