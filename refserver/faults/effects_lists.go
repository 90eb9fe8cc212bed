package faults

import "slices"

// list names one of a user's lists.
type list func(s *overrides) *members

func ofFollows(s *overrides) *members   { return &s.follows }
func ofFollowers(s *overrides) *members { return &s.followers }
func ofFriends(s *overrides) *members   { return &s.friends }

// lists changes what a list has; the look is that of the user whose list it is.
func (of list) changes(change func(l look, users []User) []User) effect {
	return func(s *overrides) {
		listed := *of(s)
		*of(s) = func(app App, id ID) ([]User, error) {
			users, err := listed(app, id)
			if err != nil {
				return users, err
			}
			return change(s.look(app, id, 0), users), nil
		}
	}
}

// lacks leaves users out of a list.
func (of list) lacks(out when) effect {
	return of.changes(func(l look, users []User) []User {
		return slices.DeleteFunc(users, func(user User) bool { return out(l.on(user)) })
	})
}

func (l look) on(user User) look {
	l.user, l.other = user, user.ID
	return l
}

// repeats lists users twice.
func (of list) repeats(which when) effect {
	return of.changes(func(l look, users []User) []User {
		for _, user := range users {
			if which(l.on(user)) {
				users = append(users, user)
			}
		}
		return users
	})
}

// adds lists users who are not on a list.
func (of list) adds(further func(l look) []User) effect {
	return of.changes(func(l look, users []User) []User {
		for _, user := range further(l) {
			if !slices.ContainsFunc(users, func(u User) bool { return u.ID == user.ID }) {
				users = append(users, user)
			}
		}
		return users
	})
}

// addsThose adds users by their ids, if they exist.
func (of list) addsThose(ids func(l look) []ID) effect {
	return of.adds(func(l look) (users []User) {
		for _, id := range ids(l) {
			if user := l.record(id); user.ID != 0 {
				users = append(users, user)
			}
		}
		return users
	})
}

// keeps goes on listing users after their deletion. The condition is asked as of then.
func (of list) keeps(where when) effect {
	return of.adds(func(l look) (users []User) {
		for _, gone := range l.all(deleted, 0, 0) {
			l.gone, l.until = gone, gone.n
			if where(l.on(gone.user)) {
				users = append(users, gone.user)
			}
		}
		return users
	})
}

// keepsEnded goes on listing users after the end of a connection, until there is another between both. The
// condition is asked as of then; in the look the other is who is listed, whichever of both ended it.
func (of list) keepsEnded(what did, where when) effect {
	return of.adds(func(l look) (users []User) {
		for _, gone := range slices.Concat(l.all(what, l.me, 0), l.all(what, 0, l.me)) {
			l.gone, l.until = gone, gone.n
			l.other = gone.by + gone.to - l.me
			again := l.now().reconnected() || l.now().back().reconnected()
			if user := l.record(l.other); user.ID != 0 && !again && where(l.on(user)) {
				users = append(users, user)
			}
		}
		return users
	})
}

// iEnded and theyEnded say who ended a connection that goes on being listed.
func iEnded(l look) bool    { return l.gone.by == l.me }
func theyEnded(l look) bool { return l.gone.to == l.me }

// fails answers a list with an error.
func (of list) fails(said error, where when) effect {
	return func(s *overrides) {
		listed := *of(s)
		*of(s) = func(app App, id ID) ([]User, error) {
			if where(s.look(app, id, 0)) {
				return nil, said
			}
			return listed(app, id)
		}
	}
}

// notes writes down that a list was read.
func (of list) notes() effect {
	return of.changes(func(l look, users []User) []User {
		l.journal.write(l.app, act{by: l.me}, noted)
		return users
	})
}
