package wire

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"sync"
	"sync/atomic"
	"time"
)

// captureConn keeps the raw bytes of the latest response on a connection, since net/http hides
// what a server sends after a 204.
type captureConn struct {
	net.Conn
	mu      sync.Mutex
	current *Capture
	kept    context.Context // of the request for which more is read than the HTTP library would, nil where none is
}

// Capture is what was read on a connection from one request up to the next.
type Capture struct {
	mu   sync.Mutex
	Data []byte
}

// maxCapture bounds one capture: enough for the headers of a 204 and a bit of
// the body that should not be there.
const maxCapture = 16 << 10

// Read reads from the connection and keeps a copy.
func (c *captureConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.mu.Lock()
	current := c.current
	c.mu.Unlock()
	if current != nil {
		current.add(p[:n])
	}
	return n, err
}

// begin starts a new capture: a request is about to be written.
func (c *captureConn) begin() *Capture {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.current = &Capture{}
	return c.current
}

// keep leaves the connection open until it is dropped, or the time of its request is up: then closing it ends the
// reading.
func (c *captureConn) keep(ctx context.Context) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.kept = ctx
}

// Close closes the connection, unless it is kept.
func (c *captureConn) Close() error {
	c.mu.Lock()
	kept := c.kept
	c.mu.Unlock()
	if kept != nil && kept.Err() == nil {
		return nil
	}
	return c.Conn.Close()
}

// usedConn is the connection that carries one request.
type usedConn struct {
	last     bool        // no other request follows on it
	used     atomic.Bool // there was one
	reused   atomic.Bool // another request came before
	answered atomic.Bool // a first byte of the response came
	tap      *captureConn
	stray    *Capture
}

// silent reports whether a connection that was used before gave nothing back.
func (u *usedConn) silent() bool { return u.reused.Load() && !u.answered.Load() }

// gotByte records that something came back.
func (u *usedConn) gotByte() { u.answered.Store(true) }

// got records the connection when the HTTP library has settled on one.
func (u *usedConn) got(ctx context.Context, info httptrace.GotConnInfo) {
	u.used.Store(true)
	u.reused.Store(info.Reused)
	u.answered.Store(false)
	tap, ok := info.Conn.(*captureConn)
	if !ok { // a proxy's, or one that speaks HTTP/2
		return
	}
	u.stray = tap.begin()
	if u.last {
		u.drop(0) // one that turned out to be dead
		tap.keep(ctx)
		u.tap = tap
	}
}

// linger bounds the wait for a target to close a connection as it was asked to.
const linger = 250 * time.Millisecond

// drop closes a kept connection: behind a 204, once the target has closed it and
// sent all that it had to.
func (u *usedConn) drop(status int) {
	if u.tap == nil {
		return
	}
	if status == http.StatusNoContent && u.tap.SetReadDeadline(time.Now().Add(linger)) == nil {
		_, _ = io.CopyN(io.Discard, u.tap, maxCapture) // ends with the connection, one way or another
	}
	_ = u.tap.Conn.Close()
}

func (c *Capture) add(p []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if room := maxCapture - len(c.Data); room > 0 {
		c.Data = append(c.Data, p[:min(room, len(p))]...)
	}
}

// endsInHeader reports whether what came is the beginning of a header and no more.
func (c *Capture) endsInHeader() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	const version = "HTTP/1."
	begun := len(c.Data) > 0 && len(c.Data) < maxCapture && bytes.HasPrefix(c.Data, []byte(version)[:min(len(c.Data), len(version))])
	return begun && !bytes.Contains(c.Data, []byte("\r\n\r\n"))
}

// afterHeaders is what came after the header of the final response, interim
// ones (1xx) passed over.
func (c *Capture) afterHeaders() []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	rest := c.Data
	for {
		header, body, found := bytes.Cut(rest, []byte("\r\n\r\n"))
		if !found {
			return nil
		}
		if !bytes.HasPrefix(header, []byte("HTTP/1.1 1")) {
			return bytes.Clone(body)
		}
		rest = body
	}
}
