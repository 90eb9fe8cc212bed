package conformance

import (
	"context"
	"maps"
	"net/http"
	"slices"

	"github.com/socialfeed/conform/conformance/internal/wire"
	"github.com/socialfeed/conform/conformance/observed"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// notImplemented is what shows that endpoints are missing: the answer of each to a
// valid request, and the transcript that it belongs to.
type notImplemented struct {
	answers    map[rules.Endpoint]*wire.Exchange
	there      []rules.Endpoint // that never succeeded, and answer otherwise than a missing endpoint
	transcript wire.Transcript
}

// probeEndpoints tries the endpoints that never succeeded with one valid request each: one that
// answers it as an unknown path is not implemented. On a target that does what the contract says
// it sends nothing.
func (r *run) probeEndpoints(ctx context.Context) {
	silent := r.toProbe()
	if len(silent) == 0 || r.ended(ctx) != nil {
		return
	}
	t := newT(ctx, r, &scenario{text: "which endpoints there are"})
	t.unjudged = true // several shards would judge the same endpoints
	defer r.discard(ctx, t)
	prober := newEndpointProbe(t)
	r.missing.answers = map[rules.Endpoint]*wire.Exchange{}
	for _, e := range probingOrder(silent) {
		x, absent := prober.probe(e)
		switch {
		case x == nil:
		case absent:
			r.missing.answers[e] = x
		case x.Status != http.StatusUnauthorized && x.Status != http.StatusForbidden && x.Status != http.StatusNotFound:
			r.missing.there = append(r.missing.there, e)
		}
	}
	t.mu.Lock()
	r.missing.transcript = t.transcript
	t.mu.Unlock()
	t.shrink()
}

// toProbe are the endpoints that may be missing. Of those that are claimed, and in a run of everything, they are all
// that never succeeded; of others, those that a request found absent.
func (r *run) toProbe() []rules.Endpoint {
	part := r.config.Selection.Filters() && !r.config.Selection.PlayAll || len(r.selected.Scenarios()) > 0 || r.config.Shard.Of > 1
	absent := r.answers.Silent(true)
	return slices.DeleteFunc(r.answers.Silent(false), func(e rules.Endpoint) bool {
		return (part || !r.selected.Claimed().Claims(e)) && !slices.Contains(absent, e)
	})
}

// probingOrder puts logout and the deletion of the user last, since the other probes need them.
func probingOrder(endpoints []rules.Endpoint) []rules.Endpoint {
	late := map[rules.Endpoint]int{rules.Logout: 1, rules.DeleteMe: 2}
	return slices.SortedStableFunc(slices.Values(endpoints), func(a, b rules.Endpoint) int { return late[a] - late[b] })
}

// implementedAt returns whether each endpoint is implemented, for those where the run has shown
// it.
func (r *run) implementedAt() map[rules.Endpoint]bool {
	all := map[rules.Endpoint]bool{}
	for _, e := range rules.Endpoints() {
		if r.answers.Served(e) || slices.Contains(r.missing.there, e) {
			all[e] = true
		}
	}
	for e := range r.missing.answers {
		all[e] = false
	}
	maps.DeleteFunc(all, func(e rules.Endpoint, _ bool) bool { return !r.selected.Claimed().Claims(e) })
	return all
}

// missingCheck is the one failure of an endpoint that is not implemented: its own
// where it has one that shows it.
func (r *run) missingCheck(c *Check) (reported *Check, own bool) {
	const missing = "; the endpoint is not implemented"
	own = c.status == result.Fail && c.deciding != nil && c.deciding.Endpoint == c.endpoint && observed.SaysAbsent(c.deciding.Status)
	expected, x := c.expected, c.deciding
	if !own {
		expected, x = "the endpoint to exist", r.missing.answers[c.endpoint]
	}
	reported = &Check{t: c.t, rule: c.rule, endpoint: c.endpoint, exchanges: []*wire.Exchange{x}, deciding: x}
	reported.conclude(r.level(c.rule), &outcome{status: result.Fail, expected: expected, actual: x.Summary() + missing})
	return reported, own
}

// withoutMissing is a check, blocked if it depends on an endpoint that is not implemented.
func (r *run) withoutMissing(c *Check) *Check {
	e := r.restsOn(c)
	if e == rules.NoEndpoint {
		return c
	}
	return &Check{t: c.t, rule: c.rule, endpoint: c.endpoint, drawn: c.drawn, status: result.Blocked, blockedBy: e.BlockingRule(), blockedAt: e,
		message: "needs " + e.String() + ", which is not implemented"}
}

// restsOn is the endpoint that is not implemented and that a check's outcome depends on,
// NoEndpoint for none.
func (r *run) restsOn(c *Check) rules.Endpoint {
	missing := func(x *wire.Exchange) bool {
		return x != nil && r.missing.answers[x.Endpoint] != nil && observed.SaysAbsent(x.Status)
	}
	switch {
	case c.status == result.Skipped, c.status == result.Error:
		return rules.NoEndpoint
	case r.missing.answers[c.endpoint] != nil:
		return c.endpoint
	case c.status == result.Blocked:
		return rules.NoEndpoint // by whatever it needed first
	case missing(c.deciding):
		return c.deciding.Endpoint
	case c.status != result.Pass:
		return rules.NoEndpoint
	}
	if i := slices.IndexFunc(c.exchanges, missing); i >= 0 {
		return c.exchanges[i].Endpoint
	}
	return rules.NoEndpoint
}

// recordTimeout records that an endpoint that never succeeded answered 404 until the settle time was
// over. On a target that is being built it is hardly the only one, and each scenario would wait for
// them: the others that never succeeded are tried at once, by users that have been there for that
// time.
func (r *run) recordTimeout(ctx context.Context, at rules.Endpoint) {
	if r.answers.Served(at) {
		return
	}
	r.answers.RecordTimedOut(at)
	r.answers.LookedFor.Do(func() {
		t := newT(ctx, r, &scenario{text: "which endpoints to wait for"})
		t.unjudged, t.looking = true, true
		defer r.discard(ctx, t)
		prober := newEndpointProbe(t)
		if wire.Pause(ctx, r.config.Settle) != nil {
			return // the run has ended
		}
		for _, e := range probingOrder(r.answers.Silent(false)) {
			if x, absent := prober.probe(e); absent && x.Status == http.StatusNotFound {
				r.answers.RecordTimedOut(e)
			}
		}
	})
}
