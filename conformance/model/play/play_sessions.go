package play

import (
	"context"
	"fmt"
	"net/http"
	"slices"

	"github.com/socialfeed/conform/conformance/model/blame"
	"github.com/socialfeed/conform/conformance/model/exchange"
	"github.com/socialfeed/conform/conformance/model/leeway"
	"github.com/socialfeed/conform/conformance/model/value"
	"github.com/socialfeed/conform/conformance/model/world"
)

// sendAs sends a request in a session of a user. How long sessions live is open: one that has
// ended is renewed, once. One that never worked is a difference.
func (t *run) sendAs(ctx context.Context, who int, r exchange.Request) exchange.Response {
	if answer, tried := t.sendDoubted(ctx, who, r); tried {
		return answer
	}
	if answer, works := t.readInOther(ctx, who, r); works {
		return answer
	}
	for again := false; ; again = true {
		token := t.sessionFor(ctx, who, r)
		if t.err != nil {
			return exchange.Response{}
		}
		if token == "" {
			t.lost = true // without a session nothing can be compared
			return exchange.Response{Status: 401}
		}
		r.Session = token
		answer := t.send(ctx, r)
		s := t.sessionOf(who, token)
		if s == nil {
			return answer
		}
		if answer.Status != 401 {
			s.Used = true
			t.state.Users[who].RecordPlatformID(r)
			return answer
		}
		again = t.neverWorks(ctx, who, s, r) || again
		if t.err != nil {
			return exchange.Response{}
		}
		s.State = leeway.Unknown
		if s.Used { // what has ended it may have ended the others
			t.state.DoubtSessions(t.state.Users[who], false)
		}
		if !s.Used && again {
			t.recordDifference(blame.Difference{Rule: s.Rule, At: s.At, Expected: "a session that works", Actual: fmt.Sprintf("401 at endpoint %d", r.Endpoint)})
			t.lost = true
		}
		if again {
			return answer
		}
	}
}

// sendDoubted sends a request in the latest session of a user if an update may have ended it,
// and reports whether the answer can be used. It resolves the choice, and may save a login.
func (t *run) sendDoubted(ctx context.Context, who int, r exchange.Request) (exchange.Response, bool) {
	u := t.state.Users[who]
	if len(u.Sessions) == 0 || len(t.states) > 1 || t.state.Choices.UpdateKeeps != leeway.Unknown {
		return exchange.Response{}, false
	}
	latest := &u.Sessions[len(u.Sessions)-1]
	if latest.State != leeway.Unknown || !latest.Doubted {
		return exchange.Response{}, false
	}
	r.Session = latest.Token
	answer := t.send(ctx, r)
	switch {
	case answer.Status == 401:
		t.state.Choices.UpdateKeeps = leeway.No
		return answer, false
	case answer.OK():
		t.state.Choices.UpdateKeeps = leeway.Yes
		latest.State, latest.Used = leeway.Yes, true
		u.RecordPlatformID(r)
	}
	return answer, true
}

// readInOther sends a read, where it is its turn, in a session that an update in another one may
// have ended, and reports whether it works.
func (t *run) readInOther(ctx context.Context, who int, r exchange.Request) (exchange.Response, bool) {
	u := t.state.Users[who]
	i := slices.IndexFunc(u.Sessions, func(s world.Session) bool { return s.State == leeway.Unknown && s.Doubted })
	if i < 0 || i == len(u.Sessions)-1 || r.Endpoint.Method() != http.MethodGet || len(t.states) > 1 || value.Scatter(t.index)%2 == 0 {
		return exchange.Response{}, false
	}
	s := &u.Sessions[i]
	s.Doubted = false
	r.Session = s.Token
	answer := t.send(ctx, r)
	if answer.OK() {
		s.State, s.Used = leeway.Yes, true
	}
	return answer, answer.OK()
}

// neverWorks reports whether the latest session of a user, which was never seen to work, does
// not work at a second try either.
func (t *run) neverWorks(ctx context.Context, who int, s *world.Session, r exchange.Request) bool {
	if all := t.state.Users[who].Sessions; s.Used || all[len(all)-1].Token != s.Token || len(t.states) > 1 || t.player.options.Lag > 0 {
		return false
	}
	return t.send(ctx, r).Status == 401 && !t.othersEnded(ctx, who, r)
}

// othersEnded reports whether a session of a user that has worked does so no more: what has ended
// that one, which a target may do, may have ended the others.
func (t *run) othersEnded(ctx context.Context, who int, r exchange.Request) bool {
	for _, s := range t.state.Users[who].Sessions {
		if !s.Used || s.State != leeway.Yes || s.Token == r.Session {
			continue
		}
		r.Session = s.Token
		if t.send(ctx, r).Status != 401 {
			return false
		}
		t.state.DoubtSessions(t.state.Users[who], false)
		return true
	}
	return false
}

// sessionOf returns a user's session by its token, nil if there is none.
func (t *run) sessionOf(who int, token string) *world.Session {
	sessions := t.state.Users[who].Sessions
	if i := slices.IndexFunc(sessions, func(s world.Session) bool { return s.Token == token }); i >= 0 {
		return &sessions[i]
	}
	return nil
}

// sessionFor returns the token of the session in which a user sends a request: of a new one if
// none works, blank if there is none.
func (t *run) sessionFor(ctx context.Context, who int, r exchange.Request) string {
	if token := t.workingSession(who, r); token != "" {
		return token
	}
	u := t.state.Users[who]
	t.logIn(ctx, who, "user_name", false)
	if n := len(u.Sessions); n > 0 && u.Sessions[n-1].State == leeway.Yes {
		return u.Sessions[n-1].Token
	}
	return ""
}

// workingSession returns the token of a session of the user that works, blank if none does. Requests
// take turns between all of them, since what one session writes the others must show.
func (t *run) workingSession(who int, r exchange.Request) string {
	u := t.state.Users[who]
	tokens := u.Working()
	switch n := len(tokens); {
	case n == 0:
		return ""
	case r.Endpoint.Method() == http.MethodGet:
		return tokens[value.Scatter(t.index)%n]
	default:
		u.Writes++
		return tokens[(u.Writes-1)%n]
	}
}
