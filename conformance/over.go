package conformance

import (
	"context"
	"errors"
	"fmt"
	"net/http"
)

// patience is how many exchanges in a row may go without a response before it is
// asked whether the target is gone.
const patience = 4

// seen shows an exchange to the passive rules and notices a target that is gone.
func (r *run) seen(ctx context.Context, x *exchange) {
	r.watch.see(x)
	if r.count(x) < patience {
		return
	}
	if r.answers(ctx) || ctx.Err() != nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.dead = 0
		return
	}
	r.end(fmt.Errorf("the target stopped answering: %s", wireTrouble(x.err)))
}

// count counts the exchanges in a row that got no response.
func (r *run) count(x *exchange) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.config.KeepExchanges {
		r.kept = append(r.kept, x)
	}
	r.dead++
	if x.err == nil || errors.Is(x.err, errInterrupted) || errors.Is(x.err, errOverall) || errors.Is(x.err, context.Canceled) {
		r.dead = 0
	}
	return r.dead
}

// answers knocks where the first contact did: a target that answers there is not
// gone, and what it leaves unanswered is a fault of the endpoint.
func (r *run) answers(ctx context.Context) bool {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, r.url(Versions.Path()).String(), nil)
	if err != nil {
		return false
	}
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", r.userAgent)
	return r.wire.attempt(req, nil).err == nil
}

// end sees to it that no further scenario is played; the first reason stands.
func (r *run) end(err error) { r.ended.CompareAndSwap(nil, &err) }

func (r *run) unreachable() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.dead >= patience
}

// over tells why nothing more is to be judged, nil while all goes on.
func (r *run) over(ctx context.Context) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if reason := r.ended.Load(); reason != nil {
		return *reason
	}
	return nil
}
