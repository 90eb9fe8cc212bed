package client

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// firstWait is the longest first wait without a Retry-After.
const firstWait = time.Second

// retryPolicy decides which calls are repeated, and when. Its functions are
// fields so that tests need no time to pass.
type retryPolicy struct {
	max    int
	bound  time.Duration
	now    func() time.Time
	sleep  func(context.Context, time.Duration) error
	jitter func() float64 // in [0, 1)
}

func newRetryPolicy(max int, bound time.Duration) retryPolicy {
	if max == 0 {
		max = defaultMaxRetries
	}
	return retryPolicy{max: max, bound: bound, now: time.Now, sleep: sleep, jitter: rand.Float64}
}

// next reports whether to repeat the call that ended in err, and after what wait.
// A wait beyond the bound, or beyond the context's deadline, is not begun.
func (p retryPolicy) next(ctx context.Context, err error, attempt int) (time.Duration, bool) {
	failure, ok := errors.AsType[*Error](err)
	if !ok || attempt >= p.max || !repeatable(failure) {
		return 0, false
	}
	wait, given := retryAfter(failure.Header.Get("Retry-After"), p.now())
	if !given {
		wait = p.backoff(attempt)
	}
	if wait > p.bound {
		return 0, false
	}
	if deadline, limited := ctx.Deadline(); limited && p.now().Add(wait).After(deadline) {
		return 0, false
	}
	return wait, true
}

// repeatable reports whether the request may be repeated. 429 and 503 refuse it before it is
// processed. After 504 it may have been processed (Errors), so only a read is repeated.
func repeatable(e *Error) bool {
	switch e.Status {
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		return true
	case http.StatusGatewayTimeout:
		return e.Method == http.MethodGet
	default:
		return false
	}
}

// backoff doubles from firstWait up to the bound. The upper half is random, so
// that many clients do not come back at the same moment.
func (p retryPolicy) backoff(attempt int) time.Duration {
	full := p.bound
	if doubled := math.Ldexp(float64(firstWait), attempt); doubled < float64(p.bound) {
		full = time.Duration(doubled)
	}
	return full/2 + time.Duration(p.jitter()*float64(full/2))
}

// retryAfter reads a Retry-After header: seconds, or an HTTP date. A date in the past is not a
// wait. It returns false for anything else.
func retryAfter(value string, now time.Time) (time.Duration, bool) {
	if value != "" && strings.Trim(value, "0123456789") == "" {
		seconds, err := strconv.ParseInt(value, 10, 64)
		if err != nil || seconds > int64(math.MaxInt64/time.Second) {
			return math.MaxInt64, true
		}
		return time.Duration(seconds) * time.Second, true
	}
	date, err := http.ParseTime(value)
	if err != nil {
		return 0, false
	}
	return max(0, date.Sub(now)), true
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
