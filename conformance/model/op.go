package model

import (
	"fmt"
	"strings"
)

// Kind is what an operation does.
type Kind uint8

// The kinds of operations. A is the actor's slot, B another's, C chooses among
// the events or sessions that there are, V chooses values.
const (
	Join           Kind = iota // A comes into being, if it has not yet; V odd: without a login
	Return                     // A, deleted, comes again under its name; V odd: without a login
	LogIn                      // A logs in again; V odd: by email
	LogOut                     // A ends its session C
	Leave                      // A deletes itself
	Edit                       // A changes its profile to values V; C odd: with another word of its own in it
	Rename                     // A takes another user name and email
	Repassword                 // A takes another password; B odd: one with values V
	Follow                     // A follows B
	Ask                        // A makes a friend connection to B
	Befriend                   // A and B do, both
	End                        // A ends its connections to B
	Part                       // A and B do, both
	Social                     // A connects to B by social id; V odd: as a friend
	Post                       // A creates an event with values V
	Change                     // A changes its event C to values V
	ChangeBack                 // A gives its event C the values that it had before
	Remove                     // A deletes its event C
	Trespass                   // A tries what only B may: V chooses what
	UseEnded                   // A's ended session is tried: V chooses at what
	Revert                     // A takes back its latest update
	Tweak                      // A changes its profile, V odd: its event C, to what resembles it
	Gather                     // A connects to all others it can by their social ids; V odd: as a friend
	Audit                      // V says what is looked at: see everything; at once with another: V chooses what A reads
	Rest                       // time passes; V odd: a long while
	Namesake                   // A takes the names and ids of B, of another application; V odd: and its password
	Seek                       // A looks for B, of another application
	UseElsewhere               // A's session C is tried in B's application: V chooses at what
	LogInElsewhere             // A tries to log in to B's application; V odd: by email
	kinds
)

func (k Kind) String() string {
	return [kinds]string{"join", "return", "log in", "log out", "leave", "edit", "rename", "repassword", "follow", "ask",
		"befriend", "end", "part", "social", "post", "change", "change back", "remove", "trespass", "use ended session", "revert", "tweak", "gather", "audit", "rest",
		"take the names of", "look for", "use elsewhere", "log in elsewhere"}[k]
}

// ofTwo reports whether an operation is one user's on another. If they are of
// different applications, it must come to nothing.
func (k Kind) ofTwo() bool {
	return k >= Follow && k <= Social || k == Trespass || k >= Namesake && k < kinds
}

// ofAnyone reports whether an operation can also be a deleted user's.
func (k Kind) ofAnyone() bool {
	return k == UseEnded || k == Audit || k == Rest || k == UseElsewhere || k == LogInElsewhere
}

// Op is one operation. Its numbers are resolved against the world when it is
// played, so that any part of a story is a story; one that makes no sense there
// is passed over.
type Op struct {
	Kind   Kind `json:"kind"`
	A      int  `json:"a"`
	B      int  `json:"b,omitempty"`
	C      int  `json:"c,omitempty"`
	V      int  `json:"v,omitempty"`
	AtOnce bool `json:"at_once,omitempty"` // released together with the next operation
}

// String is the operation as a test's author would note it.
func (o Op) String() string {
	s := fmt.Sprintf("%s(%d,%d,%d,%d)", o.Kind, o.A, o.B, o.C, o.V)
	if o.AtOnce {
		s += "|"
	}
	return s
}

// Story is a list of operations on a few users, and how it is looked at. A user
// is created when an operation first needs it.
type Story struct {
	Name   string `json:"name"`
	Slots  int    `json:"slots"`            // how many users take part
	Ops    []Op   `json:"ops"`              // in order
	Looks  Looks  `json:"looks,omitempty"`  // when the target is compared with the world
	Every  int    `json:"every,omitempty"`  // with LookEvery: after how many operations
	Values int    `json:"values,omitempty"` // chooses the values that users are created with
	Plain  bool   `json:"plain,omitempty"`  // plain values instead of awkward ones
	Apps   int    `json:"apps,omitempty"`   // over how many applications the slots are dealt out in turns, 0 for one
	Kin    int    `json:"kin,omitempty"`    // the users of so many slots have the same in their names
	Brief  bool   `json:"brief,omitempty"`  // at the end, feeds and one list of each user are looked at, instead of everything
	Late   bool   `json:"late,omitempty"`   // what operations at once did is looked at with everything else, where their order makes no difference
	// Cast are the fields of users whom others had created, by slot: when the story is played
	// again, users like them are created.
	Cast map[int]Fields `json:"cast,omitempty"`
}

// releasedWith are the operations from one on that are released together. Of those that may
// come in either order no more than two are, and only those in one application.
func (s Story) releasedWith(from int) []Op {
	end := from + 1
	for end < len(s.Ops) && s.Ops[end-1].AtOnce && s.neighbours(s.Ops[from], s.Ops[end]) {
		end++
	}
	if ops := s.Ops[from:end]; s.Late && commute(ops) {
		return ops
	}
	return s.Ops[from:min(end, from+2)]
}

// Looks says when a story looks at what it affected. At the end it looks at everything, always.
type Looks uint8

const (
	LookAtEnd  Looks = iota // and where the story says Audit
	LookAtEach              // after each operation, at what it affects
	LookEvery               // after every so many operations, at what they affect
)

// String is the story in one line.
func (s Story) String() string {
	var ops []string
	for _, o := range s.Ops {
		ops = append(ops, o.String())
	}
	return s.Name + ": " + strings.Join(ops, " ")
}
