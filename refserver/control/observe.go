package control

import (
	"encoding/json"
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
	operation openapi.Operation
	app       store.App // by the app token, 0 where that is unknown
	tokens    journal.Tokens
	trace     refserver.Trace

	body     countingBody
	answer   journal.Body
	length   int64 // of the answer, -1 where it is not known before its end
	recorded bool
}

func (f *Fake) observe(world *World, w http.ResponseWriter, r *http.Request) *observation {
	op, _ := openapi.Find(f.operations, r.Method, r.URL.Path)
	app, session, _ := r.BasicAuth()
	return &observation{
		ResponseWriter: w, fake: f, world: world, r: r, operation: op, app: world.app(app), tokens: journal.Tokens{App: app, Session: session}, length: -1,
		entry: &journal.Entry{World: world.Name, At: time.Now(), Method: r.Method, Endpoint: op.Number},
	}
}

// request is what the world is given: it fills in the trace, and its body is counted.
func (o *observation) request() *http.Request {
	if session := o.tokens.Session; session != "" {
		o.world.learn(o.app, session)
	}
	request := o.r.WithContext(refserver.WithTrace(o.r.Context(), &o.trace))
	if request.Body != nil && request.Body != http.NoBody {
		o.body.ReadCloser = request.Body
		request.Body = &o.body
	}
	return request
}

// app numbers the application of an app token, 0 where it is unknown.
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
	o.answer.Size += int64(len(p))
	if room := journal.MaxBody - len(o.answer.Kept); room > 0 {
		o.answer.Kept = append(o.answer.Kept, p[:min(room, len(p))]...)
	}
	if o.answer.Size == o.length {
		o.finish()
	}
	return o.ResponseWriter.Write(p)
}

// Unwrap lets http.ResponseController reach the connection.
func (o *observation) Unwrap() http.ResponseWriter { return o.ResponseWriter }

func (o *observation) Flush() {
	_ = http.NewResponseController(o.ResponseWriter).Flush() // nothing to do where it cannot
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
		e.App = "app:" + strconv.Itoa(int(o.app))
	case o.tokens.App != "":
		e.App = "app:unknown"
	}
	if o.tokens.Session != "" {
		e.Session, _ = o.world.labels.Find(o.tokens.Session)
	}
	switch {
	case e.Weather != "" && e.Status >= http.StatusBadRequest && trace.Stage == "":
		e.Why = &journal.Why{Stage: "weather", Reason: e.Weather}
	case trace.Stage != "":
		e.Why = &journal.Why{Stage: trace.Stage, Reason: trace.Reason, Code: trace.Code}
	}
	e.Record(o.r, o.tokens, o.fake.secrets, o.body.kept, o.answer, func(token string) string {
		label, _ := o.world.labels.Find(token)
		return label
	})
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
	var opened struct {
		SessionToken string `json:"session_token"`
	}
	if json.Unmarshal(o.answer.Kept, &opened) != nil || opened.SessionToken == "" {
		return
	}
	o.world.learn(o.app, opened.SessionToken)
}

// learn labels a session that stands, once.
func (w *World) learn(app store.App, session string) {
	if label, _ := w.labels.Find(session); label != journal.Unknown {
		return
	}
	server := w.server.Load()
	if user, ok := server.SessionUser(app, session); ok {
		w.labels.Learn(session, user.UserName, "user-"+server.UserID(user.ID))
	}
}

// countingBody keeps the beginning of a request's body as it is read.
type countingBody struct {
	io.ReadCloser
	kept journal.Body
}

// Read passes on what it keeps.
func (b *countingBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.kept.Size += int64(n)
	if room := journal.MaxBody - len(b.kept.Kept); room > 0 {
		b.kept.Kept = append(b.kept.Kept, p[:min(room, n)]...)
	}
	return n, err
}
