package traffic

import (
	"slices"
	"strings"

	"github.com/socialfeed/conform/conformance/model/value"
	"github.com/socialfeed/conform/conformance/rules"
)

// record records what an exchange has changed, and returns false if it may have changed anything.
func (s *facts) record(x Observation) bool {
	at := moment{x.From, x.To, x.Evidence}
	s.recordSession(x, at)
	if !x.writes() {
		return true
	}
	switch x.Endpoint {
	case rules.CreateUser:
		s.recordUser(x, at)
	case rules.CreateEvent:
		s.recordEvent(x, at)
	case rules.UpdateEvent, rules.DeleteEvent:
		s.recordEventChange(x, at)
	case rules.UpdateMe, rules.DeleteMe, rules.CreateConnection, rules.DeleteConnection, rules.ConnectSocial:
		return s.recordOfUser(x, at)
	}
	return true
}

// recordSession records whose a session is, and that it is over.
func (s *facts) recordSession(x Observation, at moment) {
	o := x.Object()
	token, _ := o["session_token"].(string)
	id := value.ID(o["id"])
	switch {
	case x.Doubtful:
		s.sessionsDropped = s.sessionsDropped || x.mayOpenSession()
		if known, ok := s.sessions.Get([2]string{x.App, x.Session}); ok && x.Endpoint.EndsSession() {
			known.unclear = true
		}
	case !x.OK():
	case token != "" && (x.Endpoint == rules.Login || x.Endpoint == rules.CreateUser):
		s.openSession([2]string{x.App, token}, id, x.App)
	case x.Session == "":
	case x.Endpoint == rules.GetMe || x.Endpoint == rules.UpdateMe:
		if s.userOf(x) == "" && id != "" {
			s.sessions.Add([2]string{x.App, x.Session}, &knownSession{user: id})
		}
	case x.Endpoint == rules.Logout:
		s.endSession(x, at)
	}
}

func (s *facts) openSession(key [2]string, id, app string) {
	if s.sessions.Contains(key) {
		s.reissues = true
	} else if id != "" {
		s.personOrNew(app, id).distinctLogin++
	}
	s.sessions.Add(key, &knownSession{user: id})
}

func (s *facts) endSession(x Observation, at moment) {
	known, ok := s.sessions.Get([2]string{x.App, x.Session})
	if !ok {
		known = &knownSession{}
		s.sessions.Add([2]string{x.App, x.Session}, known)
	}
	if known.over.never() {
		known.over, known.deleted = at, x.Endpoint == rules.DeleteMe
	}
}

func (s *facts) recordUser(x Observation, at moment) {
	o := x.Object()
	id := value.ID(o["id"])
	if id == "" || !x.OK() || x.Doubtful {
		return
	}
	p := s.personOrNew(x.App, id)
	p.unclear = p.unclear || !p.born.never() || !p.gone.never() || inactive(o) // an id that was given twice says nothing
	p.born, p.created = at, o["created_at"]
}

// inactive reports whether a user or an event is one that a server need not show.
func inactive(o value.Fields) bool { return o["activated"] == false || o["enabled"] == false }

func (s *facts) recordEvent(x Observation, at moment) {
	o := x.Object()
	id, owner := value.ID(o["id"]), value.ID(o["user_id"])
	if id == "" || owner == "" || !x.OK() || x.Doubtful {
		s.unknownEvents++
		return
	}
	if e := s.event(x.App, id); e != nil {
		e.unclear = true
		return
	}
	s.events.Add(resource{x.App, true, id}, &knownEvent{id: id, owner: owner, created: o["created_at"], born: at, unclear: inactive(o)})
	p := s.personOrNew(x.App, owner)
	p.events = append(p.events, id)
	if len(p.events) > mostEvents {
		p.events, p.forgotEvents = slices.Clone(p.events[mostEvents/2:]), true
	}
}

func (s *facts) recordEventChange(x Observation, at moment) {
	e := s.event(x.App, x.ID)
	switch {
	case e == nil:
	case x.Endpoint == rules.DeleteEvent && (!x.OK() || x.Doubtful), x.Doubtful, x.OK() && inactive(x.Object()):
		e.unclear = true
	case x.Endpoint == rules.DeleteEvent && e.gone.never():
		e.gone = at
	}
}

// recordOfUser records what a user does for itself, and returns false if that may be any user.
func (s *facts) recordOfUser(x Observation, at moment) bool {
	id := s.userOf(x)
	switch {
	case id != "":
	case x.Endpoint == rules.CreateConnection:
		id = value.ID(x.Object()["user_from_id"])
	case x.Endpoint == rules.UpdateMe:
		id = value.ID(x.Object()["id"])
	}
	if id == "" {
		return s.recordStranger(x, at)
	}
	sent, _ := x.Sent.(map[string]any)
	certain := x.OK() && !x.Doubtful
	p := s.personOrNew(x.App, id)
	switch x.Endpoint {
	case rules.UpdateMe:
		active := sent["activated"] == nil || sent["activated"] == true || sent["activated"] == "true"
		p.unclear = p.unclear || inactive(x.Object()) || !active
	case rules.DeleteMe:
		s.recordDeletion(p, x, at, certain)
	case rules.ConnectSocial:
		p.bySocialIDs = true
	case rules.CreateConnection:
		kind, _ := sent["type"].(string)
		s.recordTie(p, x, id, at, kind, certain && x.Object()["type"] == sent["type"]) // and not one that stood before
	case rules.DeleteConnection:
		s.recordEnd(p, x, id, at, certain)
	}
	return true
}

// recordTie records that a user asked to be connected. To whom may be unknown, or not certain.
func (s *facts) recordTie(p *knownUser, x Observation, id string, at moment, kind string, certain bool) {
	to, asAsked := s.target(x)
	if to == "" {
		p.forgotTies = true
		return
	}
	s.tieOf(p, x.App, id, to).ask(at, kind, certain && asAsked)
	if answered := value.ID(x.Object()["user_to_id"]); answered != "" && answered != to {
		s.tieOf(p, x.App, id, answered).ask(at, kind, false)
	}
}

// recordEnd records that a user ended a connection, also one that is not known yet: a request to make it may come
// before the end of this one.
func (s *facts) recordEnd(p *knownUser, x Observation, id string, at moment, certain bool) {
	if t := p.asked[x.ID]; t != nil {
		t.end(at, certain)
	}
	them := s.person(x.App, x.ID)
	if them == nil {
		return
	}
	back := s.tieOf(them, x.App, x.ID, id)
	back.unclear = back.unclear || back.friend // whether it ends for both is open
	for _, t := range []*knownTie{s.tieOf(p, x.App, id, x.ID), back} {
		t.unclear = t.unclear || x.Doubtful // it may end later what is only asked for after it
		if at.to.After(t.ending.to) {
			t.ending = at
		}
	}
}

func (s *facts) recordDeletion(p *knownUser, x Observation, at moment, certain bool) {
	switch {
	case !certain:
		p.unclear = true
	case p.gone.never():
		p.gone = at
	}
	if certain {
		s.endSession(x, at)
	}
}

// recordStranger records a write by somebody unknown: of those from before nothing is known any more that
// is theirs.
func (s *facts) recordStranger(x Observation, at moment) bool {
	if x.mayBeDone() && !x.Doubtful {
		return true
	}
	if s.sessionsDropped {
		return false
	}
	s.strangers = at.to
	if x.Doubtful {
		s.strangers = endOfTime()
	}
	if x.Endpoint == rules.ConnectSocial {
		s.unknownNetworker = true
	}
	to, _ := s.target(x)
	if p := s.person(x.App, to); p != nil && x.Endpoint == rules.CreateConnection {
		p.forgotTies = true
	}
	return true
}

// tieOf returns the connection from a user to another one.
func (s *facts) tieOf(p *knownUser, app, id, to string) *knownTie {
	if t := p.asked[to]; t != nil {
		return t
	}
	other, t := s.personOrNew(app, to), &knownTie{}
	if len(p.asked) >= mostTies || len(other.askedBy) >= mostTies {
		p.forgotTies, other.forgotTies = true, true
		return t
	}
	p.asked[to], other.askedBy[id] = t, true
	s.ties++
	for s.ties > tiesEach*max(s.presumed.Remembered, mostTies) && s.people.Len() > 1 {
		s.people.RemoveOldest()
	}
	return t
}

func (t *knownTie) ask(at moment, kind string, certain bool) {
	if t.first.never() {
		t.first = at
	}
	if !t.ending.never() && !t.ending.over(at.from) || !t.last.never() && !t.last.over(at.from) {
		t.unclear = true // which came last is not known
	}
	t.last = at
	switch strings.ToLower(kind) {
	case "follow":
		t.follow = true
	case "friend":
		t.friend = true
	default:
		t.unclear = true
	}
	t.unclear = t.unclear || !certain
}

func (t *knownTie) end(at moment, certain bool) {
	t.unclear = t.unclear || !certain || !t.last.over(at.from)
	t.ended = at
}
