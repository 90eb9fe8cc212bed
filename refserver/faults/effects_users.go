package faults

import (
	"cmp"
)

// userUpdates changes what an update makes of its user.
func userUpdates(change func(l look, was User, now *User)) effect {
	return given(toUpdate, func(c *step) {
		asked := c.change
		c.change = func(user *User) {
			was := *user
			asked(user)
			change(c.look, was, user)
		}
	})
}

// reading changes what reading users by their ids finds: the user of the call.
func reading(change func(c *step, err error) error) effect {
	return around(toRead, func(c *step) error { return change(c, c.do()) })
}

// records changes how users are read by their ids.
func records(change func(l look, user *User)) effect {
	return after(toRead, func(c *step) { change(c.now(), &c.user) })
}

// recordsStay goes on showing deleted users where they are read by their ids.
func recordsStay(where when) effect {
	return reading(func(c *step, err error) error {
		l := c.look
		if l.gone = l.last(deleted, l.other, 0); l.gone.n > 0 {
			l.until = l.gone.n
			if where(l.on(l.gone.user)) {
				c.user = l.gone.user
				return nil
			}
		}
		return err
	})
}

// loginsFail has logins of who is there find nobody: the look is at the user, and what is given is its term.
func loginsFail(by attribute, where when) effect {
	return loggingIn(func(c *step, err error) error {
		l := c.look
		l.me, l.term = l.user.ID, c.name
		if isEmail(by) {
			l.term = c.email
		}
		if err == nil && l.term != "" && (!isEmail(by) || c.name == "") && where(l) {
			return unfound("user")
		}
		return err
	})
}

func isEmail(by attribute) bool { return by(User{Email: "@"}) != "" }

// loggingIn changes the user that a login finds: that of the call.
func loggingIn(change func(c *step, err error) error) effect {
	return around(toIdentify, func(c *step) error { return change(c, c.do()) })
}

// loginsAs has logins that find nobody try the names of others: as says by which names a login goes on.
func loginsAs(as func(l look, name, email string) (otherName, otherEmail string)) effect {
	return loggingIn(func(c *step, err error) error {
		for _, other := range c.everyone() {
			name, email := as(c.on(other), c.name, c.email)
			if bearer, unknown := c.store.Identify(c.app, name, email, c.password); err != nil && name+email != "" && unknown == nil {
				c.user = bearer
				return nil
			}
		}
		return err
	})
}

// names says which names a login goes by.
type names func(name, email string) bool

func byUserName(name, _ string) bool  { return name != "" }
func byEmail(name, email string) bool { return name == "" && email != "" }
func byEither(string, string) bool    { return true }

// passwordsTaken logs users in with wrong passwords: the look is of the user of the given name, and its term is
// the name.
func passwordsTaken(by names, taken func(l look, password []byte) bool) effect {
	return loggingIn(func(c *step, err error) error {
		for _, bearer := range c.everyone() {
			l := c.on(bearer)
			l.me, l.term = bearer.ID, cmp.Or(c.name, c.email)
			named := c.name != "" && bearer.UserName == c.name || c.name == "" && bearer.Email == c.email
			if err != nil && named && by(c.name, c.email) && taken(l, c.password) {
				c.user = bearer
				return nil
			}
		}
		return err
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
	return sessionsOpen(func(l look) ID {
		l.gone = newest(l.named(loggedOut, l.term))
		if l.me = l.gone.by; l.term != "" && l.there(l.me) && where(l) {
			return l.me
		}
		return 0
	})
}

// sessionsOpen serves sessions that are none as those of users who are there: the term is the token.
func sessionsOpen(whose func(l look) ID) effect {
	return around(toUse, func(c *step) error {
		l, err := c.look, c.do()
		if err == nil {
			return nil
		}
		if other := whose(l); other != 0 && l.there(other) {
			c.me = other
			return nil
		}
		return err
	})
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
