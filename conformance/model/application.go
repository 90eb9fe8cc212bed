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
