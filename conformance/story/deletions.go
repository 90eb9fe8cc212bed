package story

import (
	"slices"
)

// delete deletes users, the first one first, and reads every view of each that may show it.
func (g *Generator) delete() {
	for g.deleted < g.shape.Deleted {
		role := 1 + g.deleted
		g.deleted++
		s := Step{Do: "delete user", User: role}
		if who, there := g.world().who(role, false); !there || !g.world().users[who].lives() {
			continue
		}
		views := everyThirdList(g.action(s).Views(g.world(), s))
		g.seen.add(g.marks(s, g.label(s)))
		g.play(s)
		g.play(views[:min(len(views), max(g.left().Reads, 0))]...)
		g.lookAgain(views)
		if again := (Step{Do: "create", User: role, How: again}); g.deleted == 1 && g.left().Writes > 2 {
			if views := g.action(again).Views(g.world(), again); views != nil {
				g.play(again)
				g.play(g.action(again).Views(g.world(), again)...)
			}
		}
	}
}

// lookAgain has two users log in anew and read again what they read before.
func (g *Generator) lookAgain(views []Step) {
	const readers = 2
	again := 0
	for _, i := range g.Perm(len(views)) {
		if v := views[i]; v.Do == "see feed" && again < readers && g.left().Writes > 0 {
			again++
			label := g.label1()
			g.play(Step{Do: "log in", User: v.User, Session: label}, Step{Do: v.Do, User: v.User, Session: label})
		}
	}
}

// everyThirdList returns views with one list in three: of three that change together.
func everyThirdList(views []Step) []Step {
	lists := 0
	return slices.DeleteFunc(views, func(v Step) bool {
		if v.Other > 0 || v.Do != "see follows" && v.Do != "see followers" && v.Do != "see friends" {
			return false
		}
		lists++
		return lists%4 != 1
	})
}
