package reuse

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/socialfeed/conform/conformance/model/value"
)

// Event is an event that a scenario has left of a reusable user.
type Event struct {
	Answer  value.Fields         // the latest answer to a write of it
	Earlier []value.Fields       // the answers before
	Fields  map[string]value.Set // what its client set
}

// WithoutPassword returns the fields of a user that a log may show.
func WithoutPassword(fields value.Fields) value.Fields {
	shown := maps.Clone(fields)
	delete(shown, "password")
	return shown
}

// User is a user that a scenario created and that others can use instead of creating one.
type User struct {
	App          string
	Sent, Answer value.Fields
	Session      string
	Created      time.Time
	// Involved says that there may be events and connections of it. No story can use it.
	Involved bool
	// Events are those that it has, if EventsKnown says that these are all.
	Events      []Event
	EventsKnown bool
}

// ID returns the user's id as text.
func (a User) ID() string { return value.ID(a.Answer["id"]) }

// MayLogInAs reports whether a login may be one of this user.
func (a User) MayLogInAs(login value.Fields) bool {
	return slices.ContainsFunc([]string{"user_name", "email", "custom_id"}, func(name string) bool {
		sent, _ := login[name].(string)
		return sent != "" && strings.EqualFold(sent, value.Text(a.Sent[name]))
	})
}

// ByCreation returns the slots of reused users, the oldest first.
func ByCreation(users map[int]User) []int {
	return slices.SortedFunc(maps.Keys(users), func(a, b int) int {
		return cmp.Or(users[a].Created.Compare(users[b].Created), cmp.Compare(a, b))
	})
}

// SentBy returns the fields that reused users were created with, by slot.
func SentBy(users map[int]User) map[int]value.Fields {
	fields := map[int]value.Fields{}
	for slot, a := range users {
		fields[slot] = WithoutPassword(a.Sent)
	}
	return fields
}
