package model

// application is a story's part in one application of the target. Applications are isolated:
// each has a state of its own.
type application struct {
	number   int // Request.App
	state    *State
	states   []*State    // the lawful states: several after concurrent operations
	slots    map[int]int // the user in each slot
	slotOf   map[int]int // the slot of each user, also of those replaced in it
	reported map[showing]bool
	pending  []view // affected by operations, and not compared yet
}

func newApplication(number int, c Choices) *application {
	st := newState(c)
	return &application{number: number, state: st, states: []*State{st}, slots: map[int]int{}, slotOf: map[int]int{}, reported: map[showing]bool{}}
}

// applicationOf returns the application of the user in a slot. Slots next to each other are in
// different applications.
func (s Story) applicationOf(slot int) int { return slot % max(s.Slots, 1) % max(s.Apps, 1) }

// crossesApps reports whether an operation is by a user of one application on a user of another.
func (s Story) crossesApps(o Op) bool {
	return o.Kind.action().OfTwo && s.applicationOf(o.Actor) != s.applicationOf(o.Other)
}

// sameApplication reports whether two operations stay within one application, so that they can
// be sent at once.
func (s Story) sameApplication(first, second Op) bool {
	return s.applicationOf(first.Actor) == s.applicationOf(second.Actor) && !s.crossesApps(first) && !s.crossesApps(second)
}

// switchTo makes the application of the user in a slot the current one.
func (t *run) switchTo(slot int) { t.application = t.applications[t.story.applicationOf(slot)] }
