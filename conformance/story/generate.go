package story

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
)

// Generator makes stories from a seed. It plays each step on an imaginary target as soon as it is
// chosen, so that it knows what the next one would meet and what the story takes. Of many steps that
// it could take it takes the one that exercises most that is new for its requests.
type Generator struct {
	*rand.Rand
	seen    Coverage // by all stories of the generator
	choices []Choices
	shape   Shape
	large   bool // large values are sent, too
	dry     dryRun
	story   Story
	labels  int               // of events and sessions
	writes  map[int][2]string // by role: its latest writes, the latest first
	between map[[2]int][2]string
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
	Follows  int  // up to how many followers it has
	Large    bool // with large values
	Waits    int  // how often time passes before everything is read again, long each time
	Stagger  int
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
	return &Generator{Rand: rand.New(rand.NewPCG(seed, 1)), seen: seen, choices: choices}
}

// Story returns a story of a shape.
func (g *Generator) Story(shape Shape) Story {
	g.begin(shape)
	g.grow()
	for g.step() {
	}
	g.end()
	return g.story
}

// begin starts a story with its users.
func (g *Generator) begin(shape Shape) {
	g.shape, g.large = shape, shape.Large
	g.writes, g.between, g.labels = map[int][2]string{}, map[[2]int][2]string{}, 0
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
	ending := Cost{Reads: 2 * len(g.world().users)}
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
	for _, s := range steps {
		g.story.Steps = append(g.story.Steps, s)
	}
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
	a := g.dry.player.table[s.Do]
	if a.reads() || a.Name == "wait" {
		return
	}
	does := g.label(s)
	g.writes[s.User] = [2]string{does, g.writes[s.User][0]}
	for _, other := range append([]int{s.Other}, s.Others...) {
		if other > 0 {
			g.between[[2]int{s.User, other}] = [2]string{does, g.between[[2]int{s.User, other}][0]}
			g.between[[2]int{other, s.User}] = [2]string{"other's " + does, g.between[[2]int{other, s.User}][0]}
		}
	}
}

// label names what a step does, as far as coverage tells steps apart.
func (g *Generator) label(s Step) string {
	a := g.dry.player.table[s.Do]
	name := s.Do
	for _, part := range []string{s.Type, s.How, s.By} {
		if part != "" {
			name += " " + part
		}
	}
	if s.Do == "update" && s.How == "" {
		for _, field := range []string{"password", "user_name"} {
			if _, there := s.Body[field]; there {
				name += " " + field
			}
		}
	}
	if len(s.Body) == 1 && s.Do == "change event" {
		for field := range s.Body {
			name += " " + field
		}
	}
	if who, there := g.world().who(s.User, false); !there || who < 0 {
		return name
	}
	if _, ok := a.Request(g.world(), s); !ok {
		return name
	}
	if e, why := a.expected(g.world(), s); e.Status == 0 && !a.reads() || why == byEndedSession || why == byOtherApp {
		name += fmt.Sprint(" refused ", why)
	}
	return name
}

// history tells how one user came to be connected to another.
func (g *Generator) history(user, other int) string {
	if user == other {
		return "itself"
	}
	h := g.between[[2]int{user, other}]
	return h[0] + ", " + h[1]
}

// circumstance tells how two users are connected.
func (g *Generator) circumstance(user, other int) string {
	w := g.world()
	a, there := w.who(user, false)
	b, known := w.who(other, false)
	if !there || !known {
		return ""
	}
	one, back := w.relation(pair{a, b}), w.relation(pair{b, a})
	return fmt.Sprintf("%d%d%v-%d%d %v", one.follow, one.asked, one.ended > 0, back.follow, back.asked, w.users[b].lives())
}

// marks returns what a step would exercise itself.
func (g *Generator) marks(s Step) []Mark {
	does := g.label(s)
	w := g.world()
	who, _ := w.who(s.User, false)
	all := []Mark{{does, "", ""}, {does, "after", g.writes[s.User][0]}, {does, "after", g.writes[s.User][0] + ", " + g.writes[s.User][1]}}
	if s.Session > 0 && s.Do != "log in" {
		all = append(all, Mark{s.Do, "in a session of its own", ""})
	}
	for _, other := range append([]int{s.Other}, s.Others...) {
		if other == 0 {
			continue
		}
		h := g.between[[2]int{s.User, other}]
		all = append(all, Mark{does, g.circumstance(s.User, other), ""}, Mark{does, "between", h[0]}, Mark{does, "between", g.history(s.User, other)})
	}
	switch s.Do {
	case "post":
		all = append(all, Mark{does, "events", fmt.Sprint(doubled(len(w.eventsOf(who))))})
	case "change event", "delete event":
		which, _ := w.eventOf(s)
		events := w.eventsOf(who)
		place := slices.Index(events, which)
		where := "middle"
		if place == 0 {
			where = "first"
		} else if place == len(events)-1 {
			where = "last"
		}
		all = append(all, Mark{s.Do, where, fmt.Sprint(len(events) > 1, w.events[which].changed > 0)})
	case "log in", "log out":
		all = append(all, Mark{does, "sessions", fmt.Sprint(doubled(len(w.users[who].sessions)))})
	}
	return all
}

// seenIn returns what a view after a step would exercise.
func (g *Generator) seenIn(view, s Step) Mark {
	name := view.Do
	if view.Other > 0 {
		name += " of another"
	}
	for _, part := range []string{view.By, view.How} {
		if part != "" {
			name += " " + part
		}
	}
	with := s.User
	if view.User == s.User {
		with = s.owner()
	}
	return Mark{name, g.label(s), g.history(view.User, with)}
}

// Covered returns how many things the generator's stories exercise.
func (g *Generator) Covered() int { return len(g.seen) }
