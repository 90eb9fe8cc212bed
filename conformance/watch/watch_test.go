package watch

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/socialfeed/conform/conformance/clients"
	"github.com/socialfeed/conform/conformance/result"
)

// passing is a service behind a proxy that records.
type passing struct {
	url string
	mu  sync.Mutex
	all []*clients.Exchange
}

func (p *passing) see(x *clients.Exchange) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.all = append(p.all, x)
}

func (p *passing) seen() []*clients.Exchange {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.all)
}

// upstream serves a handler, and returns where, with a transport to reach it.
func upstream(t testing.TB, service http.Handler) (*url.URL, *http.Transport) {
	t.Helper()
	server := httptest.NewServer(service)
	t.Cleanup(server.Close)
	where, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: 64}
	t.Cleanup(transport.CloseIdleConnections)
	return where, transport
}

// before puts a recording proxy before a handler.
func before(t testing.TB, service http.Handler, wrap func(http.Handler) http.Handler) *passing {
	t.Helper()
	where, transport := upstream(t, service)
	p, arrivals := &passing{}, NewArrivals(false)
	handler := Proxy(where, transport)
	if wrap != nil {
		handler = wrap(handler)
	}
	server := httptest.NewUnstartedServer(NewRecorder(handler, arrivals, p.see))
	server.Listener = arrivals.Listener(server.Listener)
	server.Start()
	t.Cleanup(server.Close)
	p.url = server.URL
	return p
}

func TestAnAnswerThatBreaksOffIsNone(t *testing.T) {
	p := before(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "100")
		_, _ = io.WriteString(w, "{")
	}), nil)
	response, err := http.Get(p.url + "/0.2/user")
	if err == nil {
		_, err = io.ReadAll(response.Body)
		response.Body.Close()
	}
	if err == nil {
		t.Error("the client does not notice")
	}
	await(t, func() bool { return len(p.seen()) == 1 })
	if x := p.seen()[0]; x.Status != 0 {
		t.Errorf("the status is %d", x.Status)
	}
}

func await(t *testing.T, done func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !done(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("it does not come")
		}
	}
}

func TestPipelinedRequestsAreNotSerial(t *testing.T) {
	release := make(chan struct{})
	p := before(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/0.2/user/logout" {
			<-release
		}
		w.WriteHeader(http.StatusNoContent)
	}), nil)
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(p.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	reader := bufio.NewReader(conn)
	answered := func() {
		if response, err := http.ReadResponse(reader, nil); err != nil || response.StatusCode != http.StatusNoContent {
			t.Fatalf("%v %v", response, err)
		}
	}
	fmt.Fprint(conn, "DELETE /0.2/user/logout HTTP/1.1\r\nHost: a\r\n\r\nGET /0.2/user HTTP/1.1\r\nHost: a\r\n\r\n")
	release <- struct{}{}
	answered()
	answered()
	fmt.Fprint(conn, "GET /0.2/user/feed HTTP/1.1\r\nHost: a\r\n\r\n")
	answered()
	await(t, func() bool { return len(p.seen()) == 3 })
	for i, serial := range []bool{true, false, true} {
		if x := p.seen()[i]; x.Serial != serial {
			t.Errorf("%s is serial: %v", x.Target, x.Serial)
		}
	}
}

func TestEnforcing(t *testing.T) {
	catalogue := Catalogue()
	o, asked := NewObserver(catalogue, clients.Options{HTTP: true}), 0
	p := before(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked++
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"id":7,"enabled":"yes"}`)
	}), func(next http.Handler) http.Handler { return Enforced(next, o.Refused) })
	for accept, status := range map[string]int{"*/*": 400, "application/json": 200} {
		r, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, p.url+"/0.2/user", nil)
		r.SetBasicAuth("app-token-0123456789", "session-0123456789")
		r.Header.Set("Accept", accept)
		r.Header.Set("User-Agent", "feedreader/1.0")
		response, err := http.DefaultClient.Do(r)
		if err != nil || response.StatusCode != status {
			t.Fatalf("%s: %v %v", accept, response, err)
		}
		response.Body.Close()
	}
	var found []string
	await(t, func() bool { return len(p.seen()) == 2 }) // the last client has its answer before
	for _, x := range p.seen() {
		for _, f := range o.See(x) {
			found = append(found, f.Side+" "+f.Rule)
		}
	}
	slices.Sort(found)
	if want := []string{"client client.accept", "service users.types"}; !slices.Equal(found, want) || asked != 1 {
		t.Errorf("found %v, the service was asked %d times", found, asked)
	}
	var report result.Report
	if err := o.Report(&report); err != nil {
		t.Fatal(err)
	}
	if report.Verdict != result.NonConformant {
		t.Errorf("the verdict is %s", report.Verdict)
	}
	for _, rule := range report.Rules {
		for _, check := range rule.Checks {
			if text := fmt.Sprint(check); strings.Contains(text, "session-0123456789") || strings.Contains(text, "app-token-0123456789") {
				t.Errorf("a secret is shown: %s", text)
			}
			if check.Broken > 0 && check.Side == "" {
				t.Errorf("%s: whose finding is it?", rule.ID)
			}
		}
	}
}
