package weather

import (
	"fmt"
	"math"
	"net"
	"net/http"
	"strconv"
	"time"
)

// Serve lets a request meet its outcome. It aborts the connection where the
// weather cuts, resets or hangs it (http.ErrAbortHandler).
func (o Outcome) Serve(w http.ResponseWriter, r *http.Request, next http.Handler) {
	if o.Delay > 0 && !wait(r, o.Delay) {
		return
	}
	switch {
	case o.rule == nil:
		next.ServeHTTP(w, r)
	case o.rule.cut:
		cut := &cutWriter{ResponseWriter: w, left: o.rule.cutAfter}
		next.ServeHTTP(cut, r)
		if cut.any {
			_ = http.NewResponseController(w).Flush() // a writer that cannot flush is cut, too
			panic(http.ErrAbortHandler)
		}
	case o.rule.reset:
		reset(w)
	case o.rule.hang:
		_ = http.NewResponseController(w).SetWriteDeadline(time.Time{}) // the client's patience ends it
		wait(r, maxHang)
		panic(http.ErrAbortHandler)
	case o.rule.html:
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.WriteHeader(o.rule.status)
		fmt.Fprintf(w, "<html><head><title>%d %[2]s</title></head><body><h1>%[2]s</h1><p>edge.example</p></body></html>\n",
			o.rule.status, http.StatusText(o.rule.status))
	default:
		if o.rule.done {
			next.ServeHTTP(&discard{header: http.Header{}}, r)
		}
		o.rule.refuse(w, r)
	}
}

// maxHang is the longest time for which a request hangs.
const maxHang = 10 * time.Minute

// reset ends the connection with a TCP reset; of HTTP/2, the stream with its own.
func reset(w http.ResponseWriter) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	inner := conn
	for {
		wrapped, is := inner.(interface{ NetConn() net.Conn })
		if !is {
			break
		}
		inner = wrapped.NetConn()
	}
	if lingers, is := inner.(interface{ SetLinger(seconds int) error }); is {
		_ = lingers.SetLinger(0) // what is closed then is reset
	}
	inner.Close()
	conn.Close()
}

// wait reports whether the client was still there at its end. It takes the
// machine's time: a frozen world is slow, too.
func wait(r *http.Request, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-r.Context().Done():
		return false
	}
}

func (r *Rule) refuse(w http.ResponseWriter, request *http.Request) {
	header := w.Header()
	header.Set("Content-Type", "application/json")
	header.Set("Cache-Control", "no-store")
	if request.Header.Get("Origin") != "" { // so that a page can read the refusal
		header.Set("Access-Control-Allow-Origin", "*")
		header.Set("Access-Control-Expose-Headers", "Retry-After")
	}
	if r.status == http.StatusTooManyRequests || r.status == http.StatusServiceUnavailable {
		header.Set("Retry-After", strconv.Itoa(int(math.Ceil(r.retryAfter.Seconds()))))
	}
	w.WriteHeader(r.status)
	fmt.Fprintf(w, `{"errors":[{"code":%d,"message":%q}]}`+"\n", 9000+r.status, http.StatusText(r.status))
}

// cutWriter passes on the first bytes of a body, and never its last one.
type cutWriter struct {
	http.ResponseWriter
	left int
	last []byte // the byte that is held back; none before there was one
	any  bool   // there is a body
}

// Write claims to have written everything, so that the service goes on.
func (c *cutWriter) Write(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	c.any = true
	passed := append(c.last, p[:len(p)-1]...)
	c.last = []byte{p[len(p)-1]}
	kept := passed[:min(len(passed), c.left)]
	c.left -= len(kept)
	if len(kept) > 0 {
		if _, err := c.ResponseWriter.Write(kept); err != nil {
			return 0, err
		}
	}
	return len(p), nil
}

// discard is a ResponseWriter that drops the answer.
type discard struct{ header http.Header }

func (d *discard) Header() http.Header { return d.header }

func (d *discard) Write(p []byte) (int, error) { return len(p), nil }

func (d *discard) WriteHeader(int) {}
