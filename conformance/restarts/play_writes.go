package restarts

import (
	"context"
	"errors"
	"fmt"
	"net/http"
)

// creation is the creation of a user for a slot.
func (p *player) creation(slot int) write {
	n := len(p.known.users) + 1
	p.known.users[n] = &user{name: fmt.Sprintf("%su%d", p.run, n), password: fmt.Sprintf("hashed-%s-%d", p.run, n)}
	p.slots[slot] = n
	return write{kind: Create, user: n, value: p.value()}
}

func (p *player) value() string {
	p.values++
	return fmt.Sprintf("v%d", p.values)
}

// plan makes a write of a step, or false where it is not possible.
func (p *player) plan(s Step) (write, bool) {
	u, other, now := p.slots[s.Slot], p.slots[s.Other], p.now()
	w := write{kind: s.Do, user: u, other: other}
	linked := now.links[link{u, other}]
	switch {
	case s.Do == Create && u == 0:
		return p.creation(s.Slot), true
	case s.Do == Create, u == 0:
		return w, false
	}
	switch s.Do {
	case Logout:
		w.session = p.known.users[u].session
		return w, w.session != 0
	case Update:
		w.value = p.value()
	case Follow:
		return w, other != 0 && other != u && !linked
	case Unfollow:
		return w, other != 0 && other != u && linked
	case Post:
		w.event, w.value = len(p.known.events)+1, p.value()
		p.known.events[w.event] = &posted{owner: u, marker: fmt.Sprintf("%se%d", p.run, w.event)}
	case Edit, Remove:
		all := now.eventsOf(u)
		if len(all) == 0 {
			return w, false
		}
		w.event, w.value = all[s.Other%len(all)], p.value()
	case Create, Login, Delete:
	}
	return w, true
}

// write makes a write, and takes note of its answer.
func (p *player) write(ctx context.Context, w write) error {
	if err := p.logIn(ctx, w); err != nil || p.found != nil {
		return err
	}
	a := p.call(ctx, p.requestOf(w))
	if w.kind == Follow && !a.ok() && !a.unanswered() && !p.numericIDs {
		p.numericIDs = true
		a = p.call(ctx, p.requestOf(w))
	}
	if a.status == http.StatusUnauthorized && w.kind != Create && w.kind != Login && w.kind != Logout { // a session may end at any time
		p.known.users[w.user].token = ""
		if err := p.logIn(ctx, w); err != nil || p.found != nil {
			return err
		}
		a = p.call(ctx, p.requestOf(w))
	}
	return p.note(ctx, w, a, nil)
}

// logIn sees that the user of a write has a session.
func (p *player) logIn(ctx context.Context, w write) error {
	if u := p.known.users[w.user]; w.kind == Create || w.kind == Login || w.kind == Logout || u.token != "" {
		return nil
	}
	again := write{kind: Login, user: w.user}
	return p.note(ctx, again, p.call(ctx, p.requestOf(again)), nil)
}

// note takes note of the answer to a write.
func (p *player) note(ctx context.Context, w write, a answer, inside *Interruption) error {
	p.log = append(p.log, logged{write: &w, inside: inside, text: a.String()})
	const serverErrors = 500
	switch {
	case a.ok():
		p.history = append(p.history, w)
		p.learn(w, a)
		if w.kind == Create || w.kind == Login {
			p.log[len(p.log)-1].opened = p.known.users[w.user].session
		}
		return nil
	case inside != nil && inside.Signal == Pause && a.unanswered():
		p.found = &Finding{Rule: Paused, Expected: "an answer once the target goes on", Actual: "none"}
		return ctx.Err()
	case inside != nil && (a.unanswered() || a.status >= serverErrors):
		p.uncertain = &w
		return ctx.Err()
	case a.unanswered():
		return errors.Join(ctx.Err(), fmt.Errorf("to %s got no answer: %w", w.kind, a.err))
	case p.starts > 0 || p.restarted:
		p.found = &Finding{Rule: Serves, Expected: fmt.Sprintf("to %s succeeds after a restart, as before", w.kind), Actual: "status " + a.String()}
		return nil
	}
	return refusedError{w.kind, a, p.starts}
}

// learn keeps the ids and tokens of an answer.
func (p *player) learn(w write, a answer) {
	switch w.kind {
	case Create:
		p.known.users[w.user].id = a.field("id")
		p.giveID("user", a.field("id"), userName(w.user))
		if token := a.field("session_token"); token != "" {
			p.known.open(w.user, token)
		}
	case Login:
		p.known.open(w.user, a.field("session_token"))
	case Logout:
		p.known.users[w.user].token, p.known.users[w.user].session = "", 0
	case Delete:
		for slot, u := range p.slots {
			if u == w.user {
				p.slots[slot] = 0
			}
		}
	case Post:
		p.known.events[w.event].id = a.field("id")
		p.giveID("event", a.field("id"), eventName(w.event))
	case Update, Follow, Unfollow, Edit, Remove:
	}
}

// giveID notes that an id was given, and sees that it was not before the latest start.
func (p *player) giveID(kind, id, to string) {
	key := kind + " " + id
	if before, twice := p.known.ids[key]; twice && id != "" && (before.starts < p.starts || p.calm) && before.to != to && p.found == nil {
		p.found = &Finding{Rule: IDs, Expected: "an id that was not given before the restart", Actual: fmt.Sprintf("%s gets the id %s, which %s had before", to, id, before.to)}
	}
	p.known.ids[key] = given{p.starts, to}
}

// writeDuring makes a write and sends a signal before or while its answer comes.
func (p *player) writeDuring(ctx context.Context, w write, cut Interruption) error {
	if err := p.logIn(ctx, w); err != nil || p.found != nil {
		return err
	}
	written, answered := make(chan struct{}, 1), make(chan answer, 1)
	go func() {
		answered <- p.send(ctx, p.requestOf(w), func() {
			select {
			case written <- struct{}{}:
			default:
			}
		})
	}()
	var a answer
	early := false
	select {
	case <-written:
		pause(ctx, cut.After)
	case a = <-answered:
		early = true
	}
	if err := p.signal(ctx, cut.Signal); err != nil {
		return err
	}
	if !early {
		a = <-answered
	}
	return p.note(ctx, w, a, &cut)
}
