package wire

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"net/url"
	"testing"
	"time"
)

// enoughTime bounds a request to a server that answers.
const enoughTime = 10 * time.Second

// hastyTimeout bounds a request to a server that is known to use it up.
const hastyTimeout = 300 * time.Millisecond

// testWire is an unpaced wire to a server.
func testWire(t *testing.T, base string) *Wire {
	t.Helper()
	u, err := url.Parse(base)
	if err != nil {
		t.Fatal(err)
	}
	w := New(nil, u.EscapedPath(), &Limiter{}, enoughTime, 1)
	t.Cleanup(w.Close)
	return w
}

// get sends a GET with patience.
func get(t *testing.T, w *Wire, target string) *Exchange {
	t.Helper()
	return request(t.Context(), t, w, http.MethodGet, target)
}

func request(ctx context.Context, t *testing.T, w *Wire, method, target string) *Exchange {
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, method, target, nil)
	if err != nil {
		t.Fatal(err)
	}
	return w.Send(req, nil, true)
}

// rawServer answers every request on every connection by the given function,
// which writes what it wants; the connection is closed when it returns false.
func rawServer(t *testing.T, answer func(conn net.Conn, r *http.Request) bool) string {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ended, end := context.WithCancel(context.Background())
	done := make(chan struct{})
	t.Cleanup(func() { end(); listener.Close(); <-done })
	go func() {
		defer close(done)
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			stop := context.AfterFunc(ended, func() { conn.Close() })
			go func() {
				defer stop()
				defer conn.Close()
				for in := bufio.NewReader(conn); ; {
					r, err := http.ReadRequest(in)
					if err != nil {
						return
					}
					if _, err := io.Copy(io.Discard, r.Body); err != nil || !answer(conn, r) {
						return
					}
				}
			}()
		}
	}()
	return "http://" + listener.Addr().String()
}

// write writes to a connection; false when the other side is gone.
func write(conn net.Conn, text string) bool {
	_, err := io.WriteString(conn, text)
	return err == nil
}
