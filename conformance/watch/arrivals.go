package watch

import (
	"bufio"
	"bytes"
	"net"
	"net/http"
	"sync"
	"time"
)

// Arrivals knows when the bytes of each connection came in: a request that was
// there before the answer to the one ahead of it was sent in advance.
type Arrivals struct {
	mu    sync.Mutex
	conns map[string]*arrivingConn    // by the client's address
	plain func(*http.Request, string) // told of plain text at a port of TLS
	tls   bool
}

// NewArrivals watches the connections of a listener, which carry TLS or do not.
func NewArrivals(tls bool) *Arrivals {
	return &Arrivals{conns: map[string]*arrivingConn{}, tls: tls}
}

// Listener is the listener, its connections watched.
func (a *Arrivals) Listener(l net.Listener) net.Listener { return &arrivingListener{l, a} }

type arrivingListener struct {
	net.Listener
	arrivals *Arrivals
}

// Accept watches the next connection.
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

// arrivingConn is a connection with what is known of it, by the lock of Arrivals.
type arrivingConn struct {
	net.Conn
	arrivals *Arrivals
	begun    bool      // something was read
	read     time.Time // when something was read last
	answered time.Time // when the last answer was complete
}

// Read notes when something came.
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
		c.arrivals.look(p[:n], c.RemoteAddr().String())
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

// look finds a request in the first bytes of a connection that should be TLS.
func (a *Arrivals) look(first []byte, remote string) {
	if a.plain == nil || first[0] < 'A' || first[0] > 'Z' {
		return
	}
	if r, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(first))); err == nil {
		a.plain(r, remote)
	}
}

// ahead reports whether the request that begins now was sent before the last answer
// on its connection was complete.
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
