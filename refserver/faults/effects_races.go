package faults

import (
	"slices"
	"sync"
	"time"

	"github.com/socialfeed/conform/refserver/store"
)

// window is how long an operation stays open to others, so that two at once do overlap.
// It is never held open under a lock that others wait for.
const window = 25 * time.Millisecond

// racing makes a mutation of effects on a store whose operations overlap instead of waiting for one another: a fault
// that holds one open would meet no other else.
func racing(effects ...effect) mutation {
	return breaking(append([]effect{func(s *overrides) { s.atomically = func(f func() error) error { return f() } }}, effects...)...)
}

// overlaps knows the operations of one key that are under way.
type overlaps struct {
	mu    sync.Mutex
	under map[string]*overlap
}

// overlap is a group of operations that overlap each other.
type overlap struct{ now, ever, ended int }

// during does an operation in a window. It returns how many its group has had so
// far, and how many of them had ended before it.
func (o *overlaps) during(key string, do func()) (ever, before int) {
	o.mu.Lock()
	if o.under == nil {
		o.under = map[string]*overlap{}
	}
	group := o.under[key]
	if group == nil {
		group = &overlap{}
		o.under[key] = group
	}
	group.now++
	group.ever++
	o.mu.Unlock()
	time.Sleep(window)
	do()
	o.mu.Lock()
	defer o.mu.Unlock()
	before = group.ended
	group.ended++
	if group.now--; group.now == 0 {
		delete(o.under, key)
	}
	return group.ever, before
}

// enter begins an operation that ends when what it returns is called.
func (o *overlaps) enter(key string) (end func()) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.under == nil {
		o.under = map[string]*overlap{}
	}
	if o.under[key] == nil {
		o.under[key] = &overlap{}
	}
	o.under[key].now++
	return func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		if o.under[key].now--; o.under[key].now == 0 {
			delete(o.under, key)
		}
	}
}

// open reports whether an operation is under way.
func (o *overlaps) open(key string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.under[key] != nil
}

// during does an operation in a window that is of some users or events.
func (l look) during(do func(), of ...ID) (ever, before int) {
	return l.journal.running.during(keyOf(l.app, of...), do)
}

// under reports whether an operation of some users or events is under way.
func (l look) under(of ...ID) bool { return l.journal.running.open(keyOf(l.app, of...)) }

// mark writes down something of one and another user, or of an event.
func (l look) mark(by, to ID) { l.journal.write(l.app, act{by: by, to: to}, noted) }

// marked reports whether something was marked, and no act of some kinds came after it.
func (l look) marked(by, to ID, until ...did) bool {
	mark := l.last(noted, by, to)
	return mark.n > 0 && !slices.ContainsFunc(until, func(what did) bool { return l.last(what, by, to).n > mark.n })
}

// Steps around an operation; proceed does the operation itself.

func aroundConnects(do func(l look, typ store.ConnectionType, proceed func() (isNew bool, err error)) error) effect {
	return func(s *overrides) {
		connect := s.connect
		s.connect = func(app App, from, to ID, typ store.ConnectionType) (made store.Connection, isNew bool, err error) {
			err = do(s.look(app, from, to), typ, func() (bool, error) {
				made, isNew, err = connect(app, from, to, typ)
				return isNew, err
			})
			return made, isNew, err
		}
	}
}

// aroundFollows is aroundConnects for follows.
func aroundFollows(do func(l look, proceed func() (isNew bool, err error)) error) effect {
	return aroundConnects(func(l look, typ store.ConnectionType, proceed func() (bool, error)) error {
		if typ == store.Follow {
			return do(l, proceed)
		}
		_, err := proceed()
		return err
	})
}

func aroundUnfollows(do func(l look, proceed func() error) error) effect {
	return func(s *overrides) {
		disconnect := s.disconnect
		s.disconnect = func(app App, from, to ID, types ...store.ConnectionType) error {
			proceed := func() error { return disconnect(app, from, to, types...) }
			if l := s.look(app, from, to); slices.Contains(types, store.Follow) && l.follows() {
				return do(l, proceed)
			}
			return proceed()
		}
	}
}

func aroundPosts(do func(l look, event *Event, proceed func() (Event, error)) (Event, error)) effect {
	return func(s *overrides) {
		create := s.createEvent
		s.createEvent = func(app App, owner ID, event Event) (Event, error) {
			return do(s.look(app, owner, 0), &event, func() (Event, error) { return create(app, owner, event) })
		}
	}
}

// lostPosts marks new events that follow a condition, and leaves them out of feeds.
func lostPosts(lost func(l look, proceed func() error) bool) []effect {
	return []effect{
		aroundPosts(func(l look, _ *Event, proceed func() (Event, error)) (made Event, err error) {
			if lost(l, func() error { made, err = proceed(); return err }) && err == nil {
				l.mark(0, made.ID)
			}
			return made, err
		}),
		hides(func(l look) bool { return l.marked(0, l.event.ID) }),
	}
}

func aroundRemovals(do func(l look, proceed func() error) error) effect {
	return func(s *overrides) {
		remove := s.deleteEvent
		s.deleteEvent = func(app App, owner, id ID) error {
			return do(s.atEvent(app, owner, id), func() error { return remove(app, owner, id) })
		}
	}
}

func aroundDeletions(do func(l look, proceed func() error) error) effect {
	return func(s *overrides) {
		remove := s.deleteUser
		s.deleteUser = func(app App, id ID) error {
			return do(s.look(app, id, id), func() error { return remove(app, id) })
		}
	}
}

func aroundLogouts(do func(l look, proceed func() error) error) effect {
	return func(s *overrides) {
		end := s.closeSession
		s.closeSession = func(app App, token string) error {
			id, missing := s.Store.Session(app, token)
			l := s.look(app, id, 0)
			if l.term = token; missing != nil {
				return end(app, token)
			}
			return do(l, func() error { return end(app, token) })
		}
	}
}

func aroundUpdates(do func(l look, proceed func() (User, error)) (User, error)) effect {
	return func(s *overrides) {
		update := s.updateUser
		s.updateUser = func(app App, id ID, change func(*User)) (User, error) {
			return do(s.look(app, id, 0), func() (User, error) { return update(app, id, change) })
		}
	}
}

// longDeletions has deletions of users last; a look is under them by their id.
func longDeletions() effect {
	return aroundDeletions(func(l look, proceed func() error) (err error) {
		l.during(func() { err = proceed() }, l.me)
		return err
	})
}

// staleUpdates has updates work on the user as it was a moment before.
func staleUpdates(change func(before User, user *User, asked func(*User))) effect {
	return func(s *overrides) {
		update := s.updateUser
		s.updateUser = func(app App, id ID, asked func(*User)) (User, error) {
			before := s.look(app, id, 0).record(id)
			time.Sleep(window)
			return update(app, id, func(user *User) { change(before, user, asked) })
		}
	}
}

// staleChanges has changes work on the event as it was a moment before.
func staleChanges(change func(before Event, event *Event, asked func(*Event))) effect {
	return func(s *overrides) {
		update := s.updateEvent
		s.updateEvent = func(app App, owner, id ID, asked func(*Event)) (Event, error) {
			l := s.look(app, owner, 0)
			before := l.journal.standing(app, func(event Event) bool { return event.ID == id })
			time.Sleep(window)
			return update(app, owner, id, func(event *Event) {
				if len(before) == 0 {
					asked(event)
					return
				}
				change(before[0], event, asked)
			})
		}
	}
}

// setsAside sets events aside for a reader's feed; strays shows them there.
func (l look) setsAside(reader, owner ID, events ...Event) {
	if len(events) > 0 {
		l.journal.write(l.app, act{by: reader, to: owner, events: events}, noted)
	}
}

// strays shows what was set aside for a reader, until an act of some kinds between the reader and the owner.
func strays(until ...did) effect {
	return addsSome(func(l look) (shown []Event) {
		for _, aside := range l.all(noted, l.me, 0) {
			if !slices.ContainsFunc(until, func(what did) bool {
				return l.last(what, l.me, aside.to).n > aside.n || what == deleted && !l.there(aside.to)
			}) {
				shown = append(shown, aside.events...)
			}
		}
		return shown
	})
}

// lackingIn returns the events of some that others lack.
func lackingIn(had, now []Event) []Event {
	return without(slices.Clone(had), func(event Event) bool { return holdsEvent(now, event.ID) })
}

// readersAlone returns a user's followers that are not friends.
func (l look) readersAlone(id ID) []ID {
	friends := l.friendsOf(id)
	return slices.DeleteFunc(l.followersOf(id), func(reader ID) bool { return slices.Contains(friends, reader) })
}
