package story

import (
	"slices"
)

// grow has the first user get events, some of them alike, and looks at them each time that their
// number has doubled. Its reader follows and befriends others; its sessions become several.
func (g *Generator) grow() {
	const star, reader, others, alike = 1, 2, 3, 3
	if g.shape.Users < others || g.shape.Events == 0 {
		return
	}
	g.play(Step{Do: "connect", User: reader, Other: star, Type: follow})
	for n := 1; n <= g.shape.Events && g.left().Writes > 0; n++ {
		post, values := planPost(g, g.world(), star, reader)[0].drawn()
		g.seen.add(values)
		if before := len(g.story.Steps) - 1; n > alike && n < 2*alike { // as the one before
			post.Body, post.Refusable = g.story.Steps[before].Body, g.story.Steps[before].Refusable
		}
		if g.play(post); isPage(n) && n > alike && n != alike+1 || n == g.shape.Events {
			g.play(own("see feed", reader))
		}
	}
	for role := others; role < others+g.shape.Follows && role <= g.shape.Users; role++ {
		post, _ := planPost(g, g.world(), role, reader)[0].drawn()
		g.play(post, Step{Do: "connect", User: reader, Other: role, Type: []string{follow, friend}[role%2]})
		if n := role - others + 1; isPage(n) || n == g.shape.Follows {
			g.play(own("see feed", reader), own("see follows", reader))
		}
	}
	g.sessions(others)
}

// sessions gives a user several sessions and ends the last one, one in the middle and the first one:
// those and no others must end.
func (g *Generator) sessions(role int) {
	var labels []int
	for range g.shape.Sessions {
		labels = append(labels, g.label1())
		g.play(Step{Do: "log in", User: role, Session: labels[len(labels)-1], By: []string{"", "email"}[len(labels)%2]})
	}
	for len(labels) > 1 {
		for _, i := range []int{len(labels) - 1, 0} {
			g.play(Step{Do: "log out", User: role, Session: labels[i]}, Step{Do: "see me", User: role, Session: labels[i]})
			labels = slices.Delete(labels, i, i+1)
		}
		if len(labels) > 0 {
			g.play(Step{Do: "see me", User: role, Session: labels[0]})
		}
	}
}

// isPage reports whether so many entries are the double of a smaller number, or a page as servers like
// to show them.
func isPage(n int) bool {
	const page = 10
	return n&(n-1) == 0 || n%page == 0
}

// end reads everything: after a while if the shape says so, and in new sessions.
func (g *Generator) end() {
	for range g.shape.Waits {
		g.play(Step{Do: "wait", User: 1, How: longWait})
		g.audit(true)
	}
	if g.shape.Waits == 0 {
		g.audit(false)
	}
	g.readAgain()
}

// readAgain reads the same views of one user several times, with nothing written in between.
func (g *Generator) readAgain() {
	roles := g.world().rolesOf(0)
	if len(roles) < 2 {
		return
	}
	one, other := roles[0], roles[1]
	for range g.shape.Again {
		g.play(own("see me", one), own("see feed", one), of("see friends", other, one), of("see follows", other, one), of("see followers", other, one), of("see user", other, one), own("see follows", one))
	}
}

// audit reads the feed and the lists of each user, and with thorough everything that others see.
func (g *Generator) audit(thorough bool) {
	w := g.world()
	for app := range max(g.shape.Apps, 1) {
		roles := w.rolesOf(app)
		for i, role := range roles {
			lists := []string{"see follows", "see followers", "see friends"}
			g.play(own("see feed", role), own(lists[i%len(lists)], role))
			if thorough || role <= hubs {
				viewer := roles[(i+1)%len(roles)]
				g.play(own("see follows", role), own("see followers", role), own("see friends", role), own("see me", role), of("see user", viewer, role),
					Step{Do: "search", User: viewer, Other: role, By: "user_name"}, of("see followers", viewer, role))
			}
		}
		for role := 1; role <= len(g.story.Users); role++ {
			who, there := w.who(role, false)
			if there && w.users[who].app == app && !w.users[who].lives() && len(roles) > 0 && thorough {
				viewer := roles[g.IntN(len(roles))]
				g.play(of("see user", viewer, role), Step{Do: "search", User: viewer, Other: role, By: "user_name"}, Step{Do: "log in", User: role})
			}
		}
	}
}

// connect connects each user to the first one, each in another way: by what two users can do with each
// other, a few of it in a row. Two users at a time do so, some of it at the same time.
func (g *Generator) connect() {
	const star, first, share = 1, 3, 0.4
	seen := 0 // followers, at the latest look
	last := first
	for role := first; role < len(g.story.Users); role += 2 {
		if float64(g.left().Writes) < share*float64(g.shape.Budget.Writes) {
			break
		}
		one, other := g.bestBetween(role, star), g.bestBetween(role+1, star)
		for i := range max(len(one), len(other)) {
			var steps []Step
			for _, all := range [][]Step{one, other} {
				if i < len(all) {
					steps = append(steps, all[i])
				}
			}
			g.atOnce(steps)
			if n := g.followers(star); n > seen && isPage(n) {
				seen = n
				g.play(own("see followers", star))
			}
		}
		last = role + 1
	}
	g.play(own("see followers", star), of("see followers", last, star), own("see friends", star))
	for role := first; role <= last && g.shape.Users > 4; role++ {
		g.play(own([]string{"see follows", "see friends"}[role%2], role))
	}
}

// atOnce plays steps, those that make sense at the same time.
func (g *Generator) atOnce(steps []Step) {
	steps = slices.DeleteFunc(steps, func(s Step) bool { _, ok := g.action(s).Request(g.world(), s); return !ok })
	for i := range steps {
		g.seen.add(g.marks(steps[i], g.label(steps[i])))
		if i > 0 {
			g.seen.add([]weighed{{raceMark(steps[i-1], steps[i]), weightOfAction}})
			steps[i-1].Beside = g.shape.Races > 0
		}
	}
	g.play(steps...)
}

// bestBetween returns what is newest of what two users can do with each other in a row.
func (g *Generator) bestBetween(one, other int) []Step {
	const tries = 12
	var best []Step
	most := 0.0
	for range tries {
		steps := g.drawBetween(one, other)
		if worth := g.seen.gain(betweenMarks(steps)) / float64(len(steps)+1); worth > most {
			best, most = steps, worth
		}
	}
	g.seen.add(betweenMarks(best))
	return best
}

// followers counts the followers of a user.
func (g *Generator) followers(role int) int {
	n := 0
	who, _ := g.world().who(role, false)
	for p, r := range g.world().relations {
		if p.to == who && r.follow == Yes {
			n++
		}
	}
	return n
}

// drawBetween draws what two users do with each other.
func (g *Generator) drawBetween(one, other int) []Step {
	ways := []Step{
		{Do: "connect", User: one, Other: other, Type: follow}, {Do: "connect", User: one, Other: other, Type: friend}, {Do: "disconnect", User: one, Other: other},
		{Do: "connect", User: other, Other: one, Type: follow}, {Do: "connect", User: other, Other: one, Type: friend}, {Do: "disconnect", User: other, Other: one},
		{Do: "connect by social id", User: one, Others: []int{other}, Type: follow}, {Do: "connect by social id", User: one, Others: []int{other}, Type: friend},
		{Do: "connect", User: one, Other: other, Type: follow},
	}
	const longest = 4
	var all []Step
	for range 1 + g.IntN(longest) {
		all = append(all, ways[g.IntN(len(ways))])
	}
	return all
}

// betweenMarks returns what two users exercise by what they do with each other in a row.
func betweenMarks(steps []Step) []weighed {
	var all []weighed
	before := [2]string{}
	for _, s := range steps {
		does := s.Do + " " + s.Type
		if s.User == steps[0].User {
			does += " of the first"
		}
		all = append(all, weighed{Mark{"between two", before[0], does}, weightOfPair}, weighed{Mark{"between two", before[1] + ", " + before[0], does}, weightOfTriple})
		before = [2]string{does, before[0]}
	}
	return append(all, weighed{Mark{"between two", before[1] + ", " + before[0], "at last"}, weightOfPair})
}
