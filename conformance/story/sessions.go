package story

import (
	"context"
	"slices"

	"github.com/socialfeed/conform/conformance/rules"
)

// needsSession reports whether requests to an endpoint are sent in a session.
func needsSession(at rules.Endpoint) bool { return at != rules.CreateUser && at != rules.Login }

// signIn gives a call the session that its step names, or the latest of its user, who logs in first
// if there is none; false if whether the session works is open.
func (r *run) signIn(ctx context.Context, a *Action, c *call) bool {
	if !needsSession(c.Endpoint) {
		return true
	}
	who, _ := r.world().who(c.User, false)
	u := &r.world().users[who]
	if c.Step.Session > 0 {
		i, there := u.sessionOf(c.Step.Session)
		if !there || u.sessions[i].state == Unknown || u.sessions[i].over {
			return false
		}
		c.Request.Session = u.sessions[i].token
		return r.agreed(who, u.sessions[i].token)
	}
	i := u.latest()
	if i < 0 {
		r.perform(ctx, Step{Do: "log in", User: c.User})
		u = &r.world().users[who]
		i = u.latest()
	}
	if i < 0 {
		r.lost = r.lost || r.err == nil // without a session nothing can be compared
		return false
	}
	c.Request.Session = u.sessions[i].token
	return true
}

// agreed reports whether all worlds say the same of a session.
func (r *run) agreed(who int, token string) bool {
	state := r.sessionIn(r.world(), token).state
	return !slices.ContainsFunc(r.worlds, func(w *World) bool {
		s := r.sessionIn(w, token)
		return s == nil || s.state != state
	})
}

// sessionIn returns the session of a token, nil if there is none.
func (r *run) sessionIn(w *World, token string) *session {
	for i := range w.users {
		for j := range w.users[i].sessions {
			if w.users[i].sessions[j].token == token {
				return &w.users[i].sessions[j]
			}
		}
	}
	return nil
}

// sendIn sends a call in its session. How long sessions live is open: if one has ended, its user
// logs in anew, once. One that never worked is a difference.
func (r *run) sendIn(ctx context.Context, a *Action, c *call) {
	if r.dry() {
		c.answer = r.imagined(a, *c)
		return
	}
	for again := false; ; again = true {
		c.answer = r.send(ctx, c.Request)
		if r.err != nil || !needsSession(c.Endpoint) || c.In > 0 {
			return
		}
		s := r.sessionIn(r.world(), c.Request.Session)
		if s == nil || s.state == No {
			return
		}
		if c.answer.Status != 401 {
			if c.answer.Status < 500 {
				r.worked(c.Request.Session)
			}
			return
		}
		if r.neverWorks(ctx, c) {
			return
		}
		r.over(c.Request.Session)
		if again || c.Step.Session > 0 {
			r.lost = r.lost || again
			c.skip = true
			return
		}
		if !r.signIn(ctx, a, c) {
			return
		}
	}
}

// imagined returns the answer to a call in a dry run.
func (r *run) imagined(a *Action, c call) Response {
	e, why := a.expected(r.world(), c.Step)
	if other, known := r.world().who(c.Other, c.Former); known && why == notRefused && a.reads() && r.world().users[other].app != c.App {
		e.Refusals = []int{404}
	}
	r.outcome.Requests++
	return r.player.imagine(e, c.Request)
}

// worked keeps in all worlds that a session works.
func (r *run) worked(token string) {
	for _, w := range r.worlds {
		if s := r.sessionIn(w, token); s != nil && s.state != No {
			s.used = true
			if s.state == Unknown && len(r.worlds) == 1 {
				s.state = Yes
			}
		}
	}
}

// over keeps in all worlds that the target has ended a session. Its user's other sessions may have
// ended too: it logs in anew.
func (r *run) over(token string) {
	for _, w := range r.worlds {
		for i := range w.users {
			sessions := w.users[i].sessions
			if !slices.ContainsFunc(sessions, func(s session) bool { return s.token == token }) {
				continue
			}
			for j := range sessions {
				if sessions[j].state != No {
					sessions[j].state, sessions[j].over = Unknown, true
				}
			}
		}
	}
}

// neverWorks reports a session that was never seen to work, and does not at a second try either,
// while the user's others do.
func (r *run) neverWorks(ctx context.Context, c *call) bool {
	s := r.sessionIn(r.world(), c.Request.Session)
	if s.used || s.state != Yes || len(r.worlds) > 1 || r.player.options.Lag > 0 {
		return false
	}
	by := s.by
	who, _ := r.world().who(c.User, false)
	if again := r.send(ctx, c.Request); again.Status != 401 || r.err != nil {
		c.answer = again
		return false
	}
	for _, other := range r.world().users[who].sessions {
		if !other.used || other.state != Yes || other.token == c.Request.Session {
			continue
		}
		if r.send(ctx, Request{App: c.App, Endpoint: rules.GetMe, Session: other.token}).Status == 401 {
			return false // what has ended that one, which a target may do, may have ended this one
		}
		break
	}
	d := Diff{Kind: NoSession, Step: c.Step, At: c.Endpoint, Status: 401, App: c.App, Expect: Expect{Rule: by.Rule, At: by.At}, View: sighting{viewer: who, owner: who, subject: who}}
	r.report(r.world(), []Diff{d}, c.Request)
	r.lost = true
	return true
}
