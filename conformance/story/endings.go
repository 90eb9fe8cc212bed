package story

// grow has the first user get events and followers, and looks at them each time that their number has
// doubled.
func (g *Generator) grow() {
	const star, reader = 1, 2
	if g.shape.Users < 3 {
		return
	}
	if g.shape.Events > 0 {
		g.play(Step{Do: "connect", User: reader, Other: star, Type: follow})
	}
	for n := 1; n <= g.shape.Events && g.left().Writes > 0; n++ {
		p := planPost(g, g.world(), star, reader)[0]
		g.seen.add(p.values)
		if g.play(p.step); n&(n-1) == 0 || n == g.shape.Events {
			g.play(own("see feed", reader))
		}
	}
	for n := 1; n <= min(g.shape.Follows, g.shape.Users-2) && g.left().Writes > 0; n++ {
		g.play(Step{Do: "connect", User: n + 2, Other: star, Type: follow})
		if n&(n-1) == 0 || n == g.shape.Follows {
			g.play(own("see followers", star), of("see followers", reader, star))
		}
	}
	if g.shape.Follows > 0 && g.shape.Events > 0 { // the same the other way round
		for n := 1; n <= min(g.shape.Follows, g.shape.Users-2) && g.left().Writes > 0; n++ {
			post := planPost(g, g.world(), n+2, reader)[0]
			g.play(post.step, Step{Do: "connect", User: reader, Other: n + 2, Type: []string{follow, friend}[n%2]})
			if n&(n-1) == 0 || n == g.shape.Follows {
				g.play(own("see feed", reader), own("see follows", reader), own("see friends", reader))
			}
		}
	}
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
}

// audit reads the feed and the lists of each user, and with thorough everything that others see.
func (g *Generator) audit(thorough bool) {
	w := g.world()
	for app := range max(g.shape.Apps, 1) {
		roles := w.rolesOf(app)
		for i, role := range roles {
			lists := []string{"see follows", "see followers", "see friends"}
			g.play(own("see feed", role), own(lists[(i+g.IntN(len(lists)))%len(lists)], role))
			if thorough {
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
