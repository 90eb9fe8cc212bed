// Package watch records the exchanges between a client and a service from a place between
// them, without changing them.
package watch

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/socialfeed/conform/conformance/clients"
)

// Recorder forwards requests to a handler and reports every exchange: before the last byte
// of an answer of known length, after the last byte otherwise.
type Recorder struct {
	next     http.Handler
	see      func(*clients.Exchange)
	arrivals *Arrivals
	number   atomic.Int64
	underway sync.WaitGroup
	writes   underway // those that were not reported yet
}

// NewRecorder makes a recorder. Arrivals has the connections of its listener; nil is none.
func NewRecorder(next http.Handler, arrivals *Arrivals, see func(*clients.Exchange)) *Recorder {
	rec := &Recorder{next: next, see: see, arrivals: arrivals}
	if arrivals != nil {
		arrivals.plain = rec.plain
	}
	return rec
}

// maxBody is how much of a body is kept, in bytes: more than any request of the
// contract needs.
const maxBody = 256 << 10

// ServeHTTP records one exchange.
func (rec *Recorder) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	rec.underway.Add(1)
	defer rec.underway.Done()
	x := rec.begin(r)
	a := &answer{ResponseWriter: w, x: x, length: -1, finish: rec.finish, request: r}
	a.body = keep(r)
	defer func() {
		if broken := recover(); broken != nil {
			a.aborted = true
			a.done()
			panic(broken)
		}
		a.aborted = a.aborted || r.Context().Err() != nil && !a.over
		a.done()
	}()
	rec.next.ServeHTTP(a, r)
}

// Wait waits until every exchange was reported. No request may begin after it.
func (rec *Recorder) Wait() { rec.underway.Wait() }

func (rec *Recorder) begin(r *http.Request) *clients.Exchange {
	client, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		client = r.RemoteAddr
	}
	x := &clients.Exchange{
		Number: int(rec.number.Add(1)), Start: time.Now(), Conn: r.RemoteAddr, Serial: r.ProtoMajor == 1, Client: client,
		Scheme: "https", Host: r.Host, Method: r.Method, Target: r.RequestURI, Header: endToEnd(r.Header), // as it is forwarded
	}
	rec.writes.begin(x)
	if r.TLS == nil {
		x.Scheme = "http"
	}
	if rec.arrivals != nil {
		x.Serial = x.Serial && !rec.arrivals.ahead(r.RemoteAddr)
	}
	return x
}

func (rec *Recorder) finish(x *clients.Exchange) {
	x.End = time.Now()
	if rec.arrivals != nil {
		rec.arrivals.answered(x.Conn, x.End)
	}
	rec.report(x)
}

// report reports an exchange, after which it is no longer under way.
func (rec *Recorder) report(x *clients.Exchange) {
	x.Seen = rec.writes.oldest()
	rec.see(x)
	rec.writes.end(x)
}

// plain records a request that came as plain text to a TLS port.
func (rec *Recorder) plain(r *http.Request, remote string) {
	r.RemoteAddr = remote
	x := rec.begin(r)
	x.End = x.Start
	rec.report(x)
}

// keep reads a small body completely, in case the service answers without reading it, and
// records a large one while it is read.
func keep(r *http.Request) *keptBody {
	b := &keptBody{ReadCloser: r.Body}
	switch {
	case r.Body == nil || r.Body == http.NoBody:
		b.whole = true
		return b
	case r.ContentLength >= 0 && r.ContentLength <= maxBody && r.Header.Get("Expect") == "":
		data, err := io.ReadAll(io.LimitReader(r.Body, maxBody))
		b.kept, b.size, b.whole = data, len(data), err == nil
		b.ReadCloser = &replayed{Reader: io.MultiReader(bytes.NewReader(data), after{err}), Closer: r.Body}
		r.Body = b.ReadCloser
		return b
	}
	r.Body = b
	return b
}

// replayed is a body that has been read already.
type replayed struct {
	io.Reader
	io.Closer
}

// after ends a body with the error that it ended with when it was read.
type after struct{ err error }

// Read reads nothing more.
func (a after) Read([]byte) (int, error) {
	if a.err != nil {
		return 0, a.err
	}
	return 0, io.EOF
}

// keptBody keeps the beginning of a body while it is read. A service may answer before: the
// body is then still read while the answer is recorded.
type keptBody struct {
	io.ReadCloser
	mu    sync.Mutex
	kept  []byte
	size  int
	whole bool
}

// Read reads on, and keeps the beginning.
func (b *keptBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.size += n
	b.kept = append(b.kept, p[:min(n, maxBody-len(b.kept))]...)
	b.whole = b.whole || err == io.EOF
	return n, err
}

// upToNow is the beginning of the body and its size, which is at least one byte more than
// what was read where the body goes on.
func (b *keptBody) upToNow(announced int64) (kept []byte, size int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.whole {
		return b.kept, max(b.size+1, int(announced))
	}
	return b.kept, b.size
}

// answer records an answer on its way to the client.
type answer struct {
	http.ResponseWriter
	x       *clients.Exchange
	request *http.Request
	body    *keptBody
	length  int
	aborted bool
	over    bool
	finish  func(*clients.Exchange)
}

func (a *answer) WriteHeader(status int) {
	if a.x.Status == 0 && (status >= http.StatusOK || status == http.StatusSwitchingProtocols) {
		a.x.Status, a.x.RespHeader = status, a.Header().Clone()
		if length, err := strconv.Atoi(a.Header().Get("Content-Length")); err == nil && a.request.Method != http.MethodHead {
			a.length = length
		}
	}
	a.ResponseWriter.WriteHeader(status)
}

// Write keeps the body's beginning.
func (a *answer) Write(p []byte) (int, error) {
	if a.x.Status == 0 {
		a.WriteHeader(http.StatusOK)
	}
	a.x.RespSize += len(p)
	a.x.RespBody = append(a.x.RespBody, p[:min(len(p), maxBody-len(a.x.RespBody))]...)
	if a.x.RespSize == a.length {
		a.done()
	}
	n, err := a.ResponseWriter.Write(p)
	a.aborted = a.aborted || err != nil
	return n, err
}

// Unwrap lets http.ResponseController reach the connection.
func (a *answer) Unwrap() http.ResponseWriter { return a.ResponseWriter }

// done reports the exchange, once.
func (a *answer) done() {
	if a.over {
		return
	}
	a.over = true
	x := a.x
	x.Body, x.BodySize = a.body.upToNow(a.request.ContentLength)
	if x.Status == 0 && !a.aborted { // the handler wrote nothing: net/http sends a 200
		x.Status, x.RespHeader = http.StatusOK, a.Header().Clone()
	}
	if a.aborted {
		x.Status = 0
	}
	a.finish(x)
}
