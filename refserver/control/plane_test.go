package control_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/socialfeed/conform/refserver/control"
)

const controlToken = "hush-control"

// plane is the control plane of a rig on a socket of its own.
type plane struct {
	t   *testing.T
	url string
}

func (x *rig) plane() *plane { return x.planeWith("") }

// planeWith is a plane that says where the authority is.
func (x *rig) planeWith(authorityFile string) *plane {
	x.t.Helper()
	server := httptest.NewServer(control.NewPlane(x.fake, control.PlaneOptions{Service: x.url, Token: controlToken, AuthorityFile: authorityFile}))
	x.t.Cleanup(server.Close)
	return &plane{x.t, server.URL}
}

func (p *plane) call(method, path, body string, change ...func(*http.Request)) answer {
	p.t.Helper()
	request, err := http.NewRequestWithContext(p.t.Context(), method, p.url+path, strings.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+controlToken)
	for _, change := range change {
		change(request)
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	defer client.CloseIdleConnections()
	response, err := client.Do(request)
	if err != nil {
		p.t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	return answer{response.StatusCode, response.Header, string(text), err}
}

func (p *plane) must(status int, method, path, body string) answer {
	p.t.Helper()
	a := p.call(method, path, body)
	if a.status != status {
		p.t.Fatalf("%s %s: %d %s", method, path, a.status, a.text)
	}
	return a
}

func TestPlaneRunsWorlds(t *testing.T) {
	x := start(t, control.Options{WorldPrefix: "test-"})
	p := x.plane()
	opened := p.must(201, "POST", "/v1/worlds", `{"name":"a","seed":"demo:users=4,events=9","dialect":"uuid-ids+terse","weather":["429,after=5"],"clock":"2026-01-01T00:00:00Z"}`).object()
	if opened["app_token"] != "test-a" || opened["dialect"] != "uuid-ids+terse" || opened["frozen"] != true || fmt.Sprint(opened["holds"].(object)["events"]) != "9" {
		t.Errorf("%v", opened)
	}
	p.must(409, "POST", "/v1/worlds", `{"name":"a"}`)
	if a := x.send("test-a", "", "POST", "/0.2/users", object{"user_name": "x"}); a.status != 201 || !strings.Contains(a.text, `"created_at":"2026-01-01T00:00:00`) {
		t.Errorf("%d %s", a.status, a.text)
	}
	p.must(200, "POST", "/v1/worlds/a/clock", `{"advance":"36h"}`)
	if a := x.send("test-a", "", "POST", "/0.2/users", object{"user_name": "y"}); !strings.Contains(a.text, `"created_at":"2026-01-02T12:00:00`) {
		t.Errorf("%d %s", a.status, a.text)
	}
	p.must(200, "PATCH", "/v1/worlds/a", `{"dialect":"default","choose":{"duplicate-status":"409"},"faults":["users-create-answers-200"],"weather":[]}`)
	if a := x.send("test-a", "", "POST", "/0.2/users", object{"user_name": "z"}); a.status != 200 {
		t.Errorf("%d %s", a.status, a.text)
	}
	p.must(200, "PUT", "/v1/worlds/a/weather", `["500,nth=1"]`)
	if a := x.send("test-a", "", "POST", "/0.2/users", object{"user_name": "z"}); a.status != 500 {
		t.Errorf("%d %s", a.status, a.text)
	}
	file := p.must(200, "GET", "/v1/worlds/a/state", "").text
	p.must(200, "POST", "/v1/worlds/a/seed", "users: [{user_name: solo}]")
	if got := p.must(200, "GET", "/v1/worlds/a", "").object()["holds"].(object)["users"]; fmt.Sprint(got) != "1" {
		t.Errorf("users after the seed: %v", got)
	}
	if got := p.must(200, "PUT", "/v1/worlds/a/state", file).object()["holds"].(object)["users"]; fmt.Sprint(got) != "7" {
		t.Errorf("users after the import: %v", got)
	}
	p.must(200, "PUT", "/v1/worlds/later/weather", `["500"]`)
	if a := x.send("test-later", "", "POST", "/0.2/users", object{"user_name": "z"}); a.status != 500 {
		t.Errorf("weather that was set before the world's first request: %d", a.status)
	}
	p.must(204, "DELETE", "/v1/worlds/a", "")
	p.must(404, "GET", "/v1/worlds/a", "")
	x.actor(appToken, "ada")
	p.must(204, "DELETE", "/v1/worlds/default", "")
	if got := p.must(200, "GET", "/v1/worlds", "").object()["worlds"].([]any)[0].(object)["holds"].(object)["users"]; fmt.Sprint(got) != "0" {
		t.Errorf("users after the reset: %v", got)
	}
}

func TestPlaneRefusesMistakes(t *testing.T) {
	x := start(t, control.Options{})
	p := x.plane()
	for _, m := range []struct{ method, path, body, says string }{
		{"POST", "/v1/worlds", `{"name":"../etc"}`, "letters, digits"},
		{"POST", "/v1/worlds", `{"dialect":"klingon"}`, "klingon"},
		{"POST", "/v1/worlds", `{"colour":"red"}`, "colour"},
		{"POST", "/v1/worlds", `{"weather":["rain"]}`, "rain"},
		{"POST", "/v1/worlds", `{"seed":"demo:x=1"}`, "x=1"},
		{"PATCH", "/v1/worlds/default", `{"faults":["nothing"]}`, "nothing"},
		{"PUT", "/v1/worlds/default/weather", `{"rules":[]}`, "list of rules"},
		{"POST", "/v1/worlds/default/clock", `{"advance":"soon"}`, "soon"},
		{"POST", "/v1/worlds/default/clock", `{"at":"2001-01-01T00:00:00Z"}`, "does not go back"},
		{"PUT", "/v1/worlds/default/state", `{}`, "format"},
		{"GET", "/v1/journal?since=x", "", "since"},
		{"GET", "/v1/journal?limit=1", "", `unknown query parameter \"limit\": this call takes since and world`},
		{"GET", "/v1/journal?World=default", "", `unknown query parameter \"World\"`},
		{"GET", "/v1/journal?since=1&since=2", "", `query parameter \"since\" is there 2 times`},
		{"GET", "/v1/journal?since=1;world=default", "", "semicolon"},
		{"GET", "/v1/journal/stream?from=1", "", `\"from\": this call takes since and world`},
		{"DELETE", "/v1/journal?since=1", "", `\"since\": this call takes world`},
		{"GET", "/v1/worlds?name=default", "", `\"name\": this call takes none`},
		{"DELETE", "/v1/worlds/default?force=1", "", `\"force\"`},
		{"GET", "/v1/worlds/default/state?pretty", "", `\"pretty\"`},
		{"GET", "/v1/faults?rule=feed", "", `\"rule\"`},
		{"GET", "/v1/openapi.json?format=yaml", "", `\"format\"`},
	} {
		if a := p.call(m.method, m.path, m.body); a.status != 400 || !strings.Contains(a.text, m.says) {
			t.Errorf("%s %s %s: %d %s", m.method, m.path, m.body, a.status, a.text)
		}
	}
}

func TestJournalOverHTTP(t *testing.T) {
	x := start(t, control.Options{})
	p := x.plane()
	ada, _ := x.actor(appToken, "ada")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, p.url+"/v1/journal/stream?world=default", nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+controlToken)
	response, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	lines := bufio.NewScanner(response.Body)
	next := func() (event struct {
		Seq    int
		Path   string
		Status int
	}) {
		for lines.Scan() {
			if text, isData := strings.CutPrefix(lines.Text(), "data: "); isData {
				if err := json.Unmarshal([]byte(text), &event); err != nil {
					t.Fatal(err)
				}
				return event
			}
		}
		t.Fatal("the stream ended")
		return event
	}
	if e := next(); e.Seq != 1 || e.Status != 201 {
		t.Errorf("what was there: %+v", e)
	}
	x.send(appToken, ada, "GET", "/0.2/user/feed", nil)
	if e := next(); e.Seq != 2 || e.Path != "/0.2/user/feed" {
		t.Errorf("what came: %+v", e)
	}
	if got := p.must(200, "GET", "/v1/journal?since=1", "").object()["entries"].([]any); len(got) != 1 {
		t.Errorf("%d entries since the first", len(got))
	}
	p.must(204, "DELETE", "/v1/journal", "")
	if a := p.must(200, "GET", "/v1/journal", ""); len(a.object()["entries"].([]any)) != 0 {
		t.Errorf("after clearing: %s", a.text)
	}
}

func TestPlaneDocuments(t *testing.T) {
	p := start(t, control.Options{}).plane()
	for path, says := range map[string]string{
		"/v1/openapi.json": `"openapi": "3.0.3"`, "/v1/collection.http": "### 22.", "/v1/collection.postman.json": "v2.1.0",
		"/v1/dialects": "omit-object-url", "/v1/faults": "users.create.status",
	} {
		if a := p.must(200, "GET", path, ""); !strings.Contains(a.text, says) {
			t.Errorf("%s: %.200s", path, a.text)
		}
	}
}

// TestAttacksOnTheControlPort tries to get in from a page elsewhere, or without the token.
func TestAttacksOnTheControlPort(t *testing.T) {
	x := start(t, control.Options{})
	x.actor(appToken, "ada")
	p := x.plane()
	_, port, _ := net.SplitHostPort(strings.TrimPrefix(p.url, "http://"))
	header := func(name, value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(name, value) }
	}
	noToken := func(r *http.Request) { r.Header.Del("Authorization") }
	for name, attack := range map[string]struct {
		method, path string
		change       []func(*http.Request)
		status       int
	}{
		"control: none of these":  {"GET", "/v1/worlds", nil, 200},
		"rebinding":               {"GET", "/v1/worlds", []func(*http.Request){func(r *http.Request) { r.Host = "evil.example:" + port }}, 421},
		"rebinding to a suffix":   {"GET", "/v1/worlds", []func(*http.Request){func(r *http.Request) { r.Host = "localhost.evil.example" }}, 421},
		"rebinding the login":     {"GET", "/login", []func(*http.Request){func(r *http.Request) { r.Host = "evil.example" }}, 421},
		"another loopback name":   {"GET", "/v1/worlds", []func(*http.Request){func(r *http.Request) { r.Host = "localhost:" + port }}, 200},
		"another address":         {"GET", "/v1/worlds", []func(*http.Request){func(r *http.Request) { r.Host = "127.0.0.5:" + port }}, 200},
		"the address by IPv6":     {"GET", "/v1/worlds", []func(*http.Request){func(r *http.Request) { r.Host = "[::1]" }}, 200},
		"no token":                {"GET", "/v1/worlds", []func(*http.Request){noToken}, 401},
		"a wrong token":           {"GET", "/v1/worlds", []func(*http.Request){header("Authorization", "Bearer hush")}, 401},
		"the app token":           {"GET", "/v1/worlds", []func(*http.Request){func(r *http.Request) { r.SetBasicAuth(appToken, "") }}, 401},
		"a made-up cookie":        {"GET", "/v1/worlds", []func(*http.Request){noToken, header("Cookie", "refserver_control="+controlToken)}, 401},
		"a token in the query":    {"GET", "/v1/worlds?token=" + controlToken, []func(*http.Request){noToken}, 401},
		"a cross-site post":       {"POST", "/v1/worlds/default/seed", []func(*http.Request){header("Sec-Fetch-Site", "cross-site")}, 403},
		"a same-site post":        {"POST", "/v1/worlds/default/seed", []func(*http.Request){header("Sec-Fetch-Site", "same-site")}, 403},
		"a post of another page":  {"DELETE", "/v1/worlds/default", []func(*http.Request){header("Origin", "https://evil.example")}, 403},
		"a post of a null origin": {"DELETE", "/v1/worlds/default", []func(*http.Request){header("Origin", "null")}, 403},
		"a preflight":             {"OPTIONS", "/v1/worlds", []func(*http.Request){noToken, header("Origin", "https://evil.example")}, 401},
		"dots":                    {"GET", "/login/../v1/worlds", []func(*http.Request){noToken}, 303},
		"encoded dots":            {"GET", "/login/%2e%2e/v1/worlds", []func(*http.Request){noToken}, 303},
		"slashes":                 {"GET", "//v1/worlds", []func(*http.Request){noToken}, 303},
		"a world that is a path":  {"GET", "/v1/worlds/..%2f..%2fetc%2fpasswd", nil, 404},
		"an asset that is a path": {"GET", "/assets/..%2fconsole.go", []func(*http.Request){noToken}, 303},
		"another method":          {"TRACE", "/v1/worlds", []func(*http.Request){noToken}, 401},
	} {
		a := p.call(attack.method, attack.path, "users: [{user_name: mallory}]", attack.change...)
		if a.status != attack.status || a.header.Get("Access-Control-Allow-Origin") != "" || strings.Contains(a.text, controlToken) {
			t.Errorf("%s: %d, CORS %q: %.200s", name, a.status, a.header.Get("Access-Control-Allow-Origin"), a.text)
		}
		if attack.status == 303 && strings.Contains(a.text, "default") {
			t.Errorf("%s tells of the worlds: %s", name, a.text)
		}
	}
	if state, err := x.fake.Default().State(t.Context()); err != nil || len(state.Users) != 1 || state.Users[0].UserName != "ada" {
		t.Errorf("an attack changed the world: %d users (%v)", len(state.Users), err)
	}
	nobody := httptest.NewServer(control.NewPlane(x.fake, control.PlaneOptions{Service: x.url}))
	defer nobody.Close()
	if a := (&plane{t, nobody.URL}).call("GET", "/v1/worlds", "", header("Authorization", "Bearer ")); a.status != 401 {
		t.Errorf("a blank token lets in: %d", a.status)
	}
	form := header("Content-Type", "application/x-www-form-urlencoded")
	if a := (&plane{t, nobody.URL}).call("POST", "/login", "token=", form); a.status != 401 || a.header.Get("Set-Cookie") != "" {
		t.Errorf("a blank token logs in: %d", a.status)
	}
}
