package wire

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"net/http"
	"strings"
)

// The headers by which a target's log and its traces can be searched for a request.
const (
	markerHeader = "X-Conform-Scenario" // what it was sent for
	traceHeader  = "Traceparent"        // of W3C Trace Context: a trace of its own
)

type markerKey struct{}

// WithMarker has the request of a context carry a text in the marker's header, and begin a trace. Neither
// header is a part of the exchange that is recorded: no judgement depends on them, and reproductions leave
// them out.
func WithMarker(ctx context.Context, text string) context.Context {
	return context.WithValue(ctx, markerKey{}, text)
}

// mark sets the headers of a request that has a marker, but not where they would change what is tried: a
// browser's request from another origin names every header of its own beforehand. It returns the trace.
func mark(req *http.Request) traceID {
	text, _ := req.Context().Value(markerKey{}).(string)
	if text == "" || req.Method == http.MethodOptions || req.Header.Get("Origin") != "" {
		return traceID{}
	}
	trace, span := newTrace()
	req.Header.Set(markerHeader, plainASCII(text))
	req.Header.Set(traceHeader, fmt.Sprintf("00-%s-%x-01", trace, span)) // 01: the target is to keep the trace
	return trace
}

// traceID identifies a request in the traces of a target; zeros stand for none, as in the header.
type traceID [16]byte

// newTrace makes up a trace and its first span. Neither is all zeros.
func newTrace() (traceID, [8]byte) {
	var trace traceID
	var span [8]byte
	_, _ = rand.Read(trace[:]) // never fails
	_, _ = rand.Read(span[:])
	trace[0] |= 1
	span[0] |= 1
	return trace, span
}

// String is the trace as W3C Trace Context writes it, "" for none.
func (t traceID) String() string {
	if t == (traceID{}) {
		return ""
	}
	return hex.EncodeToString(t[:])
}

// plainASCII is a text as a header's value can hold it, of a bounded length.
func plainASCII(text string) string {
	const most = 200
	plain := strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '?'
		}
		return r
	}, text)
	return plain[:min(len(plain), most)]
}

type triedKey struct{}

// WithTried says what the request of a context has that a plain one has not, in words.
func WithTried(ctx context.Context, what []string) context.Context {
	return context.WithValue(ctx, triedKey{}, what)
}

func triedIn(ctx context.Context) []string {
	what, _ := ctx.Value(triedKey{}).([]string)
	return what
}
