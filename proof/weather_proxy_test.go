package proof_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"io"
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"time"
)

// proxy stands between the judge and a server, and makes the weather of a climate.
type proxy struct {
	climate
	next   http.Handler
	copies replicas

	mu     sync.Mutex
	random *rand.Rand
}

func newProxy(c climate, seed int64, next http.Handler) *proxy {
	return &proxy{climate: c, next: next, copies: replicas{behind: c.behind, late: c.late, seen: map[string][]reading{}, born: map[string]time.Time{}}, random: rand.New(rand.NewPCG(uint64(seed), 2))}
}

// standBefore puts the proxy before a server that is not started yet.
func (p *proxy) standBefore(ts *httptest.Server) {
	ts.Config.Handler, ts.Config.ConnContext = p, connContext
	ts.Listener = stormyListener{ts.Listener, p}
	if p.HTTP2 {
		ts.EnableHTTP2, ts.TLS.NextProtos = true, []string{"h2"}
	}
}

// hits draws whether something happens.
func (p *proxy) hits(probability float64) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.random.Float64() < probability
}

// below draws a number from 0 to n-1.
func (p *proxy) below(n int) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.random.IntN(max(n, 1))
}

// upTo draws a time.
func (p *proxy) upTo(most time.Duration) time.Duration { return time.Duration(p.below(int(most))) }

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

// countKey is the key of a connection's count of answers, in its context.
type countKey struct{}

// connContext gives a connection its count of answers.
func connContext(ctx context.Context, _ net.Conn) context.Context {
	return context.WithValue(ctx, countKey{}, new(int))
}

// ServeHTTP passes a request on, as the weather allows.
func (p *proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	pause(r.Context(), p.upTo(p.latency))
	count := r.Context().Value(countKey{}).(*int) // HTTP/1 serves one request at a time
	if p.answers > 0 && !p.HTTP2 {
		if *count++; *count > p.answers { // it said nothing of it before
			p.hangUp(w)
			return
		}
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	switch {
	case p.hits(p.cuts / 3): // before anything is done
		p.hangUp(w)
		return
	case p.hits(p.refusals):
		refuse(w, []int{http.StatusServiceUnavailable, http.StatusTooManyRequests}[p.below(2)], p.retryAfter)
		return
	case p.hits(p.gateway / 2):
		gatewayFails(w, http.StatusBadGateway)
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	answer := httptest.NewRecorder()
	p.next.ServeHTTP(answer, r)
	answer = p.copies.read(r, answer, p.below)
	switch {
	case p.hits(p.cuts / 3): // after all was done
		p.hangUp(w)
	case p.hits(p.cuts / 3):
		p.cutShort(w, r, answer.Result())
	case p.hits(p.gateway / 2): // though the server did it
		gatewayFails(w, []int{http.StatusBadGateway, http.StatusGatewayTimeout}[p.below(2)])
	default:
		p.pass(w, r, answer)
	}
}

func refuse(w http.ResponseWriter, status int, retryAfter string) {
	w.Header().Set("Content-Type", "application/json")
	if retryAfter != "" {
		w.Header().Set("Retry-After", retryAfter)
	}
	w.WriteHeader(status)
	_, _ = io.WriteString(w, `{"errors":[{"code":1,"message":"later"}]}`) // the judge may have hung up
}

func gatewayFails(w http.ResponseWriter, status int) {
	w.Header().Set("Content-Type", "text/html")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, "<html><body><h1>"+http.StatusText(status)+"</h1></body></html>") // the judge may have hung up
}

// pass hands on the server's answer, at once or in drips.
func (p *proxy) pass(w http.ResponseWriter, r *http.Request, answer *httptest.ResponseRecorder) {
	maps.Copy(w.Header(), answer.Header())
	w.WriteHeader(answer.Code)
	body := answer.Body.Bytes()
	if len(body) == 0 {
		return
	}
	if p.hits(p.drips) {
		const pieces = 8
		between := p.upTo(p.dripFor) / pieces
		for size := len(body)/pieces + 1; len(body) > size; body = body[size:] {
			_, _ = w.Write(body[:size]) // the judge may have hung up
			_ = http.NewResponseController(w).Flush()
			pause(r.Context(), between)
		}
	}
	_, _ = w.Write(body) // the judge may have hung up
}

// cutShort hands on a part of the server's answer.
func (p *proxy) cutShort(w http.ResponseWriter, r *http.Request, answer *http.Response) {
	if p.HTTP2 {
		w.WriteHeader(answer.StatusCode)
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	defer conn.Close()
	var whole bytes.Buffer
	if err := answer.Write(&whole); err != nil {
		return
	}
	_, _ = conn.Write(whole.Bytes()[:p.below(whole.Len())]) // the judge may have hung up
	pause(r.Context(), p.upTo(p.latency))
	p.perhapsReset(conn)
}

// hangUp ends the connection without a word.
func (p *proxy) hangUp(w http.ResponseWriter) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	p.perhapsReset(conn)
	conn.Close()
}

func (p *proxy) perhapsReset(conn net.Conn) {
	if secure, ok := conn.(*tls.Conn); ok && p.hits(p.resets) {
		reset(secure.NetConn())
	}
}

func reset(conn net.Conn) {
	if plain, ok := conn.(*stormy); ok {
		conn = plain.Conn
	}
	if plain, ok := conn.(*net.TCPConn); ok {
		_ = plain.SetLinger(0) // it is closed in any case
		plain.Close()
	}
}

// stormyListener makes the weather of handshakes.
type stormyListener struct {
	net.Listener
	p *proxy
}

// Accept accepts a connection.
func (l stormyListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	s := &stormy{Conn: conn}
	if l.p.hits(l.p.slowTLS) {
		s.delay = l.p.upTo(200 * time.Millisecond)
	}
	s.cut = l.p.hits(l.p.tlsCuts)
	return s, nil
}

// stormy is a connection whose first words come late, or never.
type stormy struct {
	net.Conn
	delay time.Duration
	cut   bool
	once  sync.Once
}

// Write writes, after the delay the first time.
func (s *stormy) Write(b []byte) (int, error) {
	s.once.Do(func() {
		time.Sleep(s.delay)
		if s.cut {
			s.Conn.Close()
		}
	})
	return s.Conn.Write(b)
}
