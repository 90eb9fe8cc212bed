package conformance

import (
	"fmt"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// recordFailures counts the checks that failed in a rule that is judged, and ends the run when
// the allowed number is reached. It is called with the run's lock held.
func (r *run) recordFailures(checks ...*Check) {
	for _, c := range checks {
		if c.status == result.Fail && r.selected.Includes(c.rule, c.endpoint) {
			r.failed++
		}
	}
	r.stopAtFailures()
}

// stopAtFailures ends the run when the allowed number of checks has failed, including those of
// passive rules.
func (r *run) stopAtFailures() {
	if r.config.MaxFailures == 0 {
		return
	}
	failed := r.failed
	for _, o := range r.monitor.Outcomes() {
		if o.Status == result.Fail && r.level(o.Rule) == rules.Must && r.selected.Includes(o.Rule, o.At) {
			failed++
		}
	}
	if failed >= r.config.MaxFailures {
		r.end(fmt.Errorf("the number of failures to stop at was reached: %d", r.config.MaxFailures))
	}
}
