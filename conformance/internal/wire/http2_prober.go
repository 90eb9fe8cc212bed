package wire

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"syscall"
	"time"

	framing "golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

// http2Prober speaks as much HTTP/2 as shows what a target makes of a few requests. A client of the library
// would hide that behind its own errors and repetitions.
type http2Prober struct {
	conn   net.Conn
	framer *framing.Framer
	seen   *beginning // what was read
	open   int        // streams without an end

	settings, header, answered bool
	ended                      string // the frame that ended the latest stream, or the connection, "" for none
	refersToOne                bool
}

// http2Outcome is what requests over HTTP/2 have shown.
type http2Outcome struct {
	answered    bool   // a request was answered to the end
	came        string // otherwise, what came
	late        bool   // nothing ended the wait but the limit of time
	refersToOne bool   // the target serves this over HTTP/1.1 alone, and says so (RFC 9113, 7)
}

// beginning keeps the first bytes that are written to it.
type beginning struct{ bytes.Buffer }

func (b *beginning) Write(p []byte) (int, error) {
	const most = 80
	b.Buffer.Write(p[:max(0, min(len(p), most-b.Len()))])
	return len(p), nil
}

func newHTTP2Prober(conn net.Conn) *http2Prober {
	seen := &beginning{}
	p := &http2Prober{conn: conn, framer: framing.NewFramer(conn, io.TeeReader(conn, seen)), seen: seen}
	const table = 4096 // bytes, the size in HTTP/2 before any SETTINGS
	p.framer.ReadMetaHeaders = hpack.NewDecoder(table, nil)
	p.framer.MaxHeaderListSize = maxHeader
	return p
}

// ask sends requests without bodies, each on a stream of its own.
func (p *http2Prober) ask(requests []*http.Request) error {
	if _, err := io.WriteString(p.conn, framing.ClientPreface); err != nil {
		return err
	}
	if err := p.framer.WriteSettings(); err != nil {
		return err
	}
	var block bytes.Buffer
	encoder := hpack.NewEncoder(&block)
	for i, r := range requests {
		block.Reset()
		for _, field := range fieldsOf(r) {
			if err := encoder.WriteField(field); err != nil {
				return err
			}
		}
		p.open++
		stream := uint32(2*i + 1) //nolint:gosec // a few
		err := p.framer.WriteHeaders(framing.HeadersFrameParam{StreamID: stream, BlockFragment: block.Bytes(), EndStream: true, EndHeaders: true})
		if err != nil {
			return err
		}
	}
	return nil
}

func fieldsOf(r *http.Request) []hpack.HeaderField {
	fields := []hpack.HeaderField{
		{Name: ":method", Value: r.Method}, {Name: ":scheme", Value: r.URL.Scheme},
		{Name: ":authority", Value: r.URL.Host}, {Name: ":path", Value: r.URL.RequestURI()},
	}
	for name, values := range r.Header {
		for _, value := range values {
			fields = append(fields, hpack.HeaderField{Name: strings.ToLower(name), Value: value})
		}
	}
	return fields
}

// read reads frames until a request is answered or all have ended without an answer.
func (p *http2Prober) read() error {
	for !p.answered && p.open > 0 {
		frame, err := p.framer.ReadFrame()
		if err != nil {
			return err
		}
		if err := p.take(frame); err != nil {
			return err
		}
	}
	return nil
}

func (p *http2Prober) take(frame framing.Frame) error {
	switch f := frame.(type) {
	case *framing.SettingsFrame:
		p.settings = true
		if !f.IsAck() {
			return p.framer.WriteSettingsAck()
		}
	case *framing.PingFrame:
		if !f.IsAck() {
			return p.framer.WritePing(true, f.Data)
		}
	case *framing.MetaHeadersFrame:
		p.header, p.answered = true, f.StreamEnded()
	case *framing.DataFrame:
		p.answered = f.StreamEnded()
	case *framing.RSTStreamFrame:
		p.open--
		p.refersToOne = p.refersToOne || f.ErrCode == framing.ErrCodeHTTP11Required
		p.ended = fmt.Sprintf("RST_STREAM (%s)", f.ErrCode)
	case *framing.GoAwayFrame:
		p.refersToOne = p.refersToOne || f.ErrCode == framing.ErrCodeHTTP11Required
		p.ended = fmt.Sprintf("GOAWAY (%s)", f.ErrCode)
		if f.LastStreamID == 0 { // none is answered any more
			p.open = 0
		}
	}
	return nil
}

// outcome is what was shown, after reading ended with an error or nil.
func (p *http2Prober) outcome(err error, limit time.Duration) http2Outcome {
	o := http2Outcome{answered: p.answered, refersToOne: p.refersToOne, late: errors.Is(err, os.ErrDeadlineExceeded)}
	first := "nothing"
	switch {
	case p.header:
		first = "the header of an answer"
	case p.settings:
		first = "its SETTINGS"
	}
	switch {
	case bytes.HasPrefix(p.seen.Bytes(), []byte("HTTP/1")):
		line, _, _ := strings.Cut(p.seen.String(), "\r\n")
		o.came = fmt.Sprintf("an answer of HTTP/1.1 (%q)", line)
	case p.ended != "":
		o.came = first + ", then " + p.ended
	case o.late:
		o.came = fmt.Sprintf("%s, and no complete answer within %s", first, limit)
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		o.came = first + ", then a reset of the connection"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		o.came = first + ", then the end of the connection"
	default:
		o.came = fmt.Sprintf("%s, then what is not HTTP/2 (%v)", first, err)
	}
	return o
}
