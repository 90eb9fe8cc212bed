package conformance

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"strconv"
	"strings"
	"time"
)

// wire sends requests to the target: paced, bounded in time and size, waiting
// as told on 429 and 503. It judges nothing.
type wire struct {
	network *http.Transport
	gate    *turnstile
	prefix  string        // the base URL's path
	timeout time.Duration // of one attempt, body included
	slow    slowness
	tails   tails
}

const (
	maxBody       = 4 << 20          // bytes of a response's body, decompressed
	maxHeader     = 256 << 10        // bytes of a response's header
	maxWait       = 90 * time.Second // of one wait before a retry
	maxWaiting    = 4 * time.Minute  // of all waits of one request
	unavailables  = 3                // retries after a 503
	initialBackup = 200 * time.Millisecond
)

func newWire(target Target, config *tls.Config, prefix string, gate *turnstile, timeout time.Duration) *wire {
	dialer := &net.Dialer{Timeout: timeout}
	w := &wire{gate: gate, prefix: prefix, timeout: timeout}
	w.network = &http.Transport{
		Proxy: http.ProxyFromEnvironment,
		DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
			conn, err := dialer.DialContext(ctx, network, addr)
			if err != nil {
				return nil, err
			}
			return &tapConn{Conn: conn}, nil
		},
		DialTLSContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
			conn, err := (&tls.Dialer{NetDialer: dialer, Config: config}).DialContext(ctx, network, addr)
			if err != nil {
				return nil, err
			}
			return &tapConn{Conn: conn}, nil
		},
		TLSClientConfig:        config, // for a proxied target
		TLSHandshakeTimeout:    timeout,
		MaxResponseHeaderBytes: maxHeader,
		MaxIdleConnsPerHost:    4,
		IdleConnTimeout:        30 * time.Second,
	}
	return w
}

func (w *wire) close() { w.network.CloseIdleConnections() }

// errBusy tells that a target asked for patience longer than the judge has.
type errBusy struct{ status int }

func (e errBusy) Error() string {
	return fmt.Sprintf("the target kept answering %d for longer than the judge waits", e.status)
}

// send makes one exchange of a request. With patience, it is paced, and a 429 or
// a 503 is waited out as told and the request repeated: both say that nothing was
// done.
func (w *wire) send(req *http.Request, body []byte, patient bool) *exchange {
	ctx := req.Context()
	kind := categoryOf(req.Method)
	deadline := time.Now().Add(maxWaiting)
	if !patient {
		return w.attempt(req, body)
	}
	for attempt := 0; ; attempt++ {
		if err := w.gate.pass(ctx, kind); err != nil {
			x := w.describe(req, body)
			x.err = err
			return x
		}
		x := w.attempt(req, body)
		if x.err != nil || x.status != http.StatusTooManyRequests && x.status != http.StatusServiceUnavailable {
			return x
		}
		wait := retryAfter(x.answer, time.Now(), initialBackup<<min(attempt, 8))
		if x.status == http.StatusServiceUnavailable && attempt >= unavailables {
			return x
		}
		if wait > maxWait || time.Now().Add(wait).After(deadline) {
			x.err = errBusy{x.status}
			return x
		}
		if x.status == http.StatusTooManyRequests {
			w.gate.hold(kind, time.Now().Add(wait))
		} else if err := pause(ctx, wait); err != nil {
			x.err = err
			return x
		}
	}
}

func (w *wire) describe(req *http.Request, body []byte) *exchange {
	header := req.Header.Clone()
	if header.Get("User-Agent") == "" {
		header.Del("User-Agent") // the library's way to send none is to set it empty
	}
	return &exchange{
		endpoint: endpointOf(req.Method, strings.TrimPrefix(req.URL.EscapedPath(), w.prefix)),
		method:   req.Method, url: req.URL, header: header, body: body, started: time.Now(),
	}
}

// attempt sends the request once and reads the response whole.
func (w *wire) attempt(original *http.Request, body []byte) *exchange {
	x := w.describe(original, body)
	if x.err = w.slow.givenUp(x.endpoint); x.err != nil {
		return x
	}
	defer func() { w.slow.remember(x) }()
	on := &line{last: original.Method == http.MethodDelete && w.tails.apart(x.endpoint)}
	defer func() { on.drop(x.status); w.tails.remember(x) }()
	defer func() { x.took = time.Since(x.started) }()
	ctx, cancel := w.inFlight(original.Context())
	defer cancel()

	req := original.Clone(httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: on.got}))
	req.Close = on.last
	req.Body, req.ContentLength, req.GetBody = http.NoBody, 0, nil
	if len(body) > 0 {
		req.Body, req.ContentLength = io.NopCloser(strings.NewReader(string(body))), int64(len(body))
		req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(string(body))), nil }
	}
	resp, err := w.network.RoundTrip(req)
	if err != nil {
		x.err = w.plainCause(ctx, err)
		return x
	}
	defer resp.Body.Close()
	x.status, x.answer = resp.StatusCode, resp.Header
	x.answered, err = io.ReadAll(io.LimitReader(resp.Body, maxBody+1))
	switch {
	case err != nil:
		x.err = fmt.Errorf("reading the body of a %d: %w", x.status, w.plainCause(ctx, err))
	case len(x.answered) > maxBody:
		x.answered = x.answered[:maxShownBody]
		x.err = fmt.Errorf("the body of a %d is longer than %d bytes", x.status, maxBody)
	case x.status == http.StatusNoContent:
		x.stray = on.stray
	}
	return x
}

// lastWords is how long a request that is on its way when the run is interrupted
// may still take: a create that nobody hears the answer of leaves a user behind.
const lastWords = 3 * time.Second

// inFlight is the context of one attempt.
func (w *wire) inFlight(run context.Context) (context.Context, context.CancelFunc) {
	stoppable, stop := context.WithCancelCause(context.WithoutCancel(run))
	ctx, end := context.WithTimeoutCause(stoppable, w.timeout, errSlow{w.timeout})
	forget := context.AfterFunc(run, func() {
		if pause(ctx, lastWords) == nil {
			stop(context.Cause(run))
		}
	})
	return ctx, func() { forget(); end(); stop(nil) }
}

// plainCause prefers the reason for giving up over the library's words for it.
func (w *wire) plainCause(ctx context.Context, err error) error {
	late := errors.Is(err, context.DeadlineExceeded)
	if cause := context.Cause(ctx); cause != nil && (late || errors.Is(err, context.Canceled) || errors.Is(err, cause)) {
		return cause
	}
	if late { // connecting has the same limit, and may meet it first
		return errSlow{w.timeout}
	}
	return err
}

// retryAfter reads how long a response asks to wait: seconds or an HTTP date,
// the fallback where it does not say.
func retryAfter(h http.Header, now time.Time, fallback time.Duration) time.Duration {
	value := strings.TrimSpace(h.Get("Retry-After"))
	if seconds, err := strconv.Atoi(value); err == nil && seconds >= 0 && seconds < 1<<30 {
		return max(time.Duration(seconds)*time.Second, initialBackup)
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(at.Sub(now), initialBackup)
	}
	return fallback
}
