package wire

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/socialfeed/conform/conformance/result"
)

// Exchange is an exchange as a report shows it.
func (r *Redactor) Exchange(x *Exchange) result.Exchange { return r.cutting().exchange(x) }

// Exchanges returns a function that does what Exchange does, and quicker for many: a short text that several
// have is cut once. It is for when all secrets are known, and not for concurrent use.
func (r *Redactor) Exchanges() func(*Exchange) result.Exchange {
	often := map[string][]piece{}
	cut := func(s string) []piece {
		pieces, known := often[s]
		if !known {
			if pieces = r.data(s); len(s) <= maxOften && len(often) < mostOften {
				often[s] = pieces
			}
		}
		return pieces
	}
	return func(x *Exchange) result.Exchange {
		c := r.cutting()
		c.cut = cut
		return c.exchange(x)
	}
}

// The bounds of the texts that are remembered between exchanges.
const (
	maxOften  = 512 // bytes of one
	mostOften = 8192
)

func (c *cutting) exchange(x *Exchange) result.Exchange {
	shown := result.Exchange{
		Request: result.Request{
			Method:  c.text(x.Method),
			URL:     c.text(x.URL.String()),
			Headers: c.headers(x.Header, 0),
			Body:    c.body(x.Body, max(x.sentSize, len(x.Body))),
		},
		TraceID:    x.trace.String(),
		StartedAt:  x.started.UTC(),
		DurationMS: float64(x.Took.Microseconds()) / 1000,
	}
	shown.Curl, _ = c.curl(x)
	if x.Err != nil {
		shown.Error = c.prose(x.Err.Error())
		return shown
	}
	shown.Response = &result.Response{Status: x.Status, Headers: c.headers(x.RespHeader, x.fieldsLeft), Body: c.body(x.RespBody, max(x.size, x.thinned.size, len(x.RespBody)))}
	return shown
}

// cutting cuts the texts of one exchange at their secrets: each once, though both the
// exchange and the command that sends it again show it.
type cutting struct {
	cut   func(string) []piece
	known map[string][]piece // that were cut already
	pair  func(string) []piece
	prose func(string) string // hides the secrets of what is no data
	trust []string
}

func (r *Redactor) cutting() *cutting {
	c := &cutting{cut: r.data, known: map[string][]piece{}, trust: r.Trust, prose: r.Text}
	c.pair = func(pair string) []piece { return r.pair(pair, c.pieces) }
	return c
}

func (c *cutting) pieces(s string) []piece {
	pieces, known := c.known[s]
	if !known {
		pieces = c.cut(s)
		c.known[s] = pieces
	}
	return pieces
}

func (c *cutting) text(s string) string { return result.Shown(c.pieces(s)) }

// What a report has of a message's header fields at most.
const (
	maxFields      = 64
	maxFieldsBytes = 8 << 10
)

// headers are header fields as they are shown. Of a flood of them the first by name are, and an
// extra field says how many are left out, beside those that were before.
func (c *cutting) headers(h http.Header, before int) http.Header {
	h, left := fewer(h, usual)
	shown := make(http.Header, len(h))
	for _, name := range slices.Sorted(maps.Keys(h)) {
		for _, value := range h[name] {
			value := c.field(name, value)
			shown[c.text(name)] = append(shown[c.text(name)], value)
		}
	}
	if left += before; left > 0 {
		shown["X-Left-Out"] = []string{fmt.Sprintf("%d more header fields, left out by the judge", left)}
	}
	return shown
}

// field is the value of a header field as it is shown.
func (c *cutting) field(name, value string) string {
	if name == "Authorization" {
		return c.authorization(value)
	}
	return result.Shown(c.fieldPieces(name, value))
}

// body is a body of so many bytes, as far as it is shown. It is cut to what is shown
// after its secrets are hidden, so that no half of one survives the cut.
func (c *cutting) body(b []byte, size int) string {
	s := strings.ToValidUTF8(c.text(bounded(string(b))), "�")
	if len(s) <= maxShownBody && size == len(b) {
		return s
	}
	cut := strings.ToValidUTF8(s[:min(len(s), maxShownBody)], "")
	return fmt.Sprintf("%s… (cut at %d of %d bytes)", cut, maxShownBody, size)
}

// bounded is a text, cut at a bound that no request of the judge reaches.
func bounded(s string) string {
	if len(s) <= maxKept {
		return s
	}
	return s[:maxKept] + "…"
}

// maxMessage is how much of a message a report has, in bytes.
const maxMessage = 4 << 10

// Message redacts an error text and shortens it if it is long.
func (r *Redactor) Message(s string) string {
	return shortened(strings.ToValidUTF8(r.Text(bounded(s)), "�"), len(s))
}

// Shortened is a message that was put together of redacted ones, cut where it is long.
func Shortened(s string) string { return shortened(s, len(s)) }

// shortened is a redacted message that had so many bytes.
func shortened(s string, size int) string {
	if len(s) <= maxMessage && size <= maxKept {
		return s
	}
	cut := strings.ToValidUTF8(s[:min(len(s), maxMessage-64)], "")
	return fmt.Sprintf("%s… (cut at %d of %d bytes)", cut, len(cut), size)
}
