package story

import (
	"maps"
	"slices"
)

// planned is a step that a generator may take, and what draws its body, nil for none.
type planned struct {
	step Step
	body func() drawn
}

func sortedKeys(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }

// label1 returns a new label of an event or a session.
func (g *Generator) label1() int {
	g.labels++
	return g.labels
}

// drawn returns the step with a body of its own, and what the body would exercise.
func (p planned) drawn() (Step, []weighed) {
	if p.body == nil {
		return p.step, nil
	}
	d := p.body()
	p.step.Body, p.step.Refusable = d.body, d.refusable
	return p.step, d.marks
}

func plain(steps ...Step) []planned {
	var all []planned
	for _, s := range steps {
		all = append(all, planned{step: s})
	}
	return all
}

func planCreate(g *Generator, w *World, user, other int) []planned {
	who, there := w.who(user, false)
	if !there || w.users[who].lives() {
		return nil
	}
	return []planned{{Step{Do: "create", User: user, How: again}, func() drawn {
		d := g.profile("create")
		d.body["password"] = password
		return d
	}}}
}

func planUpdate(g *Generator, w *World, user, other int) []planned {
	s := Step{Do: "update", User: user}
	all := []planned{{s, func() drawn { return g.profile("update") }}, {s, g.renamed}, {s, g.secret}}
	for _, how := range []string{back, unchanged, takenNames} {
		s.How, s.Other = how, 0
		if how == takenNames {
			s.Other = other
		}
		all = append(all, planned{step: s})
	}
	if g.shape.Apps > 1 {
		all = append(all, planned{step: Step{Do: "update", User: user, Other: other, How: sameNames}})
	}
	for _, way := range waysToBeSimilar() {
		all = append(all, planned{step: Step{Do: "update", User: user, How: similar, By: way}})
	}
	return all
}

func planDelete(g *Generator, w *World, user, other int) []planned {
	if len(w.rolesOf(w.appOf(user))) < 3 {
		return nil
	}
	return plain(Step{Do: "delete user", User: user})
}

func planLogin(g *Generator, w *World, user, other int) []planned {
	steps := []Step{{Do: "log in", User: user, Session: g.label1()}, {Do: "log in", User: user, By: "email", Session: g.label1()}, {Do: "log in", User: user, How: details, Session: g.label1()},
		{Do: "log in", User: user, How: formerSecret}}
	if g.shape.Apps > 1 {
		steps = append(steps, Step{Do: "log in", User: user, In: 2 - w.appOf(user)}, Step{Do: "log in", User: user, By: "email", In: 2 - w.appOf(user)})
	}
	return plain(steps...)
}

func planLogout(g *Generator, w *World, user, other int) []planned {
	steps := []Step{{Do: "log out", User: user}}
	if who, there := w.who(user, false); there {
		for _, s := range w.users[who].sessions {
			if s.label > 0 && s.state == Yes {
				steps = append(steps, Step{Do: "log out", User: user, Session: s.label})
			}
		}
	}
	return plain(steps...)
}

func planConnect(g *Generator, w *World, user, other int) []planned {
	return plain(Step{Do: "connect", User: user, Other: other, Type: follow}, Step{Do: "connect", User: user, Other: other, Type: friend})
}

func planDisconnect(g *Generator, w *World, user, other int) []planned {
	return plain(Step{Do: "disconnect", User: user, Other: other})
}

func planSocial(g *Generator, w *World, user, other int) []planned {
	var all []planned
	for _, typ := range []string{follow, friend} {
		s := Step{Do: "connect by social id", User: user, Type: typ}
		for role := range g.story.Users {
			s.Others = append(s.Others, role+1)
		}
		network := ""
		s.Others = slices.DeleteFunc(s.Others, func(role int) bool {
			from, there := w.who(user, false)
			to, known := w.who(role, false)
			if !there || !known || !w.reachable(pair{from, to}, typ) {
				return true
			}
			on, _, certain := w.users[to].socialID(network)
			network = on
			return !certain
		})
		one := s
		one.Others = []int{other}
		if all = append(all, planned{step: one}); len(s.Others) > 1 && len(s.Others) < promisedLength {
			all = append(all, planned{step: s})
		}
	}
	return all
}

func planPost(g *Generator, w *World, user, other int) []planned {
	return []planned{{Step{Do: "post", User: user, Event: g.label1()}, func() drawn { return g.event("post") }}}
}

// labelsOf returns the labels of events of a user, deleted ones too.
func (w *World) labelsOf(role int) []int {
	who, there := w.who(role, false)
	var all []int
	for i := range w.events {
		if there && w.events[i].owner == who && w.events[i].label > 0 {
			all = append(all, w.events[i].label)
		}
	}
	return all
}

func planChange(g *Generator, w *World, user, other int) []planned {
	var all []planned
	change := func() drawn { return g.event("change event") }
	for _, owner := range []int{user, user, other} {
		labels := w.labelsOf(owner)
		if len(labels) == 0 {
			continue
		}
		s := Step{Do: "change event", User: user, Event: labels[g.IntN(len(labels))]}
		if last := g.lastEvent; slices.Contains(labels, last) && g.IntN(2) == 0 {
			s.Event = last
		}
		if owner != user {
			s.Other = owner
			all = append(all, planned{s, change})
			continue
		}
		all = append(all, planned{s, change}, planned{s, func() drawn {
			d := g.event("change event")
			fields := slices.Sorted(maps.Keys(d.body))
			return d.only(fields[g.IntN(len(fields))])
		}})
		for _, how := range []string{back, unchanged, similar} {
			s.How = how
			all = append(all, planned{step: s})
		}
	}
	return all
}

func planRemove(g *Generator, w *World, user, other int) []planned {
	var all []planned
	for _, owner := range []int{user, user, other} {
		labels := w.labelsOf(owner)
		if len(labels) == 0 {
			continue
		}
		s := Step{Do: "delete event", User: user, Event: labels[g.IntN(len(labels))]}
		if owner != user {
			s.Other = owner
		}
		all = append(all, planned{step: s})
	}
	return all
}

// planRead plans reads that no write has asked for.
func planRead(name string) func(*Generator, *World, int, int) []planned {
	return func(g *Generator, w *World, user, other int) []planned {
		switch name {
		case "search":
			var steps []Step
			for _, by := range []string{"user_name", "first_name", "last_name", "email"} {
				for _, how := range []string{"", wholeTerm, upperTerm, longerTerm} {
					steps = append(steps, Step{Do: name, User: user, Other: other, By: by, How: how})
				}
			}
			return plain(append(steps, Step{Do: name, User: user, Other: other, By: "user_name", How: formerTerm})...)
		case "see user":
			return plain(of(name, user, other))
		case "see me", "see feed", "see versions":
			return plain(own(name, user))
		}
		return plain(own(name, user), of(name, user, other))
	}
}

func planWait(*Generator, *World, int, int) []planned { return nil }
