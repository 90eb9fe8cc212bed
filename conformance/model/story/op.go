package story

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/socialfeed/conform/conformance/model/value"
)

// Op is one operation: an action, its actor and its arguments. Users are named by their slots in the story. What
// an argument chooses from is known only when the operation is played, so that any subset of a story is a story;
// an operation that makes no sense then is skipped.
type Op struct {
	Kind  Kind `json:"do"`
	Actor int  `json:"actor"`
	Other int  `json:"other,omitempty"` // the second user
	// Values chooses the values that are written, 0 plain ones.
	Values int `json:"values,omitempty"`
	// Event chooses among the events of the actor, or of whom it writes to, the oldest first.
	Event int `json:"event,omitempty"`
	// Session chooses among the actor's sessions.
	Session int `json:"session,omitempty"`
	// Variant chooses among the requests that the action can send.
	Variant int `json:"variant,omitempty"`
	// Write is what a user tries that only another may do.
	Write ForeignWrite `json:"write,omitempty"`
	// Extent is what an audit reads.
	Extent Extent `json:"extent,omitempty"`

	AsFriend       bool `json:"as_friend,omitempty"`        // the connection is a friend's, not a follow
	ByEmail        bool `json:"by_email,omitempty"`         // the login is by email, not by user name
	WithDetails    bool `json:"with_details,omitempty"`     // the login asks for the user's details
	WithoutLogin   bool `json:"without_login,omitempty"`    // the user is created without a session
	WithPassword   bool `json:"with_password,omitempty"`    // the password is taken with the names
	WithRecords    bool `json:"with_records,omitempty"`     // user records are read, too
	NewToken       bool `json:"new_token,omitempty"`        // the profile gets another unique token
	SharedLastName bool `json:"shared_last_name,omitempty"` // the profile gets a last name that such users share
	Awkward        bool `json:"awkward,omitempty"`          // the password is one of Values, which a target may mishandle
	OtherCase      bool `json:"other_case,omitempty"`       // the password differs from the present one in case alone, if that was such
	Delete         bool `json:"delete,omitempty"`           // the event is deleted, not updated
	Long           bool `json:"long,omitempty"`             // the wait is longer than short-lived caches last

	AtOnce bool `json:"at_once,omitempty"` // sent concurrently with the next operation
}

// String returns the operation as it is saved.
func (o Op) String() string {
	text, _ := json.Marshal(o) // of plain values: it always encodes
	return string(text)
}

// NewOp returns an operation whose arguments are chosen by numbers: which chooses among what is there, value
// chooses what is written, and in which form.
func NewOp(kind Kind, actor, other, which, value int) Op {
	o := Op{Kind: kind, Actor: actor}
	action := kind.Action()
	if action.OfTwo || kind == Audit {
		o.Other = other
	}
	if action.Args != nil {
		action.Args(&o, picks{other, which, value})
	}
	return o
}

// Users returns the slots of those who take part.
func (o Op) Users() []int {
	if o.Other != o.Actor && (o.Kind.Action().OfTwo || o.Kind == Audit) {
		return []int{o.Actor, o.Other}
	}
	return []int{o.Actor}
}

// picks are numbers that choose the arguments of an operation.
type picks struct{ other, which, value int }

func odd(n int) bool { return n%2 != 0 }

// plainer returns the operation with plain values and without what it need not choose.
func (o Op) plainer(values int) Op {
	return Op{Kind: o.Kind, Actor: o.Actor, Other: o.Other, Values: min(o.Values, values), Variant: o.Variant, Write: o.Write, Extent: o.Extent,
		AsFriend: o.AsFriend, Delete: o.Delete, AtOnce: o.AtOnce}
}

// Story is a test case: operations by a few users, and when the target is compared with the
// state. A user is created when an operation first needs it.
type Story struct {
	Name    string      `json:"name"`
	Slots   int         `json:"slots"`             // how many users take part
	Ops     []Op        `json:"ops"`               // in order
	Compare CompareWhen `json:"compare,omitempty"` // when the target is compared with the state
	Every   int         `json:"every,omitempty"`   // with CompareEvery: after how many operations
	Values  int         `json:"values,omitempty"`  // chooses the values of new users
	Plain   bool        `json:"plain,omitempty"`   // plain values instead of awkward ones
	Apps    int         `json:"apps,omitempty"`    // how many applications the slots are distributed over in turns, 0 for one
	// SharedNames is how many slots have user names that share a token, the whole of which is the name of PrefixSlot.
	SharedNames int  `json:"shared_names,omitempty"`
	ShortAudit  bool `json:"short_audit,omitempty"`  // at the end, only feeds and one list of each user are compared
	DeferChecks bool `json:"defer_checks,omitempty"` // concurrent operations that commute are compared with later ones
	// Stagger is how far apart concurrent requests are sent, in quarters of how long the target takes
	// for the first of them; 0 for nearly together.
	Stagger int `json:"stagger,omitempty"`
	// Users are the fields of reused users, by slot: when the story is
	// replayed, users like them are created.
	Users map[int]value.Fields `json:"users,omitempty"`
	// CreationOrder are slots whose users are created before all others, in this order: what a target
	// shows may depend on whose id is lower.
	CreationOrder []int `json:"creation_order,omitempty"`
}

// PrefixSlot is the slot of a user whose name others with a shared token begin with.
const PrefixSlot = 1

// ConcurrentWith returns the operations from an index on that are sent concurrently: only those
// of one application, and no more than two if their order matters.
func (s Story) ConcurrentWith(from int) []Op {
	end := from + 1
	for end < len(s.Ops) && s.Ops[end-1].AtOnce && s.sameApplication(s.Ops[from], s.Ops[end]) {
		end++
	}
	if ops := s.Ops[from:end]; s.DeferChecks && Commute(ops) {
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

// ConnectionType returns the type of the connection that an operation makes by social ids.
func (o Op) ConnectionType() string {
	if o.AsFriend {
		return "friend"
	}
	return "follow"
}

// LoginName returns the field that an operation logs in by.
func (o Op) LoginName() string {
	if o.ByEmail {
		return "email"
	}
	return "user_name"
}

// Commute reports whether operations lead to the same state in any order. What belongs to a
// deleted user or event is gone whenever it was created.
func Commute(ops []Op) bool {
	for i, one := range ops {
		for _, other := range ops[i+1:] {
			if one.Kind == End && one.SameAs(other) {
				continue
			}
			if one.Kind.conflictsWith(other.Kind) {
				return false
			}
		}
	}
	return true
}

// SameAs reports whether an operation is the same as another, whenever they are sent. No two updates
// are: each changes a field of its own.
func (o Op) SameAs(other Op) bool {
	o.AtOnce = other.AtOnce
	return o == other && o.Kind != Edit && o.Kind != Change
}

// VerbAlone are the values of a Change of the verb alone.
const VerbAlone = 2
