package refserver

import (
	"math"
	"net"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/socialfeed/conform/refserver/store"
)

// The headers with a quota, sent if the choices say so.
const (
	headerLimit     = "X-RateLimit-Limit"
	headerRemaining = "X-RateLimit-Remaining"
	headerReset     = "X-RateLimit-Reset"
)

// span is the length of the sliding window (the contract's Limits part).
const span = time.Minute

// limiter counts requests in sliding windows: within any minute, no more than
// the limit are let through. Refused requests do not count.
type limiter struct {
	limit int
	watch *store.Stopwatch // so that a clock that is set back stops nobody

	mu      sync.Mutex
	windows map[windowKey][]time.Duration // when requests were let through, oldest first
	many    int                           // windows, from which on the idle ones are looked for
}

// windowKey identifies a window; fields that the scope ignores are zero.
type windowKey struct {
	category string
	app      store.App
	user     store.ID
	address  string
}

// quota is the answer of a window to a request.
type quota struct {
	allowed   bool
	remaining int
	reset     time.Duration // until the oldest request leaves the window
}

func newLimiter(limit int, clock func() time.Time) *limiter {
	if limit < 0 {
		return nil
	}
	return &limiter{limit: limit, watch: store.NewStopwatch(clock), windows: make(map[windowKey][]time.Duration), many: fewWindows}
}

// take counts a request, unless the window is full.
func (l *limiter) take(key windowKey) quota {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.watch.Elapsed()
	times, known := l.windows[key]
	if !known {
		l.forgetIdle(now)
	}
	for len(times) > 0 && now-times[0] >= span {
		times = times[1:]
	}
	allowed := len(times) < l.limit
	if allowed {
		times = append(times, now)
	}
	l.windows[key] = times
	return quota{allowed: allowed, remaining: l.limit - len(times), reset: span - (now - times[0])}
}

// fewWindows is how many windows are kept in any case.
const fewWindows = 1000

// forgetIdle keeps the number of windows in bounds: those that hold nothing go,
// each time there are twice as many as were left the last time.
func (l *limiter) forgetIdle(now time.Duration) {
	if len(l.windows) < l.many {
		return
	}
	for key, times := range l.windows {
		if now-times[len(times)-1] >= span {
			delete(l.windows, key)
		}
	}
	l.many = max(fewWindows, 2*len(l.windows))
}

// countRequest is the last stage of the admission.
func (s *Server) countRequest(w http.ResponseWriter, q *request) error {
	if s.limits == nil {
		return nil
	}
	quota := s.limits.take(s.window(q))
	seconds := strconv.Itoa(int(math.Ceil(quota.reset.Seconds())))
	if s.choices.RateHeaders == QuotaAndRetry {
		w.Header().Set(headerLimit, strconv.Itoa(s.limits.limit))
		w.Header().Set(headerRemaining, strconv.Itoa(quota.remaining))
		w.Header().Set(headerReset, seconds)
	}
	if quota.allowed {
		return nil
	}
	p := &problem{status: http.StatusTooManyRequests, code: codeRateLimit, message: "too many requests; retry after waiting"}
	if s.choices.RateHeaders != NoRateHeaders {
		p = p.with("Retry-After", seconds)
	}
	return p
}

func (s *Server) window(q *request) windowKey {
	key := windowKey{category: category(q.Method)}
	switch s.choices.RateScope {
	case PerUser:
		key.app, key.user = q.app, q.user
	case PerAddress:
		key.address = q.RemoteAddr
		if host, _, err := net.SplitHostPort(q.RemoteAddr); err == nil {
			key.address = host
		}
	default:
		key.app = q.app
	}
	return key
}

func category(method string) string {
	switch method {
	case http.MethodPost, http.MethodPut:
		return "writing"
	case http.MethodDelete:
		return "deleting"
	default:
		return "querying"
	}
}
