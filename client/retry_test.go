package client

import (
	"context"
	"errors"
	"math"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"
)

const noon = "2014-05-01T12:00:00Z"

// patient stops c's clock at noon, and collects its waits instead of waiting.
func patient(c *Client, jitter float64) *[]time.Duration {
	waits := &[]time.Duration{}
	c.retry.now = func() time.Time { return at(noon) }
	c.retry.jitter = func() float64 { return jitter }
	c.retry.sleep = func(_ context.Context, d time.Duration) error {
		*waits = append(*waits, d)
		return nil
	}
	return waits
}

// retryCase is one call: what it meets, how long it waits, and how it ends.
type retryCase struct {
	cfg     Config
	method  string
	answers []answer
	waits   []time.Duration
	err     error
}

func retryCases() map[string]retryCase {
	refused := func(status int, retryAfter string) answer {
		return answer{status: status, header: map[string]string{"Retry-After": retryAfter}}
	}
	ok := answer{status: 200, body: `{"id":1}`}
	const s, half = time.Second, time.Second / 2
	return map[string]retryCase{
		"429, seconds":            {Config{}, "GET", []answer{refused(429, "7"), ok}, []time.Duration{7 * s}, nil},
		"503, a date":             {Config{}, "GET", []answer{refused(503, "Thu, 01 May 2014 12:00:30 GMT"), ok}, []time.Duration{30 * s}, nil},
		"429, a past date":        {Config{}, "GET", []answer{refused(429, "Thu, 01 May 2014 11:00:00 GMT"), ok}, []time.Duration{0}, nil},
		"429, at once":            {Config{}, "GET", []answer{refused(429, "0"), ok}, []time.Duration{0}, nil},
		"503 on a write":          {Config{}, "POST", []answer{refused(503, "1"), refused(429, "2"), ok}, []time.Duration{s, 2 * s}, nil},
		"no header":               {Config{}, "PUT", []answer{{status: 429}, {status: 503}, refused(429, "soon"), ok}, []time.Duration{half, s, 2 * s}, nil},
		"for ever":                {Config{}, "DELETE", []answer{{status: 429}}, []time.Duration{half, s, 2 * s}, ErrTooManyRequests},
		"backoff up to the bound": {Config{MaxRetryWait: 3 * s}, "GET", []answer{{status: 503}}, []time.Duration{half, s, 3 * half}, ErrUnavailable},
		"never":                   {Config{MaxRetries: -1}, "GET", []answer{refused(429, "0")}, nil, ErrTooManyRequests},
		"once":                    {Config{MaxRetries: 1}, "GET", []answer{refused(429, "0")}, []time.Duration{0}, ErrTooManyRequests},
		"the longest wait":        {Config{}, "GET", []answer{refused(503, "60"), ok}, []time.Duration{time.Minute}, nil},
		"too long, seconds":       {Config{}, "GET", []answer{refused(503, "61"), ok}, nil, ErrUnavailable},
		"too long, a date":        {Config{}, "GET", []answer{refused(429, "Thu, 01 May 2014 12:01:01 GMT"), ok}, nil, ErrTooManyRequests},
		"too long for any clock":  {Config{}, "GET", []answer{refused(429, strings.Repeat("9", 40)), ok}, nil, ErrTooManyRequests},
		"504 on a read":           {Config{}, "GET", []answer{{status: 504}, ok}, []time.Duration{half}, nil},
		"504 on POST":             {Config{}, "POST", []answer{refused(504, "1"), ok}, nil, ErrGatewayTimeout},
		"504 on PUT":              {Config{}, "PUT", []answer{refused(504, "1"), ok}, nil, ErrGatewayTimeout},
		"504 on DELETE":           {Config{}, "DELETE", []answer{refused(504, "1"), ok}, nil, ErrGatewayTimeout},
		"500 is an answer":        {Config{}, "GET", []answer{refused(500, "1"), ok}, nil, ErrInternal},
		"a body too large is one": {Config{MaxResponseBytes: 1}, "GET", []answer{{status: 200, body: "[]"}, ok}, nil, errTooLarge},
	}
}

func TestRetry(t *testing.T) {
	for name, tc := range retryCases() {
		t.Run(name, func(t *testing.T) {
			server, _ := serve(t, tc.answers...)
			c := dial(t, server.Server, tc.cfg)
			waits := patient(c, 0)
			err := c.Do(t.Context(), Request{Method: tc.method, Path: "/x", Body: Credentials{Password: "p"}}, &User{})
			if !errors.Is(err, tc.err) {
				t.Errorf("error %v, want %v", err, tc.err)
			}
			if len(*waits)+len(tc.waits) > 0 && !reflect.DeepEqual(*waits, tc.waits) {
				t.Errorf("waits %v, want %v", *waits, tc.waits)
			}
			if n := len(server.seen()); n != len(tc.waits)+1 {
				t.Errorf("%d requests", n)
			}
			for _, r := range server.seen() {
				if r.body != `{"password":"p"}` || r.method != tc.method {
					t.Errorf("repeated as %s %q", r.method, r.body)
				}
			}
		})
	}
}

func TestJitterStaysBelowTheFullWait(t *testing.T) {
	p := newRetryPolicy(0, time.Minute)
	p.jitter = func() float64 { return math.Nextafter(1, 0) }
	for attempt, full := range map[int]time.Duration{0: time.Second, 1: 2 * time.Second, 6: time.Minute, 5000: time.Minute} {
		if d := p.backoff(attempt); d > full || d < full-time.Microsecond {
			t.Errorf("attempt %d: %v", attempt, d)
		}
	}
	p.jitter = func() float64 { return 0 }
	if d := p.backoff(5000); d != 30*time.Second {
		t.Errorf("the least of a minute: %v", d)
	}
}

func TestNoWaitBeyondTheDeadline(t *testing.T) {
	_, c := serve(t, answer{status: 429, header: map[string]string{"Retry-After": "50"}})
	waits := patient(c, 0)
	c.retry.now = time.Now
	ctx, cancel := context.WithTimeout(t.Context(), 40*time.Second)
	defer cancel()
	if _, err := c.Session(testSession).Feed(ctx); !errors.Is(err, ErrTooManyRequests) || len(*waits) != 0 {
		t.Errorf("%v after waits of %v", err, *waits)
	}
}

func TestCancellationEndsTheWait(t *testing.T) {
	s, c := serve(t, answer{status: 503, header: map[string]string{"Retry-After": "60"}})
	ctx, cancel := context.WithCancel(t.Context())
	c.retry.sleep = func(ctx context.Context, d time.Duration) error {
		cancel()
		return sleep(ctx, d)
	}
	_, err := c.Session(testSession).Feed(ctx)
	if !errors.Is(err, context.Canceled) || !errors.Is(err, ErrUnavailable) || len(s.seen()) != 1 {
		t.Errorf("%v after %d requests", err, len(s.seen()))
	}
}

func TestSleepEnds(t *testing.T) {
	if err := sleep(t.Context(), 0); err != nil {
		t.Error(err)
	}
}

func FuzzRetryAfter(f *testing.F) {
	for _, seed := range []string{"", "0", "120", "-1", "+1", "1.5", "9223372036", "9223372037", strings.Repeat("9", 30),
		"Thu, 01 May 2014 12:00:30 GMT", "Thursday, 01-May-14 12:00:30 GMT", "Thu May  1 12:00:30 2014", "Fri, 31 Dec 9999 23:59:59 GMT"} {
		f.Add(seed)
	}
	now := at(noon)
	f.Fuzz(func(t *testing.T, value string) {
		wait, told := retryAfter(value, now)
		if wait < 0 || !told && wait != 0 {
			t.Errorf("%q: %v, %v", value, wait, told)
		}
		if date, err := http.ParseTime(value); err == nil && date.Year() < 2200 && date.After(now) && !now.Add(wait).Equal(date) {
			t.Errorf("%q: waits until %v", value, now.Add(wait))
		}
	})
}
