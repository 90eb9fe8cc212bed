package play

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/socialfeed/conform/conformance/await"
	"github.com/socialfeed/conform/conformance/model/exchange"
	"github.com/socialfeed/conform/conformance/model/leeway"
	"github.com/socialfeed/conform/conformance/model/story"
	"github.com/socialfeed/conform/conformance/model/value"
	"github.com/socialfeed/conform/conformance/model/world"
	"github.com/socialfeed/conform/conformance/rules"
)

// ProbeChoices finds out, with some twenty requests, the choices that stories depend on, and how long
// the target was seen to lag. What is not clear stays Unknown; known answers are kept. Options
// say how long the target may lag.
func (p *Player) ProbeChoices(ctx context.Context, known leeway.Choices) (leeway.Choices, time.Duration, error) {
	l := &choicesProbe{player: p, run: p.newRun(story.Story{Name: "learning", Slots: 6, Plain: true}), choices: known}
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
	choices leeway.Choices
	lag     time.Duration
}

// do plays operations without comparing views.
func (l *choicesProbe) do(ctx context.Context, ops ...story.Op) {
	l.run.state.Choices = l.choices
	for _, o := range ops {
		l.run.perform(ctx, o)
	}
}

// lists reports whether a list shows a user. It waits for a control, a user who was connected
// later: before the list shows the control, a missing user may only be late.
func (l *choicesProbe) lists(ctx context.Context, v world.View, whom, control int) leeway.Tri {
	for waited := time.Duration(0); ; waited += await.Next(waited / 2) {
		answer := l.run.read(ctx, v)
		objects, _ := answer.Objects()
		shows := func(who int) bool {
			return slices.ContainsFunc(objects, func(o value.Fields) bool { return value.ID(o["id"]) == value.ID(l.run.state.Users[who].ID) })
		}
		if shows(control) {
			l.lag = max(l.lag, waited)
			return leeway.Known(shows(whom))
		}
		if waited >= l.player.options.Settle || l.run.err != nil {
			return leeway.Unknown
		}
		l.run.pause(ctx, await.Next(waited/2))
	}
}

// updates finds out what an update of a user does to omitted fields, and to metadata.
func (l *choicesProbe) updates(ctx context.Context) {
	if l.do(ctx, story.Op{Kind: story.Edit, Actor: 0}); len(l.run.state.Users) == 0 {
		return
	}
	u := l.run.state.Users[0]
	body := value.Merge(u.Credentials(), value.Fields{"metadata": value.Fields{"other": "one"}})
	answer := l.run.sendAs(ctx, 0, exchange.Request{Endpoint: rules.UpdateMe, Body: body})
	if !answer.OK() {
		return
	}
	o := answer.Object()
	kept, cleared := true, true
	for name, was := range u.Fields {
		if _, sent := body[name]; !sent {
			got := value.Of(o, name)
			kept, cleared = kept && was.Allows(got), cleared && value.Same(got, value.Absent{})
		}
	}
	l.choices.KeepsUser.Resolve(leeway.Either(kept, cleared))
	all, replaced := value.Same(value.Of(o, "metadata"), value.Fields{"mood": "good", "other": "one"}), value.Same(value.Of(o, "metadata"), value.Fields{"other": "one"})
	l.choices.MergesMetadata.Resolve(leeway.Either(all, replaced))
	l.run.state.Edited(0, body, o)
}

// events finds out the defaults of event fields, what an update of an event does to omitted
// fields, and whether coordinates of 0 are shown.
func (l *choicesProbe) events(ctx context.Context) {
	const bare, full = 1, 0
	if l.do(ctx, story.Op{Kind: story.Post, Actor: 0, Values: bare}); len(l.run.state.Events) == 0 {
		return
	}
	for _, name := range value.EventFields()[1:] {
		if got := value.Of(l.run.state.Events[0].Answer, name); l.choices.Defaults[name] == nil && !value.Same(got, value.Absent{}) {
			l.choices.Defaults = value.Merge(l.choices.Defaults, value.Fields{name: got})
		}
	}
	if l.do(ctx, story.Op{Kind: story.Post, Actor: 0, Values: full}); len(l.run.state.Events) < 2 {
		return
	}
	e := l.run.state.Events[1]
	zero := json.Number("0")
	answer := l.run.sendAs(ctx, 0, exchange.Request{Endpoint: rules.UpdateEvent, ID: value.ID(e.ID), Body: value.Fields{"verb": "watch"}})
	if !answer.OK() {
		return
	}
	kept, cleared := true, true
	for _, name := range value.EventFields()[1:] {
		got := value.Of(answer.Object(), name)
		kept = kept && e.Fields[name].Allows(got)
		cleared = cleared && l.choices.Unset(name).Allows(got)
	}
	l.choices.KeepsEvent.Resolve(leeway.Either(kept, cleared))
	answer = l.run.sendAs(ctx, 0, exchange.Request{Endpoint: rules.UpdateEvent, ID: value.ID(e.ID), Body: value.Fields{"verb": "watch", "latitude": zero, "longitude": zero}})
	if !answer.OK() {
		return
	}
	latitude, longitude := value.Of(answer.Object(), "latitude"), value.Of(answer.Object(), "longitude")
	l.choices.OmitsZeros.Resolve(leeway.Either(value.Same(latitude, value.Absent{}) && value.Same(longitude, value.Absent{}), value.Same(latitude, zero) || value.Same(longitude, zero)))
}

// sessions finds out which sessions survive a login, a logout and an update.
func (l *choicesProbe) sessions(ctx context.Context) {
	if l.do(ctx, story.Op{Kind: story.LogIn, Actor: 3}, story.Op{Kind: story.LogIn, Actor: 3}, story.Op{Kind: story.LogIn, Actor: 3}); !l.hasUsers(4) {
		return
	}
	who := l.run.slots[3]
	works := func(i int) leeway.Tri {
		u := l.run.state.Users[who]
		if i < 0 || i >= len(u.Sessions) {
			return leeway.Unknown
		}
		return l.succeeded(l.run.send(ctx, exchange.Request{Endpoint: rules.GetMe, Session: u.Sessions[i].Token}))
	}
	last := len(l.run.state.Users[who].Sessions) - 1
	l.choices.Concurrent.Resolve(works(last - 1))
	l.do(ctx, story.Op{Kind: story.Edit, Actor: 3})
	l.choices.UpdateKeeps.Resolve(works(last))
	if l.choices.Concurrent != leeway.Yes || l.choices.UpdateKeeps != leeway.Yes {
		return
	}
	answer := l.run.send(ctx, exchange.Request{Endpoint: rules.Logout, Session: l.run.state.Users[who].Sessions[last-1].Token})
	if answer.OK() {
		l.choices.LogoutKeeps.Resolve(works(last))
	}
}

// names finds out whether the name of a deleted user can be used again.
func (l *choicesProbe) names(ctx context.Context) {
	if !l.hasUsers(5) || l.choices.NamesRecur != leeway.Unknown {
		return
	}
	who := l.run.slots[4]
	if l.do(ctx, story.Op{Kind: story.DeleteUser, Actor: 4}); l.run.state.Users[who].Lives() {
		return
	}
	was := l.run.state.Users[who]
	answer := l.run.send(ctx, exchange.Request{Endpoint: rules.CreateUser, Query: map[string]string{"withLogin": "true"},
		Body: was.Credentials()})
	l.choices.NamesRecur.Resolve(l.succeeded(answer))
}

// succeeded reports whether a request succeeded, Unknown if there was no answer.
func (l *choicesProbe) succeeded(answer exchange.Response) leeway.Tri {
	if l.run.err != nil {
		return leeway.Unknown
	}
	return leeway.Known(answer.OK())
}

// hasUsers reports whether so many users were created.
func (l *choicesProbe) hasUsers(users int) bool { return len(l.run.state.Users) >= users }
