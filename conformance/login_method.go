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

func (e *loginMethod) withLogin() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.way == byCreation
}

// foundWithLogin reports whether creating with login is known to give sessions that work.
func (e *loginMethod) foundWithLogin() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.found && e.way == byCreation
}

// withoutLogin gives up create-with-login, unless it is known to work. It
// reports whether that changes anything.
func (e *loginMethod) withoutLogin() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.found || e.way != byCreation {
		return false
	}
	e.way = byUserName
	return true
}

// openSession gives a created actor its session. The first actors try the ways: a
// session counts when it is that user's.
func (e *loginMethod) openSession(a *Actor) {
	e.mu.Lock()
	way, found := e.way, e.found
	e.mu.Unlock()
	if found {
		a.takeSession(way)
		return
	}
	created := a.Token()
	for tried := way; tried < ways; tried++ {
		if tried != byCreation {
			a.setToken(a.loginBy(tried))
		}
		if a.Token() != "" && a.sessionWorks() {
			e.recordWorked(tried)
			return
		}
	}
	if e.acceptProven(way) { // what shows the user is wrong then, and not the way
		a.setToken(created)
		a.takeSession(way)
		return
	}
	a.t.block(rules.Login.BlockingRule(), "needs a session, and neither creating with login nor logging in gave one that works", nil)
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
func (e *loginMethod) recordWorked(way int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if way != e.way {
		e.way, e.worked = way, 0
	}
	e.worked++
	e.found = e.worked == usersTried
}

// acceptProven takes a way for found where it worked for an earlier user, and reports whether one is
// found.
func (e *loginMethod) acceptProven(way int) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.found = e.found || e.way == way && e.worked > 0
	return e.found
}

// logIn gives an actor one more session.
func (e *loginMethod) logIn(a *Actor) string {
	e.mu.Lock()
	way := e.way
	e.mu.Unlock()
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
	return a.t.login(a.app, fields)
}

// sessionWorks reports whether the target takes the actor's session for the
// actor's. What the endpoint itself may get wrong does not count against it.
func (a *Actor) sessionWorks() bool {
	x := a.t.exchange(http.MethodGet, rules.GetMe.Path(), a, nil)
	if x == nil || x.Status == http.StatusUnauthorized || x.Status == http.StatusForbidden {
		return false
	}
	value, err := x.Value()
	record, ok := jsonvalue.AsRecord(value)
	return x.Status/100 != 2 || err != nil || !ok || record.ID() == "" ||
		record.ID() == a.ID.String() || record.Text("user_name") == a.UserName
}
