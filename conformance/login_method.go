package conformance

import (
	"net/http"

	"github.com/socialfeed/conform/conformance/internal/jsonvalue"
	"github.com/socialfeed/conform/conformance/rules"
)

// loginMethod is the way by which actors get their sessions. The contract has three;
// the first that works is taken, so that a target that breaks one of them is
// blamed there alone and judged in everything else.
type loginMethod struct {
	exploration
	way    int
	worked int // for so many users in a row
}

const (
	byCreation = iota // create-user with withLogin=true
	byUserName
	byEmail
	ways

	// usersTried is for how many users a way must work: a target may give one user the
	// session of the user before, and the first has none before.
	usersTried = 2
)

func (l *loginMethod) withLogin() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.way == byCreation
}

// foundWithLogin reports whether creating with login is known to give sessions that work.
func (l *loginMethod) foundWithLogin() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.found && l.way == byCreation
}

// withoutLogin gives up create-with-login, unless it is known to work. It
// reports whether that changes anything.
func (l *loginMethod) withoutLogin() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.found || l.way != byCreation {
		return false
	}
	l.way = byUserName
	return true
}

// openSession gives a created actor its session. The first actors try the ways: a
// session counts when it is that user's.
func (l *loginMethod) openSession(a *Actor) {
	l.mu.Lock()
	way, found := l.way, l.found
	l.mu.Unlock()
	if found {
		a.takeSession(way)
		return
	}
	created := a.Token()
	var doubted []sessionByWay
	for tried := way; tried < ways; tried++ {
		if tried != byCreation {
			a.setToken(a.loginBy(tried))
		}
		if a.Token() == "" {
			continue
		}
		switch accepted, own := a.sessionWorks(); {
		case own:
			l.recordWorked(tried)
			return
		case accepted:
			doubted = append(doubted, sessionByWay{tried, a.Token()})
		}
	}
	if l.acceptProven(way) { // what shows the user is wrong then, and not the way
		a.setToken(created)
		a.takeSession(way)
		return
	}
	if l.acceptDoubted(a, doubted) {
		return
	}
	a.t.block(rules.Login.BlockingRule(), "needs a session, and neither creating with login nor logging in gave one that works", nil)
}

// sessionByWay is a session that is accepted, though GET /0.2/user does not show the user in it.
type sessionByWay struct {
	way   int
	token string
}

// acceptDoubted gives an actor the first of the sessions in which a new event is the actor's,
// and reports whether there is one: GET /0.2/user is wrong then, and not the session.
func (l *loginMethod) acceptDoubted(a *Actor, doubted []sessionByWay) bool {
	for _, d := range doubted {
		a.setToken(d.token)
		if a.ownsEvents() {
			l.recordWorked(d.way)
			return true
		}
	}
	return false
}

// takeSession gives an actor its session by a way that was found: by creation it has it.
func (a *Actor) takeSession(way int) {
	if way != byCreation {
		a.setToken(a.loginBy(way))
	}
	if a.Token() == "" {
		a.t.block(rules.Login.BlockingRule(), "needs a session, and got none", nil)
	}
}

// recordWorked records that a way gave a user a session that is this user's.
func (l *loginMethod) recordWorked(way int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if way != l.way {
		l.way, l.worked = way, 0
	}
	l.worked++
	l.found = l.worked == usersTried
}

// acceptProven takes a way for found where it worked for an earlier user, and reports whether one is
// found.
func (l *loginMethod) acceptProven(way int) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.found = l.found || l.way == way && l.worked > 0
	return l.found
}

// logIn gives an actor one more session.
func (l *loginMethod) logIn(a *Actor) string {
	l.mu.Lock()
	way := l.way
	l.mu.Unlock()
	if way == byEmail {
		return a.loginBy(byEmail)
	}
	if token := a.loginBy(byUserName); token != "" {
		return token
	}
	return a.loginBy(byEmail)
}

func (a *Actor) loginBy(way int) string {
	fields := Fields{"user_name": a.UserName, "password": a.Password}
	if way == byEmail {
		fields = Fields{"email": a.Email, "password": a.Password}
	}
	token, _ := a.t.sender().LogIn(a.app, fields)
	return token
}

// sessionWorks reports whether the target accepts the actor's session, and takes it for the
// actor's. What the endpoint itself may get wrong does not count against it.
func (a *Actor) sessionWorks() (accepted, own bool) {
	x, answered := a.t.exchange(http.MethodGet, rules.GetMe.Path(), a, nil)
	if x != nil && x.LeftUnanswered() { // which says nothing of the session
		return true, false
	}
	if !answered || x.Status == http.StatusUnauthorized || x.Status == http.StatusForbidden {
		return false, false
	}
	value, err := x.Value()
	record, ok := jsonvalue.AsRecord(value)
	return true, x.Status/100 != 2 || err != nil || !ok || record.ID() == "" ||
		record.ID() == a.ID.String() || record.Text("user_name") == a.UserName
}

// ownsEvents reports whether an event that is created in the actor's session is the actor's. The
// event is deleted.
func (a *Actor) ownsEvents() bool {
	body, err := jsonvalue.Encode(Fields{"verb": a.t.Unique()})
	if err != nil {
		return false
	}
	x, answered := a.t.exchange(http.MethodPost, rules.CreateEvent.Path(), a, body)
	if !answered || x.Status/100 != 2 {
		return false
	}
	value, _ := x.Value()
	event, _ := jsonvalue.AsRecord(value)
	if id := event.ID(); id != "" {
		a.t.exchange(http.MethodDelete, rules.DeleteEvent.Expand(id), a, nil)
	}
	return event.Text("user_id") == a.ID.String()
}
