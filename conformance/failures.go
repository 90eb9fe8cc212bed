package conformance

import (
	"fmt"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// stopAtFailures ends the run where as many checks have failed as may. It is called
// with the run's lock held.
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
