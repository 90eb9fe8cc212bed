package wire

import (
	"cmp"
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"net/url"
	"sync"
	"time"
)

// protocol chooses the version of HTTP: HTTP/1.1, whose raw bytes can be captured, unless the
// target speaks HTTP/2 alone.
type protocol struct {
	one, two *http.Transport
	dial     func(context.Context, string, string) (net.Conn, error)
	tls      *tls.Config

	mu      sync.Mutex
	decided *http.Transport // for https, nil until a handshake told
	spare   net.Conn        // of that handshake, for the first request
	prefers string          // the version that the target chose of both, "" until a handshake told
}

// The names of the versions in ALPN.
const (
	http1 = "http/1.1"
	http2 = "h2"
)

func (p *protocol) configure(config *tls.Config, timeout time.Duration, jobs int) {
	p.dial = (&net.Dialer{Timeout: timeout}).DialContext
	if p.tls = config; config == nil {
		p.tls = &tls.Config{MinVersion: tls.VersionTLS12}
	}
	p.one = &http.Transport{
		Proxy: http.ProxyFromEnvironment,
		DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
			return captured(p.dial(ctx, network, addr))
		},
		DialTLSContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
			if conn := p.takeSpare(); conn != nil {
				return captured(conn, nil)
			}
			return captured(p.handshake(ctx, network, addr, http1))
		},
		TLSClientConfig:        config, // for a proxied target
		TLSHandshakeTimeout:    timeout,
		MaxResponseHeaderBytes: maxHeader,
		MaxIdleConnsPerHost:    jobs,
		IdleConnTimeout:        30 * time.Second,
	}
	second := &http.Protocols{}
	second.SetHTTP2(true)
	p.two = &http.Transport{
		DialContext:            func(ctx context.Context, network, addr string) (net.Conn, error) { return p.dial(ctx, network, addr) },
		TLSClientConfig:        p.tls.Clone(),
		TLSHandshakeTimeout:    timeout,
		MaxResponseHeaderBytes: maxHeader,
		IdleConnTimeout:        30 * time.Second,
		Protocols:              second,
	}
}

func captured(conn net.Conn, err error) (net.Conn, error) {
	if err != nil {
		return nil, err
	}
	return &captureConn{Conn: conn}, nil
}

// handshake connects over TLS, offering the given versions.
func (p *protocol) handshake(ctx context.Context, network, addr string, versions ...string) (net.Conn, error) {
	config := p.tls.Clone()
	config.NextProtos = versions
	return (&tls.Dialer{NetDialer: &net.Dialer{Timeout: p.one.TLSHandshakeTimeout}, Config: config}).DialContext(ctx, network, addr)
}

// choose picks the version for a URL. The first time it asks the target: one that
// picks HTTP/2 is asked once more, whether it takes HTTP/1.1 as well.
func (p *protocol) choose(ctx context.Context, to *url.URL) (*http.Transport, error) {
	if to.Scheme != "https" {
		return p.one, nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.decided != nil {
		return p.decided, nil
	}
	if proxy, err := p.one.Proxy(&http.Request{URL: to}); proxy != nil || err != nil {
		p.decided = p.one // its errors about a proxy are the clearer ones
		return p.one, nil
	}
	addr := net.JoinHostPort(to.Hostname(), cmp.Or(to.Port(), "443"))
	conn, err := p.handshake(ctx, "tcp", addr, http2, http1)
	if err != nil {
		return nil, err
	}
	if p.prefers = negotiated(conn); p.prefers != http2 {
		p.decided, p.spare = p.one, conn
		return p.decided, nil
	}
	conn.Close()
	conn, err = p.handshake(ctx, "tcp", addr, http1)
	switch {
	case err == nil && negotiated(conn) == http1:
		p.decided, p.spare = p.one, conn
	case err == nil:
		conn.Close()
		p.decided = p.two
	case ctx.Err() != nil:
		return nil, err
	default: // it refuses the handshake
		p.decided = p.two
	}
	return p.decided, nil
}

// choosesTwo reports whether the target chose HTTP/2 where both versions were offered.
func (p *protocol) choosesTwo() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.prefers == http2
}

func negotiated(conn net.Conn) string {
	if secure, ok := conn.(*tls.Conn); ok {
		return secure.ConnectionState().NegotiatedProtocol
	}
	return ""
}

// takeSpare hands out, once, the connection whose handshake negotiated the version.
func (p *protocol) takeSpare() net.Conn {
	p.mu.Lock()
	defer p.mu.Unlock()
	conn := p.spare
	p.spare = nil
	return conn
}

func (p *protocol) close() {
	if conn := p.takeSpare(); conn != nil {
		conn.Close()
	}
	p.one.CloseIdleConnections()
	p.two.CloseIdleConnections()
}
