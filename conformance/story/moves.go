package story

import (
	"fmt"
	"slices"
)

// move is what a generator may do next: some steps and the views that are read after them.
type move struct {
	steps, views []Step
	marks        []Mark
	values       []Mark // of the bodies
	cost         Cost
}

// step chooses the best of many moves and plays it; false if none is left that fits.
func (g *Generator) step() bool {
	const tries = 60
	var best move
	most := 0.0
	left := g.left()
	for range tries {
		m, ok := g.draw()
		if !ok || !m.cost.Within(left) {
			continue
		}
		if worth := g.worth(m, left); worth > most {
			best, most = m, worth
		}
	}
	if most == 0 {
		return false
	}
	g.seen.add(best.marks)
	g.seen.add(best.values)
	g.play(best.steps...)
	g.play(best.views...)
	return true
}

// worth is what is new about a move, for the share of what is left that it takes.
func (g *Generator) worth(m move, left Cost) float64 {
	share := func(cost, left int) float64 { return float64(cost) / float64(max(left, 1)) }
	gain := float64(g.seen.fresh(m.marks)) + float64(g.seen.fresh(m.values))/4
	return gain / (share(m.cost.Writes, left.Writes) + share(m.cost.Reads, left.Reads) + share(m.cost.Deletes, left.Deletes) + 1e-6)
}

// pick draws two users, of whom the other is often the first one, whom most are to be connected to.
func (g *Generator) pick() (user, other int) {
	n := len(g.story.Users)
	user, other = 1+g.IntN(n), 1+g.IntN(n)
	if n > 4 && g.IntN(2) == 0 {
		other = 1 + g.IntN(3)
	}
	if user == other {
		other = 1 + other%n
	}
	if g.IntN(3) == 0 {
		user, other = other, user
	}
	return user, other
}

// draw draws a move: a step, the same step three times, or two at the same time.
func (g *Generator) draw() (move, bool) {
	s, values, ok := g.drawStep()
	if !ok {
		return move{}, false
	}
	steps := []Step{s}
	m := move{steps: steps, values: values, marks: g.marks(s)}
	switch kind := g.IntN(10); {
	case kind < g.shape.Races:
		beside, more, ok := g.drawStep()
		if !ok || !g.together(s, beside) {
			return move{}, false
		}
		if s.Beside = true; g.label(beside) == "" {
			return move{}, false
		}
		m.steps, m.values = []Step{s, beside}, append(m.values, more...)
		m.marks = append(m.marks, Mark{g.label(s), "at the same time as " + sharing(s, beside), g.label(beside)}, Mark{g.label(s), "at the same time", ""}, Mark{g.label(beside), "at the same time", ""})
	case kind == 9:
		if s.Do == "log in" || s.Do == "create" || s.Do == "delete user" || s.Session > 0 {
			break
		}
		m.steps = g.thrice(s)
		m.marks = append(m.marks, Mark{g.label(s), "thrice", ""})
	}
	g.addViews(&m)
	for _, each := range append(slices.Clone(m.steps), m.views...) {
		m.cost = m.cost.Plus(g.costOf(each))
	}
	return m, true
}

// thrice repeats a step. What is created gets a label of its own.
func (g *Generator) thrice(s Step) []Step {
	all := []Step{s, s, s}
	if s.Do == "post" {
		for i := range all {
			all[i].Event = g.label1()
		}
	}
	return all
}

// together reports whether two steps can be sent at the same time, and concern the same users.
func (g *Generator) together(one, other Step) bool {
	if one.In > 0 || other.In > 0 || one.Do == "create" || other.Do == "create" {
		return false
	}
	if !slices.ContainsFunc(one.roles(), func(role int) bool { return slices.Contains(other.roles(), role) }) {
		return false
	}
	return !g.dry.player.table[one.Do].reads() || !g.dry.player.table[other.Do].reads()
}

// sharing tells which users two steps share.
func sharing(one, other Step) string {
	return fmt.Sprint(one.User == other.User, one.Other > 0 && one.Other == other.Other, one.Other == other.User, other.Other == one.User, one.Event == other.Event)
}

// addViews adds the views that are new after a move.
func (g *Generator) addViews(m *move) {
	var fresh []Step
	known := map[Mark]bool{}
	for _, s := range m.steps {
		a := g.dry.player.table[s.Do]
		if a.Views == nil {
			continue
		}
		for _, view := range a.Views(g.world(), s) {
			mark := g.seenIn(view, s)
			if g.seen[mark] == 0 && !known[mark] && !slices.ContainsFunc(fresh, func(o Step) bool { return sameStep(o, view) }) {
				known[mark] = true
				fresh = append(fresh, view)
				m.marks = append(m.marks, mark)
			}
		}
	}
	most := g.shape.Views
	if slices.ContainsFunc(m.steps, func(s Step) bool { return s.Do == "delete user" }) {
		most *= 5
	}
	g.Shuffle(len(fresh), func(i, j int) { fresh[i], fresh[j] = fresh[j], fresh[i] })
	m.views = fresh[:min(len(fresh), most)]
	for _, view := range fresh[len(m.views):] { // of those that are not read
		m.marks = slices.DeleteFunc(m.marks, func(mark Mark) bool {
			return slices.ContainsFunc(m.steps, func(s Step) bool { return mark == g.seenIn(view, s) })
		})
	}
}

// sameStep reports whether two reads are the same.
func sameStep(a, b Step) bool {
	return a.Do == b.Do && a.User == b.User && a.Other == b.Other && a.By == b.By && a.How == b.How && a.Session == b.Session && a.Former == b.Former && a.In == b.In
}

// costOf estimates the requests of a step, with a login if its user has no session.
func (g *Generator) costOf(s Step) Cost {
	var c Cost
	switch a := g.dry.player.table[s.Do]; {
	case a.Name == "wait":
	case a.reads():
		c.Reads++
	case a.At.Method() == "DELETE":
		c.Deletes++
	default:
		c.Writes++
	}
	if s.Do == "delete user" {
		c.Deletes-- // which the end would take
	}
	if who, there := g.world().who(s.User, false); there && s.Session == 0 && g.world().users[who].latest() < 0 {
		c.Writes++
	}
	return c
}

// drawStep draws a step that makes sense now: of any action, now and then with a defect.
func (g *Generator) drawStep() (Step, []Mark, bool) {
	user, other := g.pick()
	all := actions()
	a := all[g.IntN(len(all))]
	if a.reads() && g.IntN(4) > 0 || a.Name == "delete user" && g.spent() < g.late() {
		return Step{}, nil, false
	}
	plans := a.Plans(g, g.world(), user, other)
	if len(plans) == 0 {
		return Step{}, nil, false
	}
	p := plans[g.IntN(len(plans))]
	s := g.varied(p.step)
	_, ok := a.Request(g.world(), s)
	return s, p.values, ok
}

// late is how much of the budget is used before users are deleted: the more has happened to them, the
// more their deletion shows.
func (g *Generator) late() float64 { return 0.55 }

// varied returns a step with a defect, in an older session or in another application, now and then.
func (g *Generator) varied(s Step) Step {
	const often = 8
	who, there := g.world().who(s.User, false)
	a := g.dry.player.table[s.Do]
	if !there || s.Do == "create" {
		return s
	}
	u := &g.world().users[who]
	switch g.IntN(often) {
	case 0, 1: // one of its sessions, which may have ended
		if needsSession(a.At) && len(u.sessions) > 0 {
			if i := g.IntN(len(u.sessions)); u.sessions[i].label > 0 && u.sessions[i].state != Unknown {
				s.Session = u.sessions[i].label
			}
		}
	case 2:
		if g.shape.Apps > 1 && s.Session == 0 {
			s.In = 1 + (u.app+1)%g.shape.Apps
		}
	case 3:
		if fields := sortedKeys(a.Required); len(fields) > 0 && s.In == 0 && s.How == "" {
			s.Without = fields[g.IntN(len(fields))]
		}
	}
	return s
}
