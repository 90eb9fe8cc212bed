package story

import (
	"fmt"
	"slices"
	"strings"
)

// move is what a generator may do next: some steps and the views that are read after them.
type move struct {
	steps, views []Step
	marks        []weighed
	cost         Cost
}

// step chooses the best of many moves and plays it; false if none is left that fits.
func (g *Generator) step() bool {
	const tries, longest = 30, 1500
	if g.dry.lost || len(g.story.Steps) > longest {
		return false
	}
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
	g.play(best.steps...)
	g.play(best.views...)
	return true
}

// worth is what is new about a move, for the share of what is left that it takes.
func (g *Generator) worth(m move, left Cost) float64 {
	share := func(cost, left int) float64 { return float64(cost) / float64(max(left, 1)) }
	return g.seen.gain(m.marks) / (share(m.cost.Writes, left.Writes) + share(m.cost.Reads, left.Reads) + share(m.cost.Deletes, left.Deletes) + 1e-6)
}

// hubs is how many users, the first ones, most steps are about: the more has happened to a user, the
// more can come of it.
const hubs = 3

// pick draws two users: often the two of the step before, often one of the first ones.
func (g *Generator) pick() (user, other int) {
	n := len(g.story.Users)
	if g.last[0] > 0 && g.IntN(2) == 0 {
		user, other = g.last[0], g.last[1]
	} else {
		user, other = 1+g.IntN(n), 1+g.IntN(n)
		if n > hubs && g.IntN(4) > 0 {
			user = 1 + g.IntN(hubs)
		}
	}
	if user == other || other == 0 {
		other = 1 + user%n
	}
	if g.IntN(3) == 0 {
		user, other = other, user
	}
	return user, other
}

// draw draws a move: a step, the same step three times, or two at the same time.
func (g *Generator) draw() (move, bool) {
	user, other := g.pick()
	s, does, values, ok := g.drawStep(user, other)
	if !ok {
		return move{}, false
	}
	m := move{steps: []Step{s}, marks: append(values, g.marks(s, does)...)}
	kind := g.IntN(10)
	switch {
	case kind < g.shape.Races:
		switch anybody := 1 + g.IntN(len(g.story.Users)); g.IntN(4) {
		case 0: // of each other
			user, other = other, user
		case 1: // by another, on the same one
			user = anybody
		case 2: // on another
			other = anybody
		}
		beside, its, more, ok := g.drawStep(user, other)
		if !ok || !g.together(s, beside) || strings.Contains(does+its, refusedMark) {
			return move{}, false
		}
		s.Beside = true
		m.steps, m.marks = []Step{s, beside}, append(append(m.marks, more...), g.marks(beside, its)...)
		m.marks = append(m.marks, weighed{raceMark(s, beside), weightOfAction})
		g.addViews(&m, does, its)
	case kind == 9 && s.Do != "log in" && s.Do != "create" && s.Do != "delete user" && s.Session == 0:
		m.steps = g.thrice(s)
		m.marks = append(m.marks, weighed{Mark{does, "thrice", ""}, weightOfAction})
		g.addViews(&m, does)
	default:
		g.addViews(&m, does)
	}
	for _, each := range m.steps {
		m.cost = m.cost.Plus(g.costOf(each))
	}
	for _, each := range m.views {
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
	return !g.action(one).reads() && !g.action(other).reads()
}

// raceMark is what two steps at the same time exercise, either way round: what they do, and which users
// they share.
func raceMark(one, other Step) Mark {
	does, its := one.Do+" "+one.Type, other.Do+" "+other.Type
	if its < does {
		does, its = its, does
	}
	shared := fmt.Sprint(one.User == other.User, one.Other > 0 && one.Other == other.Other, one.Other == other.User || other.Other == one.User, one.Event == other.Event)
	return Mark{does, "at the same time", its + " " + shared}
}

// addViews adds the views that are new after a move, given what its steps do.
func (g *Generator) addViews(m *move, does ...string) {
	type fresh struct {
		view Step
		mark Mark
	}
	var all []fresh
	known := map[Mark]bool{}
	most := g.shape.Views
	for i, what := range does {
		s := m.steps[i]
		if s.Do == "delete user" {
			most *= 5
		}
		a := g.dry.player.table[s.Do]
		if a.Views == nil {
			continue
		}
		for _, view := range a.Views(g.world(), s) {
			if mark := g.seenIn(view, s, what); g.seen[mark] == 0 && !known[mark] {
				known[mark] = true
				all = append(all, fresh{view, mark})
			}
		}
	}
	g.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	for _, each := range all[:min(len(all), most)] {
		share := 1.0
		if strings.Contains(each.mark.Do+each.mark.Circumstance, refusedMark) {
			share = refusedShare
		}
		m.views, m.marks = append(m.views, each.view), append(m.marks, weighed{each.mark, weightOfView * share})
	}
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

// drawStep draws a step of two users that makes sense now: of any action, now and then with a defect. It returns
// what the step does, too, and what its body would exercise.
func (g *Generator) drawStep(user, other int) (s Step, does string, values []weighed, ok bool) {
	if user == other {
		return s, "", nil, false
	}
	a := g.table[g.IntN(len(g.table))]
	if a.Name == "delete user" && g.spent() < g.shape.Late {
		return s, "", nil, false
	}
	plans := a.Plans(g, g.world(), user, other)
	if len(plans) == 0 {
		return s, "", nil, false
	}
	p := plans[g.IntN(len(plans))]
	p.step = g.varied(p.step)
	if s, values = p.drawn(); a.Name == "wait" {
		return s, "", nil, false
	}
	if _, ok = a.Request(g.world(), s); !ok {
		return s, "", nil, false
	}
	return s, g.label(s), values, true
}

// varied returns a step with a defect, in an older session or in another application, now and then.
func (g *Generator) varied(s Step) Step {
	const often = 12
	who, there := g.world().who(s.User, false)
	a := g.dry.player.table[s.Do]
	if !there || s.Do == "create" {
		return s
	}
	u := &g.world().users[who]
	switch g.IntN(often) {
	case 0: // one of its sessions, which may have ended
		if needsSession(a.At) && len(u.sessions) > 0 {
			if i := g.IntN(len(u.sessions)); u.sessions[i].label > 0 && u.sessions[i].state != Unknown {
				s.Session = u.sessions[i].label
			}
		}
	case 1:
		if g.shape.Apps > 1 && s.Session == 0 {
			s.In = 1 + (u.app+1)%g.shape.Apps
		}
	case 2:
		if fields := sortedKeys(a.Required); len(fields) > 0 && s.In == 0 && s.How == "" {
			s.Without = fields[g.IntN(len(fields))]
		}
	}
	return s
}
