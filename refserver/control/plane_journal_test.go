package control_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/socialfeed/conform/refserver/control"
)

// TestJournalIsFiltered: a filter that is ignored would let an assertion of no entries hold.
func TestJournalIsFiltered(t *testing.T) {
	x := start(t, control.Options{})
	p := x.plane()
	x.send(appToken, "", "POST", "/0.2/users", object{"user_name": "ann"}) // 201
	x.send(appToken, "", "GET", "/0.2/user", nil)                          // 401
	x.send(appToken, "", "GET", "/0.2/user/feed", nil)                     // 401
	for query, want := range map[string]int{
		"": 3, "?status=401": 2, "?status=4xx": 2, "?status=500": 0, "?status=5xx": 0, "?endpoint=21": 1, "?method=POST": 1, "?method=GET&status=201": 0,
		"?endpoint=21&status=401&world=default": 1, "?since=1&status=401": 2, "?since=2&status=401": 1, "?session=session:ann%231": 0,
	} {
		got := p.must(200, "GET", "/v1/journal"+query, "").object()
		if fmt.Sprint(got["count"]) != fmt.Sprint(want) || len(got["entries"].([]any)) != want {
			t.Errorf("%s: got %v entries, want %d", query, got["count"], want)
		}
	}
	if a := p.must(404, "GET", "/v1/journal?endpoint=21&world=other", ""); !strings.Contains(a.text, "no world") {
		t.Errorf("the journal of an unknown world: %s", a.text)
	}
	for query, says := range map[string]string{
		"?endpoint=99": "1 to 22", "?endpoint=feed": "1 to 22", "?status=bad": "such as 404", "?method=get": "capitals", "?count=2": "goes with wait",
		"?wait=1h": "1m0s at most", "?wait=soon": "a time", "?wait=1s&count=0": "from 1",
	} {
		if a := p.must(400, "GET", "/v1/journal"+query, ""); !strings.Contains(a.text, says) {
			t.Errorf("%s: got %s, want %q", query, a.text, says)
		}
	}
}

// TestJournalIsAwaited waits for an entry that comes, and for one that does not.
func TestJournalIsAwaited(t *testing.T) {
	x := start(t, control.Options{})
	p := x.plane()
	came := make(chan object)
	go func() { came <- p.call("GET", "/v1/journal?endpoint=1&wait=50s&count=2", "").object() }()
	for range 2 {
		x.send(appToken, "", "POST", "/0.2/users", object{"user_name": "ann"})
	}
	if got := <-came; fmt.Sprint(got["count"]) != "2" {
		t.Errorf("got %v", got)
	}
	if got := p.must(200, "GET", "/v1/journal?endpoint=21&wait=20ms", "").object(); fmt.Sprint(got["count"]) != "0" {
		t.Errorf("got %v", got)
	}
}

// TestPlaneAnswersUnderGivenNames: and tells whoever asks whether it is well, and which authority to trust.
func TestPlaneAnswersUnderGivenNames(t *testing.T) {
	x := start(t, control.Options{})
	server := httptest.NewServer(control.NewPlane(x.fake, control.PlaneOptions{Token: controlToken, Hosts: []string{"fake"}, Authority: []byte("the authority")}))
	t.Cleanup(server.Close)
	p := &plane{t, server.URL}
	under := func(host string) func(*http.Request) {
		return func(r *http.Request) { r.Host = host; r.Header.Del("Authorization") }
	}
	for _, call := range []struct {
		host, path string
		status     int
		says       string
	}{
		{"fake:8444", "/healthz", 200, `"ok"`}, {"FAKE", "/ca.pem", 200, "the authority"}, {"fake", "/v1/worlds", 401, "token"}, {"evil.example", "/healthz", 421, "further names"},
		{"evil.example", "/ca.pem", 421, "further names"},
	} {
		if a := p.call("GET", call.path, "", under(call.host)); a.status != call.status || !strings.Contains(a.text, call.says) {
			t.Errorf("%s%s: got %d %s, want %d %q", call.host, call.path, a.status, a.text, call.status, call.says)
		}
	}
	if a := x.plane().call("GET", "/ca.pem", ""); a.status != 404 {
		t.Errorf("without an authority: got %d %s", a.status, a.text)
	}
}
