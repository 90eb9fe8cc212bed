package restarts

import (
	"maps"
	"slices"
)

// write is an operation on the users, sessions and events of a play, by their numbers.
type write struct {
	kind    Kind
	user    int
	other   int    // the other user of a connection
	event   int    // that is posted, edited or removed
	session int    // that is ended
	value   string // what the fields of a user or event hold afterwards
}

// link is a connection: from follows to.
type link struct{ from, to int }

// event is what a state has of an event.
type event struct {
	owner  int
	value  string
	seenBy []int // who has followed the owner ever since it was posted
}

// state is what a target holds after some writes, as far as views of it are determined.
type state struct {
	users  map[int]string // what their fields hold
	events map[int]event
	links  map[link]bool
	ended  map[int]bool // sessions
	gone   map[any]bool // what was there and is not: users as userKey, events as eventKey, and links
}

type (
	userKey  int
	eventKey int
)

func newState() state {
	return state{map[int]string{}, map[int]event{}, map[link]bool{}, map[int]bool{}, map[any]bool{}}
}

// after is the state after a write. A write on what is not there changes nothing.
func (s state) after(w write) state {
	s = state{maps.Clone(s.users), maps.Clone(s.events), maps.Clone(s.links), maps.Clone(s.ended), maps.Clone(s.gone)}
	_, acts := s.users[w.user]
	switch {
	case w.kind == Create:
		s.users[w.user] = w.value
	case !acts:
	case w.kind == Update:
		s.users[w.user] = w.value
	case w.kind == Delete:
		s.deleteUser(w.user)
	case w.kind == Logout:
		s.ended[w.session] = true
	case w.kind == Follow:
		if _, exists := s.users[w.other]; exists {
			s.links[link{w.user, w.other}] = true
			delete(s.gone, link{w.user, w.other})
		}
	case w.kind == Unfollow:
		s.unlink(link{w.user, w.other})
	case w.kind == Post:
		s.events[w.event] = event{w.user, w.value, s.followersOf(w.user)}
	case w.kind == Edit:
		if e, exists := s.events[w.event]; exists {
			e.value = w.value
			s.events[w.event] = e
		}
	case w.kind == Remove:
		s.deleteEvent(w.event)
	}
	return s
}

func (s state) deleteUser(user int) {
	delete(s.users, user)
	s.gone[userKey(user)] = true
	for n, e := range s.events {
		if e.owner == user {
			s.deleteEvent(n)
		}
	}
	for l := range s.links {
		if l.from == user || l.to == user {
			s.unlink(l)
		}
	}
}

func (s state) deleteEvent(n int) {
	if _, exists := s.events[n]; exists {
		delete(s.events, n)
		s.gone[eventKey(n)] = true
	}
}

// unlink ends a connection. Whether the events of the one who was followed stay in the feed is
// left open.
func (s state) unlink(l link) {
	if !s.links[l] {
		return
	}
	delete(s.links, l)
	s.gone[l] = true
	for n, e := range s.events {
		if e.owner == l.to {
			e.seenBy = slices.DeleteFunc(slices.Clone(e.seenBy), func(r int) bool { return r == l.from })
			s.events[n] = e
		}
	}
}

func (s state) followersOf(user int) []int {
	var all []int
	for l := range s.links {
		if l.to == user {
			all = append(all, l.from)
		}
	}
	slices.Sort(all)
	return all
}

func (s state) has(user int) bool {
	_, exists := s.users[user]
	return exists
}

// empty reports whether nothing is there.
func (s state) empty() bool { return len(s.users) == 0 }

// eventsOf lists the events of a user, by their numbers.
func (s state) eventsOf(user int) []int {
	var all []int
	for n, e := range s.events {
		if e.owner == user {
			all = append(all, n)
		}
	}
	slices.Sort(all)
	return all
}

// view is one way to read something.
type view string

const (
	canLogIn      view = "logs in"
	isRead        view = "is read by its id"
	isFound       view = "is found by its name"
	inFollows     view = "is in the follows of the one"
	inFollowers   view = "is in the followers of the other"
	inFeed        view = "is in the feed"
	sessionServes view = "the session is served"
)

// fact is what a view shows of something: "" for nothing.
type fact struct {
	view    view
	subject int // a user, an event or a session
	other   int // the other user of a connection, the reader of a feed
}

// there is what a view shows that has no fields to show.
const there = "there"

// facts are what views show in a state, where that is determined. Everything that was ever named in the
// play is in it: what a state does not have is shown by no view.
func (s state) facts(k *known) map[fact]string {
	all := map[fact]string{}
	for u := range k.users {
		value, exists := s.users[u]
		text := ""
		if exists {
			text = there
		}
		all[fact{canLogIn, u, 0}], all[fact{isFound, u, 0}], all[fact{isRead, u, 0}] = text, text, value
		for other := range k.users {
			if other == u {
				continue
			}
			text := ""
			if s.links[link{u, other}] {
				text = there
			}
			all[fact{inFollows, u, other}], all[fact{inFollowers, u, other}] = text, text
		}
	}
	for n := range k.events {
		if k.unseen[n] {
			continue
		}
		e, exists := s.events[n]
		for reader := range k.users {
			_, reads := s.users[reader]
			switch {
			case !exists && reads:
				all[fact{inFeed, n, reader}] = ""
			case exists && reads && slices.Contains(e.seenBy, reader):
				all[fact{inFeed, n, reader}] = e.value
			}
		}
	}
	for n, session := range k.sessions {
		if _, exists := s.users[session.user]; s.ended[n] || !exists {
			all[fact{sessionServes, n, 0}] = ""
		}
	}
	return all
}
