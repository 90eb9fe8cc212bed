// Package wire sends requests to the target, paced and bounded, records every
// exchange as it was, and keeps secrets out of what is shown of it. It judges nothing.
package wire

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/socialfeed/conform/conformance/rules"
)

// Wire sends requests to the target: paced, bounded in time and size, retrying
// what asks for patience. It judges nothing.
type Wire struct {
	// OnWait, when set, is called with a description of every wait of at least wordyWait.
	OnWait func(text string)

	protocol protocol
	limiter  *Limiter
	prefix   string        // the base URL's path
	timeout  time.Duration // of one attempt, body included
	patience time.Duration // for the rest of a long list
	slow     breaker
	stray    strayBodies
	weather  weather
	own      own
	lists    longLists
	hurried  context.Context // ends where a person waits for the end: see Hurry
	hurry    context.CancelFunc
	single   atomic.Bool // one request a connection: the target closes them unannounced
}

const (
	maxBody        = 1 << 20          // bytes that are held of a response's body, decompressed: far more than what the judge can have given a user
	maxValues      = 50_000           // of a response's JSON: decoded, each takes many times its bytes
	maxHeader      = 256 << 10        // bytes of a response's header
	maxWait        = 90 * time.Second // of one wait before a retry
	maxWaiting     = 4 * time.Minute  // of all waits of one request
	unavailables   = 3                // retries after a 503, or an intermediary's failure
	initialBackoff = 200 * time.Millisecond
)

// New makes a wire to a target. The prefix is the path of its base URL, the timeout
// bounds one attempt at a request, and jobs is how many go out side by side.
func New(config *tls.Config, prefix string, limiter *Limiter, timeout time.Duration, jobs int) *Wire {
	w := &Wire{limiter: limiter, prefix: prefix, timeout: timeout, patience: max(timeout, listPatience)}
	w.hurried, w.hurry = context.WithCancel(context.Background())
	w.protocol.configure(config, timeout, jobs)
	return w
}

// Hurry shortens the limit of requests, also of those that are under way, and sends none to an
// endpoint that has left one without an answer: what is left to do is to clean up, and a person waits
// for that.
func (w *Wire) Hurry() { w.hurry() }

func (w *Wire) hurries() bool { return w.hurried != nil && w.hurried.Err() != nil }

// hurryLimit is the limit of a request, and of a wait, where a person waits for the end.
const hurryLimit = 1500 * time.Millisecond

var errHurried = errors.New("not waited for: the run was interrupted")

// Close closes the connections that no request is using.
func (w *Wire) Close() {
	w.protocol.close()
	w.hurry() // no request is under way
}

// busyError reports that a target asked for patience longer than the judge has.
type busyError struct{ status int }

func (e busyError) Error() string {
	return fmt.Sprintf("the target kept answering %d for longer than the judge waits", e.status)
}

// ErrLimited is why a dispensable request has no answer: the target limits requests.
var ErrLimited = errors.New("the target limits requests")

type dispensableKey struct{}

// Dispensable has the requests of a context not wait for a limit, of the target or of the judge: they end with
// ErrLimited instead.
func Dispensable(ctx context.Context) context.Context {
	return context.WithValue(ctx, dispensableKey{}, true)
}

func dispensable(ctx context.Context) bool {
	is, _ := ctx.Value(dispensableKey{}).(bool)
	return is
}

// Send makes one exchange of a request. With patience it is paced, a 429 or a 503
// is retried after its Retry-After, since neither has side effects, and an answer
// of an intermediary in the target's place is no answer.
func (w *Wire) Send(req *http.Request, body []byte, patient bool) *Exchange {
	if !patient {
		return w.Attempt(req, body)
	}
	deadline := time.Now().Add(maxWaiting)
	repeated := false
	var lost error
	for attempt := 0; ; attempt++ {
		if err := w.pace(req.Context(), categoryOf(req.Method)); err != nil {
			x := w.describe(req, body)
			x.Err, x.Unsent = err, !repeated
			return x
		}
		x := w.Attempt(req, body)
		repeated = repeated || x.Repeated
		lost = cmp.Or(x.Lost, lost)
		x.Repeated, x.Lost = repeated, lost
		if x.Err != nil || !w.retries(req.Context(), x, attempt, deadline) {
			x.Unsent = (x.Unsent || errors.As(x.Err, new(busyError)) || errors.Is(x.Err, ErrLimited)) && !repeated
			return x
		}
	}
}

// retries waits for as long as an answer asks for, and reports whether the request
// is to be sent once more. Where the answer does not count, it sets the exchange's
// error.
func (w *Wire) retries(ctx context.Context, x *Exchange, attempt int, deadline time.Time) bool {
	backoff := initialBackoff << min(attempt, 8)
	refused, c := x.Status == http.StatusTooManyRequests, categoryOf(x.Method)
	if !refused {
		w.limiter.served(c)
	}
	switch {
	case refused:
		backoff = retryAfter(x.RespHeader, time.Now(), backoff)
	case attempt < unavailables && x.Status == http.StatusServiceUnavailable:
		backoff = retryAfter(x.RespHeader, time.Now(), backoff)
	case x.fromIntermediary() && attempt < unavailables && safe(x.Method):
	case x.fromIntermediary():
		w.weather.count(x)
		x.Err = intermediaryError{x.Status, x.RespHeader.Get("Content-Type")}
		return false
	default:
		return false
	}
	w.weather.count(x)
	until := time.Now().Add(backoff)
	if refused && until.After(deadline) {
		w.limiter.giveUp(c)
	}
	switch {
	case refused && dispensable(ctx):
		w.limiter.pauseUntil(c, until)
		x.Err = ErrLimited
	case backoff > maxWait || until.After(deadline) || refused && !w.limiter.worthAWait(c):
		x.Err = busyError{x.Status}
	case refused:
		w.limiter.pauseUntil(c, until) // the wait itself is the next attempt's
	default:
		why := fmt.Sprintf("%d from the target, waiting", x.Status)
		if x.RespHeader.Get("Retry-After") != "" {
			why += " for its Retry-After"
		}
		x.Err = w.wait(ctx, backoff, why)
	}
	return x.Err == nil
}

// pace returns when a request of the category may be sent.
func (w *Wire) pace(ctx context.Context, c category) error {
	for {
		delay, asked := w.limiter.reserve(c, time.Now())
		if delay <= 0 {
			return context.Cause(ctx)
		}
		if dispensable(ctx) {
			return ErrLimited
		}
		why := "keeping to the rate"
		switch {
		case asked:
			why = "429 from the target, waiting for its limit"
		case w.limiter.Setting != "":
			why += " (" + w.limiter.Setting + ")"
		}
		if err := w.wait(ctx, delay, why); err != nil {
			return err
		}
	}
}

// wait pauses, counts the time and reports it to OnWait.
func (w *Wire) wait(ctx context.Context, d time.Duration, why string) error {
	if w.hurries() && d > hurryLimit {
		return errHurried
	}
	if w.weather.begin(d) && w.OnWait != nil {
		w.OnWait(fmt.Sprintf("%s: %s", why, d.Round(100*time.Millisecond)))
	}
	defer w.weather.end()
	return Pause(ctx, d)
}

func (w *Wire) describe(req *http.Request, body []byte) *Exchange {
	header := req.Header.Clone()
	if header.Get("User-Agent") == "" {
		header.Del("User-Agent") // the library's way to send none is to set it empty
	}
	return &Exchange{
		Endpoint: rules.EndpointOf(req.Method, strings.TrimPrefix(req.URL.EscapedPath(), w.prefix)),
		Method:   req.Method, URL: req.URL, Header: header, Body: body, started: time.Now(), Tried: triedIn(req.Context()),
	}
}
