package store

import (
	"errors"
	"time"
)

// Errors of the store. They are wrapped with the name of what they are about,
// such as "user not found"; compare them with errors.Is.
var (
	ErrNotFound  = errors.New("not found")
	ErrConflict  = errors.New("exists already")
	ErrForbidden = errors.New("belongs to another user")
	// ErrStale reports that what the caller had checked before no longer holds:
	// the acting user is deleted, or its password is another by now.
	ErrStale = errors.New("the credentials no longer hold")
)

// App numbers an application. Every key of the store begins with it, so that
// one application never meets the rows of another.
type App uint64

// ID numbers a user or an event, from 1, in the order of creation.
type ID uint64

// User is a user as the contract's Resources part describes it.
// The maps of a row are shared and must not be changed.
type User struct {
	App       App
	ID        ID
	CustomID  string
	SocialIDs map[string]string
	UserName  string
	Password  []byte   // a salted hash, opaque to the store; nil when the user has none
	Former    [][]byte // the passwords before, if they are kept
	FirstName string
	LastName  string
	Email     string
	URL       string
	Metadata  map[string]string
	Activated *bool
	LastLogin time.Time // zero before the first login
	CreatedAt time.Time
	UpdatedAt time.Time

	folded   []string // see fold
	encoding *encoding
	opened   uint64 // how many sessions the user has had
	oldest   uint64 // the first of them that may be valid
}

// ConnectionType is the contract's type of a connection.
type ConnectionType string

const (
	Follow ConnectionType = "follow"
	Friend ConnectionType = "friend"
)

// Connection goes from one user to another. A pair of users may be joined by
// one connection of each type and direction.
type Connection struct {
	App         App
	From        ID
	To          ID
	Type        ConnectionType
	ConfirmedAt time.Time // friends only; zero while the other side has not confirmed
	CreatedAt   time.Time
	UpdatedAt   time.Time
}

// Event is an activity record as the contract's Resources part describes it.
// Its maps and its object are shared and must not be changed.
type Event struct {
	App       App
	ID        ID
	Owner     ID
	Verb      string
	Language  string
	Priority  string
	Location  string
	Latitude  *float64
	Longitude *float64
	Metadata  map[string]string
	Object    *Object
	CreatedAt time.Time
	UpdatedAt time.Time

	encoding *encoding
}

// Object is the object of an event's activity.
type Object struct {
	ID          string
	Type        string
	URL         string
	DisplayName map[string]string
}
