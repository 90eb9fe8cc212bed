package story

import "slices"

// Kind is the kind of an operation: one row of the table of actions.
type Kind uint8

// The kinds of operations, by the parts of the contract. The actor acts; some act on another user.
const (
	// Users.
	Join           Kind = iota // is created, unless it exists
	Recreate                   // is created again under its name, once deleted
	Edit                       // changes its profile
	Rename                     // changes its user name and email
	ChangePassword             // changes its password
	UpdateSimilar              // changes its profile to similar values
	Revert                     // gives its profile the values that it had before its latest update
	TakeNames                  // takes the names that the other gave up, or the names and ids of one of another application
	DeleteUser                 // deletes itself

	// Sessions.
	LogIn          // logs in again
	LogOut         // ends one of its sessions
	UseEnded       // uses its session that has ended, which must be refused
	UseElsewhere   // uses a session in the other's application, which must be refused
	LogInElsewhere // tries to log in to the other's application

	// Connections.
	Follow               // follows the other
	RequestFriend        // makes a friend connection to the other
	RequestMutually      // both make friend connections to each other
	End                  // ends its connections to the other
	DisconnectBoth       // both end all connections between them
	ConnectBySocialID    // connects to the other by social id
	ConnectAllBySocialID // connects to all others it can by their social ids

	// Events.
	Post               // creates an event
	Change             // changes one of its events; every third number of values chooses a single field
	ChangeBack         // gives an event the values that it had before
	UpdateEventSimilar // changes an event to similar values
	Remove             // deletes an event
	UseDeleted         // changes or deletes the event that it deleted last, which must be refused
	WriteForeign       // tries what only the other may do, which must be refused
	SendDefect         // sends an input with a defect, which must be refused

	// Reads.
	LookFor // looks for the other, of another application, by its id, in lists and by its names
	Audit   // compares what the target shows with the state
	Wait    // time passes
	Kinds
)

// Action is what stories know of one kind of operation. How it is performed is known where stories are played.
type Action struct {
	Name string // in saved stories and logs
	// OfTwo reports whether it is by one user on another. If they are of different applications, it must have no effect.
	OfTwo bool
	// Connects reports whether it connects two users.
	Connects bool
	// AllowsDeleted reports whether a deleted user can be the actor, too.
	AllowsDeleted bool
	// Fresh reports whether it creates its actor, who need not exist before.
	Fresh bool
	// Args sets the arguments of an operation by numbers; nil if it has none.
	Args func(*Op, picks)
	// Conflicts are the operations whose order with it matters.
	Conflicts []Kind
	// Violates are the prefixes of the rules that it can violate, of those that other operations may seem to.
	Violates []string
	// Cost are its requests. CostOf returns them where they depend on its arguments.
	Cost   Cost
	CostOf func(Story, Op) Cost
	// Views is how many views are compared after it, roughly.
	Views estimate
}

// estimate says how many views are compared after an operation: as many as after most, or what it says.
type estimate uint8

const (
	usualViews   estimate = iota
	moreViews             // and one more
	sessionViews          // one for each session
	readerViews           // one for each user who may read the event
	noViews
)

// Action returns what is known of a kind of operation.
func (k Kind) Action() Action { return actions()[k] }

// conflictsWith reports whether the order of two operations matters.
func (k Kind) conflictsWith(other Kind) bool { return slices.Contains(k.Action().Conflicts, other) }

// String returns the name of the action.
func (k Kind) String() string { return k.Action().Name }
