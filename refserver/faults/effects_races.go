package faults

import (
	"slices"
	"sync"
	"time"
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

// lostPosts marks new events that follow a condition, and leaves them out of feeds.
func lostPosts(lost func(c *step) bool) []effect {
	return []effect{
		around(toPost, func(c *step) (err error) {
			do := c.do
			c.do = func() error { err = do(); return err }
			if lost(c) && err == nil {
				c.mark(0, c.event.ID)
			}
			return err
		}),
		hides(func(l look) bool { return l.marked(0, l.event.ID) }),
	}
}

// lasting has operations last; a look is under them by what they are of.
func lasting(op operation, of func(c *step) ID) effect {
	return around(op, func(c *step) (err error) {
		c.during(func() { err = c.do() }, of(c))
		return err
	})
}

func ofMe(c *step) ID    { return c.me }
func ofEvent(c *step) ID { return c.event.ID }

// longDeletions has deletions of users last.
func longDeletions() effect { return lasting(toDelete, ofMe) }

// staleUpdates has updates work on the user as it was a moment before.
func staleUpdates(change func(before User, user *User, asked func(*User))) effect {
	return given(toUpdate, func(c *step) {
		before, asked := c.record(c.me), c.change
		time.Sleep(window)
		c.change = func(user *User) { change(before, user, asked) }
	})
}

// staleChanges has changes work on the event as it was a moment before.
func staleChanges(change func(before Event, event *Event, asked func(*Event))) effect {
	return given(toChange, func(c *step) {
		before, asked := c.journal.standing(c.app, func(event Event) bool { return event.ID == c.event.ID }), c.changeEvent
		time.Sleep(window)
		if len(before) > 0 {
			c.changeEvent = func(event *Event) { change(before[0], event, asked) }
		}
	})
}

// setsAside sets events aside for readers' feeds; strays shows them there.
func (l look) setsAside(readers []ID, owner ID, events ...Event) {
	for _, reader := range readers {
		if len(events) > 0 {
			l.journal.write(l.app, act{by: reader, to: owner, events: events}, noted)
		}
	}
}

// lost are the ids of some that others lack.
func lost(had, now []ID) []ID {
	return slices.DeleteFunc(slices.Clone(had), func(id ID) bool { return slices.Contains(now, id) })
}

// common are the ids of some that others have, too.
func common(had, now []ID) []ID { return lost(had, lost(had, now)) }

// noteSession writes down the user of a session; notedSession is who was, 0 for nobody.
func (l look) noteSession() { l.journal.write(l.app, act{by: l.me, text: l.term}, noted) }

func notedSession(l look) ID { return newest(l.named(noted, l.term)).by }

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
