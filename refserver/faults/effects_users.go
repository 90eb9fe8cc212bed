package faults

import (
	"cmp"
	"fmt"

	"github.com/socialfeed/conform/refserver/store"
)

// userUpdates changes what an update makes of its user.
func userUpdates(change func(l look, was User, now *User)) effect {
	return func(s *overrides) {
		update := s.updateUser
		s.updateUser = func(app App, id ID, asked func(*User)) (User, error) {
			return update(app, id, func(user *User) {
				was := *user
				asked(user)
				change(s.look(app, id, 0), was, user)
			})
		}
	}
}

// reading changes what reading users by their ids finds.
func reading(change func(l look, user User, err error) (User, error)) effect {
	return func(s *overrides) {
		read := s.user
		s.user = func(app App, id ID) (User, error) {
			user, err := read(app, id)
			return change(s.look(app, 0, id), user, err)
		}
	}
}

// records changes how users are read by their ids.
func records(change func(l look, user *User)) effect {
	return reading(func(l look, user User, err error) (User, error) {
		if err == nil {
			change(l, &user)
		}
		return user, err
	})
}

// recordsStay goes on showing deleted users where they are read by their ids.
func recordsStay(where when) effect {
	return reading(func(l look, user User, err error) (User, error) {
		if gone := l.last(deleted, l.other, 0); gone.n > 0 {
			l.gone, l.until = gone, gone.n
			if where(l.on(gone.user)) {
				return gone.user, nil
			}
		}
		return user, err
	})
}

// loginsFail has logins of who is there find nobody: the look is at the user, and what is given is its term.
func loginsFail(by attribute, where when) effect {
	return loggingIn(func(l look, name, email string, _ []byte, user User, err error) (User, error) {
		l.me, l.user, l.term = user.ID, user, name
		if isEmail(by) {
			l.term = email
		}
		if err == nil && l.term != "" && (!isEmail(by) || name == "") && where(l) {
			return User{}, fmt.Errorf("user %w", store.ErrNotFound)
		}
		return user, err
	})
}

func isEmail(by attribute) bool { return by(User{Email: "@"}) != "" }

// loggingIn changes the user that a login finds.
func loggingIn(change func(l look, name, email string, password []byte, user User, err error) (User, error)) effect {
	return func(s *overrides) {
		identify := s.identify
		s.identify = func(app App, name, email string, password []byte) (User, error) {
			user, err := identify(app, name, email, password)
			return change(s.look(app, 0, 0), name, email, password, user, err)
		}
	}
}

// loginsAs has logins that find nobody try the names of others: as says by which names a login goes on.
func loginsAs(as func(l look, name, email string) (otherName, otherEmail string)) effect {
	return loggingIn(func(l look, name, email string, password []byte, user User, err error) (User, error) {
		for _, other := range l.everyone() {
			otherName, otherEmail := as(l.on(other), name, email)
			if bearer, unknown := l.store.Identify(l.app, otherName, otherEmail, password); err != nil && otherName+otherEmail != "" && unknown == nil {
				return bearer, nil
			}
		}
		return user, err
	})
}

// given says which names a login goes by.
type given func(name, email string) bool

func byUserName(name, _ string) bool  { return name != "" }
func byEmail(name, email string) bool { return name == "" && email != "" }
func byEither(string, string) bool    { return true }

// passwordsTaken logs users in with wrong passwords: the look is of the user of the given name, and its term is
// the name.
func passwordsTaken(by given, taken func(l look, password []byte) bool) effect {
	return loggingIn(func(l look, name, email string, password []byte, user User, err error) (User, error) {
		for _, bearer := range l.everyone() {
			l.me, l.user, l.term = bearer.ID, bearer, cmp.Or(name, email)
			if err != nil && by(name, email) && (name != "" && bearer.UserName == name || name == "" && bearer.Email == email) && taken(l, password) {
				return bearer, nil
			}
		}
		return user, err
	})
}

// seen is a user as one of its sessions saw it last: at its login, or when it updated the user.
func (l look) seen(id ID, token string) User {
	login := newest(l.named(loggedIn, token))
	seen := login.user
	for _, update := range l.since(login, updated, id, 0) {
		if l.then(update).session(id) == token {
			seen = update.user
		}
	}
	return seen
}

// sessionsLast goes on serving sessions after their logout, as long as their user is there: the term is the token.
func sessionsLast(where when) effect {
	return func(s *overrides) {
		session := s.session
		s.session = func(app App, token string) (ID, error) {
			id, err := session(app, token)
			l := s.look(app, 0, 0)
			l.gone, l.term = newest(l.named(loggedOut, token)), token
			if l.me = l.gone.by; err != nil && token != "" && l.there(l.me) && where(l) {
				return l.me, nil
			}
			return id, err
		}
	}
}

// sessionsOpen serves sessions that are none as those of users who are there: the term is the token.
func sessionsOpen(whose func(l look) ID) effect {
	return func(s *overrides) {
		session := s.session
		s.session = func(app App, token string) (ID, error) {
			id, err := session(app, token)
			l := s.look(app, 0, 0)
			l.term = token
			if err == nil {
				return id, nil
			}
			if other := whose(l); other != 0 && l.there(other) {
				return other, nil
			}
			return id, err
		}
	}
}

// logoutsFail answers logouts that do nothing: the term is the token.
func logoutsFail(where when) effect {
	return func(s *overrides) {
		end := s.closeSession
		s.closeSession = func(app App, token string) error {
			id, err := s.Session(app, token)
			l := s.look(app, id, 0)
			if l.term = token; err == nil && where(l) {
				return nil
			}
			return end(app, token)
		}
	}
}

// logoutsEnd has logouts end other sessions than their own: the term is the token of that.
func logoutsEnd(which func(l look) string) effect {
	return func(s *overrides) {
		end := s.closeSession
		s.closeSession = func(app App, token string) error {
			id, err := s.Store.Session(app, token)
			l := s.look(app, id, 0)
			if l.term = token; err == nil {
				token = which(l)
			}
			return end(app, token)
		}
	}
}

// sessionsRefused opens no sessions for some users.
func sessionsRefused(where when) effect {
	return func(s *overrides) {
		open := s.openSession
		s.openSession = func(app App, id ID, verified []byte) (string, User, error) {
			if where(s.look(app, id, 0)) {
				return "", User{}, store.ErrStale
			}
			return open(app, id, verified)
		}
	}
}

// updatesAnswered changes the answers to updates of users.
func updatesAnswered(change func(l look, user *User)) effect {
	return func(s *overrides) {
		update := s.updateUser
		s.updateUser = func(app App, id ID, asked func(*User)) (User, error) {
			l := s.look(app, id, 0)
			l.until = s.journal.next()
			user, err := update(app, id, asked)
			if err == nil {
				change(l, &user)
			}
			return user, err
		}
	}
}

// newUsers changes users before they are kept.
func newUsers(change func(l look, user *User)) effect {
	return func(s *overrides) {
		create := s.createUser
		s.createUser = func(app App, user User) (User, error) {
			change(s.look(app, 0, 0), &user)
			return create(app, user)
		}
	}
}

// creating adds an effect to the creation of a user; the look is of that user.
func creating(more func(l look)) effect {
	return func(s *overrides) {
		create := s.createUser
		s.createUser = func(app App, user User) (User, error) {
			until := s.journal.next()
			made, err := create(app, user)
			if l := s.look(app, made.ID, 0); err == nil {
				l.user, l.until = made, until
				more(l)
			}
			return made, err
		}
	}
}

// deletionsFail refuses deletions of users.
func deletionsFail(said error, where when) effect {
	return func(s *overrides) {
		remove := s.deleteUser
		s.deleteUser = func(app App, id ID) error {
			if where(s.look(app, id, 0)) {
				return said
			}
			return remove(app, id)
		}
	}
}

// updatesFail refuses updates of users.
func updatesFail(said error, where when) effect {
	return func(s *overrides) {
		update := s.updateUser
		s.updateUser = func(app App, id ID, change func(*User)) (User, error) {
			if where(s.look(app, id, 0)) {
				return User{}, said
			}
			return update(app, id, change)
		}
	}
}

// openSessions are the tokens of who looks that were not logged out, in order.
func (l look) openSessions() (tokens []string) {
	for _, login := range l.all(loggedIn, l.me, 0) {
		if len(l.named(loggedOut, login.text)) == 0 {
			tokens = append(tokens, login.text)
		}
	}
	return tokens
}
