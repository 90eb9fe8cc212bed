package watch

import (
	"bufio"
	"bytes"
	"net"
	"net/http"
	"sync"
	"time"
)

// Arrivals records when the bytes of each connection came in, to recognize requests that
// were sent before the answer to the one before them.
type Arrivals struct {
	mu    sync.Mutex
	conns map[string]*arrivingConn    // by the client's address
	plain func(*http.Request, string) // called for plain text on a TLS port
	tls   bool
}

// NewArrivals records connections, which are TLS or plain.
func NewArrivals(tls bool) *Arrivals {
	return &Arrivals{conns: map[string]*arrivingConn{}, tls: tls}
}

// Listener wraps a listener so that its connections are recorded.
func (a *Arrivals) Listener(l net.Listener) net.Listener { return &arrivingListener{l, a} }

type arrivingListener struct {
	net.Listener
	arrivals *Arrivals
}

// Accept records the next connection.
func (l *arrivingListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	watched := &arrivingConn{Conn: c, arrivals: l.arrivals}
	l.arrivals.mu.Lock()
	defer l.arrivals.mu.Unlock()
	l.arrivals.conns[c.RemoteAddr().String()] = watched
	return watched, nil
}

// arrivingConn is a connection with its record, guarded by the lock of Arrivals.
type arrivingConn struct {
	net.Conn
	arrivals *Arrivals
	begun    bool      // something was read
	read     time.Time // when something was read last
	answered time.Time // when the last answer was complete
}

// Read records when something came.
func (c *arrivingConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if n == 0 {
		return n, err
	}
	c.arrivals.mu.Lock()
	first := !c.begun
	c.begun, c.read = true, time.Now()
	c.arrivals.mu.Unlock()
	if first && c.arrivals.tls {
		c.arrivals.findPlain(p[:n], c.RemoteAddr().String())
	}
	return n, err
}

// Close forgets the connection.
func (c *arrivingConn) Close() error {
	c.arrivals.mu.Lock()
	if at := c.RemoteAddr().String(); c.arrivals.conns[at] == c {
		delete(c.arrivals.conns, at)
	}
	c.arrivals.mu.Unlock()
	return c.Conn.Close()
}

// CloseWrite lets a client read a refusal to its end.
func (c *arrivingConn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// findPlain finds a plain request in the first bytes of a connection that should be TLS.
func (a *Arrivals) findPlain(first []byte, remote string) {
	if a.plain == nil || first[0] < 'A' || first[0] > 'Z' {
		return
	}
	if r, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(first))); err == nil {
		a.plain(r, remote)
	}
}

// ahead reports whether the request that begins now was sent before the previous answer on
// its connection was complete.
func (a *Arrivals) ahead(conn string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	c := a.conns[conn]
	return c != nil && !c.answered.IsZero() && !c.read.After(c.answered)
}

func (a *Arrivals) answered(conn string, at time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if c := a.conns[conn]; c != nil {
		c.answered = at
	}
}
