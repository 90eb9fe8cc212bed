package clients

import (
	"bytes"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/socialfeed/conform/conformance/internal/wire"
)

// learn adds the secrets of an exchange to those that are hidden.
func (j *Judge) learn(r *request) {
	j.redactor.LearnRequest(r.Target, r.Header, r.Body)
	body, _ := r.Unpacked()
	if body == nil {
		body = r.RespBody
	}
	j.redactor.LearnAnswer(r.RespHeader, body)
	j.redactor.Learn(r.opened(), "SESSION_TOKEN")
}

// kept is the exchange as far as a report may show it: its secrets are hidden only then, when all of them
// are known.
func (x *Exchange) kept() *Exchange {
	kept := *x
	kept.decoded = nil
	kept.Header, kept.RespHeader = keptHeader(x.Header), keptHeader(x.RespHeader)
	kept.Body, kept.RespBody = x.Body[:min(len(x.Body), mostBody):min(len(x.Body), mostBody)], x.RespBody[:min(len(x.RespBody), mostBody):min(len(x.RespBody), mostBody)]
	if len(x.Body) > mostBody {
		kept.Body = bytes.Clone(kept.Body)
	}
	if len(x.RespBody) > mostBody {
		kept.RespBody = bytes.Clone(kept.RespBody)
	}
	return &kept
}

// The bounds of what is kept of an exchange.
const (
	mostBody   = 32 << 10 // bytes
	mostValue  = 4 << 10  // bytes of a header field
	mostFields = 200      // names of header fields
)

func keptHeader(h http.Header) http.Header {
	kept := make(http.Header, min(len(h), mostFields))
	for _, name := range slices.Sorted(maps.Keys(h)) {
		if len(kept) == mostFields {
			break
		}
		for _, value := range h[name][:min(len(h[name]), mostFields)] {
			if len(value) > mostValue {
				value = strings.Clone(value[:mostValue]) + "…"
			}
			kept[name] = append(kept[name], value)
		}
	}
	return kept
}

// wire is the exchange as reports show it.
func (x *Exchange) wire() *wire.Exchange {
	w := x.Wire("") // which rule it breaks is known
	w.Header, w.RespHeader = withoutLength(x.Header), withoutLength(x.RespHeader)
	return w
}

// Wire is the exchange in the form of package wire, secrets included, its endpoint below a
// base path.
func (x *Exchange) Wire(base string) *wire.Exchange {
	path, query, _ := strings.Cut(x.Target, "?")
	u := &url.URL{Scheme: x.Scheme, Host: x.Host, Path: path, RawPath: path, RawQuery: query}
	if plain, err := url.PathUnescape(path); err == nil {
		u.Path = plain
	}
	w := &wire.Exchange{
		Endpoint: x.Endpoint(base), Method: x.Method, URL: u, Header: x.Header, Body: x.Body, Took: x.Took(),
		Status: x.Status, RespHeader: x.RespHeader, RespBody: x.RespBody,
	}
	if x.Status == 0 {
		w.Err = errNoAnswer
	}
	d := x.decode()
	w.Decoded(d.sent, d.sentErr, d.received, d.receivedErr)
	return w.Observed(x.Start, x.BodySize, x.RespSize)
}

// FromWire is the inverse of Wire.
func FromWire(w *wire.Exchange) *Exchange {
	return &Exchange{
		Start: w.Started(), End: w.Started().Add(w.Took), Scheme: w.URL.Scheme, Host: w.URL.Host, Method: w.Method, Target: w.URL.RequestURI(),
		Header: w.Header, Body: w.Body, BodySize: len(w.Body), Status: w.Status, RespHeader: w.RespHeader, RespBody: w.RespBody, RespSize: len(w.RespBody),
	}
}

// withoutLength leaves out the length: the body is shown with placeholders.
func withoutLength(h http.Header) http.Header {
	shown := h.Clone()
	shown.Del("Content-Length")
	return shown
}
