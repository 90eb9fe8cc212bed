package faults

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"net/http/httptest"

	"github.com/socialfeed/conform/refserver"
)

// plainService are the faults of a port that serves requests without TLS as well
// (What the service does, transport rule 1).
func plainService() []Fault {
	allow := func(o *refserver.Options) { o.AllowPlainHTTP = true }
	elsewhere := func(r *http.Request) bool { return r.TLS == nil && r.URL.Path != "/versions" }
	return breaks("transport.https-only",
		fault("transport-plain-http-served", "the port serves requests without TLS as well", allow).listening(plainBesideTLS),
		fault("transport-plain-http-shows-versions", "the port serves the list of versions without TLS as well, and nothing else",
			combine(allow, respond(elsewhere, 403, complaint("HTTPS only")))).listening(plainBesideTLS))
}

// listening changes how the server listens.
func (f Fault) listening(listen func(net.Listener, http.Handler) net.Listener) Fault {
	f.Listen = listen
	return f
}

// plainBesideTLS has a listener serve connections that do not begin like TLS.
func plainBesideTLS(inner net.Listener, server http.Handler) net.Listener {
	return bilingual{inner, server}
}

type bilingual struct {
	net.Listener
	server http.Handler
}

func (l bilingual) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &bilingualConn{Conn: conn, reader: bufio.NewReader(conn), server: l.server}, nil
}

type bilingualConn struct {
	net.Conn
	reader *bufio.Reader
	server http.Handler
	begun  bool
}

// Read hands on what begins like TLS. Of anything else it serves one request
// itself, and hands on nothing.
func (c *bilingualConn) Read(p []byte) (int, error) {
	const handshake = 0x16
	if !c.begun {
		c.begun = true
		first, err := c.reader.Peek(1)
		if err != nil {
			return 0, err
		}
		if first[0] != handshake {
			return 0, c.servePlain()
		}
	}
	return c.reader.Read(p)
}

func (c *bilingualConn) servePlain() error {
	r, err := http.ReadRequest(c.reader)
	if err != nil {
		return err
	}
	r.RemoteAddr = c.RemoteAddr().String()
	recorder := httptest.NewRecorder()
	c.server.ServeHTTP(recorder, r)
	resp := recorder.Result()
	resp.Close = true
	if err := resp.Write(c.Conn); err != nil {
		return err
	}
	return io.EOF
}
