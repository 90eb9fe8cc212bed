package conformance

import "time"

// The pauses between looks grow, so that a target that lags for seconds is not
// asked a hundred times.
const (
	firstPause = 15 * time.Millisecond
	lastPause  = 200 * time.Millisecond
)

// poll looks until there is no problem or the time is up, and returns the latest
// one. Only the latest look stays as evidence.
func (t *Trial) poll(most time.Duration, look func() Problem) Problem {
	sink := &t.arranged
	if t.current != nil {
		sink = &t.current.exchanges
	}
	before := len(*sink)
	between := firstPause
	for start := time.Now(); ; between = min(2*between, lastPause) {
		*sink = (*sink)[:before]
		problem := look()
		if problem == (Problem{}) || time.Since(start) >= most {
			return problem
		}
		if err := pause(t.ctx, between); err != nil {
			panic(unjudged(err))
		}
	}
}

// Await arranges that a condition holds which may take until the settle time.
// When it does not come to hold, what needs it is blocked by the given rule.
func (t *Trial) Await(rule string, look func() Problem) {
	if problem := t.poll(t.run.patienceFor(rule), look); problem != (Problem{}) {
		t.run.losePatience(rule)
		t.block(rule, "needs "+problem.Expected+"; got "+problem.Actual)
	}
}

// patienceFor is how long to wait for what a rule promises: the settle time, and
// hardly any once it was waited for in vain, lest a broken rule stall every
// scenario that needs it.
func (r *run) patienceFor(rule string) time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.inVain[rule] {
		return 0
	}
	return r.config.Settle
}

func (r *run) losePatience(rule string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.inVain[rule] = true
}
