package model

import (
	"context"
	"fmt"
	"slices"
)

// sendAs sends a request in a session of a user. How long sessions live is open: one that has
// ended is renewed, once. One that never worked is a difference.
func (t *playthrough) sendAs(ctx context.Context, who int, r Request) Response {
	if answer, tried := t.sendDoubted(ctx, who, r); tried {
		return answer
	}
	for again := false; ; again = true {
		token := t.session(ctx, who)
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
func (t *playthrough) sendDoubted(ctx context.Context, who int, r Request) (Response, bool) {
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

// neverWorks reports whether the latest session of a user, which was never seen to work, does
// not work at a second try either.
func (t *playthrough) neverWorks(ctx context.Context, who int, s *session, r Request) bool {
	if all := t.state.users[who].sessions; s.used || all[len(all)-1].token != s.token || len(t.states) > 1 || t.player.options.Lag > 0 {
		return false
	}
	t.pause(ctx, t.player.options.Lag)
	return t.send(ctx, r).Status == 401
}

// sessionOf returns a user's session by its token, nil if there is none.
func (t *playthrough) sessionOf(who int, token string) *session {
	sessions := t.state.users[who].sessions
	if i := slices.IndexFunc(sessions, func(s session) bool { return s.token == token }); i >= 0 {
		return &sessions[i]
	}
	return nil
}

// session returns the token of the user's latest session that works, of a new one if none does,
// blank if there is none.
func (t *playthrough) session(ctx context.Context, who int) string {
	u := t.state.users[who]
	for _, s := range slices.Backward(u.sessions) {
		if s.state == Yes {
			return s.token
		}
	}
	t.logIn(ctx, who, "user_name")
	if n := len(u.sessions); n > 0 && u.sessions[n-1].state == Yes {
		return u.sessions[n-1].token
	}
	return ""
}
