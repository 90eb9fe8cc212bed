package conformance

import (
	"context"
	"fmt"
	"net/http"
	"slices"

	"github.com/socialfeed/conform/conformance/internal/wire"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// Control sets how a valid request is sent to an endpoint and required to succeed. A refusal
// proves something only at an endpoint that serves valid requests: an endpoint that refused
// requests and served none in the course of a run is sent such a control.
func (s *Suite) Control(valid func(*T, rules.Endpoint)) { s.control = valid }

// recordRefusal records that the check looks at a refusal.
func (c *Check) recordRefusal(x *wire.Exchange) {
	refused := x.Err == nil && x.Status/100 == 4 && x.Status != http.StatusTooManyRequests
	if refused && x.Endpoint != rules.NoEndpoint && !slices.Contains(c.refusing, x.Endpoint) {
		c.refusing = append(c.refusing, x.Endpoint)
	}
}

// unproven are the endpoints whose refusals the check looked at, and that have
// served nothing so far.
func (c *Check) unproven() []rules.Endpoint {
	if c.status != result.Pass && c.status != result.Warn && c.status != result.Observed {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(c.refusing), c.t.run.answers.Served)
}

// owesControl reports whether a check of the scenario is still to be held against
// a valid request.
func (t *T) owesControl() bool {
	return t.run.suite.control != nil && slices.ContainsFunc(t.checks, func(c *Check) bool { return len(c.unproven()) > 0 })
}

// runControls sends what the scenarios owe, each endpoint one request, and blocks
// the checks that were decided by an endpoint which serves nothing.
func (r *run) runControls(ctx context.Context, all ...*T) {
	ended := map[rules.Endpoint]*outcome{}
	for _, t := range all {
		if !t.owesControl() {
			continue
		}
		for _, c := range t.checks {
			for _, at := range c.unproven() {
				if _, tried := ended[at]; !tried {
					ended[at] = r.control(ctx, at)
				}
				if o := ended[at]; o != nil {
					c.deciding = nil
					c.exchanges = append(c.exchanges, o.evidence...)
					c.end(o)
					break
				}
			}
		}
	}
}

// control sends a valid request to an endpoint; nil when it was served.
func (r *run) control(ctx context.Context, at rules.Endpoint) *outcome {
	t := newT(ctx, r, &scenario{text: fmt.Sprintf("a valid request to %s", at)})
	defer r.discard(ctx, t)
	ended := outcomeOf(func() {
		if cause := r.ended(ctx); cause != nil {
			panic(unjudged(cause))
		}
		r.suite.control(t, at)
	})
	if ended != nil && ended.status == result.Blocked && !ended.unanswered {
		ended.message = "a valid request is refused as well: " + ended.message
	}
	return ended
}
