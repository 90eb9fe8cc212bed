package control_test

import (
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"testing"

	"github.com/socialfeed/conform/refserver/control"
)

// browser is a client that keeps cookies and follows redirects.
type browser struct {
	t    *testing.T
	url  string
	http *http.Client
}

func (p *plane) browser() *browser {
	p.t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		p.t.Fatal(err)
	}
	b := &browser{p.t, p.url, &http.Client{Jar: jar}}
	p.t.Cleanup(b.http.CloseIdleConnections)
	return b
}

func (b *browser) read(response *http.Response, err error) answer {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	return answer{response.StatusCode, response.Header, string(text), err}
}

func (b *browser) get(path string) answer {
	b.t.Helper()
	return b.read(b.http.Get(b.url + path))
}

func (b *browser) post(path string, form ...string) answer {
	b.t.Helper()
	values := make(url.Values)
	for i := 0; i < len(form); i += 2 {
		values.Add(form[i], form[i+1])
	}
	return b.read(b.http.PostForm(b.url+path, values))
}

func TestConsoleRunsAWorld(t *testing.T) {
	x := start(t, control.Options{})
	b := x.plane().browser()
	if a := b.get("/"); a.status != 200 || !strings.Contains(a.text, "The control token") {
		t.Fatalf("without the cookie: %d %.200s", a.status, a.text)
	}
	if a := b.post("/login", "token", "wrong"); a.status != 401 || !strings.Contains(a.text, "not the control token") {
		t.Errorf("a wrong token: %d", a.status)
	}
	if a := b.post("/login", "token", controlToken); a.status != 200 || !strings.Contains(a.text, "World default") || !strings.Contains(a.text, "There are none yet") {
		t.Fatalf("after the login: %d %.300s", a.status, a.text)
	}
	data := "users:\r\n  - {user_name: ada, follows: [grace], friends: [bob]}\r\n  - {user_name: grace, events: [{verb: read, at: -1h}]}\r\n" +
		"  - {user_name: bob, events: [{verb: '<script>alert(1)</script>', at: -2h}]}\r\n  - {user_name: eve, events: [{verb: lurk}]}"
	for _, step := range []struct {
		path string
		form []string
		says []string
	}{
		{"/seed", []string{"seed", data}, []string{"The world was seeded.", "<strong>4</strong> users", "grace", `class="friend"`, `class="follow"`}},
		{"/weather", []string{"rules", "429,on=21,after=5\r\n\r\ndelay=1ms"}, []string{"The weather was set.", "429,on=21,after=5\ndelay=1ms"}},
		{"/settings", []string{"dialect", "lagging", "dialect", "terse", "choose", "session-lifetime=10s", "faults", "users-create-answers-200"},
			[]string{"dialect <strong>lagging&#43;terse", "fault <strong>users-create-answers-200", "session-lifetime=10s", `value="terse" checked`}},
		{"/clock", []string{"do", "freeze"}, []string{"(frozen)"}},
		{"/clock", []string{"do", "advance", "advance", "36h"}, []string{"The clock was moved."}},
		{"/clock", []string{"do", "run"}, []string{`value="freeze"`}},
	} {
		a := b.post("/worlds/default"+step.path, step.form...)
		for _, said := range step.says {
			if a.status != 200 || !strings.Contains(a.text, said) {
				t.Errorf("%s: %d, %q is not on the page", step.path, a.status, said)
			}
		}
	}
	feed := b.get("/worlds/default/users/20000").text
	if feed == "" || strings.Contains(feed, "<script>alert") {
		t.Error("an event's text is run as a script")
	}
	user := b.get("/worlds/default/users/20001").text
	for _, said := range []string{"ada follows grace since", "ada and bob are friends since", "&lt;script&gt;"} {
		if !strings.Contains(user, said) {
			t.Errorf("%q is not on the page of ada:\n%s", said, user)
		}
	}
	if strings.Contains(user, "lurk") {
		t.Error("a stranger's event is in ada's feed")
	}
	if a := b.post("/worlds/default/reset"); !strings.Contains(a.text, "<strong>0</strong> users") {
		t.Errorf("after the reset: %.300s", a.text)
	}
}

// TestConsoleTellsWhyOfEachEvent: what both friends' requests say alike is said once beside
// each event, however many there are.
func TestConsoleTellsWhyOfEachEvent(t *testing.T) {
	x := start(t, control.Options{})
	b := x.plane().browser()
	b.post("/login", "token", controlToken)
	b.post("/worlds/default/seed", "seed", "users:\n  - {user_name: ada, friends: [bob]}\n"+
		"  - {user_name: bob, friends: [ada], events: [{verb: read, at: -1h}, {verb: like, at: -2h}, {verb: watch, at: -3h}]}")
	page := b.get("/worlds/default/users/20001").text
	if told := strings.Count(page, "are friends since"); told != 3 || strings.Contains(page, "<br><br>") {
		t.Errorf("%d reasons for 3 events:\n%s", told, page)
	}
}

func TestConsoleTellsMistakes(t *testing.T) {
	x := start(t, control.Options{})
	b := x.plane().browser()
	b.post("/login", "token", controlToken)
	for _, m := range []struct {
		path string
		form []string
		says string
	}{
		{"/weather", []string{"rules", "rain"}, "begins with"},
		{"/seed", []string{"seed", "<b>"}, "seed"},
		{"/settings", []string{"choose", "lag"}, "name=value"},
		{"/settings", []string{"dialect", "uuid-ids", "dialect", "big-ids"}, "do not compose"},
		{"/clock", []string{"do", "advance", "advance", "soon"}, "duration"},
	} {
		if a := b.post("/worlds/default"+m.path, m.form...); a.status != 400 || !strings.Contains(a.text, m.says) || !strings.Contains(a.text, `role="alert"`) {
			t.Errorf("%s: %d", m.path, a.status)
		}
	}
	if a := b.get("/worlds/default?done=<script>"); strings.Contains(a.text, `role="status"`) {
		t.Error("a link puts words into the page's mouth")
	}
	if a := b.get("/worlds/nowhere"); a.status != 404 {
		t.Errorf("no such world: %d", a.status)
	}
	if a := b.get("/worlds/default/users/1"); a.status != 404 {
		t.Errorf("no such user: %d", a.status)
	}
}

func TestLoginCookieIsSafe(t *testing.T) {
	p := start(t, control.Options{}).plane()
	login := p.call("POST", "/login", "token="+controlToken, func(r *http.Request) {
		r.Header.Del("Authorization")
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	})
	cookie := login.header.Get("Set-Cookie")
	if login.status != 303 || !strings.Contains(cookie, "HttpOnly") || !strings.Contains(cookie, "SameSite=Strict") || strings.Contains(cookie, controlToken) {
		t.Errorf("%d, %s", login.status, cookie)
	}
	value, _, _ := strings.Cut(cookie, ";")
	withCookie := func(r *http.Request) { r.Header.Del("Authorization"); r.Header.Set("Cookie", value) }
	if a := p.call("GET", "/v1/worlds", "", withCookie); a.status != 200 {
		t.Errorf("with the cookie: %d", a.status)
	}
	crossSite := func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") }
	for _, path := range []string{"/worlds/default/reset", "/login"} {
		if a := p.call("POST", path, "token="+controlToken, withCookie, crossSite); a.status != 403 {
			t.Errorf("%s from another page: %d", path, a.status)
		}
	}
	for _, path := range []string{"/login", "/assets/console.css", "/assets/console.js", "/assets/icon.svg"} {
		a := p.call("GET", path, "", func(r *http.Request) { r.Header.Del("Authorization") })
		if a.status != 200 || !strings.Contains(a.header.Get("Content-Security-Policy"), "frame-ancestors 'none'") {
			t.Errorf("%s: %d, %s", path, a.status, a.header.Get("Content-Security-Policy"))
		}
	}
}
