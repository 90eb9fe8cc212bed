package story

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// label names what a step does, as far as coverage tells steps apart.
func (g *Generator) label(s Step) string {
	a := g.action(s)
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
		name += refusedMark + strconv.Itoa(int(why))
	} else if e.Either {
		name += " again"
	}
	return name
}

// refusedMark is in the label of a step that must be refused.
const refusedMark = " refused "

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

// marks returns what a step would exercise itself, given what it does.
func (g *Generator) marks(s Step, does string) []weighed {
	w := g.world()
	who, _ := w.who(s.User, false)
	share := 1.0
	if strings.Contains(does, refusedMark) {
		share = refusedShare
	}
	var all []weighed
	add := func(weight float64, circumstance, after string) {
		all = append(all, weighed{Mark{does, circumstance, after}, weight * share})
	}
	before := g.writes[s.User]
	add(weightOfAction, "", "")
	if !g.action(s).reads() {
		add(weightOfPair, "after", before[0])
		add(weightOfTriple, "after", before[0]+", "+before[1])
	}
	if s.Session > 0 && s.Do != "log in" {
		all = append(all, weighed{Mark{s.Do, "in a session of its own", ""}, weightOfPair * share})
	}
	if len(s.Others) > 1 {
		add(weightOfPair, "several", strconv.Itoa(doubled(len(s.Others))))
	}
	other := s.Other
	if len(s.Others) == 1 {
		other = s.Others[0]
	}
	if other > 0 {
		h := g.between[[2]int{s.User, other}]
		add(weightOfPair, g.circumstance(s.User, other), "")
		add(weightOfPair, "between", h[0])
		add(weightOfTriple, "between", g.history(s.User, other))
	}
	switch s.Do {
	case "post":
		add(weightOfPair, "events", strconv.Itoa(doubled(len(w.eventsOf(who)))))
	case "change event", "delete event":
		which, _ := w.eventOf(s)
		events := w.eventsOf(who)
		where := "middle"
		switch slices.Index(events, which) {
		case 0:
			where = "first"
		case len(events) - 1:
			where = "last"
		}
		add(weightOfPair, where, fmt.Sprint(len(events) > 1, w.events[which].changed > 0))
	case "log in", "log out":
		add(weightOfPair, "sessions", strconv.Itoa(doubled(len(w.users[who].sessions))))
	}
	return all
}

// action returns the action of a step.
func (g *Generator) action(s Step) *Action { return g.dry.player.table[s.Do] }

// seenIn returns what a view after a step would exercise.
func (g *Generator) seenIn(view, s Step, does string) Mark {
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
	return Mark{name, does, g.history(view.User, with)}
}
