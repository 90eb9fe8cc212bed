package conformance

import (
	"context"
	"net/http"
	"sync"

	"github.com/socialfeed/conform/conformance/internal/wire"
	"github.com/socialfeed/conform/conformance/rules"
)

// absentEndpoints are the endpoints that never succeeded and answered 404 for as long as anything
// may lag. On a target that is being built they are many, and each scenario would wait for them.
type absentEndpoints struct {
	answers *endpointAnswers
	looked  sync.Once

	mu  sync.Mutex
	all map[rules.Endpoint]bool
}

// mayCome reports whether a 404 of an endpoint may be a matter of time.
func (a *absentEndpoints) mayCome(e rules.Endpoint) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return !a.all[e] || a.answers.served(e)
}

func (a *absentEndpoints) add(e rules.Endpoint) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.all[e] = true
}

// waitedInVain records that an endpoint answered 404 until the settle time was over. The first one
// is hardly the only one: the others that never succeeded are tried at once, by users that
// have been there for that time.
func (r *run) waitedInVain(ctx context.Context, at rules.Endpoint) {
	if r.answers.served(at) {
		return
	}
	r.absent.add(at)
	r.absent.looked.Do(func() {
		t := newT(ctx, r, &scenario{text: "which endpoints to wait for"})
		t.unjudged = true
		defer r.discard(ctx, t)
		prober := newEndpointProbe(t)
		if wire.Pause(ctx, r.config.Settle) != nil {
			return // the run has ended
		}
		for _, e := range probingOrder(r.answers.silent(false)) {
			if x, absent := prober.probe(e); absent && x.Status == http.StatusNotFound {
				r.absent.add(e)
			}
		}
	})
}
