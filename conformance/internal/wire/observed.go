package wire

import (
	"bytes"
	"net/http"
	"strings"
	"time"
)

// Observed completes an exchange between others that a recorder saw: when it began, and how long
// the whole bodies were.
func (x *Exchange) Observed(started time.Time, sentSize, size int) *Exchange {
	x.started, x.sentSize, x.size, x.observed = started, sentSize, size, true
	return x
}

// sentByBrowsers reports whether browsers add a header field to requests by themselves, without meaning for the
// service.
func sentByBrowsers(name string) bool {
	switch http.CanonicalHeaderKey(name) {
	case "Accept-Encoding", "Accept-Language", "Cache-Control", "Connection", "Dnt", "Host", "Keep-Alive", "Pragma", "Priority", "Referer", "Te",
		"Upgrade-Insecure-Requests":
		return true
	default:
		return strings.HasPrefix(http.CanonicalHeaderKey(name), "Sec-")
	}
}

// Decoded spares decoding bodies that were decoded before.
func (x *Exchange) Decoded(sent any, sentErr error, received any, receivedErr error) {
	x.sent.once.Do(func() { x.sent.value, x.sent.err = sent, sentErr })
	x.received.once.Do(func() { x.received.value, x.received.err = received, receivedErr })
}

// longestCredentials is the length up to which the credentials of a request are held: they tell
// what must not be shown.
const longestCredentials = 16 << 10

// KeepObserved is Keep for an exchange between others, whose request may be as long as its response.
func (x *Exchange) KeepObserved(b *Budget) {
	if len(x.Body) > maxKept {
		x.Body = bytes.Clone(x.Body[:maxKept+1]) // one more, so that reports mark the cut
	}
	x.Header = shortRequest(x.Header, usual)
	x.Keep(b)
}

// BriefHeaders are the header fields of a request and its response in the brief form.
func BriefHeaders(request, response http.Header) (http.Header, http.Header) {
	response, _ = fewer(response, brief)
	return shortRequest(request, brief), response
}

// shortRequest is a request's header as far as an extent goes, and its credentials.
func shortRequest(h http.Header, e extent) http.Header {
	kept, left := fewer(h, e)
	if credentials := h["Authorization"]; left > 0 && len(credentials) > 0 && len(credentials[0]) <= longestCredentials {
		kept["Authorization"] = credentials[:1]
	}
	return kept
}
