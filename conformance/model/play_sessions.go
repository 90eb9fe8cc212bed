package model

import (
	"context"
	"fmt"
	"net/http"
	"slices"
)

// sendAs sends a request in a session of a user. How long sessions live is open: one that has
// ended is renewed, once. One that never worked is a difference.
func (t *run) sendAs(ctx context.Context, who int, r Request) Response {
	if answer, tried := t.sendDoubted(ctx, who, r); tried {
		return answer
	}
	if answer, works := t.readInOther(ctx, who, r); works {
		return answer
	}
	for again := false; ; again = true {
		token := t.sessionFor(ctx, who, r)
		if t.err != nil {
			return Response{}
		}
		if token == "" {
			t.lost = true // without a session nothing can be compared
			return Response{Status: 401}
		}
		r.Session = token
		answer := t.send(ctx, r)
		s := t.sessionOf(who, token)
		if s == nil {
			return answer
		}
		if answer.Status != 401 {
			s.used = true
			t.state.users[who].recordPlatformID(r)
			return answer
		}
		again = t.neverWorks(ctx, who, s, r) || again
		if t.err != nil {
			return Response{}
		}
		s.state = Unknown
		if s.used { // what has ended it may have ended the others
			t.state.doubtSessions(t.state.users[who], false)
		}
		if !s.used && again {
			t.recordDifference(Difference{Rule: s.rule, At: s.at, Expected: "a session that works", Actual: fmt.Sprintf("401 at endpoint %d", r.Endpoint)})
			t.lost = true
		}
		if again {
			return answer
		}
	}
}

// sendDoubted sends a request in the latest session of a user if an update may have ended it,
// and reports whether the answer can be used. It resolves the choice, and may save a login.
func (t *run) sendDoubted(ctx context.Context, who int, r Request) (Response, bool) {
	u := t.state.users[who]
	if len(u.sessions) == 0 || len(t.states) > 1 || t.state.choices.UpdateKeeps != Unknown {
		return Response{}, false
	}
	latest := &u.sessions[len(u.sessions)-1]
	if latest.state != Unknown || !latest.doubted {
		return Response{}, false
	}
	r.Session = latest.token
	answer := t.send(ctx, r)
	switch {
	case answer.Status == 401:
		t.state.choices.UpdateKeeps = No
		return answer, false
	case answer.OK():
		t.state.choices.UpdateKeeps = Yes
		latest.state, latest.used = Yes, true
		u.recordPlatformID(r)
	}
	return answer, true
}

// readInOther sends a read, where it is its turn, in a session that an update in another one may
// have ended, and reports whether it works.
func (t *run) readInOther(ctx context.Context, who int, r Request) (Response, bool) {
	u := t.state.users[who]
	i := slices.IndexFunc(u.sessions, func(s session) bool { return s.state == Unknown && s.doubted })
	if i < 0 || i == len(u.sessions)-1 || r.Endpoint.Method() != http.MethodGet || len(t.states) > 1 || scatter(t.index)%2 == 0 {
		return Response{}, false
	}
	s := &u.sessions[i]
	s.doubted = false
	r.Session = s.token
	answer := t.send(ctx, r)
	if answer.OK() {
		s.state, s.used = Yes, true
	}
	return answer, answer.OK()
}

// neverWorks reports whether the latest session of a user, which was never seen to work, does
// not work at a second try either.
func (t *run) neverWorks(ctx context.Context, who int, s *session, r Request) bool {
	if all := t.state.users[who].sessions; s.used || all[len(all)-1].token != s.token || len(t.states) > 1 || t.player.options.Lag > 0 {
		return false
	}
	return t.send(ctx, r).Status == 401 && !t.othersEnded(ctx, who, r)
}

// othersEnded reports whether a session of a user that has worked does so no more: what has ended
// that one, which a target may do, may have ended the others.
func (t *run) othersEnded(ctx context.Context, who int, r Request) bool {
	for _, s := range t.state.users[who].sessions {
		if !s.used || s.state != Yes || s.token == r.Session {
			continue
		}
		r.Session = s.token
		if t.send(ctx, r).Status != 401 {
			return false
		}
		t.state.doubtSessions(t.state.users[who], false)
		return true
	}
	return false
}

// sessionOf returns a user's session by its token, nil if there is none.
func (t *run) sessionOf(who int, token string) *session {
	sessions := t.state.users[who].sessions
	if i := slices.IndexFunc(sessions, func(s session) bool { return s.token == token }); i >= 0 {
		return &sessions[i]
	}
	return nil
}

// sessionFor returns the token of the session in which a user sends a request: of a new one if
// none works, blank if there is none.
func (t *run) sessionFor(ctx context.Context, who int, r Request) string {
	if token := t.workingSession(who, r); token != "" {
		return token
	}
	u := t.state.users[who]
	t.logIn(ctx, who, "user_name", false)
	if n := len(u.sessions); n > 0 && u.sessions[n-1].state == Yes {
		return u.sessions[n-1].token
	}
	return ""
}

// workingSession returns the token of a session of the user that works, blank if none does. Requests
// take turns between all of them, since what one session writes the others must show.
func (t *run) workingSession(who int, r Request) string {
	u := t.state.users[who]
	tokens := u.working()
	switch n := len(tokens); {
	case n == 0:
		return ""
	case r.Endpoint.Method() == http.MethodGet:
		return tokens[scatter(t.index)%n]
	default:
		u.writes++
		return tokens[(u.writes-1)%n]
	}
}
