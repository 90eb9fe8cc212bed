package wire

import (
	"cmp"
	"context"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// DeadHTTP2Error reports that a target chooses HTTP/2 in the TLS handshake and answers no request over it.
type DeadHTTP2Error struct {
	Alone bool   // the target takes no HTTP/1.1
	Asked string // what was sent
	Came  string // what came instead of an answer
}

// Error says what was sent and what came.
func (e *DeadHTTP2Error) Error() string {
	return e.Asked + " over HTTP/2, which it chose in the TLS handshake (ALPN h2), got " + e.Came
}

// CheckHTTP2 returns a *DeadHTTP2Error if the target chooses HTTP/2 where a client offers it, and answers
// none of the requests over it: it does not serve clients that offer HTTP/2, as browsers do. The error is nil
// where HTTP/2 is not the cause: there is no TLS handshake, or no answer over HTTP/1.1 either.
func (w *Wire) CheckHTTP2(ctx context.Context, requests ...*http.Request) error {
	to := requests[0].URL
	chosen, err := w.protocol.choose(ctx, to)
	if err != nil || !w.protocol.choosesTwo() {
		return nil
	}
	dead := &DeadHTTP2Error{Alone: chosen == w.protocol.two, Asked: namesOf(requests)}
	for try := range attempts {
		shown, err := w.askOverHTTP2(ctx, to, requests)
		if err != nil || shown.answered || shown.refersToOne && !dead.Alone {
			return nil
		}
		if dead.Came = shown.came; shown.late || Pause(ctx, breath<<try) != nil {
			break
		}
	}
	if dead.Alone || w.answersOverOne(requests[0]) {
		return dead
	}
	return nil
}

// answersOverOne reports whether a target that takes HTTP/1.1 answers a request over it, in one of some tries: a
// busy one may miss a short time limit.
func (w *Wire) answersOverOne(request *http.Request) bool {
	for range attempts {
		if w.Attempt(request, nil).Err == nil {
			return true
		}
	}
	return false
}

func namesOf(requests []*http.Request) string {
	var names []string
	for _, r := range requests {
		names = append(names, r.Method+" "+r.URL.Path)
	}
	return strings.Join(names, " and ")
}

// askOverHTTP2 sends requests over one new connection. The error says why there was none.
func (w *Wire) askOverHTTP2(ctx context.Context, to *url.URL, requests []*http.Request) (http2Outcome, error) {
	addr := net.JoinHostPort(to.Hostname(), cmp.Or(to.Port(), "443"))
	conn, err := w.protocol.handshake(ctx, "tcp", addr, http2, http1)
	if err != nil {
		return http2Outcome{}, err
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { conn.Close() })()
	if err := conn.SetDeadline(time.Now().Add(w.timeout)); err != nil {
		return http2Outcome{}, err
	}
	if negotiated(conn) != http2 { // another server may answer at this address
		return http2Outcome{answered: true}, nil
	}
	p := newHTTP2Prober(conn)
	err = p.ask(requests)
	if err == nil {
		err = p.read()
	}
	return p.outcome(err, w.timeout), context.Cause(ctx)
}
