package wire

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// orderly is a connection that ends in order when it is closed here, as one over
// TLS may: the other side has said goodbye by then.
type orderly struct{ net.Conn }

func (c orderly) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if errors.Is(err, net.ErrClosed) {
		err = io.EOF
	}
	return n, err
}

// dripping answers with a list that never ends, a bit at a time.
func dripping(t *testing.T, began chan<- struct{}) (string, *Wire) {
	t.Helper()
	server := rawServer(t, func(conn net.Conn, _ *http.Request) bool {
		write(conn, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n[\"")
		began <- struct{}{}
		for write(conn, "x") {
			time.Sleep(time.Millisecond)
		}
		return false
	})
	w := testWire(t, server)
	w.protocol.one.DialContext = func(ctx context.Context, network, addr string) (net.Conn, error) {
		conn, err := w.protocol.dial(ctx, network, addr)
		return captured(orderly{conn}, err)
	}
	return server, w
}

// What a limit of time cut short is no answer, even where its end looks like one.
func TestACutAnswerIsNoAnswer(t *testing.T) {
	t.Run("by the request's limit", func(t *testing.T) {
		server, w := dripping(t, make(chan struct{}, 1))
		w.timeout = hastyTimeout
		x := get(t, w, server+"/0.2/user/feed")
		if late := new(slowError); !errors.As(x.Err, late) {
			t.Errorf("a %d with %d bytes counts as complete: %v", x.Status, len(x.RespBody), x.Err)
		}
	})
	for cause, words := range map[error]string{TimeUpError{"the run's time", "Config.Timeout"}: "the run's time was up (Config.Timeout)", ErrInterrupted: "interrupted"} {
		t.Run("when "+cause.Error(), func(t *testing.T) {
			began := make(chan struct{}, 1)
			server, w := dripping(t, began)
			ctx, cancel := context.WithCancelCause(t.Context())
			go func() { <-began; cancel(cause) }()
			x := request(ctx, t, w, http.MethodGet, server+"/0.2/user/feed")
			if !errors.Is(x.Err, cause) {
				t.Fatalf("a %d with %d bytes counts as complete: %v", x.Status, len(x.RespBody), x.Err)
			}
			if said := Trouble(x.Err); !strings.HasSuffix(said, words) {
				t.Errorf("the report says that %s", said)
			}
		})
	}
}

// A gateway's failure is not the service's: it is asked again where that is safe,
// and is no answer in any case.
func TestAnIntermediarysAnswerIsNone(t *testing.T) {
	for name, tc := range map[string]struct {
		method   string
		failures int // before the service answers
		answered bool
		asked    int
	}{
		"a read, once":  {http.MethodGet, 1, true, 2},
		"a read, often": {http.MethodGet, 9, false, 1 + unavailables},
		"a write":       {http.MethodPost, 1, false, 1},
		"a delete":      {http.MethodDelete, 1, false, 1},
	} {
		t.Run(name, func(t *testing.T) {
			asked := 0
			server := rawServer(t, func(conn net.Conn, _ *http.Request) bool {
				if asked++; asked <= tc.failures {
					const page = "<html>502 Bad Gateway</html>"
					return write(conn, "HTTP/1.1 502 Bad Gateway\r\nContent-Type: text/html\r\nContent-Length: 28\r\n\r\n"+page)
				}
				return write(conn, okAnswer)
			})
			w := testWire(t, server)
			x := request(t.Context(), t, w, tc.method, server+"/0.2/user")
			if answered := x.Err == nil && x.Status == 200; answered != tc.answered || asked != tc.asked {
				t.Errorf("a %d (%v) after %d requests", x.Status, x.Err, asked)
			}
			if x.Err != nil && !strings.Contains(x.Err.Error(), "an intermediary answered in the target's place: 502 (text/html)") {
				t.Error(x.Err)
			}
			if n := w.Weather().Intermediary; n != min(tc.failures, tc.asked) {
				t.Errorf("%d are counted", n)
			}
		})
	}
}

// The service itself speaks JSON, and some gateways do, too: that is an answer.
func TestAServicesOwnFailureIsAnAnswer(t *testing.T) {
	for _, head := range []string{
		"502 Bad Gateway\r\nContent-Type: application/json", "500 Internal Server Error\r\nContent-Type: text/html", "504 Gateway Timeout\r\nContent-Type: text/plain",
	} {
		server := rawServer(t, func(conn net.Conn, _ *http.Request) bool {
			return write(conn, "HTTP/1.1 "+head+"\r\nContent-Length: 2\r\n\r\n{}")
		})
		if x := get(t, testWire(t, server), server+"/0.2/user"); x.Err != nil {
			t.Errorf("%s: %v", head, x.Err)
		}
	}
}
