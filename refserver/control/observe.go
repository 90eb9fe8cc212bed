package control

import (
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/control/journal"
	"github.com/socialfeed/conform/refserver/control/openapi"
	"github.com/socialfeed/conform/refserver/store"
)

// observation records one request and its answer. It adds them to the journal before the
// last byte is sent, so that a client that has the answer finds it in the journal.
type observation struct {
	http.ResponseWriter
	fake      *Fake
	world     *World
	r         *http.Request
	entry     *journal.Entry
	operation *openapi.Operation // zero where the contract has none
	app       store.App          // by the app token, 0 if that is unknown
	tokens    journal.Tokens
	user      string // the session's user_name, as far as a request or an answer told of the session before
	trace     refserver.Traced

	lent     *buffers
	body     countingBody
	answer   journal.Body
	length   int64 // of the answer, -1 if it is not known before its end
	recorded bool
}

// buffers is memory for the bodies of a request and its answer.
type buffers struct{ request, answer []byte }

// observe begins to record a request; release ends it.
func (f *Fake) observe(world *World, w http.ResponseWriter, r *http.Request, tokens journal.Tokens) *observation {
	op, _ := openapi.Find(f.operations, r.Method, r.URL.Path)
	o := &observation{ResponseWriter: w, fake: f, world: world, r: r, operation: op, app: world.app(tokens.App), tokens: tokens, length: -1}
	o.entry = &journal.Entry{World: world.Name, At: time.Now(), Method: r.Method, Endpoint: op.Number}
	if tokens.Session != "" {
		o.entry.Session, o.user = world.learn(o.app, tokens.Session)
	}
	lent, reused := f.buffers.Get().(*buffers)
	if !reused {
		lent = &buffers{}
	}
	o.lent, o.body.kept.Kept, o.answer.Kept = lent, lent.request[:0], lent.answer[:0]
	return o
}

// release lets another request have the memory of the bodies.
func (o *observation) release() {
	o.lent.request, o.lent.answer = o.body.kept.Kept, o.answer.Kept
	o.fake.buffers.Put(o.lent)
	o.lent, o.body.kept.Kept, o.answer.Kept = nil, nil, nil
}

// request is the request for the world: it carries the trace, and its body is counted.
func (o *observation) request() *http.Request {
	o.trace.Context = o.r.Context()
	request := o.r.WithContext(&o.trace)
	if request.Body != nil && request.Body != http.NoBody {
		o.body.ReadCloser = request.Body
		request.Body = &o.body
	}
	return request
}

// app numbers the application of an app token, 0 if it is unknown.
func (w *World) app(token string) store.App {
	for i, known := range w.options.AppTokens {
		if known == token {
			return store.App(i + 1)
		}
	}
	return 0
}

func (o *observation) WriteHeader(status int) {
	if o.entry.Status == 0 && status >= http.StatusOK {
		o.entry.Status = status
		if length, err := strconv.ParseInt(o.Header().Get("Content-Length"), 10, 64); err == nil {
			o.length = length
		}
	}
	o.ResponseWriter.WriteHeader(status)
}

// Write records the body's beginning.
func (o *observation) Write(p []byte) (int, error) {
	if o.entry.Status == 0 {
		o.WriteHeader(http.StatusOK)
	}
	o.answer.Write(p)
	if o.answer.Size == o.length {
		o.finish()
	}
	return o.ResponseWriter.Write(p)
}

// Unwrap lets http.ResponseController reach the connection.
func (o *observation) Unwrap() http.ResponseWriter { return o.ResponseWriter }

func (o *observation) Flush() {
	_ = http.NewResponseController(o.ResponseWriter).Flush() // nothing to do if it cannot
}

// finish adds the request to the journal, once.
func (o *observation) finish() {
	if o.recorded {
		return
	}
	o.recorded = true
	e, trace := o.entry, &o.trace
	e.Duration = time.Since(e.At)
	o.learnSession()
	switch {
	case o.app != 0:
		e.App = o.world.appNames[o.app-1]
	case o.tokens.App != "":
		e.App = "app:unknown"
	}
	if o.tokens.Session != "" && e.Session == journal.Unknown {
		e.Session, _ = o.world.labels.Find(o.tokens.Session)
	}
	switch {
	case e.Weather != "" && e.Status >= http.StatusBadRequest && trace.Stage == "":
		e.Why = &journal.Why{Stage: "weather", Reason: e.Weather}
	case trace.Stage != "":
		e.Why = &journal.Why{Stage: trace.Stage, Reason: trace.Reason, Code: trace.Code}
	}
	e.Record(o.r, o.tokens, o.fake.secrets, &o.world.labels, o.body.kept, o.answer)
	o.fake.Journal.Add(e)
	if log := o.fake.options.Log; log != nil {
		log(e)
	}
}

// learnSession labels the session that a login or a create opened.
func (o *observation) learnSession() {
	if o.entry.Status >= http.StatusMultipleChoices || o.operation.Needs != openapi.AppToken {
		return
	}
	if token := journal.OpenedSession(o.answer.Kept); token != "" {
		o.world.learn(o.app, token)
	}
}

// learn returns the label of a session and its user_name. One that stands gets a label, once.
func (w *World) learn(app store.App, session string) (label, user string) {
	label, user = w.labels.Find(session)
	if label != journal.Unknown {
		return label, user
	}
	server := w.server.Load()
	if user, ok := server.SessionUser(app, session); ok {
		return w.labels.Learn(session, user.UserName, "user-"+server.UserID(user.ID)), user.UserName
	}
	return label, ""
}

// countingBody keeps the beginning of a request's body as it is read.
type countingBody struct {
	io.ReadCloser
	kept journal.Body
}

// Read passes on the bytes that it keeps.
func (b *countingBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.kept.Write(p[:n])
	return n, err
}
