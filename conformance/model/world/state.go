package world

import (
	"maps"
	"slices"

	"github.com/socialfeed/conform/conformance/model/blame"
	"github.com/socialfeed/conform/conformance/model/leeway"
	"github.com/socialfeed/conform/conformance/model/story"
	"github.com/socialfeed/conform/conformance/model/value"
	"github.com/socialfeed/conform/conformance/rules"
)

// State is the state that a target must be in after the operations so far: the model's state.
// Users and events are numbered in order of creation and keep their number once deleted. It is
// the state of one application; stories of several have one for each.
type State struct {
	Choices   leeway.Choices
	Users     []*User
	Events    []*Event
	relations map[Pair]Relation
	history   []pastOp          // oldest first
	shownAt   map[blame.Key]int // the latest step at which a view has shown a resource
}

// Pair is two users in the order of an action: who acts, and on whom.
type Pair struct{ From, To int }

// Reversed returns the pair in the other order.
func (p Pair) Reversed() Pair { return Pair{p.To, p.From} }

// User is a user of the model.
type User struct {
	ID          any // as the target issued it
	Name        string
	Email       string
	Password    string
	Fields      map[string]value.Set // what a client set
	Created     any                  // created_at, as answered
	Updated     any                  // updated_at, as answered last
	ChangedStep int                  // the step of the latest update, 0 for none
	Sessions    []Session
	Writes      int               // how often it chose a session for a write, since its latest login
	LoggedIn    bool              // by a login
	LoginNames  []string          // names that let it in, since its latest update
	Terms       map[string]string // the terms that find it, by field
	Network     string            // the platform of its social id
	Social      string            // its social id there
	FormerTerms []string          // the terms that must not find it any more
	FormerNames value.Fields      // the user name and email that it gave up last, nil for none
	Passwords   []string          // those that it had before
	Previous    *Version          // what it was before its latest update, nil for none
	deletedStep int               // the step of its deletion, 0 while it lives
}

// Lives reports whether the user is not deleted.
func (u *User) Lives() bool { return u.deletedStep == 0 }

// Session is a session token and whether it works.
type Session struct {
	Token string
	State leeway.Tri
	Rule  string // the rule about its creation
	At    rules.Endpoint
	Used  bool // it worked once
	// Doubted since an update that left the password alone, which may end sessions; not tried yet
	Doubted bool
}

// Relation is how one user is connected to another.
type Relation struct {
	Follow, Asked leeway.Tri // a follow, and this side's friend connection
	followedStep  int        // the step of the latest follow
	followCount   int        // how often a follow was made
	friendsSince  int        // the step since when the two are friends
	bySocial      bool
	askedBySocial bool                  // this side's friend connection was made by social ids, before the other side's
	EndedStep     int                   // the step of the latest end of a connection between the two
	AtDeletion    *connectionAtDeletion // the connections when the other was deleted
}

// connectionAtDeletion is how a reader was connected to a user when that user was deleted.
type connectionAtDeletion struct{ follow, friends leeway.Tri }

// Event is an event of the model.
type Event struct {
	ID                     any
	Owner                  int
	Fields                 map[string]value.Set // what the client set
	Answer                 value.Fields         // the latest answer of a write
	Earlier                []value.Fields       // the answers before
	Either                 []value.Fields       // the answers that may be the latest one too
	createdStep            int                  // the step of its creation
	ChangedStep            int                  // the step of the latest update, 0 for none
	DeletedStep            int                  // the step of its deletion, 0 while it stands
	foreignVerb            any                  // the verb that another user tried to set
	foreignDeleteStep      int                  // the step at which another user tried to delete it, 0 for none
	endedSessionDeleteStep int                  // the step at which an ended session tried to delete it, 0 for none
}

// pastOp is an operation that took effect. Differences are blamed by them.
type pastOp struct {
	step  int
	kind  story.Kind
	actor int
	other int
	event int
}

// New returns an empty state for a target with the given choices.
func New(c leeway.Choices) *State {
	return &State{Choices: c, relations: map[Pair]Relation{}, shownAt: map[blame.Key]int{}}
}

// Clone returns an independent copy.
func (st *State) Clone() *State {
	c := &State{Choices: st.Choices, relations: maps.Clone(st.relations), history: slices.Clone(st.history), shownAt: maps.Clone(st.shownAt)}
	for _, u := range st.Users {
		copied := *u
		copied.Fields, copied.Sessions = maps.Clone(u.Fields), slices.Clone(u.Sessions)
		copied.FormerTerms, copied.LoginNames = slices.Clone(u.FormerTerms), slices.Clone(u.LoginNames)
		c.Users = append(c.Users, &copied)
	}
	for _, e := range st.Events {
		copied := *e
		copied.Fields, copied.Earlier, copied.Either = maps.Clone(e.Fields), slices.Clone(e.Earlier), slices.Clone(e.Either)
		c.Events = append(c.Events, &copied)
	}
	return c
}

func (st *State) step() int { return len(st.history) + 1 }

func (st *State) record(kind story.Kind, actor, other, event int) {
	st.history = append(st.history, pastOp{len(st.history) + 1, kind, actor, other, event})
}

// since returns the operations after a step.
func (st *State) since(step int) []pastOp { return st.history[min(step, len(st.history)):] }

// Relation returns how one user is connected to another.
func (st *State) Relation(p Pair) Relation {
	if r, there := st.relations[p]; there {
		return r
	}
	return Relation{Follow: leeway.No, Asked: leeway.No}
}

// relate changes how one user is connected to another, and keeps the step since when the two
// are friends.
func (st *State) relate(p Pair, change func(*Relation)) {
	before := st.Friends(p)
	r := st.Relation(p)
	change(&r)
	st.relations[p] = r
	if now := st.Friends(p); now != before {
		for _, side := range []Pair{p, p.Reversed()} {
			r := st.Relation(side)
			r.friendsSince = st.step()
			st.relations[side] = r
		}
	}
}

// EverConnected reports whether two users are or may be connected, or the first ended a
// connection.
func (st *State) EverConnected(p Pair) bool {
	r, back := st.Relation(p), st.Relation(p.Reversed())
	return r.Follow != leeway.No || r.Asked != leeway.No || r.EndedStep > 0 || back.Follow != leeway.No || back.Asked != leeway.No
}

// neverConnected reports whether neither of two users was ever connected to the other, so that not
// even a view that lags shows one because of the other.
func (st *State) neverConnected(p Pair) bool {
	return !st.EverConnected(p) && !st.EverConnected(p.Reversed())
}

// Friends reports whether two users are friends.
func (st *State) Friends(p Pair) leeway.Tri {
	one, other := st.Relation(p).Asked, st.Relation(p.Reversed()).Asked
	switch both, either := one.And(other), one.Or(other); {
	case st.hangsOnSocialID(p):
		return st.Choices.SocialFriends
	case st.Choices.FriendsAtOnce == leeway.Yes || either == leeway.No:
		return either
	case st.Choices.FriendsAtOnce == leeway.No || both == leeway.Yes:
		return both
	}
	return leeway.Unknown
}

// AskedBySocialID reports whether one of two users made a friend connection to the other by social ids, while there
// was none to answer. Whether that suffices may differ from what holds of one that is made by id.
func (st *State) AskedBySocialID(p Pair) bool {
	return st.Relation(p).askedBySocial || st.Relation(p.Reversed()).askedBySocial
}

// hangsOnSocialID reports whether all that may make two users friends is a connection that one of them made by social ids.
func (st *State) hangsOnSocialID(p Pair) bool {
	one, other := st.Relation(p).Asked, st.Relation(p.Reversed()).Asked
	return st.AskedBySocialID(p) && one.And(other) != leeway.Yes && one.Or(other) != leeway.No
}

// learnSocialFriends finds out whether a friend connection by social ids suffices: a list shows a user who is a friend
// by such a one alone. It stays open for a target that makes no friends at once by id, or shows them to one side alone.
func (st *State) learnSocialFriends(v View, shown []value.Fields) {
	if v.At.OwnList() != rules.MyFriends || st.Choices.FriendsAtOnce != leeway.Yes {
		return
	}
	for _, o := range shown {
		if who, known := st.UserByID(value.ID(o["id"])); known && st.hangsOnSocialID(Pair{v.Owner, who}) {
			st.Choices.SocialFriends.Resolve(leeway.Yes)
		}
	}
}

// shows reports whether a reader's feed must show an event. Whether new friends see older
// events, and users their own, is open.
func (st *State) shows(reader int, e *Event) leeway.Tri {
	if e.DeletedStep != 0 || !st.Users[e.Owner].Lives() {
		return leeway.No
	}
	if reader == e.Owner {
		return leeway.Unknown
	}
	p := Pair{reader, e.Owner}
	r, friends := st.Relation(p), st.Friends(p)
	switch {
	case r.Follow == leeway.Yes:
		return leeway.Yes
	case friends == leeway.Yes && e.createdStep > r.friendsSince:
		return leeway.Yes
	case r.Follow == leeway.No && friends == leeway.No:
		return leeway.No
	}
	return leeway.Unknown
}

// HasSession reports whether a token is that of a session of this application, also an ended
// one.
func (st *State) HasSession(token string) bool {
	return slices.ContainsFunc(st.Users, func(u *User) bool {
		return slices.ContainsFunc(u.Sessions, func(s Session) bool { return s.Token == token })
	})
}

// Has reports whether an id is that of a user or an event of this application.
func (st *State) Has(id string) bool {
	_, user := st.UserByID(id)
	_, event := st.EventByID(id)
	return user || event
}

// Created reports whether an object is a user or an event of this application, and not another
// one with the same id.
func (st *State) Created(o value.Fields) bool {
	id := value.ID(o["id"])
	if which, known := st.EventByID(id); known && o["verb"] != nil {
		e := st.Events[which]
		return value.SameInstant(o["created_at"], e.Answer["created_at"]) && value.ID(o["user_id"]) == value.ID(st.Users[e.Owner].ID)
	}
	who, known := st.UserByID(id)
	if !known || o["verb"] != nil {
		return false
	}
	u := st.Users[who]
	if o["session_token"] != nil && o["user_name"] == nil {
		return true // a login answers with no more than id and token
	}
	return value.Same(o["user_name"], u.Name) && value.SameInstant(o["created_at"], u.Created)
}

// Unconfirmed reports whether all that a user has to another is a friend connection that social
// ids were to make and that no list shows yet: the target may still be about to make it.
func (st *State) Unconfirmed(p Pair) bool {
	r := st.Relation(p)
	return r.bySocial && r.Follow == leeway.No && st.Friends(p) != leeway.Yes
}
