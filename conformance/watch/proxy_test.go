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
	"strings"
	"testing"
)

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

// TestAnUnreadBodyIsSaidToBeOne has a service take what it left of a request for the next one: the client is told what came
// instead of an answer.
func TestAnUnreadBodyIsSaidToBeOne(t *testing.T) {
	p := before(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer conn.Close()
		_, _ = io.WriteString(conn, "<!DOCTYPE HTML>\r\n<p>Bad request syntax ('{\"verb\": \"like\"}').")
	}), nil)
	response, err := http.Get(p.url + "/0.2/user")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	said, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusBadGateway || !strings.Contains(string(said), "may not have read the whole body") {
		t.Errorf("%d %s, %v", response.StatusCode, said, err)
	}
}
