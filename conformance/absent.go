package conformance

import (
	"context"
	"net/http"

	"github.com/socialfeed/conform/conformance/internal/wire"
	"github.com/socialfeed/conform/conformance/rules"
)

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
