package refserver_test

import (
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/socialfeed/conform/refserver"
)

// contract is the contract's Endpoints table: method, path, and whether a session is needed.
var contract = []struct {
	method, path string
	session      bool
}{
	{"POST", "/0.2/users", false},
	{"POST", "/0.2/user/login", false},
	{"DELETE", "/0.2/user/logout", true},
	{"GET", "/0.2/user", true},
	{"PUT", "/0.2/user", true},
	{"DELETE", "/0.2/user", true},
	{"GET", "/0.2/users/1", true},
	{"GET", "/0.2/users/search?q=a", true},
	{"POST", "/0.2/user/connections", true},
	{"DELETE", "/0.2/user/connections/1", true},
	{"GET", "/0.2/user/follows", true},
	{"GET", "/0.2/user/followers", true},
	{"GET", "/0.2/user/friends", true},
	{"GET", "/0.2/users/1/follows", true},
	{"GET", "/0.2/users/1/followers", true},
	{"GET", "/0.2/users/1/friends", true},
	{"POST", "/0.2/user/connections/social", true},
	{"POST", "/0.2/user/events", true},
	{"PUT", "/0.2/user/events/1", true},
	{"DELETE", "/0.2/user/events/1", true},
	{"GET", "/0.2/user/feed", true},
	{"GET", "/versions", false},
}

// TestEveryEndpointIsGuarded tries each refusal of the admission at each endpoint.
func TestEveryEndpointIsGuarded(t *testing.T) {
	x := start(t, nil)
	ann := x.actor("ann")
	before := x.server.Stats()
	for _, e := range contract {
		valid := call{method: e.method, path: e.path, session: ann.session}
		takesBody := e.method == "POST" || e.method == "PUT"
		if takesBody {
			valid.raw = `{"user_name":"eve","verb":"like"}`
		}
		for _, defect := range defects(valid, takesBody, e.path != "/versions", e.session) {
			a := x.do(defect.call)
			if a.status != defect.status {
				t.Errorf("%s %s %s: status %d, want %d", e.method, e.path, defect.what, a.status, defect.status)
			}
			if allow := a.header.Get("Allow"); a.status == 405 && !strings.Contains(allow, e.method) {
				t.Errorf("PATCH %s: Allow %q", e.path, allow)
			}
		}
	}
	if after := x.server.Stats(); after != before {
		t.Errorf("refused requests changed the store from %+v to %+v", before, after)
	}
}

type defect struct {
	what   string
	status int
	call   call
}

// defects are a valid request with one defect each.
func defects(valid call, takesBody, needsApp, needsSession bool) []defect {
	var list []defect
	add := func(what string, status int, spoil func(*call)) {
		spoiled := valid
		spoil(&spoiled)
		list = append(list, defect{what, status, spoiled})
	}
	add("without a User-Agent", 400, func(c *call) { c.header = http.Header{"User-Agent": {""}} })
	add("wanting HTML", 406, func(c *call) { c.header = http.Header{"Accept": {"text/html"}} })
	add("as PATCH", 405, func(c *call) { c.method = "PATCH" })
	if takesBody {
		add("as text", 415, func(c *call) { c.header = http.Header{"Content-Type": {"text/plain"}} })
		add("cut off", 400, func(c *call) { c.raw = `{"user_name":` })
		add("with trailing garbage", 400, func(c *call) { c.raw += "x" })
		add("as a list", 400, func(c *call) { c.raw = "[]" })
	}
	if needsApp {
		add("without credentials", 401, func(c *call) { c.header = http.Header{"Authorization": nil} })
		add("with an unknown app token", 401, func(c *call) { c.app = "app-none" })
	}
	if needsSession {
		add("without a session", 401, func(c *call) { c.session = "" })
		add("with a made-up session", 401, func(c *call) { c.session = "made-up" })
		add("with a session of another application", 401, func(c *call) { c.app = otherToken })
	}
	return list
}

func TestMalformedCredentials(t *testing.T) {
	x := start(t, nil)
	ann := x.actor("ann")
	encode := base64.StdEncoding.EncodeToString
	for name, value := range map[string]string{
		"another scheme": "Bearer " + encode([]byte(appToken+":"+ann.session)),
		"broken base64":  "Basic %%%",
		"no colon":       "Basic " + encode([]byte(appToken)),
		"blank":          "",
	} {
		a := x.do(call{method: "GET", path: "/0.2/user", header: http.Header{"Authorization": {value}}})
		if a.status != 401 || !strings.HasPrefix(a.header.Get("WWW-Authenticate"), "Basic ") {
			t.Errorf("%s: status %d, WWW-Authenticate %q", name, a.status, a.header.Get("WWW-Authenticate"))
		}
	}
}

func TestPaths(t *testing.T) {
	x := start(t, nil)
	ann := x.actor("ann")
	for path, status := range map[string]int{
		"/": 404, "/0.2": 404, "/0.2/nothing": 404, "/0.2/user/": 404, "/0.2//user": 404, "/0.2/users/../user": 404,
		"/9.9/user": 404, "/0.1/user": 410, "/0.2/versions": 404, "/versions": 200,
		"/0.2/users/%2E%2E": 404, "/0.2/users/%00": 404, "/0.2/users/" + strings.Repeat("9", 400): 404,
	} {
		if a := ann.send("GET", path, nil); a.status != status {
			t.Errorf("GET %s: status %d, want %d", path, a.status, status)
		}
	}
}

func TestCrossOrigin(t *testing.T) {
	x := start(t, nil)
	ann := x.actor("ann")
	origin := http.Header{"Origin": {"https://app.example"}}
	for name, c := range map[string]call{
		"a success":           {method: "GET", path: "/0.2/user", session: ann.session, header: origin},
		"an empty success":    {method: "DELETE", path: "/0.2/user/logout", session: x.actor("bob").session, header: origin},
		"a 401":               {method: "GET", path: "/0.2/user", header: origin},
		"a 404":               {method: "GET", path: "/nothing", header: origin},
		"a 405":               {method: "PATCH", path: "/versions", header: origin},
		"a missing UserAgent": {method: "GET", path: "/versions", header: http.Header{"Origin": origin["Origin"], "User-Agent": {""}}},
	} {
		if allowed := x.do(c).header.Get("Access-Control-Allow-Origin"); allowed != "*" {
			t.Errorf("%s allows the origin %q", name, allowed)
		}
	}
	for _, e := range contract {
		a := x.do(call{method: "OPTIONS", path: e.path, header: http.Header{
			"Authorization": nil, "Origin": origin["Origin"], "Access-Control-Request-Method": {e.method},
			"Access-Control-Request-Headers": {"Authorization, Content-Type, Accept, X-Requested-With"},
		}})
		headers := strings.ToLower(a.header.Get("Access-Control-Allow-Headers"))
		if a.status != 204 || !strings.Contains(a.header.Get("Access-Control-Allow-Methods"), e.method) ||
			a.header.Get("Access-Control-Allow-Origin") != "*" || !strings.Contains(headers, "authorization") || !strings.Contains(headers, "content-type") {
			t.Errorf("preflight of %s %s: status %d, %v", e.method, e.path, a.status, a.header)
		}
	}
	if a := x.do(call{method: "OPTIONS", path: "/0.2/user"}); a.status != 405 {
		t.Errorf("OPTIONS that is no preflight: status %d", a.status)
	}
}

func TestPlainHTTPIsRefused(t *testing.T) {
	for allowed, status := range map[bool]int{false: 403, true: 200} {
		server, err := refserver.New(refserver.Options{AppTokens: []string{appToken}, AllowPlainHTTP: allowed})
		if err != nil {
			t.Fatal(err)
		}
		recorder := httptest.NewRecorder()
		request := httptest.NewRequest(http.MethodGet, "/versions", nil)
		request.Header.Set("User-Agent", "refserver-test/1")
		server.ServeHTTP(recorder, request)
		if recorder.Code != status {
			t.Errorf("AllowPlainHTTP %t: status %d, want %d", allowed, recorder.Code, status)
		}
	}
}
