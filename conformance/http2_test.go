package conformance_test

import (
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	. "github.com/socialfeed/conform/conformance"
	"github.com/socialfeed/conform/conformance/result"
	"golang.org/x/net/http2"
)

// silence is how long an answer is waited for: the target's answers over HTTP/1.1 must come within it on a busy machine, too.
const silence = time.Second

// deadHTTP2 are the ways in which a server that chose HTTP/2 answers nothing over it, and what is reported.
var deadHTTP2 = map[string]struct {
	talk func(conn *tls.Conn, frames *http2.Framer)
	came string
}{
	"closed at once": {func(*tls.Conn, *http2.Framer) {}, "got nothing, then "},
	"closed after SETTINGS": {func(conn *tls.Conn, frames *http2.Framer) {
		_ = frames.WriteSettings()
		readPreface(conn)
		for range 3 { // the client's SETTINGS and its two requests: what is left unread makes the system drop what was sent
			_, _ = frames.ReadFrame()
		}
	}, "got its SETTINGS, then "},
	"GOAWAY at once": {func(conn *tls.Conn, frames *http2.Framer) {
		_ = frames.WriteSettings()
		_ = frames.WriteGoAway(0, http2.ErrCodeNo, nil)
		_, _ = io.Copy(io.Discard, conn)
	}, "got its SETTINGS, then GOAWAY (NO_ERROR)"},
	"no stream answered": {func(conn *tls.Conn, frames *http2.Framer) {
		_ = frames.WriteSettings()
		_, _ = io.Copy(io.Discard, conn)
	}, "got its SETTINGS, and no complete answer within " + silence.String()},
	"every stream reset": {resetting(http2.ErrCodeInternal), "got its SETTINGS, then RST_STREAM (INTERNAL_ERROR)"},
	"HTTP/1.1 instead": {func(conn *tls.Conn, _ *http2.Framer) {
		_, _ = io.WriteString(conn, "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
		_, _ = io.Copy(io.Discard, conn)
	}, `got an answer of HTTP/1.1 ("HTTP/1.1 400 Bad Request")`},
}

// resetting resets each stream that is opened.
func resetting(code http2.ErrCode) func(*tls.Conn, *http2.Framer) {
	return func(conn *tls.Conn, frames *http2.Framer) {
		_ = frames.WriteSettings()
		readPreface(conn)
		for {
			frame, err := frames.ReadFrame()
			if err != nil {
				return
			}
			if _, asked := frame.(*http2.HeadersFrame); asked {
				_ = frames.WriteRSTStream(frame.Header().StreamID, code)
			}
		}
	}
}

func readPreface(conn *tls.Conn) { _, _ = io.ReadFull(conn, make([]byte, len(http2.ClientPreface))) }

// withHTTP2 serves HTTP/1.1 by a handler, and HTTP/2 as told. It names the protocols in its TLS handshake.
func withHTTP2(t *testing.T, good http.Handler, talk func(*tls.Conn, *http2.Framer), protocols ...string) string {
	t.Helper()
	server := httptest.NewUnstartedServer(good)
	server.TLS = &tls.Config{NextProtos: protocols}
	server.Config.TLSNextProto = map[string]func(*http.Server, *tls.Conn, http.Handler){
		"h2": func(_ *http.Server, conn *tls.Conn, _ http.Handler) { talk(conn, http2.NewFramer(conn, conn)) },
	}
	server.StartTLS()
	t.Cleanup(func() { server.CloseClientConnections(); server.Close() })
	return server.URL
}

// A target that chooses HTTP/2 and does not serve it is reported as such: no rule is blamed, and it does not pass over
// HTTP/1.1, which clients that offer HTTP/2 do not get.
func TestADeadHTTP2IsReportedAsSuch(t *testing.T) {
	for name, dead := range deadHTTP2 {
		for _, protocols := range [][]string{{"h2", "http/1.1"}, {"h2"}} {
			t.Run(name+" "+strings.Join(protocols, " "), func(t *testing.T) {
				t.Parallel()
				f := newFake(t)
				config := f.config("users.me.get")
				config.Target = Target{BaseURL: withHTTP2(t, f, dead.talk, protocols...), AppToken: appToken, Insecure: true}
				config.RequestTimeout = silence
				report, err := newJudge(t, config, func(s *Suite) { s.Scenario("a", Covers("users.me.get"), readsItself) }).Run(t.Context())
				unreachable, ok := errors.AsType[*UnreachableError](err)
				if !ok {
					t.Fatalf("got %v, want an UnreachableError; the verdict is %s", err, report.Verdict)
				}
				for _, says := range []string{"GET /versions and GET /0.2/user over HTTP/2, which it chose in the TLS handshake (ALPN h2)", dead.came} {
					if !strings.Contains(unreachable.Reason, says) {
						t.Errorf("the reason does not say %q: %s", says, unreachable.Reason)
					}
				}
				works := "HTTP/1.1 works"
				if len(protocols) == 1 {
					works = "and serve HTTP/1.1"
				}
				if !strings.Contains(unreachable.Hint, "take h2 from the ALPN protocols") || !strings.Contains(unreachable.Hint, works) {
					t.Errorf("the hint is %q", unreachable.Hint)
				}
				expectRule(t, report, "users.me.get", result.Error, "not judged: "+unreachable.Reason)
			})
		}
	}
}

// listenerOfOne accepts one connection, and ends when that is closed.
type listenerOfOne struct {
	conns chan net.Conn
	addr  net.Addr
}

func (l *listenerOfOne) Accept() (net.Conn, error) {
	if conn, there := <-l.conns; there {
		return conn, nil
	}
	return nil, net.ErrClosed
}

func (l *listenerOfOne) Addr() net.Addr { return l.addr }
func (l *listenerOfOne) Close() error   { return nil }

// What a lawful server does with HTTP/2 is nothing to report: to serve it, to refer to HTTP/1.1, to be slow to start,
// and to lose a connection.
func TestALivingHTTP2IsJudged(t *testing.T) {
	served := func(conn *tls.Conn, f *fake) {
		only := &listenerOfOne{conns: make(chan net.Conn, 1), addr: conn.LocalAddr()}
		only.conns <- conn
		server := &http.Server{Handler: f, ConnState: func(_ net.Conn, state http.ConnState) {
			if state == http.StateClosed {
				close(only.conns)
			}
		}}
		_ = server.Serve(only)
	}
	lost := false
	for name, talk := range map[string]func(*tls.Conn, *http2.Framer, *fake){
		"served": func(conn *tls.Conn, _ *http2.Framer, f *fake) { served(conn, f) },
		"refers to HTTP/1.1": func(conn *tls.Conn, frames *http2.Framer, _ *fake) {
			resetting(http2.ErrCodeHTTP11Required)(conn, frames)
		},
		"a connection lost": func(conn *tls.Conn, _ *http2.Framer, f *fake) {
			if !lost {
				lost = true
				return
			}
			served(conn, f)
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t)
			config := f.config("users.me.get")
			base := withHTTP2(t, f, func(conn *tls.Conn, frames *http2.Framer) { talk(conn, frames, f) }, "h2", "http/1.1")
			config.Target = Target{BaseURL: base, AppToken: appToken, Insecure: true}
			report := judged(t, config, func(s *Suite) { s.Scenario("a", Covers("users.me.get"), readsItself) })
			expectRule(t, report, "users.me.get", result.Pass, "")
		})
	}
}
