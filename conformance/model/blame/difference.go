package blame

import (
	"fmt"

	"github.com/socialfeed/conform/conformance/rules"
)

// Isolation is the rule that applications are kept apart.
const Isolation = "auth.app-isolation"

// IsolationAt returns the endpoint at which the catalogue books a violation of isolation that
// was seen at another one.
func IsolationAt(at rules.Endpoint) rules.Endpoint {
	switch at {
	case rules.SearchUsers:
		return rules.SearchUsers
	case rules.Login, rules.Logout, rules.GetMe:
		return rules.GetMe
	}
	return rules.GetUser
}

// Difference is where a target is not in a state that the contract allows, and the rule to
// blame.
type Difference struct {
	Rule             string
	At               rules.Endpoint
	Expected, Actual string
	Step             int    // the index of the operation after which it was seen; the number of operations for the end
	Evidence         []any  // the target's records of what was sent, the deciding one last
	Key              Key    // of several with the same one the first is reported
	OneCause         bool   // what shows it in several views has one cause
	Symptom          string // how it shows, if several rules may be to blame
	Stale            bool   // it was right before an update, and may be a matter of time on a target that lags
	Repeated         bool   // it showed only in repeated reads
	Timeless         bool   // it was right at no time, so that no lag explains it
	App              int    // the application that showed it
	Slots            []int  // of the users whom it is about
}

// String returns the difference in one line.
func (d Difference) String() string {
	return fmt.Sprintf("%s at %d: expected %s; got %s", d.Rule, d.At, d.Expected, d.Actual)
}

// Same reports whether two differences are of the same rule at the same endpoint.
func (d Difference) Same(o Difference) bool { return d.Rule == o.Rule && d.At == o.At }

// Key identifies what is wrong with what a view shows, or the resource that it shows.
type Key struct {
	At            rules.Endpoint
	Viewer, Owner int
	Field         string
	ID            string // of the resource, "" for the view itself
	How           string // it is shown, "" for whether it is
}
