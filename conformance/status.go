package conformance

import "slices"

// Status is how a check, a rule or an endpoint came out.
type Status string

// The statuses a check can end with.
const (
	Pass     Status = "pass"
	Fail     Status = "fail"
	Warn     Status = "warn"
	Blocked  Status = "blocked"  // something it needs, judged by another rule, does not work
	Skipped  Status = "skipped"  // not selected, or needs an option that was not given
	Observed Status = "observed" // a choice, recorded
	Error    Status = "error"    // the judge could not judge
)

// Statuses lists all of them, the worst first; observed and skipped come after
// the five that are comparable.
func Statuses() []Status {
	return []Status{Fail, Error, Blocked, Warn, Pass, Observed, Skipped}
}

// worst is the status that a group of checks adds up to; skipped when there is none.
func worst(statuses []Status) Status {
	for _, s := range Statuses() {
		if slices.Contains(statuses, s) {
			return s
		}
	}
	return Skipped
}
