package conformance

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"sync/atomic"

	"github.com/socialfeed/conform/conformance/internal/wire"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// maxUnanswered is how many exchanges in a row may go without a response before it is
// asked whether the target is gone.
const maxUnanswered = 4

// pingTries is how often a target is asked whether it is there before it is gone: any
// network may lose an answer.
const pingTries = 3

// liveness is whether a run goes on: not where the target is gone, or enough has failed.
type liveness struct {
	endReason atomic.Pointer[error] // why no further scenario is played

	mu         sync.Mutex
	unanswered int // exchanges in a row that got no response
}

// observe shows an exchange to the passive rules and notices a target that is gone.
func (r *run) observe(ctx context.Context, x *wire.Exchange, judged bool) {
	if judged {
		r.monitor.See(x)
	}
	r.answers.Record(x)
	r.signIns.Count(x)
	r.crew.observe(x)
	r.several.Record(x)
	r.keep(x)
	if r.countUnanswered(x) < maxUnanswered || ctx.Err() != nil {
		return
	}
	if r.pings(ctx, pingTries) || ctx.Err() != nil {
		r.revive()
		return
	}
	r.end(&UnreachableError{Reason: "the target stopped answering: " + wire.Trouble(x.Err), Why: result.Unreachable})
}

// keep keeps an exchange for the report, where that is asked for.
func (r *run) keep(x *wire.Exchange) {
	if !r.config.KeepExchanges {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.kept = append(r.kept, x)
}

// countUnanswered counts an exchange, and returns how many in a row up to it got no response.
func (l *liveness) countUnanswered(x *wire.Exchange) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.unanswered++
	if x.Err == nil || errors.Is(x.Err, wire.ErrLimited) || errors.Is(x.Err, wire.ErrInterrupted) || errors.As(x.Err, new(wire.TimeUpError)) || errors.Is(x.Err, context.Canceled) {
		l.unanswered = 0
	}
	return l.unanswered
}

// revive records that the target is there, though exchanges got no response.
func (l *liveness) revive() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.unanswered = 0
}

// pings reports whether the target answers in so many tries: if so, an endpoint that is silent is
// broken and the target alive. It is asked for its versions, or for a user where it never told these.
func (r *run) pings(ctx context.Context, tries int) bool {
	to := rules.Versions
	if !r.answers.Served(to) {
		to = rules.GetMe
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, r.url(to.Path()).String(), nil)
	if err != nil {
		return false
	}
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", r.userAgent())
	for range tries {
		if r.wire.Attempt(r.marked(req, "whether the target answers"), nil).Err == nil {
			return true
		}
	}
	return false
}

// end ends the run before the next scenario; the first reason counts.
func (l *liveness) end(err error) { l.endReason.CompareAndSwap(nil, &err) }

// unreachable reports whether the target has gone silent.
func (l *liveness) unreachable() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.unanswered >= maxUnanswered
}

// ended is why nothing more is to be judged, nil while the run goes on.
func (l *liveness) ended(ctx context.Context) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if reason := l.endReason.Load(); reason != nil {
		return *reason
	}
	return nil
}
