package refserver

import (
	"context"

	"github.com/socialfeed/conform/refserver/store"
)

// Trace holds details of a request for a log that its answer does not show. The server fills it in. Read
// it only after the request.
type Trace struct {
	App  store.App // the application, 0 where no known app token was sent
	User store.ID  // the session's user, 0 if there is none

	// Why the request was refused; blank if it was not.
	Stage  string // the stage of the admission, or "endpoint"
	Reason string // in words, without values that the client sent
	Code   int    // as in the body of the error, also if that is {}
}

type traceKey struct{}

// WithTrace returns a context whose requests fill in the trace.
func WithTrace(ctx context.Context, trace *Trace) context.Context {
	return context.WithValue(ctx, traceKey{}, trace)
}

// Traced is WithTrace for a context and a trace in one.
type Traced struct {
	context.Context
	Trace
}

// Value is the trace, or a value of the context.
func (t *Traced) Value(key any) any {
	if key == (traceKey{}) {
		return &t.Trace
	}
	return t.Context.Value(key)
}

// traceOf is nil where nobody asked for a trace.
func traceOf(ctx context.Context) *Trace {
	trace, _ := ctx.Value(traceKey{}).(*Trace)
	return trace
}

func (t *Trace) admitted(q *request) {
	if t != nil {
		t.App, t.User = q.app, q.user
	}
}

func (t *Trace) refused(p *problem) {
	if t == nil {
		return
	}
	t.Stage, t.Reason, t.Code = stage(p.code), p.message, p.code
}

// stage names the stage of the admission that an error's code belongs to.
func stage(code int) string {
	switch code {
	case codePlainHTTP:
		return "plain HTTP"
	case codeUserAgent:
		return "User-Agent"
	case codeDisabledVersion:
		return "version"
	case codeUnknownPath:
		return "path"
	case codeMethod:
		return "method"
	case codeCredentials:
		return "credentials"
	case codeAccept:
		return "Accept"
	case codeContentType:
		return "Content-Type"
	case codeBodyTooLarge, codeMalformedBody, codeNotAnObject:
		return "body"
	case codeRateLimit:
		return "rate limit"
	case codeMemory:
		return "memory"
	case codeInternal:
		return "server"
	default:
		return "endpoint"
	}
}
