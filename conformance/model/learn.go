package model

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/socialfeed/conform/conformance/rules"
)

// Learn finds out the choices that stories hang on, by some twenty requests, and
// how long the target was seen to lag. What is not clear stays Unknown. Known
// answers are taken as they are. Options say how long the target may lag.
func (p *Player) Learn(ctx context.Context, known Choices) (Choices, time.Duration, error) {
	l := &learning{p: p, t: p.playthrough(Story{Name: "learning", Slots: 6, Plain: true}), c: known}
	for _, find := range []func(context.Context){l.updates, l.events, l.friends, l.ends, l.kinds, l.social, l.sessions, l.names} {
		if find(ctx); l.t.err != nil {
			return l.c, l.lag, fmt.Errorf("learning the target's choices: %w", l.t.err)
		}
	}
	p.options.Choices, p.options.Lag = l.c, l.lag
	return l.c, l.lag, nil
}

// learning is the choices being found out.
type learning struct {
	p   *Player
	t   *playthrough
	c   Choices
	lag time.Duration
}

// do plays operations without looking.
func (l *learning) do(ctx context.Context, ops ...Op) {
	l.t.world.choices = l.c
	for _, o := range ops {
		l.t.perform(ctx, o)
	}
}

// lists reports whether a list shows a user. It waits for a control, a user who was
// connected later: until the list shows that one, who is missing may only be late.
func (l *learning) lists(ctx context.Context, v view, whom, control int) Tri {
	for waited := time.Duration(0); ; waited += pauseOf(waited) {
		answer := l.t.read(ctx, v)
		objects, _ := answer.objects()
		shows := func(who int) bool {
			return slices.ContainsFunc(objects, func(o Fields) bool { return idText(o["id"]) == idText(l.t.world.users[who].id) })
		}
		if shows(control) {
			l.lag = max(l.lag, waited)
			return tri(shows(whom))
		}
		if waited >= l.p.options.Settle || l.t.err != nil {
			return Unknown
		}
		l.t.pause(ctx, pauseOf(waited))
	}
}

// pauseOf is how long to wait before the next reading.
func pauseOf(waited time.Duration) time.Duration {
	const shortest, longest = 15 * time.Millisecond, 200 * time.Millisecond
	return min(max(waited, shortest), longest)
}

// updates finds what an update of a user does to what it does not send, and to metadata.
func (l *learning) updates(ctx context.Context) {
	if l.do(ctx, Op{Kind: Edit, A: 0}); len(l.t.world.users) == 0 {
		return
	}
	u := l.t.world.users[0]
	body := Fields{"user_name": u.name, "email": u.email, "password": u.password, "metadata": Fields{"other": "one"}}
	answer := l.t.sendAs(ctx, 0, Request{Endpoint: rules.UpdateMe, Body: body})
	if !answer.OK() {
		return
	}
	o := answer.object()
	kept := u.fields["first_name"].allows(valueOf(o, "first_name")) && u.fields["social_ids"].allows(valueOf(o, "social_ids"))
	cleared := same(valueOf(o, "first_name"), absent{}) && same(valueOf(o, "social_ids"), absent{})
	l.c.KeepsUser.settle(eitherOf(kept, cleared))
	all, replaced := same(valueOf(o, "metadata"), Fields{"mood": "good", "other": "one"}), same(valueOf(o, "metadata"), Fields{"other": "one"})
	l.c.MergesMetadata.settle(eitherOf(all, replaced))
	l.t.world.edited(0, body, o)
}

// events finds what an event has in fields that no request set, and what an update of it
// does to what it does not send.
func (l *learning) events(ctx context.Context) {
	const bare, full = 1, 0
	if l.do(ctx, Op{Kind: Post, A: 0, V: bare}); len(l.t.world.events) == 0 {
		return
	}
	for _, name := range eventFields()[1:] {
		if got := valueOf(l.t.world.events[0].answer, name); l.c.Defaults[name] == nil && !same(got, absent{}) {
			l.c.Defaults = merged(l.c.Defaults, Fields{name: got})
		}
	}
	if l.do(ctx, Op{Kind: Post, A: 0, V: full}); len(l.t.world.events) < 2 {
		return
	}
	e := l.t.world.events[1]
	answer := l.t.sendAs(ctx, 0, Request{Endpoint: rules.UpdateEvent, ID: idText(e.id), Body: Fields{"verb": "watch"}})
	if !answer.OK() {
		return
	}
	kept, cleared := true, true
	for _, name := range eventFields()[1:] {
		got := valueOf(answer.object(), name)
		kept = kept && e.fields[name].allows(got)
		cleared = cleared && l.c.unset(name).allows(got)
	}
	l.c.KeepsEvent.settle(eitherOf(kept, cleared))
}

// sessions finds which sessions survive a login, a logout and an update.
func (l *learning) sessions(ctx context.Context) {
	if l.do(ctx, Op{Kind: LogIn, A: 3}, Op{Kind: LogIn, A: 3}, Op{Kind: LogIn, A: 3}); !l.have(4) {
		return
	}
	who := l.t.slots[3]
	works := func(i int) Tri {
		u := l.t.world.users[who]
		if i < 0 || i >= len(u.sessions) {
			return Unknown
		}
		return l.found(l.t.send(ctx, Request{Endpoint: rules.GetMe, Session: u.sessions[i].token}))
	}
	last := len(l.t.world.users[who].sessions) - 1
	l.c.Concurrent.settle(works(last - 1))
	l.do(ctx, Op{Kind: Edit, A: 3})
	l.c.UpdateKeeps.settle(works(last))
	if l.c.Concurrent != Yes || l.c.UpdateKeeps != Yes {
		return
	}
	answer := l.t.send(ctx, Request{Endpoint: rules.Logout, Session: l.t.world.users[who].sessions[last-1].token})
	if answer.OK() {
		l.c.LogoutKeeps.settle(works(last))
	}
}

// names finds whether the name of a deleted user can be used again.
func (l *learning) names(ctx context.Context) {
	if !l.have(5) || l.c.NamesRecur != Unknown {
		return
	}
	who := l.t.slots[4]
	if l.do(ctx, Op{Kind: Leave, A: 4}); l.t.world.users[who].lives() {
		return
	}
	was := l.t.world.users[who]
	answer := l.t.send(ctx, Request{Endpoint: rules.CreateUser, Query: map[string]string{"withLogin": "true"},
		Body: Fields{"user_name": was.name, "email": was.email, "password": was.password}})
	l.c.NamesRecur.settle(l.found(answer))
}

// found is whether a request succeeded, Unknown where there was no answer.
func (l *learning) found(answer Response) Tri {
	if l.t.err != nil {
		return Unknown
	}
	return tri(answer.OK())
}

func (l *learning) have(users int) bool { return len(l.t.world.users) >= users }
