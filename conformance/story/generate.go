package story

import (
	"context"
	"math/rand/v2"
	"slices"
)

// Generator makes stories from a seed. It plays each step on an imaginary target as soon as it is
// chosen, so that it knows what the next one would meet and what the story takes. Of many steps that
// it could take it takes the one that exercises most that is new for its requests.
type Generator struct {
	*rand.Rand
	seen      Coverage // by all stories of the generator
	choices   []Choices
	table     []*Action
	pools     pools
	shape     Shape
	large     bool // large values are sent, too
	dry       dryRun
	story     Story
	labels    int               // of events and sessions
	deleted   int               // how many users were deleted
	last      [2]int            // the users of the latest write
	lastEvent int               // that was written
	writes    map[int][2]string // by role: its latest writes, the latest first
	between   map[[2]int][2]string
}

// Shape is what a generated story is to be like.
type Shape struct {
	Name     string
	Users    int  // how many take part
	Existing int  // how many of them exist already, and need not be created
	Apps     int  // how many applications they are of, in turns; 0 for one
	Budget   Cost // what the story may take
	Views    int  // how many views are read after a step, at most
	Events   int  // up to how many events the first user's grow, by doubling
	Follows  int  // how many others its first reader follows or befriends
	Sessions int  // how many sessions one user has at a time
	// Late is how much of the budget is used before users are deleted: the more has happened to them,
	// the more their deletion shows.
	Late    float64
	Deleted int  // how many users are then deleted, the first one first
	Large   bool // with large values
	Again   int  // how often one user's views are read in the end, with nothing written in between
	Waits   int  // how often time passes before everything is read again, long each time
	Stagger int
	// Races is how many of ten steps are tried at the same time as another one.
	Races int
	// Fixed are bodies without awkward values.
	Plain bool
}

// NewGenerator returns a generator for a target with the given choices. What the coverage has counts
// as exercised.
func NewGenerator(seed uint64, choices []Choices, seen Coverage) *Generator {
	if seen == nil {
		seen = Coverage{}
	}
	return &Generator{Rand: rand.New(rand.NewPCG(seed, 1)), seen: seen, choices: choices, table: weighted(actions()), pools: newPools()}
}

// Story returns a story of a shape.
func (g *Generator) Story(shape Shape) Story {
	g.begin(shape)
	g.grow()
	g.connect()
	for g.spent() < shape.Late && g.step() {
	}
	g.delete()
	for g.step() {
	}
	g.end()
	return g.story
}

// begin starts a story with its users.
func (g *Generator) begin(shape Shape) {
	g.shape, g.large = shape, shape.Large
	g.writes, g.between, g.labels, g.deleted, g.last = map[int][2]string{}, map[[2]int][2]string{}, 0, 0, [2]int{}
	g.story = Story{Name: shape.Name, Stagger: shape.Stagger}
	for i := range shape.Users {
		role := Role{App: i % max(shape.Apps, 1)}
		if i >= shape.Existing && !shape.Plain {
			d := g.newUser()
			g.seen.add(d.marks)
			role.Body, role.Refusable = d.body, d.refusable
		}
		g.story.Users = append(g.story.Users, role)
	}
	g.dry = newDryRun(g.story, g.choices)
	for role := 1; role <= shape.Users; role++ {
		g.dry.create(context.Background(), role)
	}
	g.dry.target.sent.Writes -= shape.Existing
}

// world is what the story has made so far.
func (g *Generator) world() *World { return g.dry.world() }

// left returns what the story can still take, without its end.
func (g *Generator) left() Cost {
	const ofHub = 8 // reads of a user whom most steps are about
	ending := Cost{Reads: 7*g.shape.Again + 2*len(g.story.Users) + ofHub*min(hubs, len(g.story.Users)) + g.shape.Waits*ofHub*len(g.story.Users), Writes: len(g.story.Users) / 4}
	if g.deleted < g.shape.Deleted {
		ending.Reads += len(g.world().users)
	}
	return g.shape.Budget.Minus(g.dry.cost()).Minus(ending)
}

// spent returns how much of the budget is used, from 0 to 1.
func (g *Generator) spent() float64 {
	left, all := g.left(), g.shape.Budget
	part := func(left, all int) float64 { return 1 - float64(max(left, 0))/float64(max(all, 1)) }
	return max(part(left.Writes, all.Writes), part(left.Reads, all.Reads))
}

// play adds steps to the story.
func (g *Generator) play(steps ...Step) {
	g.story.Steps = append(g.story.Steps, steps...)
	g.dry.story.Steps = g.story.Steps
	from := len(g.story.Steps) - len(steps)
	for i := from; i < len(g.story.Steps); {
		n := g.story.group(i)
		g.dry.index = i
		for _, s := range g.story.Steps[i : i+n] {
			g.note(s)
		}
		if n > 1 {
			g.dry.race(context.Background(), g.story.Steps[i:i+n])
			g.dry.worlds = g.dry.worlds[:1]
		} else {
			g.dry.perform(context.Background(), g.story.Steps[i])
		}
		i += n
	}
}

// note keeps that a step was taken, for what comes after it.
func (g *Generator) note(s Step) {
	a := g.action(s)
	if a.reads() || a.Name == "wait" {
		return
	}
	does := g.label(s)
	g.last = [2]int{s.User, s.Other}
	if s.Do == "post" || s.Do == "change event" {
		g.lastEvent = s.Event
	}
	g.writes[s.User] = [2]string{does, g.writes[s.User][0]}
	for _, other := range append([]int{s.Other}, s.Others...) {
		if other > 0 {
			g.between[[2]int{s.User, other}] = [2]string{does, g.between[[2]int{s.User, other}][0]}
			g.between[[2]int{other, s.User}] = [2]string{"other's " + does, g.between[[2]int{other, s.User}][0]}
		}
	}
}

// Covered returns how many things the generator's stories exercise.
func (g *Generator) Covered() int { return len(g.seen) }

// weighted returns actions, each as often as its weight says.
func weighted(all []*Action) []*Action {
	var each []*Action
	for _, a := range all {
		each = append(each, slices.Repeat([]*Action{a}, a.Weight)...)
	}
	return each
}
