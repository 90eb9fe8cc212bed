package wire

import (
	"crypto/tls"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
)

// A target may close a connection at any time, and need not say so before: that
// costs no request, and from the second on not even a try.
func TestConnectionsThatEndUnannounced(t *testing.T) {
	const answersEach, rounds = 3, 20
	for name, end := range map[string]func(net.Conn){
		"in order":   func(net.Conn) {},
		"by a reset": func(conn net.Conn) { _ = conn.(*net.TCPConn).SetLinger(0) },
	} {
		for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodDelete} {
			t.Run(name+", "+method, func(t *testing.T) {
				var answered, cut atomic.Int32
				var mu sync.Mutex
				left := map[net.Conn]int{}
				server := rawServer(t, func(conn net.Conn, _ *http.Request) bool {
					// It reads the next request, and does nothing about it.
					mu.Lock()
					left[conn]++
					over := left[conn] > answersEach
					mu.Unlock()
					if over {
						cut.Add(1)
						end(conn)
						return false
					}
					answered.Add(1)
					return write(conn, okAnswer)
				})
				w := testWire(t, server)
				for range rounds {
					x := request(t.Context(), t, w, method, server+"/0.2/user")
					if x.Err != nil || x.Status != 200 {
						t.Fatalf("a %d, %v", x.Status, x.Err)
					}
					if want := method == http.MethodPost || method == http.MethodDelete; x.Repeated && !want {
						t.Errorf("an answer to a second %s is told as a repetition", method)
					}
				}
				if answered.Load() != rounds {
					t.Errorf("%d answers to %d requests", answered.Load(), rounds)
				}
				if most := w.Weather().Repeated; most > 1 {
					t.Errorf("%d requests had to be repeated", most)
				}
			})
		}
	}
}

// A connection that dies under its first request may have carried it out.
func TestAFreshConnectionIsNotTriedAgain(t *testing.T) {
	var asked atomic.Int64
	server := rawServer(t, func(net.Conn, *http.Request) bool { asked.Add(1); return false })
	x := request(t.Context(), t, testWire(t, server), http.MethodPost, server+"/0.2/users")
	if x.Err == nil || asked.Load() != 1 {
		t.Errorf("a %d, %v after %d requests", x.Status, x.Err, asked.Load())
	}
}

// secureWire is a wire to a server over TLS.
func secureWire(t *testing.T, server *httptest.Server) *Wire {
	t.Helper()
	trust := server.Client().Transport.(*http.Transport).TLSClientConfig.Clone()
	trust.NextProtos = nil
	w := New(trust, "", &Limiter{}, enoughTime, 2)
	t.Cleanup(w.Close)
	return w
}

// HTTP/1.1 is spoken where the target knows it, HTTP/2 where it takes nothing else.
func TestEitherVersionOfHTTP(t *testing.T) {
	for name, tc := range map[string]struct {
		offers []string
		want   string
	}{
		"none named":   {nil, "HTTP/1.1"},
		"HTTP/1.1":     {[]string{"http/1.1"}, "HTTP/1.1"},
		"both":         {[]string{"h2", "http/1.1"}, "HTTP/1.1"},
		"HTTP/2 alone": {[]string{"h2"}, "HTTP/2.0"},
	} {
		t.Run(name, func(t *testing.T) {
			var spoken atomic.Value
			server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				spoken.Store(r.Proto)
				if r.UserAgent() != "" {
					t.Errorf("a User-Agent of %q, and none was sent", r.UserAgent())
				}
				if r.Method == http.MethodDelete {
					w.WriteHeader(http.StatusNoContent)
				}
			}))
			server.EnableHTTP2 = len(tc.offers) > 0
			server.TLS = &tls.Config{NextProtos: tc.offers}
			server.StartTLS()
			t.Cleanup(server.Close)
			w := secureWire(t, server)
			for _, method := range []string{http.MethodGet, http.MethodDelete, http.MethodPut} {
				req, err := http.NewRequestWithContext(t.Context(), method, server.URL+"/0.2/user", nil)
				if err != nil {
					t.Fatal(err)
				}
				req.Header["User-Agent"] = []string{""}
				if x := w.Send(req, nil, true); x.Err != nil || x.StrayBody() != "" {
					t.Fatalf("%s: a %d, %v, %q behind it", method, x.Status, x.Err, x.StrayBody())
				}
				if spoken.Load() != tc.want {
					t.Errorf("%s over %v, want %s", method, spoken.Load(), tc.want)
				}
			}
		})
	}
}
