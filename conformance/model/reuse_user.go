package model

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"
)

// ExistingEvent is an event that a scenario has left of a reusable user.
type ExistingEvent struct {
	answer  Fields            // the latest answer to a write of it
	earlier []Fields          // the answers before
	fields  map[string]lawful // what its client set
}

func withoutPassword(fields Fields) Fields {
	shown := maps.Clone(fields)
	delete(shown, "password")
	return shown
}

// ReusableUser is a user that a scenario created and that others can use instead of creating one.
type ReusableUser struct {
	App          string
	Sent, Answer Fields
	Session      string
	Created      time.Time
	// Involved says that there may be events and connections of it. No story can use it.
	Involved bool
	// Events are those that it has, if EventsKnown says that these are all.
	Events      []ExistingEvent
	EventsKnown bool
}

// ID returns the user's id as text.
func (a ReusableUser) ID() string { return idText(a.Answer["id"]) }

// mayLogInAs reports whether a login may be one of this user.
func (a ReusableUser) mayLogInAs(login Fields) bool {
	return slices.ContainsFunc([]string{"user_name", "email", "custom_id"}, func(name string) bool {
		sent, _ := login[name].(string)
		return sent != "" && strings.EqualFold(sent, asText(a.Sent[name]))
	})
}

// inOrderOfCreation returns the slots of reused users, the oldest first.
func inOrderOfCreation(users map[int]ReusableUser) []int {
	return slices.SortedFunc(maps.Keys(users), func(a, b int) int {
		return cmp.Or(users[a].Created.Compare(users[b].Created), cmp.Compare(a, b))
	})
}

// sentBy returns the fields that reused users were created with, by slot.
func sentBy(users map[int]ReusableUser) map[int]Fields {
	fields := map[int]Fields{}
	for slot, a := range users {
		fields[slot] = withoutPassword(a.Sent)
	}
	return fields
}
