package wire

import (
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// TestWhatNothingCameOf has requests that were refused for longer than the judge waits, and
// ones that were not sent, beside ones that may have been carried out.
func TestWhatNothingCameOf(t *testing.T) {
	for answer, unsent := range map[string]bool{
		"HTTP/1.1 429 Wait\r\nRetry-After: 3600\r\nContent-Length: 0\r\n\r\n": true,
		"HTTP/1.1 503 Wait\r\nRetry-After: 3600\r\nContent-Length: 0\r\n\r\n": true,
		"HTTP/1.1 504 Gone\r\nContent-Length: 3\r\n\r\n<p>":                   false,
		"HTTP/1.1 20": false,
	} {
		target := rawServer(t, func(conn net.Conn, _ *http.Request) bool { write(conn, answer); return false })
		if x := request(t.Context(), t, testWire(t, target), http.MethodPost, target+"/0.2/users"); x.Err == nil || x.Unsent != unsent {
			t.Errorf("%q: unsent is %v: %v", answer, x.Unsent, x.Err)
		}
	}
}

// TestWhatIsNotSentIsUnsent has an endpoint that leaves requests unanswered.
func TestWhatIsNotSentIsUnsent(t *testing.T) {
	sent := make(chan struct{}, mostSlow)
	target := rawServer(t, func(net.Conn, *http.Request) bool { sent <- struct{}{}; time.Sleep(time.Second); return false })
	w := New(nil, "", &Limiter{}, hastyTimeout, 1)
	defer w.Close()
	for i := range mostSlow + 1 {
		if x := request(t.Context(), t, w, http.MethodPost, target+"/0.2/users"); x.Err == nil || x.Unsent != (i == mostSlow) {
			t.Errorf("request %d: unsent is %v: %v", i+1, x.Unsent, x.Err)
		}
	}
	if len(sent) != mostSlow {
		t.Errorf("%d requests were sent", len(sent))
	}
}

// TestAPauseIsNoBrokenEndpoint has a target leave requests unanswered that were under way at
// the same time, and answer the next one.
func TestAPauseIsNoBrokenEndpoint(t *testing.T) {
	const atOnce = 2 * mostSlow
	var asked atomic.Int32
	target := rawServer(t, func(conn net.Conn, _ *http.Request) bool {
		if asked.Add(1) > atOnce {
			write(conn, "HTTP/1.1 204 No Content\r\n\r\n")
			return true
		}
		conn.Read(make([]byte, 1)) // until the client gives up
		return false
	})
	w := New(nil, "", &Limiter{}, hastyTimeout, atOnce)
	defer w.Close()
	var group sync.WaitGroup
	for range atOnce {
		group.Go(func() {
			if x := request(t.Context(), t, w, http.MethodPost, target+"/0.2/users"); x.Err == nil {
				t.Error("a request was answered")
			}
		})
	}
	group.Wait()
	if x := request(t.Context(), t, w, http.MethodPost, target+"/0.2/users"); x.Err != nil {
		t.Errorf("after a pause: %v", x.Err)
	}
}
