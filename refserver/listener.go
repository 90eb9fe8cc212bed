package refserver

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"sync"
	"time"
)

// plainListener makes the answers of net/http itself JSON.
type plainListener struct{ net.Listener }

// Accept waits for a connection.
func (l plainListener) Accept() (net.Conn, error) {
	raw, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &jsonConn{Conn: raw}, nil
}

type tlsListener struct {
	net.Listener
	config *tls.Config
	failed func(net.Addr, error)
	ready  chan accepted
	closed chan struct{}
	once   sync.Once
	work   sync.WaitGroup
}

type accepted struct {
	conn net.Conn
	err  error
}

// Accept waits for a connection whose handshake is done.
func (l *tlsListener) Accept() (net.Conn, error) {
	select {
	case next := <-l.ready:
		return next.conn, next.err
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

// Close ends the handshakes that are under way.
func (l *tlsListener) Close() error {
	err := l.Listener.Close()
	l.once.Do(func() { close(l.closed) })
	l.work.Wait()
	return err
}

func (l *tlsListener) accept() {
	for {
		raw, err := l.Listener.Accept()
		if err == nil {
			l.work.Go(func() { l.shakeHands(raw) })
			continue
		}
		l.hand(accepted{err: err})
		if errors.Is(err, net.ErrClosed) {
			return
		}
	}
}

// hand passes a connection or an error to the next Accept.
func (l *tlsListener) hand(next accepted) {
	select {
	case l.ready <- next:
	case <-l.closed:
		if next.conn != nil {
			next.conn.Close()
		}
	}
}

func (l *tlsListener) shakeHands(raw net.Conn) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	go func() {
		select {
		case <-l.closed:
			cancel()
		case <-ctx.Done():
		}
	}()
	conn := tls.Server(raw, l.config)
	if err := conn.HandshakeContext(ctx); err != nil {
		if plain := (tls.RecordHeaderError{}); errors.As(err, &plain) && plain.Conn != nil && looksLikeHTTP(plain.RecordHeader) {
			plain.Conn.SetWriteDeadline(time.Now().Add(time.Second))
			plain.Conn.Write(ownRefusal(http.StatusForbidden, "this port speaks HTTPS only")) // the client may be gone
			err = ErrPlainHTTP
		}
		raw.Close()
		if ctx.Err() == nil { // not at the end of the server
			l.failed(raw.RemoteAddr(), err)
		}
		return
	}
	if conn.ConnectionState().NegotiatedProtocol == "h2" {
		l.hand(accepted{conn: conn})
		return
	}
	l.hand(accepted{conn: &secureConn{jsonConn{Conn: conn}, conn}})
}

// looksLikeHTTP reports whether a connection begins with an HTTP request instead of a TLS
// handshake.
func looksLikeHTTP(header [5]byte) bool {
	switch string(header[:]) {
	case "GET /", "HEAD ", "POST ", "PUT /", "OPTIO", "DELET", "PATCH":
		return true
	}
	return false
}
