package conformance

import (
	"fmt"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// failuresAmong counts the checks that failed in a rule that is judged.
func (r *run) failuresAmong(checks ...*Check) int {
	failed := 0
	for _, c := range checks {
		if c.status == result.Fail && r.selected.Includes(c.rule, c.endpoint) {
			failed++
		}
	}
	return failed
}

// stopAtFailures ends the run when the allowed number of checks has failed, including those of
// passive rules.
func (r *run) stopAtFailures() {
	if r.config.MaxFailures == 0 {
		return
	}
	failed := r.plays.progress().Failed
	for _, o := range r.monitor.Outcomes() {
		if o.Status == result.Fail && r.level(o.Rule) == rules.Must && r.selected.Includes(o.Rule, o.At) {
			failed++
		}
	}
	if failed >= r.config.MaxFailures {
		r.end(fmt.Errorf("stopped after %s", result.Plural(r.config.MaxFailures, "failure")))
	}
}
