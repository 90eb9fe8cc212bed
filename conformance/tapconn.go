package conformance

import (
	"bytes"
	"net"
	"sync"
)

// tapConn keeps the raw bytes of the latest response on a connection. The HTTP
// library hides whatever a server sends behind a 204; the wire does not.
type tapConn struct {
	net.Conn
	mu      sync.Mutex
	current *capture
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
