package faults

import (
	"fmt"
	"slices"

	"github.com/socialfeed/conform/refserver/store"
)

// step is an operation of the store under way. Its look is of who does it, at the other user or
// the event; the user is the one that is created or logs in, the term a session's token. do does
// it with what the call has, and puts into it what the store answers.
type step struct {
	look
	types       []store.ConnectionType // of connections that are asked for, or ended
	made        store.Connection
	isNew       bool // of the connection
	change      func(*User)
	changeEvent func(*Event)
	name, email string // of a login
	password    []byte // likewise, or verified where a session is opened
	do          func() error
}

// of reports whether connections of a type are asked for, or ended.
func (c *step) of(typ store.ConnectionType) bool { return slices.Contains(c.types, typ) }

// operation puts steps around one method of a store.
type operation func(s *overrides, do func(c *step) error)

// around puts steps around an operation.
func around(op operation, do func(c *step) error) effect {
	return func(s *overrides) { op(s, do) }
}

// fails answers with an error, or as if it were done where that is nil.
func fails(op operation, said error, where when) effect {
	return around(op, func(c *step) error {
		if where(c.look) {
			return said
		}
		return c.do()
	})
}

// after changes what is answered to a success, or does more. The look is as of before.
func after(op operation, more func(c *step)) effect {
	return around(op, func(c *step) error {
		c.until = c.journal.next()
		err := c.do()
		if err == nil {
			more(c)
		}
		return err
	})
}

// given changes what is asked for.
func given(op operation, change func(c *step)) effect {
	return around(op, func(c *step) error {
		change(c)
		return c.do()
	})
}

// where narrows an operation.
func (op operation) where(is func(c *step) bool) operation {
	return func(s *overrides, do func(c *step) error) {
		op(s, func(c *step) error {
			if is(c) {
				return do(c)
			}
			return c.do()
		})
	}
}

// unfound says that something is not found.
func unfound(what string) error { return fmt.Errorf("%s %w", what, store.ErrNotFound) }

func toCreate(s *overrides, do func(c *step) error) {
	create := s.createUser
	s.createUser = func(app App, user User) (User, error) {
		c := &step{look: s.look(app, 0, 0)}
		c.user = user
		c.do = func() (err error) {
			c.user, err = create(app, c.user)
			c.me = c.user.ID
			return err
		}
		err := do(c)
		return c.user, err
	}
}

func toUpdate(s *overrides, do func(c *step) error) {
	update := s.updateUser
	s.updateUser = func(app App, id ID, change func(*User)) (User, error) {
		c := &step{look: s.look(app, id, 0), change: change}
		c.do = func() (err error) {
			c.user, err = update(app, id, c.change)
			return err
		}
		err := do(c)
		return c.user, err
	}
}

// toDelete has the look at the user itself.
func toDelete(s *overrides, do func(c *step) error) {
	remove := s.deleteUser
	s.deleteUser = func(app App, id ID) error {
		c := &step{look: s.look(app, id, id)}
		c.do = func() error { return remove(app, id) }
		return do(c)
	}
}

// toRead reads a user by its id: the other of the look, by nobody.
func toRead(s *overrides, do func(c *step) error) {
	read := s.user
	s.user = func(app App, id ID) (User, error) {
		c := &step{look: s.look(app, 0, id)}
		c.do = func() (err error) {
			c.user, err = read(app, id)
			return err
		}
		err := do(c)
		return c.user, err
	}
}

// toIdentify finds the user of a login.
func toIdentify(s *overrides, do func(c *step) error) {
	identify := s.identify
	s.identify = func(app App, name, email string, password []byte) (User, error) {
		c := &step{look: s.look(app, 0, 0), name: name, email: email, password: password}
		c.do = func() (err error) {
			c.user, err = identify(app, c.name, c.email, c.password)
			return err
		}
		err := do(c)
		return c.user, err
	}
}

func toOpen(s *overrides, do func(c *step) error) {
	open := s.openSession
	s.openSession = func(app App, id ID, verified []byte) (string, User, error) {
		c := &step{look: s.look(app, id, 0), password: verified}
		c.do = func() (err error) {
			c.term, c.user, err = open(app, id, verified)
			return err
		}
		err := do(c)
		return c.term, c.user, err
	}
}

// toUse finds the user of a session.
func toUse(s *overrides, do func(c *step) error) {
	session := s.session
	s.session = func(app App, token string) (ID, error) {
		c := &step{look: s.look(app, 0, 0)}
		c.term = token
		c.do = func() (err error) {
			c.me, err = session(app, c.term)
			return err
		}
		err := do(c)
		return c.me, err
	}
}

// toLogOut is without the logouts from sessions that there are not.
func toLogOut(s *overrides, do func(c *step) error) {
	end := s.closeSession
	s.closeSession = func(app App, token string) error {
		id, missing := s.Store.Session(app, token)
		c := &step{look: s.look(app, id, 0)}
		c.term = token
		c.do = func() error { return end(app, c.term) }
		if missing != nil {
			return c.do()
		}
		return do(c)
	}
}

func toConnect(s *overrides, do func(c *step) error) {
	connect := s.connect
	s.connect = func(app App, from, to ID, typ store.ConnectionType) (store.Connection, bool, error) {
		c := &step{look: s.look(app, from, to), types: []store.ConnectionType{typ}}
		c.do = func() (err error) {
			c.made, c.isNew, err = connect(app, from, to, typ)
			return err
		}
		err := do(c)
		return c.made, c.isNew, err
	}
}

func toFollow(s *overrides, do func(c *step) error) {
	operation(toConnect).where(func(c *step) bool { return c.of(store.Follow) })(s, do)
}

func toEnd(s *overrides, do func(c *step) error) {
	disconnect := s.disconnect
	s.disconnect = func(app App, from, to ID, types ...store.ConnectionType) error {
		c := &step{look: s.look(app, from, to), types: types}
		c.do = func() error { return disconnect(app, from, to, c.types...) }
		return do(c)
	}
}

// toUnfollow is the end of a follow that there is.
func toUnfollow(s *overrides, do func(c *step) error) {
	operation(toEnd).where(func(c *step) bool { return c.of(store.Follow) && c.follows() })(s, do)
}

func toPost(s *overrides, do func(c *step) error) {
	create := s.createEvent
	s.createEvent = func(app App, owner ID, event Event) (Event, error) {
		c := &step{look: s.look(app, owner, 0)}
		c.event = event
		c.do = func() (err error) {
			c.event, err = create(app, c.me, c.event)
			return err
		}
		err := do(c)
		return c.event, err
	}
}

// toChange has the look of who changes an event at its owner.
func toChange(s *overrides, do func(c *step) error) {
	update := s.updateEvent
	s.updateEvent = func(app App, user, id ID, change func(*Event)) (Event, error) {
		c := &step{look: s.atEvent(app, user, id), changeEvent: change}
		answered := Event{}
		c.do = func() (err error) {
			if answered, err = update(app, c.me, c.event.ID, c.changeEvent); err == nil {
				c.look = c.at(answered)
			}
			return err
		}
		if err := do(c); err != nil {
			return answered, err
		}
		return c.event, nil
	}
}

// toRemove has the look of who deletes an event at its owner.
func toRemove(s *overrides, do func(c *step) error) {
	remove := s.deleteEvent
	s.deleteEvent = func(app App, user, id ID) error {
		c := &step{look: s.atEvent(app, user, id)}
		c.do = func() error { return remove(app, c.me, id) }
		return do(c)
	}
}

// atEvent is the look at an event by its id.
func (s *overrides) atEvent(app App, me, id ID) look {
	l := s.look(app, me, 0)
	if post := l.last(posted, 0, id); post.n > 0 {
		return l.at(post.event)
	}
	l.event.ID = id
	return l
}
