// Package twin serves every request with two servers of the same initial state, a sound one and
// one with a fault, and reports the answers that differ. Only these differences show the fault to
// a client.
package twin

import (
	"bufio"
	"bytes"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"time"

	"github.com/socialfeed/conform/refserver"
)

// Answer is an answer as the client got it. Its status is 0 where the connection was cut.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// Difference is an answer that differs from the sound server's to the same request.
type Difference struct {
	Method string
	Target string // path and query
	Host   string
	Header http.Header // of the request
	Body   []byte      // of the request
	Start  time.Time
	Got    Answer
	Sound  Answer // with the client's session tokens in place of the sound server's own
}

// Pair serves the answers of one server, and asks a sound one the same. It serves one request after
// the other, since two servers would bring requests that overlap into different orders.
type Pair struct {
	clock         *Clock
	served, sound http.Handler
	differs       func(Difference)

	mu     sync.Mutex
	tokens map[string]string // the sound server's session tokens, by those that the client was given
}

// New pairs a server with a sound one that holds the same. The clock is that of both.
func New(served, sound http.Handler, clock *Clock, differs func(Difference)) *Pair {
	return &Pair{clock: clock, served: served, sound: sound, differs: differs, tokens: map[string]string{}}
}

// mostBody is how much of a body both servers are given, in bytes: more than they take.
const mostBody = 2 << 20

// ServeHTTP serves one request.
func (p *Pair) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, mostBody)) // before the lock: clients may be slow
	content := func() io.ReadCloser {
		return &replayed{Reader: io.MultiReader(bytes.NewReader(body), failing{err}), Closer: r.Body}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	d := Difference{Method: r.Method, Target: r.URL.RequestURI(), Host: r.Host, Header: r.Header.Clone(), Body: body, Start: p.clock.tick()}
	d.Sound = p.ask(r, content())
	got := &tee{ResponseWriter: w}
	defer func() {
		broken := recover()
		d.Got = got.answer(broken != nil)
		if !p.alike(&d) {
			p.differs(d)
		}
		if broken != nil {
			panic(broken)
		}
	}()
	r.Body = content()
	p.served.ServeHTTP(got, r)
}

// ask has the sound server answer.
func (p *Pair) ask(r *http.Request, body io.ReadCloser) Answer {
	asked := r.Clone(refserver.WithTrace(r.Context(), &refserver.Trace{}))
	asked.Body = body
	if app, session, ok := r.BasicAuth(); ok && p.tokens[session] != "" {
		asked.SetBasicAuth(app, p.tokens[session])
	}
	recorder := httptest.NewRecorder()
	p.sound.ServeHTTP(recorder, asked)
	return Answer{recorder.Code, recorder.Header(), recorder.Body.Bytes()}
}

// replayed is a body that has been read already.
type replayed struct {
	io.Reader
	io.Closer
}

// failing ends a body with the error that it ended with when it was read.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) {
	if f.err != nil {
		return 0, f.err
	}
	return 0, io.EOF
}

// tee passes an answer on, and keeps it.
type tee struct {
	http.ResponseWriter
	kept  Answer
	taken bool // the connection was hijacked: its bytes are not known
}

func (t *tee) WriteHeader(status int) {
	if t.kept.Status == 0 && status >= http.StatusOK {
		t.kept.Status, t.kept.Header = status, t.Header().Clone()
	}
	t.ResponseWriter.WriteHeader(status)
}

func (t *tee) Write(p []byte) (int, error) {
	if t.kept.Status == 0 {
		t.WriteHeader(http.StatusOK)
	}
	t.kept.Body = append(t.kept.Body, p[:max(0, min(len(p), mostBody-len(t.kept.Body)))]...)
	return t.ResponseWriter.Write(p)
}

// Hijack takes over the connection.
func (t *tee) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, buffered, err := http.NewResponseController(t.ResponseWriter).Hijack()
	t.taken = t.taken || err == nil
	return conn, buffered, err
}

// Unwrap lets http.ResponseController reach the connection.
func (t *tee) Unwrap() http.ResponseWriter { return t.ResponseWriter }

func (t *tee) answer(cut bool) Answer {
	switch {
	case cut, t.taken:
		return Answer{}
	case t.kept.Status == 0: // the handler wrote nothing: net/http sends a 200
		return Answer{Status: http.StatusOK, Header: t.Header().Clone()}
	}
	return t.kept
}

// Clock is the time of both servers: it stands still while they serve a request.
type Clock struct {
	now func() time.Time
	mu  sync.Mutex
	at  time.Time
}

// NewClock makes a clock that follows another one from request to request.
func NewClock(now func() time.Time) *Clock { return &Clock{now: now, at: now()} }

// Now is the time of the present request.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *Clock) tick() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.now()
	return c.at
}
