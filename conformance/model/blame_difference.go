package model

import (
	"fmt"

	"github.com/socialfeed/conform/conformance/rules"
)

// isolation is the rule that applications are kept apart.
const isolation = "auth.app-isolation"

// isolationEndpoint returns the endpoint at which the catalogue books a violation of isolation that
// was seen at another one.
func isolationEndpoint(at rules.Endpoint) rules.Endpoint {
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
	Step             int     // the index of the operation after which it was seen; the number of operations for the end
	Evidence         []any   // the target's records of what was sent, the deciding one last
	key              showing // of several with the same one the first is reported
	oneCause         bool    // what shows it in several views has one cause
	symptom          string  // how it shows, if several rules may be to blame
	Stale            bool    // it was right before an update, and may be a matter of time on a target that lags
	Repeated         bool    // it showed only in repeated reads
	timeless         bool    // it was right at no time, so that no lag explains it
	app              int     // the application that showed it
	slots            []int   // of the users whom it is about
}

func (d Difference) String() string {
	return fmt.Sprintf("%s at %d: expected %s; got %s", d.Rule, d.At, d.Expected, d.Actual)
}

// same reports whether two differences are of the same rule at the same endpoint.
func (d Difference) same(o Difference) bool { return d.Rule == o.Rule && d.At == o.At }

// showing identifies what is wrong with what a view shows, or the resource that it shows.
type showing struct {
	at            rules.Endpoint
	viewer, owner int
	field         string
	id            string // of the resource, "" for the view itself
	how           string // it is shown, "" for whether it is
}
