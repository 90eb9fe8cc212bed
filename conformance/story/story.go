package story

import (
	"fmt"
	"slices"
)

// version is that of the format of saved stories.
const version = 2

// Story is a test case: steps by a few users. It is plain data that reads as JSON, and every
// subset of its steps is a story: a step that makes no sense when it is played is skipped.
type Story struct {
	Name  string `json:"name"`
	Users []Role `json:"users"` // the first one is user 1
	Steps []Step `json:"steps"`
	// Stagger is how far apart requests at the same time are sent, in quarters of how long the
	// target takes for the first of them; 0 for nearly together.
	Stagger int `json:"stagger,omitempty"`
}

// Role is a user of a story, who is created when a step first needs it.
type Role struct {
	App  int    `json:"app,omitempty"`  // the target's application, from 0
	Body Fields `json:"body,omitempty"` // what it is created with, nil for plain values
	// Refusable are the fields of Body that a valid server may refuse: they are then sent with
	// plain values.
	Refusable []string `json:"refusable,omitempty"`
	LoggedOut bool     `json:"logged_out,omitempty"` // it is created without a session
}

// Step is one action with its arguments. What an argument means is the same for every action.
type Step struct {
	Do      string `json:"do"`                // the action's name
	User    int    `json:"user"`              // who acts, from 1
	Other   int    `json:"other,omitempty"`   // whom the action concerns, if it is another user
	Others  []int  `json:"others,omitempty"`  // the same, for an action on several
	Former  bool   `json:"former,omitempty"`  // of Other, or User if there is none: who had the role before
	Type    string `json:"type,omitempty"`    // of a connection
	Event   int    `json:"event,omitempty"`   // the label of an event
	Session int    `json:"session,omitempty"` // the label of a session, 0 for the latest
	By      string `json:"by,omitempty"`      // the field that a login or a search goes by
	How     string `json:"how,omitempty"`     // a variant of the action
	In      int    `json:"in,omitempty"`      // the application that it is sent to, from 1; 0 for the user's own
	Body    Fields `json:"body,omitempty"`
	// Refusable are the fields of Body that a valid server may refuse.
	Refusable []string `json:"refusable,omitempty"`
	Without   string   `json:"without,omitempty"` // a required field that is left out
	Beside    bool     `json:"beside,omitempty"`  // sent at the same time as the next step
	// sent is the body of the request once it was made: what it asks for does not depend on the world
	// that it is judged in.
	sent Fields
}

// owner returns the role whose event or record a step concerns.
func (s Step) owner() int {
	if s.Other > 0 {
		return s.Other
	}
	return s.User
}

// roles returns the roles that a step needs.
func (s Step) roles() []int {
	all := []int{s.User}
	if s.Other > 0 {
		all = append(all, s.Other)
	}
	return append(all, s.Others...)
}

// group returns how many steps from an index on are sent at the same time.
func (s Story) group(from int) int {
	const most = 4 // all orders of so many are tried
	n := 1
	for from+n < len(s.Steps) && s.Steps[from+n-1].Beside && n < most {
		n++
	}
	return n
}

// Concurrent reports whether some steps are sent at the same time.
func (s Story) Concurrent() bool {
	return slices.ContainsFunc(s.Steps, func(step Step) bool { return step.Beside })
}

// Apps returns how many applications the story needs.
func (s Story) Apps() int {
	n := 1
	for _, step := range s.Steps {
		n = max(n, step.In)
	}
	for _, role := range s.Users {
		n = max(n, role.App+1)
	}
	return n
}

// check returns an error for a story that cannot be played.
func (s Story) check() error {
	const most, mostApps = 2000, 2
	known := table()
	switch {
	case len(s.Users) == 0 || len(s.Users) > most || len(s.Steps) > most:
		return fmt.Errorf("it has %d users and %d steps: at most %d can be played", len(s.Users), len(s.Steps), most)
	case slices.ContainsFunc(s.Users, func(r Role) bool { return r.App < 0 || r.App >= mostApps }):
		return fmt.Errorf("it needs more than %d applications", mostApps)
	}
	for i, step := range s.Steps {
		if _, there := known[step.Do]; !there {
			return fmt.Errorf("step %d: there is no action %q", i+1, step.Do)
		}
		if slices.ContainsFunc(step.roles(), func(r int) bool { return r < 1 || r > len(s.Users) }) || step.In < 0 || step.In > mostApps {
			return fmt.Errorf("step %d is about a user or an application that the story does not have", i+1)
		}
	}
	return nil
}
