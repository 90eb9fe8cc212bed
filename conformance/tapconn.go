package conformance

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"sync"
	"time"
)

// tapConn keeps the raw bytes of the latest response on a connection. The HTTP
// library hides whatever a server sends behind a 204; the wire does not.
type tapConn struct {
	net.Conn
	mu      sync.Mutex
	current *capture
	kept    bool // until dropped: more is read than the HTTP library would
}

// capture is what was read on a connection from one request up to the next.
type capture struct {
	mu   sync.Mutex
	data []byte
}

// maxCapture bounds one capture: enough for the headers of a 204 and a bit of
// the body that should not be there.
const maxCapture = 16 << 10

// Read reads from the connection and keeps a copy.
func (c *tapConn) Read(p []byte) (int, error) {
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
func (c *tapConn) begin() *capture {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.current = &capture{}
	return c.current
}

// keep leaves the connection open until it is dropped.
func (c *tapConn) keep() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.kept = true
}

// Close closes the connection, unless it is kept.
func (c *tapConn) Close() error {
	c.mu.Lock()
	kept := c.kept
	c.mu.Unlock()
	if kept {
		return nil
	}
	return c.Conn.Close()
}

// line is the connection that carries one request.
type line struct {
	last  bool // no other request follows on it
	tap   *tapConn
	stray *capture
}

// got takes down the connection when the HTTP library has settled on one.
func (l *line) got(info httptrace.GotConnInfo) {
	tap, ok := info.Conn.(*tapConn)
	if !ok { // a proxy's
		return
	}
	l.stray = tap.begin()
	if l.last {
		l.drop(0) // one that turned out to be dead
		tap.keep()
		l.tap = tap
	}
}

// linger bounds the wait for a target to close a connection as it was asked to.
const linger = 250 * time.Millisecond

// drop closes a kept connection: behind a 204, once the target has closed it and
// sent all that it had to.
func (l *line) drop(status int) {
	if l.tap == nil {
		return
	}
	if status == http.StatusNoContent && l.tap.SetReadDeadline(time.Now().Add(linger)) == nil {
		_, _ = io.CopyN(io.Discard, l.tap, maxCapture) // ends with the connection, one way or another
	}
	_ = l.tap.Conn.Close()
}

func (c *capture) add(p []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if room := maxCapture - len(c.data); room > 0 {
		c.data = append(c.data, p[:min(room, len(p))]...)
	}
}

// behindHeaders is what came after the header of the final response, interim
// ones (1xx) passed over.
func (c *capture) behindHeaders() []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	rest := c.data
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
