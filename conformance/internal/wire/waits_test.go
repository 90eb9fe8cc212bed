package wire

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// inMemory is a wire to a handler without a network, for tests in which time is
// not the real one.
func inMemory(t *testing.T, rate int, handler http.HandlerFunc) *Wire {
	t.Helper()
	listener := pipes{make(chan net.Conn), make(chan struct{})}
	server := &http.Server{Handler: handler}
	go func() { _ = server.Serve(listener) }()
	w := New(nil, "", &Limiter{PerMinute: rate}, enoughTime, 1)
	w.protocol.one.Proxy = nil
	w.protocol.one.DialContext = func(ctx context.Context, _, _ string) (net.Conn, error) {
		ours, theirs := net.Pipe()
		select {
		case listener.conns <- theirs:
			return &captureConn{Conn: ours}, nil
		case <-listener.closed:
			return nil, net.ErrClosed
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	t.Cleanup(func() { w.Close(); server.Close() })
	return w
}

// pipes is a listener for connections in memory.
type pipes struct {
	conns  chan net.Conn
	closed chan struct{}
}

func (p pipes) Accept() (net.Conn, error) {
	select {
	case conn := <-p.conns:
		return conn, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}
func (p pipes) Close() error   { close(p.closed); return nil }
func (p pipes) Addr() net.Addr { return &net.UnixAddr{} }

func TestWaitsAreKeptAsTold(t *testing.T) {
	for name, tc := range map[string]struct {
		answers []string // status and Retry-After, one after the other
		method  string
		status  int
		took    time.Duration
		tries   int32
	}{
		"no wait":             {[]string{"200"}, "GET", 200, 0, 1},
		"503 as told":         {[]string{"503 7", "200"}, "GET", 200, 7 * time.Second, 2},
		"503 now and then":    {[]string{"503 1", "503 0", "503 2", "200"}, "POST", 200, 3*time.Second + initialBackoff, 4},
		"503 without a word":  {[]string{"503", "503", "200"}, "PUT", 200, 3 * initialBackoff, 3},
		"503 for good":        {[]string{"503 1"}, "GET", 503, 3 * time.Second, 4},
		"429 as told":         {[]string{"429 30", "201"}, "POST", 201, 30 * time.Second, 2},
		"429 again and again": {[]string{"429 60", "429 60", "429 60", "200"}, "DELETE", 200, 3 * time.Minute, 4},
		"429 and 503":         {[]string{"429 2", "503 3", "429", "200"}, "GET", 200, 5*time.Second + 4*initialBackoff, 4},
		"a 504 is an answer":  {[]string{"504 5"}, "GET", 504, 0, 1},
		"a 404 is an answer":  {[]string{"404 5"}, "GET", 404, 0, 1},
		"an uncounted method": {[]string{"429 2", "405"}, "PATCH", 405, 2 * time.Second, 2},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var tries atomic.Int32
				w := inMemory(t, 600, func(w http.ResponseWriter, _ *http.Request) {
					answerAs(w, tc.answers[min(int(tries.Add(1)), len(tc.answers))-1])
				})
				start := time.Now()
				x := request(t.Context(), t, w, tc.method, "http://host/0.2/user")
				if x.Err != nil || x.Status != tc.status || time.Since(start) != tc.took || tries.Load() != tc.tries {
					t.Errorf("a %d (%v) after %s and %d tries; want a %d after %s and %d",
						x.Status, x.Err, time.Since(start), tries.Load(), tc.status, tc.took, tc.tries)
				}
			})
		})
	}
}

func answerAs(w http.ResponseWriter, text string) {
	var status int
	var after string
	_, _ = fmt.Sscan(text, &status, &after)
	if after != "" {
		w.Header().Set("Retry-After", after)
	}
	w.WriteHeader(status)
}

func TestPatienceIsBounded(t *testing.T) {
	for answer, most := range map[string]time.Duration{
		"429":         maxWaiting,
		"429 0":       maxWaiting + 2*time.Minute, // and the pace
		"429 60":      maxWaiting,
		"429 91":      0,
		"429 3600":    0,
		"503 3600":    0,
		"429 1000000": 0,
	} {
		synctest.Test(t, func(t *testing.T) {
			w := inMemory(t, 60, func(w http.ResponseWriter, _ *http.Request) { answerAs(w, answer) })
			start := time.Now()
			x := request(t.Context(), t, w, "GET", "http://host/0.2/user")
			var busy busyError
			if !errors.As(x.Err, &busy) || time.Since(start) > most {
				t.Errorf("%s ends with %v after %s, want an end within %s", answer, x.Err, time.Since(start), most)
			}
		})
	}
}

// A category that was refused for as long as the judge waits is not waited for again, until the
// target serves it: one limit that never ends costs a run its wait once.
func TestACategoryIsWaitedForInVainOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var serves atomic.Bool
		w := inMemory(t, 600, func(w http.ResponseWriter, r *http.Request) {
			if r.Method == "GET" && !serves.Load() {
				answerAs(w, "429 60")
			}
		})
		sent := func(method string) (took time.Duration, err error) {
			start := time.Now()
			err = request(t.Context(), t, w, method, "http://host/0.2/user").Err
			return time.Since(start), err
		}
		if took, err := sent("GET"); err == nil || took < maxWaiting-time.Minute {
			t.Errorf("the first ends with %v after %s", err, took)
		}
		for range 3 {
			if took, err := sent("GET"); err == nil || took > 0 {
				t.Errorf("the next ends with %v after %s, want its refusal at once", err, took)
			}
		}
		if took, err := sent("PUT"); err != nil || took > 0 {
			t.Errorf("a PUT ends with %v after %s", err, took)
		}
		serves.Store(true)
		if _, err := sent("GET"); err != nil {
			t.Errorf("what is served again ends with %v", err)
		}
		serves.Store(false)
		if took, err := sent("GET"); err == nil || took < maxWaiting-time.Minute {
			t.Errorf("refused anew, it ends with %v after %s, want a new wait", err, took)
		}
	})
}

// A pause that one request was told holds back its category, and no other.
func TestPausesHoldTheCategory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var tries atomic.Int32
		w := inMemory(t, 600, func(w http.ResponseWriter, r *http.Request) {
			if r.Method == "POST" && tries.Add(1) == 1 {
				answerAs(w, "429 20")
			}
		})
		start := time.Now()
		first := make(chan time.Duration)
		go func() {
			request(t.Context(), t, w, "POST", "http://host/0.2/users")
			first <- time.Since(start)
		}()
		time.Sleep(time.Second)
		request(t.Context(), t, w, "GET", "http://host/0.2/user")
		if took := time.Since(start); took != time.Second {
			t.Errorf("a GET waits until %s", took)
		}
		request(t.Context(), t, w, "PUT", "http://host/0.2/user")
		if took, took1 := time.Since(start), <-first; took != 20*time.Second || took1 != 20*time.Second {
			t.Errorf("a PUT passes after %s, the POST after %s, want 20s", took, took1)
		}
	})
}

// Without patience, a 429 and a 503 are answers, and nothing is paced.
func TestRushedRequestsDoNotWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := inMemory(t, 1, func(w http.ResponseWriter, _ *http.Request) { answerAs(w, "429 20") })
		start := time.Now()
		for range 20 {
			req, err := http.NewRequestWithContext(t.Context(), "GET", "http://host/0.2/user", nil)
			if err != nil {
				t.Fatal(err)
			}
			if x := w.Send(req, nil, false); x.Err != nil || x.Status != http.StatusTooManyRequests {
				t.Fatalf("a %d, %v", x.Status, x.Err)
			}
		}
		if took := time.Since(start); took > 0 {
			t.Errorf("took %s", took)
		}
	})
}

func TestWaitsEndWhenTheRunIsInterrupted(t *testing.T) {
	for _, answer := range []string{"429 60", "503 60"} {
		synctest.Test(t, func(t *testing.T) {
			w := inMemory(t, 600, func(w http.ResponseWriter, _ *http.Request) { answerAs(w, answer) })
			ctx, cancel := context.WithCancelCause(t.Context())
			time.AfterFunc(5*time.Second, func() { cancel(ErrInterrupted) })
			start := time.Now()
			x := request(ctx, t, w, "GET", "http://host/0.2/user")
			if !errors.Is(x.Err, ErrInterrupted) || time.Since(start) != 5*time.Second {
				t.Errorf("%s ends with %v after %s", answer, x.Err, time.Since(start))
			}
		})
	}
}

// TestDispensableRequestsWaitForNoLimit sends some to a target that limits them, and beyond the judge's own rate: they
// end at once, and the next request that is needed waits.
func TestDispensableRequestsWaitForNoLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const rate = 2
		var answered atomic.Int32
		w := inMemory(t, rate, func(rw http.ResponseWriter, _ *http.Request) {
			if answered.Add(1) == rate {
				rw.Header().Set("Retry-After", "30")
				rw.WriteHeader(http.StatusTooManyRequests)
			}
		})
		send := func(ctx context.Context) *Exchange {
			req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://target.example/0.2/user", nil)
			if err != nil {
				t.Fatal(err)
			}
			return w.Send(req, nil, true)
		}
		began := time.Now()
		for i, limited := range []bool{false, true, true} {
			if x := send(Dispensable(t.Context())); errors.Is(x.Err, ErrLimited) != limited || x.Unsent != limited {
				t.Errorf("request %d ended with %v, unsent: %v", i+1, x.Err, x.Unsent)
			}
		}
		if waited := time.Since(began); waited > 0 {
			t.Errorf("they waited %s", waited)
		}
		if x := send(t.Context()); x.Err != nil || time.Since(began) < 30*time.Second {
			t.Errorf("a request that is needed ended with %v after %s", x.Err, time.Since(began))
		}
	})
}
