package faults

import (
	"errors"
	"fmt"
	"slices"

	"github.com/socialfeed/conform/refserver/store"
)

// eventUpdates changes what a change makes of an event.
func eventUpdates(change func(l look, was Event, now *Event)) effect {
	return func(s *overrides) {
		update := s.updateEvent
		s.updateEvent = func(app App, owner, id ID, asked func(*Event)) (Event, error) {
			return update(app, owner, id, func(event *Event) {
				was := *event
				asked(event)
				change(s.look(app, owner, 0).at(was), was, event)
			})
		}
	}
}

// keeps ignores an update of a part of a user or an event that a comparison takes for no change.
func keeps[R, T any](part func(*R) *T, same func(was, now T) bool) func(l look, was R, now *R) {
	return func(_ look, was R, now *R) {
		if same(*part(&was), *part(now)) {
			*part(now) = *part(&was)
		}
	}
}

// newEvents changes events before they are kept.
func newEvents(change func(event *Event)) effect {
	return func(s *overrides) {
		create := s.createEvent
		s.createEvent = func(app App, owner ID, event Event) (Event, error) {
			change(&event)
			return create(app, owner, event)
		}
	}
}

// changesFail refuses changes of events: the look is of who changes at the event's owner.
func changesFail(said error, where when) effect {
	return func(s *overrides) {
		update := s.updateEvent
		s.updateEvent = func(app App, owner, id ID, asked func(*Event)) (Event, error) {
			if l := s.atEvent(app, owner, id); where(l) {
				return Event{}, said
			}
			return update(app, owner, id, asked)
		}
	}
}

// removalsFail is the same for deletions.
func removalsFail(said error, where when) effect {
	return func(s *overrides) {
		remove := s.deleteEvent
		s.deleteEvent = func(app App, owner, id ID) error {
			if where(s.atEvent(app, owner, id)) {
				return said
			}
			return remove(app, owner, id)
		}
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

// changesAnswered changes the answers to changes of events.
func changesAnswered(change func(l look, event *Event)) effect {
	return func(s *overrides) {
		update := s.updateEvent
		s.updateEvent = func(app App, owner, id ID, asked func(*Event)) (Event, error) {
			l := s.look(app, owner, 0)
			l.until = s.journal.next()
			event, err := update(app, owner, id, asked)
			if err == nil {
				change(l.at(event), &event)
			}
			return event, err
		}
	}
}

// foreignChanges lets users change the events of others; said is the answer.
func foreignChanges(said error, allowed when) effect {
	return func(s *overrides) {
		update := s.updateEvent
		s.updateEvent = func(app App, user, id ID, change func(*Event)) (Event, error) {
			event, err := update(app, user, id, change)
			if l := s.atEvent(app, user, id); errors.Is(err, store.ErrForbidden) && allowed(l) {
				event, err := update(app, l.other, id, change)
				return event, errors.Join(err, said)
			}
			return event, err
		}
	}
}

// foreignRemovals lets users delete the events of others; said is the answer.
func foreignRemovals(said error, allowed when) effect {
	return func(s *overrides) {
		remove := s.deleteEvent
		s.deleteEvent = func(app App, user, id ID) error {
			err := remove(app, user, id)
			if l := s.atEvent(app, user, id); errors.Is(err, store.ErrForbidden) && allowed(l) {
				return errors.Join(remove(app, l.other, id), said)
			}
			return err
		}
	}
}

// connectsFail refuses connections.
func connectsFail(said error, where when) effect {
	return func(s *overrides) {
		connect := s.connect
		s.connect = func(app App, from, to ID, typ store.ConnectionType) (store.Connection, bool, error) {
			if where(s.look(app, from, to)) {
				return store.Connection{}, false, said
			}
			return connect(app, from, to, typ)
		}
	}
}

// unfound says that something is not found.
func unfound(what string) error { return fmt.Errorf("%s %w", what, store.ErrNotFound) }

// connecting changes what a new connection is answered with, or does more; the look is of who connects.
func connecting(more func(l look, typ store.ConnectionType, made *store.Connection, isNew bool)) effect {
	return func(s *overrides) {
		connect := s.connect
		s.connect = func(app App, from, to ID, typ store.ConnectionType) (store.Connection, bool, error) {
			l := s.look(app, from, to)
			l.until = s.journal.next()
			made, isNew, err := connect(app, from, to, typ)
			if err == nil {
				more(l, typ, &made, isNew)
			}
			return made, isNew, err
		}
	}
}

// ending does more at the end of a connection, or at one that there is not: the look has
// that end, with what stood before.
func ending(more func(l look, err error) error) effect {
	return func(s *overrides) {
		disconnect := s.disconnect
		s.disconnect = func(app App, from, to ID, types ...store.ConnectionType) error {
			err := disconnect(app, from, to, types...)
			l := s.look(app, from, to)
			if l.gone = l.last(ended, from, to); err != nil {
				l.gone = &act{by: from, to: to}
			}
			return more(l, err)
		}
	}
}

// endsFail answers ends of connections that are none.
func endsFail(said error, where when) effect {
	return func(s *overrides) {
		disconnect := s.disconnect
		s.disconnect = func(app App, from, to ID, types ...store.ConnectionType) error {
			if where(s.look(app, from, to)) {
				return said
			}
			return disconnect(app, from, to, types...)
		}
	}
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
