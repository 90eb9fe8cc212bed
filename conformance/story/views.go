package story

// viewsOfNew are the reads of a user that was just created; of one that has another's names, too,
// those that showed the other.
func viewsOfNew(w *World, s Step) []Step {
	all := []Step{own("see me", s.User)}
	if s.How == again {
		all = append(all, own("see feed", s.User), own("see followers", s.User))
		if former, there := w.who(s.User, true); there {
			for _, reader := range w.rolesOf(w.users[former].app) {
				if who, _ := w.who(reader, false); reader != s.User && w.relation(pair{who, former}).atDeletion != nil {
					all = append(all, own("see feed", reader), own("see follows", reader))
				}
			}
			all = append(all, Step{Do: "log in", User: s.User, Former: true})
		}
	}
	return all
}

// viewsOfUpdate are the reads that show a user's fields: its record, lists that it is in, searches and
// logins.
func viewsOfUpdate(w *World, s Step) []Step {
	who, _ := w.who(s.User, false)
	all := []Step{own("see me", s.User), own("see me", s.User)}
	stranger := 0
	for _, viewer := range w.rolesOf(w.users[who].app) {
		other, _ := w.who(viewer, false)
		p := pair{other, who}
		switch {
		case viewer == s.User:
		case w.relation(p).follow == Yes:
			all = append(all, own("see follows", viewer), own("see feed", viewer))
		case w.friends(p) == Yes:
			all = append(all, own("see friends", viewer))
		case w.relation(p.reversed()).follow == Yes:
			all = append(all, own("see followers", viewer))
		}
		if viewer != s.User {
			stranger = viewer
		}
	}
	if stranger > 0 {
		all = append(all, of("see user", stranger, s.User))
		for _, by := range []string{"first_name", "user_name"} {
			search := Step{Do: "search", User: stranger, Other: s.User, By: by}
			former := search
			former.How = formerTerm
			all = append(all, search, former)
		}
	}
	return append(all, own("log in", s.User), Step{Do: "log in", User: s.User, How: formerSecret}, Step{Do: "log in", User: s.User, By: "email"})
}

// viewsOfDeletion are the reads in which a deleted user could still show.
func viewsOfDeletion(w *World, s Step) []Step {
	who, _ := w.who(s.User, false)
	var all []Step
	for _, reader := range w.rolesOf(w.users[who].app) {
		other, _ := w.who(reader, false)
		r := w.relation(pair{other, who})
		if reader == s.User || w.neverConnected(pair{other, who}) && r.atDeletion == nil {
			continue
		}
		all = append(all, own("see feed", reader), own("see follows", reader), own("see followers", reader), own("see friends", reader))
	}
	for _, viewer := range w.rolesOf(w.users[who].app) {
		if viewer != s.User {
			all = append(all, of("see user", viewer, s.User), Step{Do: "search", User: viewer, Other: s.User, By: "user_name"}, of("see followers", viewer, s.User))
			break
		}
	}
	all = append(all, Step{Do: "log in", User: s.User}, Step{Do: "log in", User: s.User, By: "email"})
	for _, session := range w.users[who].sessions {
		if session.label > 0 {
			all = append(all, Step{Do: "see me", User: s.User, Session: session.label})
		}
	}
	return all
}

// rolesOf returns the roles of an application whose users live.
func (w *World) rolesOf(app int) []int {
	var all []int
	for role := 1; role < len(w.holders); role++ {
		if who, there := w.who(role, false); there && w.users[who].app == app && w.users[who].lives() {
			all = append(all, role)
		}
	}
	return all
}

// appOf returns the application of a role that has a user.
func (w *World) appOf(role int) int {
	if who, there := w.who(role, false); there {
		return w.users[who].app
	}
	return 0
}

// viewsOfEvents are the feeds that a user's events may be in, and one that they must not be in.
func viewsOfEvents(w *World, s Step) []Step {
	owner, there := w.who(s.owner(), false)
	if !there {
		return nil
	}
	var all []Step
	stranger := 0
	for _, reader := range w.rolesOf(w.users[owner].app) {
		who, _ := w.who(reader, false)
		p := pair{who, owner}
		r := w.relation(p)
		switch {
		case r.follow != No || w.friends(p) != No || r.ended > 0:
			all = append(all, own("see feed", reader))
		case who != owner && stranger == 0:
			stranger = reader
		}
	}
	if stranger > 0 {
		all = append(all, own("see feed", stranger))
	}
	return all
}

// connectionViews are the reads that a connection between two users shows in.
func (w *World) connectionViews(user, other int) []Step {
	all := []Step{own("see feed", user), own("see follows", user), own("see followers", other), own("see friends", user), own("see friends", other), own("see feed", other)}
	for _, viewer := range w.rolesOf(w.appOf(user)) {
		if viewer != user && viewer != other {
			all = append(all, of("see follows", viewer, user), of("see followers", viewer, other), of("see friends", viewer, user))
			break
		}
	}
	return append(all, own("see followers", user), own("see follows", other))
}

func viewsOfConnection(w *World, s Step) []Step { return w.connectionViews(s.User, s.Other) }

func viewsOfDisconnection(w *World, s Step) []Step {
	return append(w.connectionViews(s.User, s.Other), of("see user", s.User, s.Other))
}

func viewsOfLogin(w *World, s Step) []Step {
	if s.Former || s.In > 0 || s.How == formerSecret {
		return nil
	}
	return append([]Step{own("see me", s.User)}, w.sessionViews(s.User)...)
}

// sessionViews are reads of the user in each of its labelled sessions.
func (w *World) sessionViews(role int) []Step {
	who, there := w.who(role, false)
	if !there {
		return nil
	}
	var all []Step
	for _, session := range w.users[who].sessions {
		if session.label > 0 && session.state != Unknown {
			all = append(all, Step{Do: "see me", User: role, Session: session.label})
		}
	}
	return all
}

func viewsOfLogout(w *World, s Step) []Step { return w.sessionViews(s.User) }
