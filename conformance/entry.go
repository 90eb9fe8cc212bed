package conformance

import (
	"net/http"
	"sync"
)

// entry is the way by which actors get their sessions. The contract has three;
// the first that works is taken, so that a target that breaks one of them is
// blamed there alone and judged in everything else.
type entry struct {
	mu    sync.Mutex
	way   int
	found bool
}

const (
	byCreation = iota // create-user with withLogin=true
	byUserName
	byEmail
	ways
)

func (e *entry) withLogin() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.way == byCreation
}

// withoutLogin gives up create-with-login, unless it is known to work. It tells
// whether that changes anything.
func (e *entry) withoutLogin() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.found || e.way != byCreation {
		return false
	}
	e.way = byUserName
	return true
}

// settle gives a created actor its session. The first actor tries the ways: a
// session counts when it is that user's.
func (e *entry) settle(a *Actor) {
	e.mu.Lock()
	way, found := e.way, e.found
	e.mu.Unlock()
	if found {
		if way != byCreation {
			a.token = a.loginBy(way)
		}
		if a.token == "" {
			a.trial.block(Login.Home(), "needs a session, and got none")
		}
		return
	}
	for ; way < ways; way++ {
		if way != byCreation {
			a.token = a.loginBy(way)
		}
		if a.token != "" && a.sessionWorks() {
			e.mu.Lock()
			e.way, e.found = way, true
			e.mu.Unlock()
			return
		}
	}
	a.trial.block(Login.Home(), "needs a session, and neither creating with login nor logging in gave one that works")
}

// logIn gives an actor one more session.
func (e *entry) logIn(a *Actor) string {
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
	return a.trial.login(a.app, fields)
}

// sessionWorks tells whether the target takes the actor's session for the
// actor's. What the endpoint itself may get wrong does not count against it.
func (a *Actor) sessionWorks() bool {
	x := a.trial.quietly(http.MethodGet, GetMe.Path(), a, nil)
	if x == nil || x.status == http.StatusUnauthorized || x.status == http.StatusForbidden {
		return false
	}
	value, err := decodeJSON(x.answered)
	record, ok := asRecord(value)
	return x.status/100 != 2 || err != nil || !ok || record.ID() == "" ||
		record.ID() == a.ID.String() || record.Text("user_name") == a.UserName
}

// renewed repeats a request under a new session when the target has ended an
// actor's session by itself, which it may: how long one lives is not in the
// contract. It returns nil when that is not what happened.
func (t *Trial) renewed(req *http.Request, body []byte, x *exchange) *exchange {
	if x.err != nil || x.status != http.StatusUnauthorized {
		return nil
	}
	a := t.sender
	if a == nil || a.ended {
		return nil
	}
	token := a.token
	probe := t.quietly(http.MethodGet, GetMe.Path(), a, nil)
	if probe == nil || probe.status != http.StatusUnauthorized {
		return nil // the session lives: the refusal is the endpoint's own
	}
	if a.token = t.run.entry.logIn(a); a.token == "" {
		a.token = token
		return nil
	}
	again := req.Clone(req.Context())
	again.Header.Set("Authorization", a.authorization())
	replay := t.run.wire.send(again, body, !t.rushed)
	t.book(replay)
	return replay
}
