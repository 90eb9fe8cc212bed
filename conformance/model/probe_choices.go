package model

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/socialfeed/conform/conformance/rules"
)

// ProbeChoices finds out, with some twenty requests, the choices that stories depend on, and how long
// the target was seen to lag. What is not clear stays Unknown; known answers are kept. Options
// say how long the target may lag.
func (p *Player) ProbeChoices(ctx context.Context, known Choices) (Choices, time.Duration, error) {
	l := &choicesProbe{player: p, run: p.newRun(Story{Name: "learning", Slots: 6, Plain: true}), choices: known}
	for _, find := range []func(context.Context){l.updates, l.events, l.friends, l.ends, l.kinds, l.social, l.sessions, l.names} {
		if find(ctx); l.run.err != nil {
			return l.choices, l.lag, fmt.Errorf("learning the target's choices: %w", l.run.err)
		}
	}
	p.options.Choices, p.options.Lag = l.choices, l.lag
	return l.choices, l.lag, nil
}

// choicesProbe is one run of ProbeChoices.
type choicesProbe struct {
	player  *Player
	run     *run
	choices Choices
	lag     time.Duration
}

// do plays operations without comparing views.
func (l *choicesProbe) do(ctx context.Context, ops ...Op) {
	l.run.state.choices = l.choices
	for _, o := range ops {
		l.run.perform(ctx, o)
	}
}

// lists reports whether a list shows a user. It waits for a control, a user who was connected
// later: before the list shows the control, a missing user may only be late.
func (l *choicesProbe) lists(ctx context.Context, v view, whom, control int) Tri {
	for waited := time.Duration(0); ; waited += pauseOf(waited) {
		answer := l.run.read(ctx, v)
		objects, _ := answer.objects()
		shows := func(who int) bool {
			return slices.ContainsFunc(objects, func(o Fields) bool { return idText(o["id"]) == idText(l.run.state.users[who].id) })
		}
		if shows(control) {
			l.lag = max(l.lag, waited)
			return tri(shows(whom))
		}
		if waited >= l.player.options.Settle || l.run.err != nil {
			return Unknown
		}
		l.run.pause(ctx, pauseOf(waited))
	}
}

// pauseOf returns how long to wait before the next read.
func pauseOf(waited time.Duration) time.Duration {
	const shortest, longest = 15 * time.Millisecond, 200 * time.Millisecond
	return min(max(waited, shortest), longest)
}

// updates finds out what an update of a user does to omitted fields, and to metadata.
func (l *choicesProbe) updates(ctx context.Context) {
	if l.do(ctx, Op{Kind: Edit, Actor: 0}); len(l.run.state.users) == 0 {
		return
	}
	u := l.run.state.users[0]
	body := merged(u.credentials(), Fields{"metadata": Fields{"other": "one"}})
	answer := l.run.sendAs(ctx, 0, Request{Endpoint: rules.UpdateMe, Body: body})
	if !answer.OK() {
		return
	}
	o := answer.object()
	kept, cleared := true, true
	for name, was := range u.fields {
		if _, sent := body[name]; !sent {
			got := valueOf(o, name)
			kept, cleared = kept && was.allows(got), cleared && same(got, absent{})
		}
	}
	l.choices.KeepsUser.resolve(eitherOf(kept, cleared))
	all, replaced := same(valueOf(o, "metadata"), Fields{"mood": "good", "other": "one"}), same(valueOf(o, "metadata"), Fields{"other": "one"})
	l.choices.MergesMetadata.resolve(eitherOf(all, replaced))
	l.run.state.edited(0, body, o)
}

// events finds out the defaults of event fields, what an update of an event does to omitted
// fields, and whether coordinates of 0 are shown.
func (l *choicesProbe) events(ctx context.Context) {
	const bare, full = 1, 0
	if l.do(ctx, Op{Kind: Post, Actor: 0, Values: bare}); len(l.run.state.events) == 0 {
		return
	}
	for _, name := range eventFields()[1:] {
		if got := valueOf(l.run.state.events[0].answer, name); l.choices.Defaults[name] == nil && !same(got, absent{}) {
			l.choices.Defaults = merged(l.choices.Defaults, Fields{name: got})
		}
	}
	if l.do(ctx, Op{Kind: Post, Actor: 0, Values: full}); len(l.run.state.events) < 2 {
		return
	}
	e := l.run.state.events[1]
	zero := json.Number("0")
	answer := l.run.sendAs(ctx, 0, Request{Endpoint: rules.UpdateEvent, ID: idText(e.id), Body: Fields{"verb": "watch"}})
	if !answer.OK() {
		return
	}
	kept, cleared := true, true
	for _, name := range eventFields()[1:] {
		got := valueOf(answer.object(), name)
		kept = kept && e.fields[name].allows(got)
		cleared = cleared && l.choices.unset(name).allows(got)
	}
	l.choices.KeepsEvent.resolve(eitherOf(kept, cleared))
	answer = l.run.sendAs(ctx, 0, Request{Endpoint: rules.UpdateEvent, ID: idText(e.id), Body: Fields{"verb": "watch", "latitude": zero, "longitude": zero}})
	if !answer.OK() {
		return
	}
	latitude, longitude := valueOf(answer.object(), "latitude"), valueOf(answer.object(), "longitude")
	l.choices.OmitsZeros.resolve(eitherOf(same(latitude, absent{}) && same(longitude, absent{}), same(latitude, zero) || same(longitude, zero)))
}

// sessions finds out which sessions survive a login, a logout and an update.
func (l *choicesProbe) sessions(ctx context.Context) {
	if l.do(ctx, Op{Kind: LogIn, Actor: 3}, Op{Kind: LogIn, Actor: 3}, Op{Kind: LogIn, Actor: 3}); !l.hasUsers(4) {
		return
	}
	who := l.run.slots[3]
	works := func(i int) Tri {
		u := l.run.state.users[who]
		if i < 0 || i >= len(u.sessions) {
			return Unknown
		}
		return l.succeeded(l.run.send(ctx, Request{Endpoint: rules.GetMe, Session: u.sessions[i].token}))
	}
	last := len(l.run.state.users[who].sessions) - 1
	l.choices.Concurrent.resolve(works(last - 1))
	l.do(ctx, Op{Kind: Edit, Actor: 3})
	l.choices.UpdateKeeps.resolve(works(last))
	if l.choices.Concurrent != Yes || l.choices.UpdateKeeps != Yes {
		return
	}
	answer := l.run.send(ctx, Request{Endpoint: rules.Logout, Session: l.run.state.users[who].sessions[last-1].token})
	if answer.OK() {
		l.choices.LogoutKeeps.resolve(works(last))
	}
}

// names finds out whether the name of a deleted user can be used again.
func (l *choicesProbe) names(ctx context.Context) {
	if !l.hasUsers(5) || l.choices.NamesRecur != Unknown {
		return
	}
	who := l.run.slots[4]
	if l.do(ctx, Op{Kind: DeleteUser, Actor: 4}); l.run.state.users[who].lives() {
		return
	}
	was := l.run.state.users[who]
	answer := l.run.send(ctx, Request{Endpoint: rules.CreateUser, Query: map[string]string{"withLogin": "true"},
		Body: was.credentials()})
	l.choices.NamesRecur.resolve(l.succeeded(answer))
}

// succeeded reports whether a request succeeded, Unknown if there was no answer.
func (l *choicesProbe) succeeded(answer Response) Tri {
	if l.run.err != nil {
		return Unknown
	}
	return tri(answer.OK())
}

// hasUsers reports whether so many users were created.
func (l *choicesProbe) hasUsers(users int) bool { return len(l.run.state.users) >= users }
