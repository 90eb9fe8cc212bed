package story

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/socialfeed/conform/conformance/rules"
)

// Action is all that the model knows of one operation of the contract. Playing, expecting, racing,
// generating, budgeting and telling derive from it.
type Action struct {
	Name   string
	Weight int            // how often a generator tries it, against the others
	At     rules.Endpoint // of a read of a list, the session user's own
	// Plans returns the steps that a generator may try in a world: an action with its arguments.
	Plans func(g *Generator, w *World, user, other int) []planned
	// Request returns the request of a step without its credentials; false if the step makes no
	// sense, or its outcome is open.
	Request func(w *World, s Step) (Request, bool)
	// Expect returns what the contract says of the answer, for a request without a defect.
	Expect func(w *World, s Step) Expect
	// Apply changes a world as a success does; nil for a read.
	Apply func(w *World, c call)
	// Compare returns how the answer to a success differs from the world that Apply has changed.
	Compare func(w *World, c call) []Diff
	// Views are the reads that may show something else after the step.
	Views func(w *World, s Step) []Step
	// Required are the fields of the body that must be there, and the rule about each.
	Required map[string]string
	// Say tells what a user does, in the words of a report.
	Say func(s Step) string
}

// call is a step that was sent, with its answer.
type call struct {
	Step
	Request
	tokens map[string]string // the unique part of each field of the body
	answer Response
	// limited is metadata without which the target took the request, nil for none.
	limited any
	skip    bool // the session has ended, which the target may do
}

// Expect is what the contract says of an answer.
type Expect struct {
	Status   int   // of a success, 0 if the request must be refused
	Refusals []int // the lawful refusals, nil for any 4xx
	Either   bool  // a refusal is lawful, and so is a success
	Rule     string
	At       rules.Endpoint
}

func (e Expect) String() string {
	if e.Status > 0 {
		if e.Either {
			return fmt.Sprintf("%d or a refusal", e.Status)
		}
		return fmt.Sprint(e.Status)
	}
	if e.Refusals == nil {
		return "a refusal"
	}
	var all []string
	for _, status := range e.Refusals {
		all = append(all, fmt.Sprint(status))
	}
	return strings.Join(all, " or ")
}

// reads reports whether the action changes nothing.
func (a *Action) reads() bool { return a.Apply == nil && a.At.Method() == http.MethodGet }

// actions returns the table of actions, in the contract's order.
func actions() []*Action {
	return slices.Concat(userActions(), sessionActions(), connectionActions(), eventActions(), readActions())
}

// table returns the actions by name.
func table() map[string]*Action {
	all := map[string]*Action{}
	for _, a := range actions() {
		all[a.Name] = a
	}
	return all
}

// refusal is why a request must be refused.
type refusal uint8

const (
	notRefused     refusal = iota
	byEndedSession         // the session was logged out
	byDeletedUser          // the session's user is deleted
	byOtherApp             // the session is of another application
	byMissingField         // a required field is missing
	byOwner                // it is another user's
	byAbsence              // what it is about does not exist, or not any more
)

// refusalOf returns why a step must be refused whatever it asks for.
func (w *World) refusalOf(at rules.Endpoint, s Step, u *user) refusal {
	if !needsSession(at) || at == rules.Versions { // which credentials that takes is open
		if s.Without != "" {
			return byMissingField
		}
		return notRefused
	}
	if s.In > 0 && s.In-1 != u.app {
		return byOtherApp
	}
	if i, there := u.sessionOf(s.Session); s.Session > 0 && there && u.sessions[i].state == No {
		if u.sessions[i].ended == byDeletion || !u.lives() {
			return byDeletedUser
		}
		return byEndedSession
	}
	if s.Without != "" {
		return byMissingField
	}
	return notRefused
}

// expected returns what the contract says of the answer to a step: first of the credentials, then
// of what is required, then of the action itself.
func (a *Action) expected(w *World, s Step) (Expect, refusal) {
	var u *user
	if who, there := w.who(s.User, false); there {
		u = &w.users[who]
	}
	switch why := w.refusalOf(a.At, s, u); why {
	case byOtherApp:
		return Expect{Refusals: []int{401}, Rule: isolation, At: rules.GetMe}, why
	case byEndedSession:
		return Expect{Refusals: []int{401}, Rule: "sessions.logout.destroys", At: rules.Logout}, why
	case byDeletedUser:
		return Expect{Refusals: []int{401, 403, 404}, Rule: "sessions.deleted-user", At: rules.DeleteMe}, why
	case byMissingField:
		return Expect{Rule: a.Required[s.Without], At: a.At}, why
	}
	e := a.Expect(w, s)
	switch {
	case e.Status > 0 || a.reads():
		return e, notRefused
	case slices.Contains(e.Refusals, http.StatusForbidden):
		return e, byOwner
	}
	return e, byAbsence
}

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

// own returns a user's read of its own data.
func own(do string, role int) Step { return Step{Do: do, User: role} }

// of returns a user's read of another one's data.
func of(do string, viewer, owner int) Step { return Step{Do: do, User: viewer, Other: owner} }

// succeeds returns the expectation of a success.
func succeeds(status int, rule string, at rules.Endpoint) func(*World, Step) Expect {
	return func(*World, Step) Expect { return Expect{Status: status, Rule: rule, At: at} }
}
