package refserver

import (
	"bytes"
	"strconv"
	"strings"
)

// framing follows the requests on a connection, and spoils a head that has both Content-Length
// and Transfer-Encoding: net/http would take the latter, and a proxy in front may take the
// former, so that they would not agree on where the next request begins.
type framing struct {
	part framePart
	line []byte // the relevant part of the current line

	length    int64 // bytes left of the body or of the chunk
	hasLength bool
	chunked   bool
	spoil     bool // the next byte is to be spoiled
	ambiguous bool // a head was spoiled
}

type framePart int

const (
	inHead framePart = iota
	inBody
	inChunkSize
	inChunk
	inChunkEnd
	inTrailer
	lost // net/http will refuse it
)

// lineMost is how much of a line matters.
const lineMost = 64

// watch inspects the next bytes of the connection before net/http reads them.
func (f *framing) watch(p []byte) {
	for len(p) > 0 && f.part != lost {
		if f.spoil && p[0] != '\n' {
			p[0], f.spoil = 0, false
		}
		if f.part == inBody || f.part == inChunk {
			n := min(int64(len(p)), f.length)
			if p, f.length = p[n:], f.length-n; f.length == 0 {
				f.bodyEnds()
			}
			continue
		}
		end := bytes.IndexByte(p, '\n')
		if end < 0 {
			f.keep(p)
			return
		}
		f.keep(p[:end])
		f.lineEnds(bytes.TrimSuffix(f.line, []byte("\r")), p[:end])
		f.line, p = f.line[:0], p[end+1:]
	}
}

func (f *framing) keep(p []byte) {
	f.line = append(f.line, p[:min(len(p), lineMost-len(f.line))]...)
}

func (f *framing) bodyEnds() {
	if f.part == inChunk {
		f.part = inChunkEnd
		return
	}
	*f = framing{line: f.line[:0], ambiguous: f.ambiguous}
}

// lineEnds takes a line; inPlace is the part of it that net/http has not seen yet.
func (f *framing) lineEnds(line, inPlace []byte) {
	switch f.part {
	case inHead:
		f.headLine(line, inPlace)
	case inChunkSize:
		f.chunkSize(string(line))
	case inChunkEnd:
		f.part = inChunkSize
	case inTrailer:
		if len(line) == 0 {
			f.part = inBody
			f.bodyEnds()
		}
	}
}

func (f *framing) headLine(line, inPlace []byte) {
	name, value, _ := bytes.Cut(line, []byte(":"))
	switch {
	case len(line) == 0:
		f.headEnds()
	case bytes.EqualFold(name, []byte("Content-Length")):
		length, err := strconv.ParseInt(string(bytes.TrimSpace(value)), 10, 64)
		if err != nil || length < 0 {
			f.part = lost
		}
		f.length, f.hasLength = length, true
	case bytes.EqualFold(name, []byte("Transfer-Encoding")):
		f.chunked = true
	default:
		return
	}
	if f.hasLength && f.chunked && !f.ambiguous {
		f.ambiguous = true
		f.spoilLine(inPlace)
	}
}

// spoilLine makes the line one that net/http refuses.
func (f *framing) spoilLine(inPlace []byte) {
	if rest := bytes.TrimSuffix(inPlace, []byte("\r")); len(rest) > 0 {
		rest[len(rest)-1] = 0
		return
	}
	f.spoil = true
}

func (f *framing) headEnds() {
	switch {
	case f.chunked:
		f.part = inChunkSize
	case f.length > 0:
		f.part = inBody
	default:
		f.hasLength = false
	}
}

func (f *framing) chunkSize(line string) {
	digits := strings.TrimRight(line, " \t")
	if i := strings.IndexAny(line, "; \t"); i >= 0 {
		digits = line[:i]
	}
	size, err := strconv.ParseInt(digits, 16, 63)
	switch {
	case err != nil || size < 0:
		f.part = lost
	case size == 0:
		f.part = inTrailer
	default:
		f.part, f.length = inChunk, size
	}
}
