package traffic

import (
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// facts are who and what there is, by the traffic that a Follower saw: users, their sessions and
// connections, and events. What is not known is not in it, or unclear.
type facts struct {
	checker  *Checker
	presumed Presumptions
	begin    time.Time      // nothing is known of before
	dropped  func(resource) // called for a user or an event that is forgotten

	people   *simplelru.LRU[resource, *knownUser]
	events   *simplelru.LRU[resource, *knownEvent]
	written  *simplelru.LRU[resource, struct{}] // users and events whose fields are remembered
	sessions *simplelru.LRU[[2]string, *knownSession]
	ties     int // of all people

	strangers        time.Time // when somebody unknown, who is from before, last wrote something
	sessionsDropped  bool      // whoever is unknown need not be from before
	unknownNetworker bool      // somebody unknown connected by social ids
	reissues         bool      // a session token was issued twice
	peopleDropped    bool      // a user that is not known may have been before
	unknownEvents    int       // events that may have been created
}

// moment is when a request was carried out: between two times. Its zero value is never.
type moment struct {
	from, to time.Time
	evidence any
}

// over reports whether it was over by a time.
func (m moment) over(at time.Time) bool { return !m.to.IsZero() && m.to.Before(at) }

// begun reports whether it may have come by a time.
func (m moment) begun(at time.Time) bool { return !m.from.IsZero() && !m.from.After(at) }

func (m moment) never() bool { return m.from.IsZero() }

// knownUser is a user.
type knownUser struct {
	born, gone    moment
	created       any                  // created_at
	unclear       bool                 // whether it is there, and is to be shown
	bySocialIDs   bool                 // it connected by social ids: with whom is not known
	asked         map[string]*knownTie // its connections, by the other user's id
	askedBy       map[string]bool      // who has, or had, a connection to it
	forgotTies    bool                 // it has more than are remembered
	events        []string             // the ids of its latest, in the order in which they were seen to be created
	forgotEvents  bool                 // it has more than are remembered
	distinctLogin int                  // sessions that were seen to begin, each with a token of its own
}

// knownTie is what a user has asked for of another one.
type knownTie struct {
	first, last, ended moment
	ending             moment // the request to end it, by either side, that was under way for longest
	follow, friend     bool   // the kinds that it was asked to be
	unclear            bool   // whether a request was carried out
}

// knownEvent is an event.
type knownEvent struct {
	id         string
	owner      string // the id of its user
	created    any    // created_at
	born, gone moment
	unclear    bool
}

// knownSession is the life of a session token.
type knownSession struct {
	user    string
	over    moment
	deleted bool // by the deletion of its user
	unclear bool
}

const (
	mostTies   = 200 // of one user
	mostEvents = 50  // the same
	tiesEach   = 4   // of all users, for each that is remembered
)

func newFacts(c *Checker, p Presumptions, begin time.Time) *facts {
	s := &facts{checker: c, presumed: p, begin: begin}
	if !begin.IsZero() {
		s.strangers = endOfTime() // of what is there already too much was forgotten
	}
	size := max(p.Remembered, 1)
	s.people, _ = simplelru.NewLRU(size, func(_ resource, p *knownUser) {
		s.ties -= len(p.asked)
		s.peopleDropped = true
	})
	s.events, _ = simplelru.NewLRU[resource, *knownEvent](size, nil)
	s.written, _ = simplelru.NewLRU(size, func(r resource, _ struct{}) {
		s.strangers = endOfTime() // it may be unclear, and must not begin anew
		s.dropped(r)
	})
	s.sessions, _ = simplelru.NewLRU(size, func([2]string, *knownSession) { s.sessionsDropped = true })
	return s
}

// endOfTime is later than any exchange.
func endOfTime() time.Time { return time.Unix(1<<40, 0) }

// remember keeps what was written of a user or an event, in place of what was written least recently.
func (s *facts) remember(r resource) { s.written.Add(r, struct{}{}) }

// knownSince reports whether what was known at a time of those from before is still known.
func (s *facts) knownSince(at time.Time) bool { return at.After(s.strangers) }

// userOf is the id of the user of an exchange's session, "" if unknown.
func (s *facts) userOf(x Observation) string {
	if known, ok := s.sessions.Get([2]string{x.App, x.Session}); ok {
		return known.user
	}
	return ""
}

// person returns a user, nil if unknown.
func (s *facts) person(app, id string) *knownUser {
	p, _ := s.people.Get(resource{app, false, id})
	return p
}

// personOrNew returns a user; a new one is from before.
func (s *facts) personOrNew(app, id string) *knownUser {
	if p := s.person(app, id); p != nil {
		return p
	}
	p := &knownUser{asked: map[string]*knownTie{}, askedBy: map[string]bool{}, forgotTies: s.peopleDropped, forgotEvents: s.peopleDropped}
	s.people.Add(resource{app, false, id}, p)
	return p
}

// event returns an event, nil if unknown.
func (s *facts) event(app, id string) *knownEvent {
	e, _ := s.events.Get(resource{app, true, id})
	return e
}

// keepsTies reports whether nobody can have changed the connections of a user in a way that is not known: who connects by
// social ids may take the place of what there was.
func (s *facts) keepsTies(p *knownUser) bool {
	return p != nil && !p.forgotTies && !p.bySocialIDs && !s.unknownNetworker
}

// stands reports whether a user is certainly there at an exchange, and shown.
func (s *facts) stands(p *knownUser, x Observation) bool {
	return p != nil && !p.unclear && p.gone.never() && s.settled(p.born, x)
}

// settled reports whether what happened is shown by an exchange, even if that lags.
func (s *facts) settled(m moment, x Observation) bool {
	return m.over(x.From.Add(-s.presumed.Settle))
}

// standing reports whether a user certainly has a connection of one kind alone.
func (s *facts) standing(t *knownTie, friend bool, x Observation) bool {
	return t != nil && !t.unclear && t.friend == friend && t.follow != friend && s.settled(t.last, x) &&
		(t.ended.never() || t.ended.over(t.last.from))
}

// possible reports whether a connection may be shown by an exchange.
func (s *facts) possible(t *knownTie, x Observation) bool {
	switch {
	case t == nil:
		return false
	case t.unclear:
		return true
	case !t.first.begun(x.To):
		return false
	}
	return t.ended.never() || !t.last.over(t.ended.from) || !s.settled(t.ended, x)
}
