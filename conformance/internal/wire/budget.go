package wire

import (
	"bytes"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
)

// extent is how much is held of the response of an exchange.
type extent struct {
	body   int // bytes
	fields int // of the header, the first by name
	header int // bytes of names and values
	value  int // bytes of one value
}

// What is held of a response is whole while its scenario runs, usual from then on, and brief where
// the run's budget is used up.
var (
	usual = extent{body: maxKept, fields: maxFields, header: maxFieldsBytes, value: maxShownBody}
	brief = extent{body: 4 << 10, fields: 16, header: 1 << 10, value: 256}
)

// Budget bounds what is held of all exchanges of a run together. The brief form of an exchange is
// free, so that any number of ordinary ones fits; what is beyond it is charged. When the budget is
// used up, the brief form alone is held of each further exchange.
type Budget struct {
	mu   sync.Mutex
	left int // bytes
}

// NewBudget makes a budget of 32 MiB.
func NewBudget() *Budget { return &Budget{left: 32 << 20} }

// take charges a number of bytes, and reports whether they were left.
func (b *Budget) take(size int) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if size > b.left {
		return false
	}
	b.left -= size
	return true
}

// Keep holds of an exchange what a report can show, as far as the budget goes. Nothing judges the
// exchange any more.
func (x *Exchange) Keep(b *Budget) {
	x.Shrink()
	if beyond := x.beyond(brief); beyond > 0 && !b.take(beyond) {
		x.cut(brief)
	}
}

// Shrink drops what no report can show: the decoded bodies, the rest of a long response body, and
// what is too much of a header.
func (x *Exchange) Shrink() {
	x.sent, x.received = decodedBody{}, decodedBody{}
	x.cut(usual)
}

// Weight is how many bytes of the response are held that Shrink would drop.
func (x *Exchange) Weight() int { return x.beyond(usual) }

// beyond is about how many bytes of the response are held beyond an extent.
func (x *Exchange) beyond(e extent) int {
	return max(0, len(x.RespBody)-e.body) + max(0, HeaderSize(x.RespHeader)-e.header)
}

// fieldCost is what a header field takes beside its text, in bytes.
const fieldCost = 48

// HeaderSize is about how many bytes a header takes.
func HeaderSize(h http.Header) int {
	size := 0
	for name, values := range h {
		size += len(name) + fieldCost
		for _, value := range values {
			size += len(value) + fieldCost/3
		}
	}
	return size
}

// cut drops what is beyond an extent.
func (x *Exchange) cut(e extent) {
	if len(x.RespBody) > e.body {
		x.RespBody = bytes.Clone(x.RespBody[:e.body])
	}
	var left int
	x.RespHeader, left = fewer(x.RespHeader, e)
	x.fieldsLeft += left
}

// fewer returns the first fields of a header by name, as far as an extent goes, and how many are
// left out. A header within the extent is returned as it is.
func fewer(h http.Header, e extent) (kept http.Header, left int) {
	fields, size, long := 0, 0, false
	for name, values := range h {
		for _, value := range values {
			fields, size, long = fields+1, size+len(name)+len(value), long || len(value) > e.value+len(cutMark)
		}
	}
	if fields <= e.fields && size <= e.header && !long {
		return h, 0
	}
	kept, fields, size = make(http.Header, min(len(h), e.fields)), 0, 0
	for _, name := range slices.Sorted(maps.Keys(h)) {
		for _, value := range h[name] {
			if len(value) > e.value+len(cutMark) {
				value = strings.ToValidUTF8(value[:e.value], "") + cutMark
			}
			if fields == e.fields || size+len(name)+len(value) > e.header {
				left++
				continue
			}
			fields, size = fields+1, size+len(name)+len(value)
			kept[name] = append(kept[name], value)
		}
	}
	return kept, left
}

// cutMark ends a text that was cut.
const cutMark = "…"
