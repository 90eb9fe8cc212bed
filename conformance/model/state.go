package model

import (
	"maps"
	"slices"

	"github.com/socialfeed/conform/conformance/rules"
)

// State is the state that a target must be in after the operations so far: the model's state.
// Users and events are numbered in order of creation and keep their number once deleted. It is
// the state of one application; stories of several have one for each.
type State struct {
	choices   Choices
	users     []*user
	events    []*event
	relations map[pair]relation
	history   []pastOp        // oldest first
	shownAt   map[showing]int // the latest step at which a view has shown a resource
}

// pair is two users in the order of an action: who acts, and on whom.
type pair struct{ from, to int }

func (p pair) reversed() pair { return pair{p.to, p.from} }

// user is a user of the model.
type user struct {
	id          any // as the target issued it
	name        string
	email       string
	password    string
	fields      map[string]lawful // what a client set
	created     any               // created_at, as answered
	updated     any               // updated_at, as answered last
	changedStep int               // the step of the latest update, 0 for none
	sessions    []session
	writes      int               // how often it chose a session for a write, since its latest login
	loggedIn    bool              // by a login
	loginNames  []string          // names that let it in, since its latest update
	terms       map[string]string // the terms that find it, by field
	network     string            // the platform of its social id
	social      string            // its social id there
	formerTerms []string          // the terms that must not find it any more
	formerNames Fields            // the user name and email that it gave up last, nil for none
	passwords   []string          // those that it had before
	previous    *userVersion      // what it was before its latest update, nil for none
	deletedStep int               // the step of its deletion, 0 while it lives
}

func (u *user) lives() bool { return u.deletedStep == 0 }

// session is a session token and whether it works.
type session struct {
	token string
	state Tri
	rule  string // the rule about its creation
	at    rules.Endpoint
	used  bool // it worked once
	// doubted since an update that left the password alone, which may end sessions; not tried yet
	doubted bool
}

// relation is how one user is connected to another.
type relation struct {
	follow, asked Tri // a follow, and this side's friend connection
	followedStep  int // the step of the latest follow
	followCount   int // how often a follow was made
	friendsSince  int // the step since when the two are friends
	bySocial      bool
	endedStep     int                   // the step of the latest end of a connection between the two
	atDeletion    *connectionAtDeletion // the connections when the other was deleted
}

// connectionAtDeletion is how a reader was connected to a user when that user was deleted.
type connectionAtDeletion struct{ follow, friends Tri }

// event is an event of the model.
type event struct {
	id                     any
	owner                  int
	fields                 map[string]lawful // what the client set
	answer                 Fields            // the latest answer of a write
	earlier                []Fields          // the answers before
	either                 []Fields          // the answers that may be the latest one too
	createdStep            int               // the step of its creation
	changedStep            int               // the step of the latest update, 0 for none
	deletedStep            int               // the step of its deletion, 0 while it stands
	foreignVerb            any               // the verb that another user tried to set
	foreignDeleteStep      int               // the step at which another user tried to delete it, 0 for none
	endedSessionDeleteStep int               // the step at which an ended session tried to delete it, 0 for none
}

// pastOp is an operation that took effect. Differences are blamed by them.
type pastOp struct {
	step  int
	kind  Kind
	actor int
	other int
	event int
}

// newState returns an empty state for a target with the given choices.
func newState(c Choices) *State {
	return &State{choices: c, relations: map[pair]relation{}, shownAt: map[showing]int{}}
}

// clone returns an independent copy.
func (st *State) clone() *State {
	c := &State{choices: st.choices, relations: maps.Clone(st.relations), history: slices.Clone(st.history), shownAt: maps.Clone(st.shownAt)}
	for _, u := range st.users {
		copied := *u
		copied.fields, copied.sessions = maps.Clone(u.fields), slices.Clone(u.sessions)
		copied.formerTerms, copied.loginNames = slices.Clone(u.formerTerms), slices.Clone(u.loginNames)
		c.users = append(c.users, &copied)
	}
	for _, e := range st.events {
		copied := *e
		copied.fields, copied.earlier, copied.either = maps.Clone(e.fields), slices.Clone(e.earlier), slices.Clone(e.either)
		c.events = append(c.events, &copied)
	}
	return c
}

func (st *State) step() int { return len(st.history) + 1 }

func (st *State) record(kind Kind, actor, other, event int) {
	st.history = append(st.history, pastOp{len(st.history) + 1, kind, actor, other, event})
}

// since returns the operations after a step.
func (st *State) since(step int) []pastOp { return st.history[min(step, len(st.history)):] }

// relation returns how one user is connected to another.
func (st *State) relation(p pair) relation {
	if r, there := st.relations[p]; there {
		return r
	}
	return relation{follow: No, asked: No}
}

// relate changes how one user is connected to another, and keeps the step since when the two
// are friends.
func (st *State) relate(p pair, change func(*relation)) {
	before := st.friends(p)
	r := st.relation(p)
	change(&r)
	st.relations[p] = r
	if now := st.friends(p); now != before {
		for _, side := range []pair{p, p.reversed()} {
			r := st.relation(side)
			r.friendsSince = st.step()
			st.relations[side] = r
		}
	}
}

// everConnected reports whether two users are or may be connected, or the first ended a
// connection.
func (st *State) everConnected(p pair) bool {
	r, back := st.relation(p), st.relation(p.reversed())
	return r.follow != No || r.asked != No || r.endedStep > 0 || back.follow != No || back.asked != No
}

// neverConnected reports whether neither of two users was ever connected to the other, so that not
// even a view that lags shows one because of the other.
func (st *State) neverConnected(p pair) bool {
	return !st.everConnected(p) && !st.everConnected(p.reversed())
}

// friends reports whether two users are friends.
func (st *State) friends(p pair) Tri {
	one, other := st.relation(p).asked, st.relation(p.reversed()).asked
	switch both, either := one.and(other), one.or(other); {
	case st.choices.FriendsAtOnce == Yes || either == No:
		return either
	case st.choices.FriendsAtOnce == No || both == Yes:
		return both
	}
	return Unknown
}

// shows reports whether a reader's feed must show an event. Whether new friends see older
// events, and users their own, is open.
func (st *State) shows(reader int, e *event) Tri {
	if e.deletedStep != 0 || !st.users[e.owner].lives() {
		return No
	}
	if reader == e.owner {
		return Unknown
	}
	p := pair{reader, e.owner}
	r, friends := st.relation(p), st.friends(p)
	switch {
	case r.follow == Yes:
		return Yes
	case friends == Yes && e.createdStep > r.friendsSince:
		return Yes
	case r.follow == No && friends == No:
		return No
	}
	return Unknown
}

// hasSession reports whether a token is that of a session of this application, also an ended
// one.
func (st *State) hasSession(token string) bool {
	return slices.ContainsFunc(st.users, func(u *user) bool {
		return slices.ContainsFunc(u.sessions, func(s session) bool { return s.token == token })
	})
}

// has reports whether an id is that of a user or an event of this application.
func (st *State) has(id string) bool {
	_, user := st.userByID(id)
	_, event := st.eventByID(id)
	return user || event
}

// created reports whether an object is a user or an event of this application, and not another
// one with the same id.
func (st *State) created(o Fields) bool {
	id := idText(o["id"])
	if which, known := st.eventByID(id); known && o["verb"] != nil {
		e := st.events[which]
		return sameInstant(o["created_at"], e.answer["created_at"]) && idText(o["user_id"]) == idText(st.users[e.owner].id)
	}
	who, known := st.userByID(id)
	if !known || o["verb"] != nil {
		return false
	}
	u := st.users[who]
	if o["session_token"] != nil && o["user_name"] == nil {
		return true // a login answers with no more than id and token
	}
	return same(o["user_name"], u.name) && sameInstant(o["created_at"], u.created)
}

// unconfirmed reports whether all that a user has to another is a friend connection that social
// ids were to make and that no list shows yet: the target may still be about to make it.
func (st *State) unconfirmed(p pair) bool {
	r := st.relation(p)
	return r.bySocial && r.follow == No && st.friends(p) != Yes
}
