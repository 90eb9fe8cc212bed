package model

import (
	"maps"
	"slices"

	"github.com/socialfeed/conform/conformance/rules"
)

// World is the state that a target must be in after the operations so far. Users
// and events are numbered in order of creation and stay, once deleted, as a
// graveyard. It is one application's; stories of several have a world for each.
type World struct {
	choices   Choices
	users     []*user
	events    []*event
	relations map[pair]relation
	log       []entry        // what happened, oldest first
	seen      map[string]int // what views have shown, and when they did so last
}

// pair is two users, from the one that acts to the other.
type pair struct{ from, to int }

func (p pair) reversed() pair { return pair{p.to, p.from} }

// user is a user as it was created and changed.
type user struct {
	id        any // as the target issued it
	name      string
	email     string
	password  string
	fields    map[string]lawful // what a client set
	created   any               // created_at, as answered
	updated   any               // updated_at, as answered last
	changed   int               // the step of the latest update, 0 for none
	sessions  []session
	entered   bool              // by a login
	known     []string          // names that let it in, since its latest update
	terms     map[string]string // what finds it, by field
	network   string            // the platform that it has an id on
	social    string            // its id there
	former    []string          // what found it, and no longer does
	passwords []string          // those that it had before
	before    *former           // what it was before its latest update, nil for none
	gone      int               // the step of its deletion, 0 while it lives
}

func (u *user) lives() bool { return u.gone == 0 }

// session is a session token and whether it works.
type session struct {
	token string
	state Tri
	rule  string // stands for its making
	at    rules.Endpoint
	used  bool // it worked once
	// doubted since an update that left the password alone, which may end sessions
	doubted bool
}

// relation is what one user has with another.
type relation struct {
	follow, asked Tri // a follow, and its side's friend connection
	followed      int // the step of the latest follow
	follows       int // how often a follow was made
	befriended    int // the step since when the two are friends
	bySocial      bool
	ended         int      // the step of the latest end of anything between the two
	parting       *parting // what there was when the other was deleted
}

// parting is how a reader was connected to a user when that was deleted.
type parting struct{ follow, friends Tri }

// event is an event as it was created and changed.
type event struct {
	id       any
	owner    int
	fields   map[string]lawful // what the client set
	answer   Fields            // the latest answer of a write
	earlier  []Fields          // the answers before
	either   []Fields          // the answers that may be the latest one too
	born     int               // the step of its creation
	changed  int               // the step of the latest update, 0 for none
	gone     int               // the step of its deletion, 0 while it stands
	imposed  any               // a verb that somebody else tried to give it
	coveted  int               // the step at which somebody else tried to delete it, 0 for none
	endedUse int               // the step at which a session that had ended was to delete it, 0 for none
}

// entry is one operation that took effect, for blaming.
type entry struct {
	step  int
	kind  Kind
	actor int
	other int
	event int
}

// newWorld returns an empty world for a target with the given choices.
func newWorld(c Choices) *World {
	return &World{choices: c, relations: map[pair]relation{}, seen: map[string]int{}}
}

// clone is a world of its own in the same state.
func (w *World) clone() *World {
	c := &World{choices: w.choices, relations: maps.Clone(w.relations), log: slices.Clone(w.log), seen: maps.Clone(w.seen)}
	for _, u := range w.users {
		copied := *u
		copied.fields, copied.sessions = maps.Clone(u.fields), slices.Clone(u.sessions)
		copied.former, copied.known = slices.Clone(u.former), slices.Clone(u.known)
		c.users = append(c.users, &copied)
	}
	for _, e := range w.events {
		copied := *e
		copied.fields, copied.earlier, copied.either = maps.Clone(e.fields), slices.Clone(e.earlier), slices.Clone(e.either)
		c.events = append(c.events, &copied)
	}
	return c
}

func (w *World) step() int { return len(w.log) + 1 }

func (w *World) record(kind Kind, actor, other, event int) {
	w.log = append(w.log, entry{len(w.log) + 1, kind, actor, other, event})
}

// since are the operations after a step.
func (w *World) since(step int) []entry { return w.log[min(step, len(w.log)):] }

// relation is what stands from one user to another.
func (w *World) relation(p pair) relation {
	if r, there := w.relations[p]; there {
		return r
	}
	return relation{follow: No, asked: No}
}

// relate changes what stands from one user to another, and keeps the step since
// when two users are friends.
func (w *World) relate(p pair, change func(*relation)) {
	before := w.friends(p)
	r := w.relation(p)
	change(&r)
	w.relations[p] = r
	if now := w.friends(p); now != before {
		for _, side := range []pair{p, p.reversed()} {
			r := w.relation(side)
			r.befriended = w.step()
			w.relations[side] = r
		}
	}
}

// met reports whether anything stands between two users, or the first ended what did.
func (w *World) met(p pair) bool {
	r, back := w.relation(p), w.relation(p.reversed())
	return r.follow != No || r.asked != No || r.ended > 0 || back.follow != No || back.asked != No
}

// friends reports whether two users are friends.
func (w *World) friends(p pair) Tri {
	one, other := w.relation(p).asked, w.relation(p.reversed()).asked
	switch both, either := one.and(other), one.or(other); {
	case w.choices.FriendsAtOnce == Yes || either == No:
		return either
	case w.choices.FriendsAtOnce == No || both == Yes:
		return both
	}
	return Unknown
}

// shows reports whether an event is in a reader's feed. Whether a new friend
// sees older events, and a user its own, is open.
func (w *World) shows(reader int, e *event) Tri {
	if e.gone != 0 || !w.users[e.owner].lives() {
		return No
	}
	if reader == e.owner {
		return Unknown
	}
	p := pair{reader, e.owner}
	r, friends := w.relation(p), w.friends(p)
	switch {
	case r.follow == Yes:
		return Yes
	case friends == Yes && e.born > r.befriended:
		return Yes
	case r.follow == No && friends == No:
		return No
	}
	return Unknown
}
