package wire

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/socialfeed/conform/conformance/internal/jsonvalue"
	"github.com/socialfeed/conform/conformance/rules"
)

// Exchange is one request and its response as they were on the wire, including secrets. Only a
// redacted form of it, a result.Exchange, leaves the judge.
type Exchange struct {
	Endpoint rules.Endpoint
	Method   string
	URL      *url.URL
	Header   http.Header // of the request
	Body     []byte      // of the request
	started  time.Time
	Took     time.Duration
	// Err is why there is no response to judge, nil where there is one. A response may have come
	// all the same: an intermediary's, a request to wait, or one that nothing explains.
	Err error
	// Repeated reports that the request was sent twice and may have been carried out twice: a
	// refusal may be caused by the first one.
	Repeated bool
	// Lost is why an earlier sending of the request, which may have been carried out, got no answer;
	// nil where there was none.
	Lost error
	// Unsent reports that no attempt was made, or that each was answered with a request to wait:
	// it had no effect.
	Unsent bool

	Status     int
	RespHeader http.Header // of the response
	RespBody   []byte      // the response's body
	size       int         // of the response's body, in bytes
	thinned    thinning    // what was read of a list beside the body
	fieldsLeft int         // of the response's header, that are not held any more
	sentSize   int         // of the request's, where the body is not the whole of it
	Stray      *Capture    // raw bytes behind a 204
	Scenario   string
	Tried      []string // what the request has that a plain one has not, in words
	observed   bool     // between others: a browser may have sent it
	trace      traceID
	warm       bool // another request came before on its connection

	sent, received decodedBody
}

// OnWarmConnection reports whether another request came before on the connection: the time that the answer took is
// the target's, and the way's there and back once.
func (x *Exchange) OnWarmConnection() bool { return x.warm }

// decodedBody is a body decoded once, for all that look at it.
type decodedBody struct {
	once  sync.Once
	value any
	err   error
}

func (d *decodedBody) of(body []byte) (any, error) {
	d.once.Do(func() { d.value, d.err = jsonvalue.Decode(body) })
	return d.value, d.err
}

// Sent is the decoded body of the request. Callers must not change it.
func (x *Exchange) Sent() (any, error) { return x.sent.of(x.Body) }

// Value is the decoded body of the response. Callers must not change it. Long bodies are decoded
// at each call, so that their decoded form is not kept in memory.
func (x *Exchange) Value() (any, error) {
	switch {
	case x.bodyCut():
		return nil, errCut
	case len(x.RespBody) > maxDecoded:
		return jsonvalue.Decode(x.RespBody)
	}
	return x.received.of(x.RespBody)
}

// Cut reports whether a part of the response was let go of.
func (x *Exchange) Cut() bool { return x.bodyCut() || x.Err == nil && x.fieldsLeft > 0 }

func (x *Exchange) bodyCut() bool { return x.Err == nil && len(x.RespBody) < x.size }

var errCut = errors.New("the body is not held any more")

// maxDecoded is the length in bytes up to which the decoded form of a body is kept.
const maxDecoded = 8 << 10

// Started is when the request was sent.
func (x *Exchange) Started() time.Time { return x.started }

// WithError is a copy of the exchange, response included, that failed with an error: what came
// cannot be judged.
func (x *Exchange) WithError(err error) *Exchange {
	return &Exchange{
		Endpoint: x.Endpoint, Method: x.Method, URL: x.URL, Header: x.Header, Body: x.Body, started: x.started, Took: x.Took,
		Repeated: x.Repeated, Lost: x.Lost, Status: x.Status, RespHeader: x.RespHeader, RespBody: x.RespBody, size: x.size, thinned: x.thinned, fieldsLeft: x.fieldsLeft,
		Scenario: x.Scenario, Tried: x.Tried, trace: x.trace, Err: err,
	}
}

// maxKept is how much of a response's body is kept once its scenario is over, in
// bytes: enough for what a report shows, and for redacting it whole.
const maxKept = 16 * maxShownBody

// Summary is the response in a few words.
func (x *Exchange) Summary() string {
	if len(x.RespBody) == 0 {
		return fmt.Sprintf("%d with no body", x.Status)
	}
	const most = 160 // characters, of four bytes at most
	return fmt.Sprintf("%d with %s", x.Status, jsonvalue.Cut(string(x.RespBody[:min(len(x.RespBody), 4*most+4)]), most))
}

// maxShownBody is how much of a body a report shows, in bytes.
const maxShownBody = 2048
