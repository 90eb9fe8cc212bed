package story

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/socialfeed/conform/conformance/rules"
)

// Learn finds out, with some thirty requests, the choices of an application that stories depend on,
// and how long the target was seen to lag. What is not clear stays Unknown; known answers are kept.
func (p *Player) Learn(ctx context.Context, app int, known Choices) (Choices, time.Duration, error) {
	s := Story{Name: "learning", Users: make([]Role, 6)}
	for i := range s.Users {
		s.Users[i] = Role{App: app, Body: plainUser()}
	}
	l := &learner{player: p, run: p.run(s), app: app, choices: known}
	for _, find := range []func(context.Context){l.hidden, l.updates, l.events, l.friends, l.ends, l.kinds, l.social, l.sessions, l.names} {
		if find(ctx); l.run.err != nil {
			return l.choices, l.lag, fmt.Errorf("learning the target's choices: %w", l.run.err)
		}
	}
	return l.choices, l.lag, nil
}

// learner is one run of Learn.
type learner struct {
	player  *Player
	run     *run
	app     int
	choices Choices
	lag     time.Duration
}

// user returns the user of a role, who is created if need be; false if that fails.
func (l *learner) user(ctx context.Context, role int) (*user, bool) {
	if !l.run.enter(ctx, Step{Do: "see me", User: role}) {
		return nil, false
	}
	who, _ := l.run.world().who(role, false)
	return &l.run.world().users[who], true
}

// ask sends a request as a user, whose outcome is open.
func (l *learner) ask(ctx context.Context, role int, q Request) Response {
	if _, there := l.user(ctx, role); !there {
		return Response{}
	}
	c := call{Step: Step{User: role}, Request: q}
	c.App = l.app
	if !l.run.signIn(ctx, nil, &c) {
		return Response{}
	}
	return l.run.send(ctx, c.Request)
}

// hidden finds out which fields of a user are not shown to one who is not connected to it.
func (l *learner) hidden(ctx context.Context) {
	u, there := l.user(ctx, 1)
	if !there || len(l.choices.Hidden) > 0 {
		return
	}
	id, fields := idText(u.id), u.fields
	answer := l.ask(ctx, 2, Request{Endpoint: rules.GetUser, ID: id})
	if answer.Status != 200 {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if same(valueOf(answer.object(), name), absent{}) {
			l.choices.Hidden = append(l.choices.Hidden, name)
		}
	}
}

// updates finds out what an update of a user does to omitted fields, and to metadata.
func (l *learner) updates(ctx context.Context) {
	u, there := l.user(ctx, 1)
	if !there {
		return
	}
	body := Fields{"user_name": u.name, "email": u.email, "password": u.password, "metadata": Fields{"other": "one"}}
	answer := l.ask(ctx, 1, Request{Endpoint: rules.UpdateMe, Body: body})
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
	who, _ := l.run.world().who(1, false)
	l.run.world().updated(who, body, nil, o)
}

// events finds out the defaults of event fields, what an update of an event does to omitted
// fields, and whether coordinates of 0 are shown.
func (l *learner) events(ctx context.Context) {
	bare := l.ask(ctx, 1, Request{Endpoint: rules.CreateEvent, Body: Fields{"verb": "like"}})
	if !bare.OK() {
		return
	}
	for _, name := range eventFields()[1:] {
		if got := valueOf(bare.object(), name); l.choices.Defaults[name] == nil && !same(got, absent{}) {
			l.choices.Defaults = merged(l.choices.Defaults, Fields{name: got})
		}
	}
	full := Fields{"verb": "like", "language": "en", "priority": "high", "location": "garden", "latitude": json.Number("13.25"), "longitude": json.Number("7.5"),
		"metadata": Fields{"mood": "good"}, "object": Fields{"id": "1"}}
	made := l.ask(ctx, 1, Request{Endpoint: rules.CreateEvent, Body: full})
	if !made.OK() {
		return
	}
	id := idText(made.object()["id"])
	answer := l.ask(ctx, 1, Request{Endpoint: rules.UpdateEvent, ID: id, Body: Fields{"verb": "watch"}})
	if !answer.OK() {
		return
	}
	kept, cleared := true, true
	for _, name := range eventFields()[1:] {
		got := valueOf(answer.object(), name)
		kept, cleared = kept && same(got, full[name]), cleared && l.choices.unset(name).allows(got)
	}
	l.choices.KeepsEvent.resolve(eitherOf(kept, cleared))
	zero := json.Number("0")
	answer = l.ask(ctx, 1, Request{Endpoint: rules.UpdateEvent, ID: id, Body: Fields{"verb": "watch", "latitude": zero, "longitude": zero}})
	if !answer.OK() {
		return
	}
	latitude, longitude := valueOf(answer.object(), "latitude"), valueOf(answer.object(), "longitude")
	l.choices.OmitsZeros.resolve(eitherOf(same(latitude, absent{}) && same(longitude, absent{}), same(latitude, zero) || same(longitude, zero)))
}

// sessions finds out which sessions survive a login, a logout and an update.
func (l *learner) sessions(ctx context.Context) {
	const role = 4
	login := func() string {
		u, there := l.user(ctx, role)
		if !there {
			return ""
		}
		answer := l.run.send(ctx, Request{App: l.app, Endpoint: rules.Login, Body: Fields{"user_name": u.name, "password": u.password}})
		token, _ := answer.object()["session_token"].(string)
		return token
	}
	works := func(token string) Tri {
		answer := l.run.send(ctx, Request{App: l.app, Endpoint: rules.GetMe, Session: token})
		if token == "" || l.run.err != nil {
			return Unknown
		}
		return tri(answer.OK())
	}
	first, second := login(), login()
	u, there := l.user(ctx, role)
	if !there {
		return
	}
	l.choices.Concurrent.resolve(works(first))
	body := Fields{"user_name": u.name, "email": u.email, "password": u.password, "first_name": "other"}
	if !l.run.send(ctx, Request{App: l.app, Endpoint: rules.UpdateMe, Session: second, Body: body}).OK() {
		return
	}
	l.choices.UpdateKeeps.resolve(works(second))
	if l.choices.Concurrent != Yes || l.choices.UpdateKeeps != Yes {
		return
	}
	third := login()
	if l.run.send(ctx, Request{App: l.app, Endpoint: rules.Logout, Session: third}).OK() {
		l.choices.LogoutKeeps.resolve(works(second))
	}
}

// names finds out whether the name of a deleted user can be used again.
func (l *learner) names(ctx context.Context) {
	if l.choices.NamesRecur != Unknown {
		return
	}
	u, there := l.user(ctx, 5)
	if !there || !l.ask(ctx, 5, Request{Endpoint: rules.DeleteMe}).OK() {
		return
	}
	answer := l.run.send(ctx, Request{App: l.app, Endpoint: rules.CreateUser, Query: map[string]string{"withLogin": "true"},
		Body: Fields{"user_name": u.name, "email": u.email, "password": u.password}})
	if l.run.err == nil {
		l.choices.NamesRecur.resolve(tri(answer.OK()))
	}
}
