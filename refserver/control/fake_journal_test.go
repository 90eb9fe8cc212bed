package control_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/control"
	"github.com/socialfeed/conform/refserver/control/journal"
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
	fake     *control.Fake
	recorded int
}

func (l *lastByte) Write(p []byte) (int, error) {
	entries, _ := l.fake.Journal.Entries(journal.Filter{})
	l.recorded = len(entries)
	return l.ResponseRecorder.Write(p)
}

func TestWhoeverHasTheAnswerFindsItInTheJournal(t *testing.T) {
	x := start(t, control.Options{Server: refserver.Options{AllowPlainHTTP: true}})
	request := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/versions", nil)
	request.Header.Set("User-Agent", "test/1")
	answer := &lastByte{ResponseRecorder: httptest.NewRecorder(), fake: x.fake}
	x.fake.ServeHTTP(answer, request)
	if answer.Code != http.StatusOK || answer.recorded != 1 {
		t.Errorf("status %d, %d entries when the body went out", answer.Code, answer.recorded)
	}
}
