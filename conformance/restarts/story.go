package restarts

import "time"

// Kind is what an operation does.
type Kind string

// The operations. Each is one request that writes.
const (
	Create   Kind = "create"   // a user, with a session
	Login    Kind = "login"    // another session of a user
	Logout   Kind = "logout"   // of the latest session
	Update   Kind = "update"   // a user's fields
	Delete   Kind = "delete"   // a user, with events and connections
	Follow   Kind = "follow"   // another user
	Unfollow Kind = "unfollow" // another user
	Post     Kind = "post"     // an event
	Edit     Kind = "edit"     // an event
	Remove   Kind = "remove"   // an event
)

func kinds() []Kind {
	return []Kind{Create, Login, Logout, Update, Delete, Follow, Unfollow, Post, Edit, Remove}
}

// Signal is what is done to the target's process.
type Signal string

// The signals. Stop and Kill are followed by a start, Pause by what lets the process go on.
const (
	Stop  Signal = "stop"
	Kill  Signal = "kill"
	Pause Signal = "pause"
)

// Interruption is a signal between two operations, or during one.
type Interruption struct {
	Signal Signal `json:"signal"`
	// Inside sends the signal so long after the operation's request was written, instead of after
	// its answer.
	Inside bool          `json:"inside,omitempty"`
	After  time.Duration `json:"after,omitempty"`
}

// Step is an operation by the user of a slot, and an interruption of it or after it, nil for none.
type Step struct {
	Do        Kind          `json:"do"`
	Slot      int           `json:"slot"`
	Other     int           `json:"other"` // the slot of the other user, or which of the user's events
	Interrupt *Interruption `json:"interrupt,omitempty"`
}

// Story is what is played on the target. Steps that are not possible, such as the deletion of an event
// where there is none, are left out when it is played.
type Story struct {
	Steps []Step `json:"steps"`
}

// slots is how many users a story has at a time.
const slots = 3

// uninterrupted is the story without its interruptions.
func (s Story) uninterrupted() Story {
	var calm Story
	for _, step := range s.Steps {
		step.Interrupt = nil
		calm.Steps = append(calm.Steps, step)
	}
	return calm
}
