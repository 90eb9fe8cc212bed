package wire

import (
	"context"
	"net/http"
	"strings"
)

// markerHeader names, in each request, what it was sent for, so that a target's log can
// be searched for it.
const markerHeader = "X-Conform-Scenario"

type markerKey struct{}

// WithMarker has the request of a context carry a text in the marker's header. It is no part of
// the exchange that is recorded: no judgement depends on it, and reproductions leave it out.
func WithMarker(ctx context.Context, text string) context.Context {
	return context.WithValue(ctx, markerKey{}, text)
}

// mark sets the marker's header, but not where it would change what is tried: a
// browser's request from another origin names every header of its own beforehand.
func mark(req *http.Request) {
	text, _ := req.Context().Value(markerKey{}).(string)
	if text == "" || req.Method == http.MethodOptions || req.Header.Get("Origin") != "" {
		return
	}
	req.Header.Set(markerHeader, plainASCII(text))
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
