package model

// application is a story's part in one application of the target. Applications are
// separate: each has a world of its own.
type application struct {
	number  int // as a Request names it
	world   *World
	worlds  []*World    // the lawful states, more than one after operations at once
	slots   map[int]int // the user in each slot
	came    map[int]int // the slot of each user, also of those who left it
	tainted map[string]bool
	due     []view // of what was done there, and not looked at yet
}

func newApplication(number int, c Choices) *application {
	w := newWorld(c)
	return &application{number: number, world: w, worlds: []*World{w}, slots: map[int]int{}, came: map[int]int{}, tainted: map[string]bool{}}
}

// home is the application of the user in a slot: neighbours are in different ones.
func (s Story) home(slot int) int { return abs(slot) % max(s.Slots, 1) % max(s.Apps, 1) }

// crosses reports whether an operation is one user's on another of another application.
func (s Story) crosses(o Op) bool { return o.Kind.ofTwo() && s.home(o.A) != s.home(o.B) }

// neighbours reports whether two operations can be sent at once: in one application.
func (s Story) neighbours(first, second Op) bool {
	return s.home(first.A) == s.home(second.A) && !s.crosses(first) && !s.crosses(second)
}

// enter goes on in the application of the user in a slot.
func (t *playthrough) enter(slot int) { t.application = t.applications[t.story.home(slot)] }
