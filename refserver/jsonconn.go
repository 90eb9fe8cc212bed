package refserver

import (
	"bytes"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"strconv"
)

// jsonConn is a connection on which net/http speaks HTTP/1. It puts JSON in the
// place of the text that net/http itself refuses requests with, and has it refuse
// those that give their length twice (see framing).
type jsonConn struct {
	net.Conn
	framing framing
}

// secureConn shows its TLS state to net/http, which would otherwise look for a *tls.Conn.
type secureConn struct {
	jsonConn
	tls *tls.Conn
}

// ConnectionState is the source of Request.TLS.
func (c *secureConn) ConnectionState() tls.ConnectionState { return c.tls.ConnectionState() }

// Read passes on the client's bytes.
func (c *jsonConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.framing.watch(p[:n])
	return n, err
}

// Write sends the answer of net/http.
func (c *jsonConn) Write(p []byte) (int, error) {
	status, reason, own := ownAnswer(p)
	if !own {
		return c.Conn.Write(p)
	}
	if c.framing.ambiguous {
		status, reason = http.StatusBadRequest, "the body's length is given twice"
	}
	if _, err := c.Conn.Write(ownRefusal(status, reason)); err != nil {
		return 0, err
	}
	return len(p), nil
}

// NetConn is the connection beneath, as of a tls.Conn.
func (c *jsonConn) NetConn() net.Conn { return c.Conn }

// CloseWrite lets the client read a refusal to its end.
func (c *jsonConn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// ownAnswer reports whether net/http answers without a handler, and its status.
func ownAnswer(p []byte) (status int, reason string, own bool) {
	const headers = "\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n"
	const version, longest = "HTTP/1.1 ", 256
	if !bytes.HasPrefix(p, []byte(version)) || len(p) < len(version)+3 {
		return 0, "", false
	}
	status, err := strconv.Atoi(string(p[len(version) : len(version)+3]))
	if err != nil || status < 400 {
		return 0, "", false
	}
	line, rest, _ := bytes.Cut(p[:min(len(p), longest)], []byte("\r\n"))
	refused := bytes.HasPrefix(append([]byte("\r\n"), rest...), []byte(headers)) || status == http.StatusExpectationFailed
	return status, string(line[len(version)+4:]), refused
}

// The codes of refusals before admission; they continue the list that begins with codePlainHTTP.
const (
	codeProtocol = 1101 // the request is no HTTP that is understood here
	codeHeaders  = 1102 // its headers are too large
)

// ownRefusal is a whole response, after which the connection ends.
func ownRefusal(status int, reason string) []byte {
	p := &problem{status: status, code: codeProtocol, message: reason}
	if status == http.StatusRequestHeaderFieldsTooLarge {
		p.code = codeHeaders
	}
	body, err := json.Marshal(p.body(false))
	if err != nil {
		body = []byte("{}")
	}
	return fmt.Appendf(nil, "HTTP/1.1 %d %s\r\nCache-Control: no-store\r\nConnection: close\r\nContent-Length: %d\r\nContent-Type: application/json\r\n\r\n%s\n",
		status, http.StatusText(status), len(body)+1, body)
}
