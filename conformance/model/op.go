package model

import (
	"fmt"
	"slices"
	"strings"
)

// Kind is the kind of an operation.
type Kind uint8

// The kinds of operations. A is the actor's slot, B another user's, C chooses among the
// existing events or sessions, V chooses values.
const (
	Join           Kind = iota // A is created, unless it exists; V odd: without a login
	Return                     // A, deleted, is created again under its name; V odd: without a login
	LogIn                      // A logs in again; V odd: by email; C odd: asking for its details
	LogOut                     // A ends its session C
	Leave                      // A deletes itself
	Edit                       // A changes its profile to values V; C odd: with another unique token in it; B odd: with a last name that such users share
	Rename                     // A changes its user name and email
	Repassword                 // A changes its password; B odd: to one with values V; C odd: to one that, the second time, differs from the first in case alone
	Follow                     // A follows B
	Ask                        // A makes a friend connection to B
	Befriend                   // A and B make friend connections to each other
	End                        // A ends its connections to B
	Part                       // A and B end all connections between them
	Social                     // A connects to B by social id; V odd: as a friend
	Post                       // A creates an event with values V
	Change                     // A changes its event C to values V
	ChangeBack                 // A gives its event C the values that it had before
	Remove                     // A deletes its event C
	Trespass                   // A tries what only B may do, which must be refused: V chooses what
	UseEnded                   // A's ended session is used, which must be refused: V chooses the request
	Revert                     // A gives its profile the values that it had before its latest update
	Tweak                      // A changes its profile, V odd: its event C, to similar values
	Gather                     // A connects to all others it can by their social ids; V odd: as a friend
	Audit                      // V says what is compared, see auditAll; if sent at once with another operation, A reads it once
	Rest                       // time passes; V odd: a long while
	TakeNames                  // A takes the names and ids of B, of another application; V odd: and its password
	LookFor                    // A looks for B, of another application, by its id, in lists and by its names
	UseElsewhere               // A's session C is used in B's application, which must be refused: V chooses the requests
	LogInElsewhere             // A tries to log in to B's application; V odd: by email
	UseDeleted                 // A changes, V odd: deletes, the event that it deleted last, which must be refused
	Defect                     // A sends an input with a defect, which must be refused: V chooses it
	kinds
)

func (k Kind) String() string {
	return [kinds]string{"join", "return", "log in", "log out", "leave", "edit", "rename", "repassword", "follow", "ask",
		"befriend", "end", "part", "social", "post", "change", "change back", "remove", "trespass", "use ended session", "revert", "tweak", "gather", "audit", "rest",
		"take the names of", "look for", "use elsewhere", "log in elsewhere", "use deleted event", "send a defect"}[k]
}

// ofTwo reports whether an operation is by one user on another. If they are of different
// applications, it must have no effect.
func (k Kind) ofTwo() bool {
	return k >= Follow && k <= Social || k == Trespass || k >= TakeNames && k <= LogInElsewhere
}

// connects reports whether an operation connects two users.
func (k Kind) connects() bool { return k >= Follow && k <= Befriend || k == Social }

// allowsDeletedActor reports whether a deleted user can be the actor of an operation, too.
func (k Kind) allowsDeletedActor() bool {
	return k == UseEnded || k == Audit || k == Rest || k == UseElsewhere || k == LogInElsewhere
}

// Op is one operation. Its numbers are resolved against the state when it is played, so that
// any subset of a story is a story; one that makes no sense then is skipped.
type Op struct {
	Kind   Kind `json:"kind"`
	A      int  `json:"a"`
	B      int  `json:"b,omitempty"`
	C      int  `json:"c,omitempty"`
	V      int  `json:"v,omitempty"`
	AtOnce bool `json:"at_once,omitempty"` // sent concurrently with the next operation
}

// String returns the operation as a call of its kind with A, B, C and V; | marks AtOnce.
func (o Op) String() string {
	s := fmt.Sprintf("%s(%d,%d,%d,%d)", o.Kind, o.A, o.B, o.C, o.V)
	if o.AtOnce {
		s += "|"
	}
	return s
}

// Story is a test case: operations by a few users, and when the target is compared with the
// state. A user is created when an operation first needs it.
type Story struct {
	Name        string      `json:"name"`
	Slots       int         `json:"slots"`            // how many users take part
	Ops         []Op        `json:"ops"`              // in order
	Compare     CompareWhen `json:"looks,omitempty"`  // when the target is compared with the state
	Every       int         `json:"every,omitempty"`  // with CompareEvery: after how many operations
	Values      int         `json:"values,omitempty"` // chooses the values of new users
	Plain       bool        `json:"plain,omitempty"`  // plain values instead of awkward ones
	Apps        int         `json:"apps,omitempty"`   // how many applications the slots are distributed over in turns, 0 for one
	SharedNames int         `json:"kin,omitempty"`    // the user names of so many slots share a token
	Brief       bool        `json:"brief,omitempty"`  // at the end, only feeds and one list of each user are compared
	Late        bool        `json:"late,omitempty"`   // concurrent operations that commute are compared with later ones
	// Apart is how far apart concurrent requests are sent, in quarters of how long the target takes
	// for the first of them; 0 for nearly together.
	Apart int `json:"apart,omitempty"`
	// Users are the fields of reused users, by slot: when the story is
	// replayed, users like them are created.
	Users map[int]Fields `json:"cast,omitempty"`
	// Order are slots whose users are created before all others, in this order: what a target
	// shows may depend on whose id is lower.
	Order []int `json:"order,omitempty"`
}

// concurrentWith returns the operations from an index on that are sent concurrently: only those
// of one application, and no more than two if their order matters.
func (s Story) concurrentWith(from int) []Op {
	end := from + 1
	for end < len(s.Ops) && s.Ops[end-1].AtOnce && s.sameApplication(s.Ops[from], s.Ops[end]) {
		end++
	}
	if ops := s.Ops[from:end]; s.Late && commute(ops) {
		return ops
	}
	return s.Ops[from:min(end, from+2)]
}

// CompareWhen says when a story compares what it affected. At the end it always compares
// everything.
type CompareWhen uint8

const (
	CompareAtEnd     CompareWhen = iota // and at each Audit
	CompareAfterEach                    // after each operation, what it affects
	CompareEvery                        // after every Story.Every operations, what they affect
)

// String returns the story in one line.
func (s Story) String() string {
	var ops []string
	for _, o := range s.Ops {
		ops = append(ops, o.String())
	}
	return s.Name + ": " + strings.Join(ops, " ")
}

// Concurrent reports whether some of the story's operations are sent at the same time.
func (s Story) Concurrent() bool {
	return slices.ContainsFunc(s.Ops, func(o Op) bool { return o.AtOnce })
}
