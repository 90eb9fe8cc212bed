package result

import "slices"

// Status is how a check, a rule or an endpoint came out.
type Status string

// The statuses a check can end with.
const (
	Pass     Status = "pass"
	Fail     Status = "fail"
	Warn     Status = "warn"
	Unstable Status = "unstable" // it came out differently when it was repeated
	Waived   Status = "waived"   // a known deviation that a waiver accepts
	Blocked  Status = "blocked"  // something it needs, judged by another rule, does not work
	Skipped  Status = "skipped"  // not selected, or needs an option that was not given
	Observed Status = "observed" // a choice, recorded
	Error    Status = "error"    // the judge could not judge
)

// Statuses lists all of them, the worst first; observed and skipped come after
// those that are comparable.
func Statuses() []Status {
	return []Status{Fail, Error, Unstable, Blocked, Warn, Waived, Pass, Observed, Skipped}
}

// Worst is the status that a group of checks adds up to; skipped when there is none.
func Worst(statuses []Status) Status {
	for _, s := range Statuses() {
		if slices.Contains(statuses, s) {
			return s
		}
	}
	return Skipped
}
