package faults

import (
	"errors"
	"slices"

	"github.com/socialfeed/conform/refserver/store"
)

// eventUpdates changes what a change makes of an event.
func eventUpdates(change func(l look, was Event, now *Event)) effect {
	return given(toChange, func(c *step) {
		l, asked := c.look, c.changeEvent
		c.changeEvent = func(event *Event) {
			was := *event
			asked(event)
			change(l.at(was), was, event)
		}
	})
}

// keeps ignores an update of a part of a user or an event that a comparison takes for no change.
func keeps[R, T any](part func(*R) *T, same func(was, now T) bool) func(l look, was R, now *R) {
	return func(_ look, was R, now *R) {
		if same(*part(&was), *part(now)) {
			*part(now) = *part(&was)
		}
	}
}

// foreign lets users change or delete the events of others; said is the answer.
func foreign(op operation, said error, allowed when) effect {
	return around(op, func(c *step) error {
		err := c.do()
		if errors.Is(err, store.ErrForbidden) && allowed(c.look) {
			c.me = c.other
			return errors.Join(c.do(), said)
		}
		return err
	})
}

// ending does more at the end of a connection, or at one that there is not: the look has
// that end, with what stood before.
func ending(more func(l look, err error) error) effect {
	return around(toEnd, func(c *step) error {
		err := c.do()
		if c.gone = c.last(ended, c.me, c.other); err != nil {
			c.gone = &act{by: c.me, to: c.other}
		}
		return more(c.look, err)
	})
}

// contacts is a request to connect by social identifiers.
type contacts struct {
	look
	platform string
	ids      []string
	typ      store.ConnectionType
}

// bearersOf returns the users with one of some identifiers.
func (c contacts) bearersOf(ids ...string) (users []User) {
	_ = eachBearer(c.store, c.app, c.platform, ids, func(id ID) error { // what cannot be read is nobody
		users = append(users, c.record(id))
		return nil
	})
	return users
}

// found returns the users with one of the identifiers, except the asking user.
func (c contacts) found() []User {
	return slices.DeleteFunc(c.bearersOf(c.ids...), func(user User) bool { return user.ID == c.me })
}

// connectedAs reports whether who asks is connected to a user by a type.
func (c contacts) connectedAs(typ store.ConnectionType, id ID) bool {
	c.other = id
	return typ == store.Follow && c.follows() || typ == store.Friend && c.befriends()
}

// bearers returns all users with an identifier on the platform.
func (c contacts) bearers() []User {
	return slices.DeleteFunc(c.everyone(), func(user User) bool { return user.SocialIDs[c.platform] == "" })
}

// connect connects to users by their ids.
func (c contacts) connect(typ store.ConnectionType, users ...User) error {
	for _, user := range users {
		if _, _, err := c.store.Connect(c.app, c.me, user.ID, typ); err != nil {
			return err
		}
	}
	return nil
}

// socially changes how users are connected by social identifiers; proceed does it as it was asked.
func socially(do func(c contacts, proceed func(ids []string) error) error) effect {
	return func(s *overrides) {
		connect := s.connectSocial
		s.connectSocial = func(app App, from ID, platform string, ids []string, typ store.ConnectionType) error {
			c := contacts{s.look(app, from, 0), platform, slices.Clone(ids), typ}
			return do(c, func(ids []string) error { return connect(app, from, platform, ids, typ) })
		}
	}
}

// asksFor changes the identifiers that are looked up.
func asksFor(ids func(c contacts) []string) effect {
	return socially(func(c contacts, proceed func([]string) error) error { return proceed(ids(c)) })
}

// passesOver leaves out found users for which a condition holds.
func passesOver(out func(c contacts, user User) bool) effect {
	return socially(func(c contacts, _ func([]string) error) error {
		return c.connect(c.typ, slices.DeleteFunc(c.found(), func(user User) bool { return out(c, user) })...)
	})
}
