package watch

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"hash"
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

// before puts a recording proxy before a handler.
func before(t testing.TB, service http.Handler, wrap func(http.Handler) http.Handler) *passing {
	t.Helper()
	upstream := httptest.NewServer(service)
	t.Cleanup(upstream.Close)
	where, err := url.Parse(upstream.URL)
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: 64}
	t.Cleanup(transport.CloseIdleConnections)
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

// stream is a body that nobody keeps: so many bytes that follow from its name.
type stream struct {
	left int
	next byte
	sum  hash.Hash
}

func newStream(size int, name byte) *stream { return &stream{size, name, sha256.New()} }

// Read makes the next bytes.
func (s *stream) Read(p []byte) (int, error) {
	if s.left == 0 {
		return 0, io.EOF
	}
	p = p[:min(len(p), s.left)]
	for i := range p {
		p[i] = s.next
		s.next = s.next*31 + 7
	}
	s.sum.Write(p)
	s.left -= len(p)
	return len(p), nil
}

func TestNothingIsAltered(t *testing.T) {
	const size = 3 << 20
	up := sha256.New()
	var got *http.Request
	down := newStream(size, 1)
	p := before(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = r.Clone(context.Background())
		_, _ = io.Copy(up, r.Body)
		w.Header().Set("X-Odd", "a, b")
		w.Header().Set("Content-Encoding", "unheard-of")
		w.WriteHeader(http.StatusTeapot)
		_, _ = io.Copy(w, down)
	}), nil)
	body := newStream(size, 2)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPut, p.url+"/0.2/a%2Fb/%7E?x=1;y=2&q=%zz&&", body)
	if err != nil {
		t.Fatal(err)
	}
	r.URL.RawQuery = "x=1;y=2&q=a+b&&"
	r.Header.Set("X-Forwarded-For", "192.0.2.7")
	r.Header["User-Agent"] = nil
	response, err := (&http.Transport{DisableCompression: true, DisableKeepAlives: true}).RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	received := sha256.New()
	_, err = io.Copy(received, response.Body)
	response.Body.Close()
	if err != nil || response.StatusCode != http.StatusTeapot || response.Header.Get("X-Odd") != "a, b" {
		t.Errorf("the answer: %v %v %v", response.StatusCode, response.Header, err)
	}
	if !bytes.Equal(received.Sum(nil), down.sum.Sum(nil)) || !bytes.Equal(up.Sum(nil), body.sum.Sum(nil)) {
		t.Error("a body was altered")
	}
	if got.RequestURI != "/0.2/a%2Fb/%7E?x=1;y=2&q=a+b&&" || got.Header.Get("X-Forwarded-For") != "192.0.2.7" || got.Header.Get("User-Agent") != "" {
		t.Errorf("the service got %s with %v", got.RequestURI, got.Header)
	}
	x := p.seen()[0]
	if x.BodySize != size || x.RespSize != size || len(x.Body) > maxBody || len(x.RespBody) > maxBody || x.Target != got.RequestURI {
		t.Errorf("seen: %d and %d bytes, %d and %d kept, %s", x.BodySize, x.RespSize, len(x.Body), len(x.RespBody), x.Target)
	}
}

func TestStreamsFlow(t *testing.T) {
	more := make(chan string)
	p := before(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		for text := range more {
			fmt.Fprintln(w, text)
			_ = http.NewResponseController(w).Flush()
		}
	}), nil)
	go func() { more <- "first" }()
	response, err := http.Get(p.url + "/0.2/user/feed")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	lines := bufio.NewScanner(response.Body)
	for _, text := range []string{"first", "second"} { // the second is sent once the first has come
		if !lines.Scan() || lines.Text() != text {
			t.Fatalf("got %q, want %q", lines.Text(), text)
		}
		if text == "first" {
			more <- "second"
			close(more)
		}
	}
}

func TestUpgradesPass(t *testing.T) {
	p := before(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		conn, buffered, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer conn.Close()
		_, _ = buffered.WriteString("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n")
		_ = buffered.Flush()
		line, _ := buffered.ReadString('\n')
		_, _ = conn.Write([]byte(strings.ToUpper(line)))
	}), nil)
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(p.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, "GET /echo HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n")
	reader := bufio.NewReader(conn)
	response, err := http.ReadResponse(reader, nil)
	if err != nil || response.StatusCode != http.StatusSwitchingProtocols {
		t.Fatalf("%v %v", response, err)
	}
	fmt.Fprintln(conn, "hello")
	if line, err := reader.ReadString('\n'); line != "HELLO\n" {
		t.Errorf("got %q, %v", line, err)
	}
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

func TestNoServiceIsAnIntermediarysMatter(t *testing.T) {
	p := before(t, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }), nil)
	response, err := http.Get(p.url + "/0.2/user")
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != http.StatusBadGateway {
		t.Errorf("got %d", response.StatusCode)
	}
}
