package wire

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptrace"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/socialfeed/conform/conformance/internal/jsonvalue"
)

// Attempt sends the request and reads the response whole. Where the connection was lost, it is
// sent again on a fresh one as far as that is safe: when nothing of it was sent, or it only
// reads, or the connection was a reused one that was closed unannounced. After that no connection
// is reused.
func (w *Wire) Attempt(original *http.Request, body []byte) *Exchange {
	x := w.describe(original, body)
	w.own.sends(x)
	if x.Err = w.slow.open(x.Endpoint, w.hurries()); x.Err != nil {
		x.Unsent = true
		return x
	}
	repeated := false
	var lost error
	for try := range attempts {
		on := &usedConn{last: original.Method == http.MethodDelete && w.stray.suspect(x.Endpoint)}
		x = w.once(original, body, on)
		x.Repeated, x.Lost = repeated, lost
		if try == attempts-1 || !connectionLost(x.Err) || original.Context().Err() != nil {
			break
		}
		if stale := on.silent(); stale && try == 0 {
			w.single.Store(true)
			repeated = !idempotent(x.Method)
		} else if on.used.Load() && !safe(x.Method) || Pause(original.Context(), breath<<try) != nil {
			break
		}
		lost = x.Err
		w.weather.countRepeat()
	}
	w.slow.record(x)
	w.own.answered(x)
	return x
}

const (
	attempts = 3                     // at a request whose connection is lost
	breath   = 50 * time.Millisecond // before the second attempt
)

// connectionLost reports whether an exchange failed since its connection ended.
func connectionLost(err error) bool {
	if err == nil || errors.As(err, new(slowError)) {
		return false
	}
	ends := []error{io.EOF, io.ErrUnexpectedEOF, syscall.ECONNRESET, syscall.ECONNABORTED, syscall.EPIPE}
	words := []string{"EOF", "server closed idle connection", "client connection lost", "GOAWAY", "connection reset", "stream error"}
	return slices.ContainsFunc(ends, func(end error) bool { return errors.Is(err, end) }) ||
		slices.ContainsFunc(words, func(word string) bool { return strings.Contains(err.Error(), word) })
}

// safe reports whether a method only reads.
func safe(method string) bool {
	return method == http.MethodGet || method == http.MethodHead || method == http.MethodOptions
}

// idempotent reports whether a request that may have been carried out already is
// answered in the same way when it is sent again.
func idempotent(method string) bool { return safe(method) || method == http.MethodPut }

// once sends the request once, and records on which connection.
func (w *Wire) once(original *http.Request, body []byte, on *usedConn) *Exchange {
	x := w.describe(original, body)
	ctx := w.inFlight(original.Context())
	defer ctx.end() // behind the drop: a connection is kept for as long as its request is in flight
	defer func() { on.drop(x.Status); w.stray.record(x) }()
	defer func() { x.Took, x.warm = time.Since(x.started), on.reused.Load() }()

	network, err := w.protocol.choose(ctx, original.URL)
	if err != nil {
		x.Err = w.plainCause(ctx, err)
		return x
	}
	trace := &httptrace.ClientTrace{GotConn: func(info httptrace.GotConnInfo) { on.got(ctx, info) }, GotFirstResponseByte: on.gotByte}
	req := original.Clone(httptrace.WithClientTrace(ctx, trace))
	x.trace = mark(req)
	req.Close = on.last || w.single.Load()
	req.Body, req.ContentLength, req.GetBody = http.NoBody, 0, nil
	if len(body) > 0 {
		req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
		req.Body, _ = req.GetBody()
		req.ContentLength = int64(len(body))
		if slices.Contains(original.TransferEncoding, "chunked") {
			req.ContentLength = -1 // unknown
		}
	}
	resp, err := network.RoundTrip(req)
	if err != nil {
		if on.stray != nil && strings.Contains(err.Error(), "malformed") && on.stray.endsInHeader() {
			err = fmt.Errorf("in the header of the answer: %w", io.ErrUnexpectedEOF)
		}
		x.Err = w.plainCause(ctx, err)
		return x
	}
	defer resp.Body.Close()
	w.read(ctx, x, resp)
	if x.Err == nil && x.Status == http.StatusNoContent {
		x.Stray = on.stray
	}
	return x
}

// read reads the response. One that was cut by a limit of time is never complete,
// even where its end looks like one: closing a connection may end it in order.
func (w *Wire) read(f flight, x *Exchange, resp *http.Response) {
	var err error
	x.Status, x.RespHeader = resp.StatusCode, resp.Header
	x.RespBody, err = io.ReadAll(io.LimitReader(resp.Body, maxBody+1))
	values, levels := jsonvalue.Measure(x.RespBody)
	if err == nil && x.Status/100 == 2 && (len(x.RespBody) > longList || values > maxValues) && startsList(x.RespBody) {
		err = w.readList(f, x, resp.Body)
		values, levels = jsonvalue.Measure(x.RespBody)
	}
	x.size = len(x.RespBody)
	if err == nil {
		err = f.Err()
	}
	switch {
	case err != nil:
		x.Err = fmt.Errorf("reading the body of a %d: %w", x.Status, w.plainCause(f, err))
	case len(x.RespBody) > maxBody:
		x.Err = fmt.Errorf("the body of a %d is longer than %d bytes", x.Status, maxBody)
	case levels > jsonvalue.MaxLevels:
		x.Err = fmt.Errorf("the body of a %d is nested in more than %d levels", x.Status, jsonvalue.MaxLevels)
	case values > maxValues:
		x.Err = fmt.Errorf("the body of a %d holds more than %d values", x.Status, maxValues)
	default:
		x.Err = overlong(x)
	}
	if x.Err != nil {
		x.Shrink()
	}
}

// readList reads the rest of a long list, and keeps what is held of it. What is held whole, and what is
// no list, stays as it came where it is short enough.
func (w *Wire) readList(f flight, x *Exchange, rest io.Reader) error {
	came := x.RespBody
	values, _ := jsonvalue.Measure(came)
	fits := len(came) <= maxBody && values <= maxValues
	if len(came) > maxBody {
		f.extend(w.patience)
	}
	held, whole, err := x.thin(io.MultiReader(bytes.NewReader(came), rest), wantsSample(f), &w.own)
	if fits && (!whole || x.thinned.passed == 0) {
		x.thinned = thinning{}
		return nil
	}
	x.RespBody = held
	w.lists.count(x.thinned)
	return err
}

// longestHeld are the fields of an answer that are held for longer than the answer, and sent back as
// credentials or in a path, and how long they may be, in bytes. What is longer no server takes back.
var longestHeld = map[string]int{"id": 1 << 10, "session_token": 8 << 10, "created_at": 1 << 10, "updated_at": 1 << 10}

// overlong is why an answer cannot be gone on with: a field of it that is to be held is too long.
func overlong(x *Exchange) error {
	const shortest = 1 << 10
	if len(x.RespBody) <= shortest {
		return nil
	}
	value, _ := x.Value()
	record, _ := jsonvalue.AsRecord(value)
	for _, name := range slices.Sorted(maps.Keys(longestHeld)) {
		if most := longestHeld[name]; len(record.Text(name)) > most {
			return fmt.Errorf("%s in the body of a %d is longer than %d bytes", name, x.Status, most)
		}
	}
	return nil
}

// Grace for requests in flight when the run ends: an abandoned create leaks a user.
const (
	interruptGrace = hurryLimit
	timeUpGrace    = time.Second // so that the run's time is not far exceeded
)

// flight is the context of one attempt.
type flight struct {
	context.Context
	extend func(time.Duration) // the time that is left, from now on
	end    func()
}

// inFlight begins an attempt.
func (w *Wire) inFlight(run context.Context) flight {
	ctx, stop := context.WithCancelCause(context.WithoutCancel(run))
	timeUp := time.AfterFunc(w.timeout, func() { stop(slowError{w.timeout}) })
	extend := func(d time.Duration) {
		if timeUp.Stop() {
			timeUp = time.AfterFunc(d, func() { stop(slowError{d}) })
		}
	}
	unhurried := context.AfterFunc(w.hurried, func() {
		if limit := min(w.timeout, hurryLimit); Pause(ctx, limit) == nil {
			stop(slowError{limit})
		}
	})
	forget := context.AfterFunc(run, func() {
		grace := interruptGrace
		if errors.As(context.Cause(run), new(TimeUpError)) {
			grace = timeUpGrace
		}
		if Pause(ctx, grace) == nil {
			stop(context.Cause(run))
		}
	})
	return flight{ctx, extend, func() { forget(); unhurried(); timeUp.Stop(); stop(nil) }}
}

// plainCause returns the reason for giving up instead of the library's error, if there is one.
func (w *Wire) plainCause(ctx context.Context, err error) error {
	var network net.Error
	late := errors.Is(err, context.DeadlineExceeded) || errors.As(err, &network) && network.Timeout()
	if cause := context.Cause(ctx); cause != nil && (late || errors.Is(err, context.Canceled) || errors.Is(err, net.ErrClosed) || errors.Is(err, cause)) { // giving up closes the connection
		return cause
	}
	if late { // connecting has the same limit, and may meet it first
		return slowError{w.timeout}
	}
	return err
}
