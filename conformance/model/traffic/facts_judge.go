package traffic

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/socialfeed/conform/conformance/model/blame"
	"github.com/socialfeed/conform/conformance/model/value"
	"github.com/socialfeed/conform/conformance/rules"
)

// judge compares what an answer shows with what is known.
func (s *facts) judge(x Observation) {
	s.judgeSession(x)
	s.judgeIdentity(x)
	objects, isList := x.Objects()
	switch {
	case x.Status == 200 && isList && x.Endpoint == rules.Feed:
		s.judgeFeed(x, objects)
	case x.Status == 200 && isList && x.Endpoint == rules.SearchUsers:
		s.judgeDeleted(x, objects, "search.deleted-excluded", rules.SearchUsers)
	case x.Status == 200 && isList && x.Endpoint.ListsConnections():
		s.judgeDeleted(x, objects, "connections.lists.after-user-delete", x.Endpoint.OwnList())
		s.judgeList(x, objects)
	case x.Endpoint == rules.GetUser:
		s.judgeUser(x)
	case x.Endpoint == rules.UpdateEvent:
		s.judgeLost(x)
	}
}

// keeps records an answer that keeps a rule, and reports whether it does.
func (s *facts) keeps(kept bool, rule string, at rules.Endpoint) bool {
	if kept {
		s.checker.keep(rule, at)
	}
	return kept
}

// blame blames an exchange on a rule, beside those that it contradicts.
func (s *facts) blame(rule string, at rules.Endpoint, x Observation, expected, actual string, written ...moment) {
	d := blame.Difference{Rule: rule, At: at, Expected: expected, Actual: actual}
	for _, m := range written {
		if m.evidence != nil && !slices.Contains(d.Evidence, m.evidence) {
			d.Evidence = append(d.Evidence, m.evidence)
		}
	}
	d.Evidence = append(d.Evidence, x.Evidence)
	s.checker.blame(d)
}

// judgeSession judges whether a session works that is over. A service that issues the same token again
// may have done so for a client that was not seen.
func (s *facts) judgeSession(x Observation) {
	known, ok := s.sessions.Get([2]string{x.App, x.Session})
	if !ok || x.Session == "" || known.unclear || s.reissues || !s.settled(known.over, x) || x.Endpoint == rules.NoEndpoint || x.Endpoint.Caller() != rules.SessionUser {
		return
	}
	const distinct = 2 // tokens: it issues a new one for each login
	if user := s.person(x.App, known.user); !s.presumed.AllTraffic && (user == nil || user.distinctLogin < distinct) {
		return
	}
	rule, at, how := "sessions.logout.destroys", rules.Logout, "logout"
	if known.deleted {
		rule, at, how = "sessions.deleted-user", rules.DeleteMe, "the deletion of its user"
	}
	if !s.keeps(!x.OK(), rule, at) {
		s.blame(rule, at, x, "no success with a session token after its "+how, fmt.Sprintf("%d from %s", x.Status, x.Endpoint), known.over)
	}
}

// judgeIdentity judges whether an answer shows whom and what the request is about.
func (s *facts) judgeIdentity(x Observation) {
	if !x.OK() {
		return
	}
	me, o := s.userOf(x), x.Object()
	sent, _ := x.Sent.(map[string]any)
	switch x.Endpoint {
	case rules.GetMe, rules.UpdateMe:
		s.identify(x, "users.id-stable", x.Endpoint, "id", me)
	case rules.GetUser:
		if s.people.Contains(resource{x.App, false, x.ID}) {
			s.identify(x, "users.id-stable", x.Endpoint, "id", x.ID)
		}
	case rules.CreateEvent:
		s.identify(x, "events.create.owner", x.Endpoint, "user_id", me)
	case rules.UpdateEvent:
		if e := s.event(x.App, x.ID); e != nil && sameCreation(e.created, o) {
			s.identify(x, "events.update.keeps-identity", x.Endpoint, "id", x.ID)
			s.identify(x, "events.update.keeps-identity", x.Endpoint, "user_id", e.owner)
		}
	case rules.CreateConnection:
		rule := "connections.create.follow"
		if sent["type"] == "friend" {
			rule = "connections.create.friend"
		}
		s.identify(x, rule, x.Endpoint, "user_from_id", me)
		if to, _ := s.target(x); s.people.Contains(resource{x.App, false, to}) {
			s.identify(x, rule, x.Endpoint, "user_to_id", to)
		}
	}
}

// identify judges whether an answer has an id that is known, if it has any.
func (s *facts) identify(x Observation, rule string, at rules.Endpoint, field, want string) {
	got := value.ID(x.Object()[field])
	if want != "" && got != "" && !s.keeps(got == want, rule, at) {
		s.blame(rule, at, x, field+" "+want, field+" "+got)
	}
}

// judgeDeleted judges whether a list or a search shows users who were deleted.
func (s *facts) judgeDeleted(x Observation, objects []value.Fields, rule string, at rules.Endpoint) {
	for _, o := range objects {
		if p := s.person(x.App, value.ID(o["id"])); p != nil && s.wasDeleted(p, o, x) {
			s.blame(rule, at, x, "no user "+value.ID(o["id"])+", who was deleted", "the user is there", p.gone)
			return
		}
	}
	if s.people.Len() > 0 {
		s.checker.keep(rule, at)
	}
}

// wasDeleted reports whether a user that is shown is one that was deleted, and not another one with its id.
func (s *facts) wasDeleted(p *knownUser, o value.Fields, x Observation) bool {
	return !p.unclear && s.settled(p.gone, x) && sameCreation(p.created, o) && outlasts(value.ID(o["id"]), p.born, p.gone, p.created)
}

// outlasts reports whether what was created and deleted was there for longer than created_at is exact: another one that is
// given its id then has another created_at. Long ids are not given again.
func outlasts(id string, born, gone moment, created any) bool {
	const long = 16 // characters
	if len(id) >= long {
		return true
	}
	exact := time.Second
	if text, _ := created.(string); strings.Contains(text, ".") {
		exact = time.Millisecond
	}
	return gone.from.Sub(born.to) >= exact
}

// sameCreation reports whether a resource is the one that was created at a time.
func sameCreation(created any, o value.Fields) bool {
	order, ok := value.Order(created, o["created_at"])
	return ok && order == 0
}

// judgeUser judges whether a user is there.
func (s *facts) judgeUser(x Observation) {
	p := s.person(x.App, x.ID)
	switch {
	case p == nil || p.unclear:
	case x.OK() && !p.gone.never():
		if !s.keeps(!s.wasDeleted(p, x.Object(), x), "users.me.delete.gone", rules.DeleteMe) {
			s.blame("users.me.delete.gone", rules.DeleteMe, x, "no user "+x.ID+", who was deleted", "the user is there", p.gone)
		}
	case s.presumed.AllTraffic && s.stands(p, x) && (x.OK() || x.Status == 404 || x.Status == 410):
		if !s.keeps(x.OK(), "users.get.other", rules.GetUser) {
			s.blame("users.get.other", rules.GetUser, x, "200 and user "+x.ID, x.Show(), p.born)
		}
	}
}

// judgeLost judges whether an event that was created is there to be updated by its owner.
func (s *facts) judgeLost(x Observation) {
	e := s.event(x.App, x.ID)
	if !s.presumed.AllTraffic || e == nil || e.unclear || !e.gone.never() || e.owner != s.userOf(x) || !s.settled(e.born, x) || !s.stands(s.person(x.App, e.owner), x) {
		return
	}
	if !s.keeps(x.Status != 404 && x.Status != 410, "events.update.status", rules.UpdateEvent) {
		s.blame("events.update.status", rules.UpdateEvent, x, "200 for event "+x.ID, x.Show(), e.born)
	}
}

// judgeConnected judges whether a user may be shown another one, or its events, as connected.
func (s *facts) judgeConnected(x Observation, id string, p *knownUser, other, never string, at rules.Endpoint, ended string) {
	if s.mayBeConnected(x, id, p, other) {
		s.checker.keep(never, at)
		return
	}
	expected, actual := fmt.Sprintf("nothing of user %s for user %s, who are not connected", other, id), "it is there"
	t := p.asked[other]
	if them := s.person(x.App, other); them != nil && (t == nil || t.ended.never()) {
		t = them.asked[id]
	}
	if t != nil && !t.ended.never() {
		s.blame(ended, rules.DeleteConnection, x, expected, actual, t.ended)
		return
	}
	s.blame(never, at, x, expected, actual, p.born)
}

// mayBeConnected reports whether any connection between two users, of whom the first one was seen to be created,
// may stand.
func (s *facts) mayBeConnected(x Observation, id string, p *knownUser, other string) bool {
	them := s.person(x.App, other)
	switch {
	case !s.keepsTies(p), p.unclear:
		return true
	case s.possible(p.asked[other], x):
		return true
	case them == nil:
		return p.askedBy[other] || s.peopleDropped
	}
	return !s.keepsTies(them) || s.possible(them.asked[id], x)
}
