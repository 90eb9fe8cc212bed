package story

import (
	"maps"
	"slices"

	"github.com/socialfeed/conform/conformance/rules"
)

// World is a state that the target may be in, by the contract, after the steps so far. Users and
// events are numbered in order of creation and keep their number once deleted. Where the contract
// leaves the outcome open, a run holds several worlds; observations rule some out.
//
// A World is cheap to copy: maps inside it are never changed, only replaced.
type World struct {
	choices   []Choices // by application
	users     []user
	events    []event
	relations map[pair]relation
	holders   [][]int          // by role: the users that had it, the present one last
	labels    map[int]int      // the event that a label names
	past      []past           // what took effect or was tried, oldest first
	shown     map[sighting]int // the latest time at which a view has shown a user or an event
}

// pair is two users in the order of an action: who acts, and on whom.
type pair struct{ from, to int }

func (p pair) reversed() pair { return pair{p.to, p.from} }

// sighting is a user or an event in a view: an endpoint as read by a viewer, of an owner.
type sighting struct {
	at            rules.Endpoint
	viewer, owner int
	isEvent       bool
	subject       int
}

// user is a user of a world.
type user struct {
	app         int
	role        int
	id          any // as the target issued it
	name        string
	email       string
	password    string
	fields      map[string]allowed // what a client set
	tokens      map[string]string  // the unique part of a field, by field
	created     any                // created_at, as answered
	updated     any                // updated_at, as answered last
	changed     int                // when it was updated last, 0 for never
	deleted     int                // when it was deleted, 0 while it lives
	loggedIn    bool               // by a login
	loginNames  []string           // names that let it in since its latest update
	sessions    []session
	passwords   []string    // those that it had before
	formerTerms []string    // the texts that must not find it any more
	previous    Fields      // what it was before its latest update, nil for none
	formerNames Fields      // the user name and email that it gave up last, nil for none
	attempts    []attempted // what others tried to write to it
}

func (u *user) lives() bool { return u.deleted == 0 }

// attempted is a value that a request tried to write that had to be refused.
type attempted struct {
	at    rules.Endpoint
	why   refusal
	field string
	value any
	when  int
}

// session is a session token and whether it works.
type session struct {
	label int // that a step gave it, 0 for none
	token string
	state Tri
	used  bool         // it worked once
	over  bool         // the target has ended it
	by    rules.Place  // the rule about its creation, and where
	ended sessionEnded // how, if state is No
}

// sessionEnded says what ended a session.
type sessionEnded uint8

const (
	byLogout sessionEnded = iota + 1
	byDeletion
)

// event is an event of a world.
type event struct {
	id       any
	label    int
	owner    int
	fields   map[string]allowed // what the client set
	answer   Fields             // the latest answer to a write of it
	earlier  []Fields           // the answers before
	either   []Fields           // answers that may be the latest one, too
	created  int                // when it was created
	changed  int                // when it was changed last, 0 for never
	deleted  int                // when it was deleted, 0 while it stands
	attempts []attempted        // what others tried to write to it; a nil value is a deletion
}

// past is a step that took effect or was refused. Differences are blamed by it.
type past struct {
	do          string
	user, other int // -1 for none
	event       int // -1 for none
	refused     refusal
}

// newWorld returns a world without users for a story and the target's choices.
func newWorld(s Story, choices []Choices) *World {
	return &World{choices: choices, relations: map[pair]relation{}, shown: map[sighting]int{}, holders: make([][]int, len(s.Users)+1), labels: map[int]int{}}
}

func (w *World) clone() *World {
	c := *w
	c.choices, c.users, c.events = slices.Clone(w.choices), slices.Clone(w.users), slices.Clone(w.events)
	for i := range c.users {
		c.users[i].sessions = slices.Clone(c.users[i].sessions)
	}
	c.relations, c.shown, c.labels = maps.Clone(w.relations), maps.Clone(w.shown), maps.Clone(w.labels)
	c.holders = slices.Clone(w.holders)
	c.past = slices.Clip(w.past)
	return &c
}

// now is the time of the next step: times count what took effect.
func (w *World) now() int { return len(w.past) + 1 }

// since returns what happened after a time.
func (w *World) since(when int) []past { return w.past[min(max(when, 0), len(w.past)):] }

// who returns the user that has a role, or had it before if former; false if there is none.
func (w *World) who(role int, former bool) (int, bool) {
	if role < 1 || role >= len(w.holders) {
		return -1, false
	}
	all := w.holders[role]
	i := len(all) - 1
	if former {
		i--
	}
	if i < 0 {
		return -1, false
	}
	return all[i], true
}

// eventsOf returns the events of a user that stand, oldest first.
func (w *World) eventsOf(owner int) []int {
	var all []int
	for i := range w.events {
		if w.events[i].owner == owner && w.stands(i) {
			all = append(all, i)
		}
	}
	return all
}

// stands reports whether neither an event nor its owner is deleted.
func (w *World) stands(which int) bool {
	return w.events[which].deleted == 0 && w.users[w.events[which].owner].lives()
}

func (w *World) eventByID(app int, id string) (int, bool) {
	i := slices.IndexFunc(w.events, func(e event) bool { return idText(e.id) == id && w.users[e.owner].app == app })
	return i, i >= 0
}

func (w *World) userByID(app int, id string) (int, bool) {
	i := slices.IndexFunc(w.users, func(u user) bool { return idText(u.id) == id && u.app == app })
	return i, i >= 0
}

// sessionOf returns a user's session by its label; false if there is none.
func (u *user) sessionOf(label int) (int, bool) {
	i := slices.IndexFunc(u.sessions, func(s session) bool { return s.label == label })
	return i, i >= 0
}

// latest returns the latest session of a user that is or may be alive, -1 for none.
func (u *user) latest() int {
	for i := len(u.sessions) - 1; i >= 0; i-- {
		if u.sessions[i].state != No && !u.sessions[i].over {
			return i
		}
	}
	return -1
}
