package har

import (
	"cmp"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"github.com/socialfeed/conform/conformance/report/plain"
	"github.com/socialfeed/conform/conformance/result"
)

func entryOf(x *result.Exchange) entry {
	took := max(x.DurationMS, 0)
	entry := entry{Started: x.StartedAt.UTC(), Time: took, Timings: timings{Wait: took}}
	sent := &http.Request{Header: x.Request.Headers}
	entry.Request = request{Method: x.Request.Method, URL: x.Request.URL, Query: queryOf(x.Request.URL),
		message: messageOf(x.Request.Headers, x.Request.Body, sent.Cookies())}
	if x.Request.Body != "" {
		entry.Request.Post = &post{mimeType(x.Request.Headers), x.Request.Body}
	}
	if x.Response == nil {
		entry.Response = response{Content: content{MimeType: unknownType}, message: messageOf(nil, "", nil),
			Comment: "no response: " + x.Error}
		return entry
	}
	got := &http.Response{Header: x.Response.Headers}
	size, comment := sizeOf(x.Response.Body)
	entry.Response = response{Status: x.Response.Status, StatusText: http.StatusText(x.Response.Status),
		Content:     content{size, mimeType(x.Response.Headers), x.Response.Body, comment},
		RedirectURL: got.Header.Get("Location"), message: messageOf(x.Response.Headers, x.Response.Body, got.Cookies())}
	return entry
}

func messageOf(h http.Header, body string, cookies []*http.Cookie) message {
	size, _ := sizeOf(body)
	m := message{HTTPVersion: "unknown", Cookies: []Pair{}, Headers: []Pair{}, HeadersSize: -1, BodySize: size}
	for _, cookie := range cookies {
		m.Cookies = append(m.Cookies, Pair{cookie.Name, cookie.Value})
	}
	for name, value := range plain.Fields(h) {
		m.Headers = append(m.Headers, Pair{name, value})
	}
	return m
}

// unknownType is HAR's value for an unknown media type.
const unknownType = "x-unknown"

func mimeType(h http.Header) string { return cmp.Or(h.Get("Content-Type"), unknownType) }

// queryOf lists the query parameters of a URL in their order.
func queryOf(address string) []Pair {
	pairs := []Pair{}
	_, query, _ := strings.Cut(address, "?")
	query, _, _ = strings.Cut(query, "#")
	for part := range strings.SplitSeq(query, "&") {
		if part == "" {
			continue
		}
		name, value, _ := strings.Cut(part, "=")
		pairs = append(pairs, Pair{unescaped(name), unescaped(value)})
	}
	return pairs
}

func unescaped(s string) string {
	if plain, err := url.QueryUnescape(s); err == nil {
		return plain
	}
	return s
}

// cutMark is what the judge ends a body with of which it keeps only a part.
var cutMark = regexp.MustCompile(`… \(cut at (\d+) of (\d+) bytes\)$`)

// sizeOf is a body's size in bytes, with a comment where the report has only a part of it.
func sizeOf(body string) (size int, comment string) {
	mark := cutMark.FindStringSubmatch(body)
	if mark == nil {
		return len(body), ""
	}
	size, err := strconv.Atoi(mark[2])
	if err != nil {
		return len(body), ""
	}
	return size, "the text is cut at " + mark[1] + " bytes"
}
