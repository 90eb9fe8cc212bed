package model

import (
	"context"
	"fmt"
	"slices"

	"github.com/socialfeed/conform/conformance/rules"
)

// PlayGrid sends inputs with one defect each. Each endpoint is first seen to accept
// the request without a defect, and in the end to have changed nothing.
func (p *Player) PlayGrid(ctx context.Context, cases []Case) (*Outcome, error) {
	t := p.playthrough(Story{Name: "grid", Slots: 4, Plain: true})
	g := &gridPlay{playthrough: t, accepts: map[rules.Endpoint]Tri{}}
	for _, o := range []Op{{Kind: Follow, A: gridReader, B: gridSubject}, {Kind: Post, A: gridSubject}, {Kind: Post, A: gridOpen}, {Kind: Join, A: gridOther}} {
		t.perform(ctx, o)
	}
	if len(t.world.users) < 4 || len(t.world.events) < 2 {
		return &t.outcome, t.err
	}
	for i, c := range cases {
		t.index, t.evidence = i, nil // each case stands for itself
		if g.try(ctx, c); t.err != nil {
			return &t.outcome, fmt.Errorf("%s of %s at endpoint %d: %w", c.Class, c.Field, c.Endpoint, t.err)
		}
	}
	g.unchanged(ctx, cases)
	return &t.outcome, t.err
}

// The slots of a grid: inputs that must be refused are the subject's, those that
// may be taken are another's, and a reader sees what came of the first.
const (
	gridSubject = iota
	gridReader
	gridOpen
	gridOther
)

// gridPlay is a grid being played.
type gridPlay struct {
	*playthrough
	accepts map[rules.Endpoint]Tri
}

func (g *gridPlay) try(ctx context.Context, c Case) {
	sender := gridSubject
	if len(c.Refused) == 0 {
		sender = gridOpen
	}
	if g.accepts[c.Endpoint] == Unknown {
		answer := g.submit(ctx, gridOpen, Request{Endpoint: c.Endpoint, Body: g.valid(c.Endpoint, gridOpen)})
		g.accepts[c.Endpoint] = tri(answer.OK())
	}
	if g.accepts[c.Endpoint] == No {
		return // refusals would prove nothing
	}
	body := merged(g.valid(c.Endpoint, sender), c.Defect)
	delete(body, c.Missing)
	if c.Behind != "" {
		body[c.Field] = idText(body[c.Field]) + c.Behind
	}
	answer := g.submit(ctx, sender, Request{Endpoint: c.Endpoint, Body: body, Raw: c.Raw, Query: c.Query})
	g.player.Coverage["input "+fmt.Sprint(c.Endpoint)+" "+c.Field+"/"+c.Class]++
	expected := "no 5xx"
	ok := answer.Status < 500
	if len(c.Refused) > 0 {
		expected = fmt.Sprintf("%d for %s as %s", c.Refused[0], c.Class, c.Field)
		ok = slices.Contains(c.Refused, answer.Status)
	}
	if !ok {
		g.differ(Difference{Rule: c.Rule, At: c.Endpoint, Expected: expected, Actual: fmt.Sprint(answer.Status)})
	}
}

// valid are the fields of a request that every server accepts.
func (g *gridPlay) valid(at rules.Endpoint, sender int) Fields {
	u := g.world.users[g.slots[sender]]
	switch at {
	case rules.CreateUser:
		token := g.player.target.Unique()
		return Fields{"user_name": token, "email": token + "@example.com", "password": g.player.target.Password()}
	case rules.Login:
		return Fields{"user_name": u.name, "password": u.password}
	case rules.UpdateMe:
		return Fields{"user_name": u.name, "email": u.email, "password": u.password}
	case rules.CreateConnection:
		return Fields{"user_to_id": g.world.users[g.slots[gridOther]].id, "type": "follow"}
	case rules.ConnectSocial:
		return Fields{"platform": "facebook", "type": "follow", "platform_user_id": u.terms["first_name"], "connection_ids": []any{g.player.target.Unique()}}
	}
	return Fields{"verb": "like"}
}

// submit sends a request as the user of a slot, an update of an event to one of that
// user's own; a create of a user needs nobody.
func (g *gridPlay) submit(ctx context.Context, sender int, r Request) Response {
	if r.Endpoint == rules.CreateUser || r.Endpoint == rules.Login {
		return g.send(ctx, r)
	}
	who := g.slots[sender]
	if r.Endpoint == rules.UpdateEvent {
		r.ID = idText(g.world.events[g.event(who, 0)].id)
	}
	return g.sendAs(ctx, who, r)
}

// unchanged looks whether what was refused has changed anything.
func (g *gridPlay) unchanged(ctx context.Context, cases []Case) {
	if len(g.outcome.Differences) > 0 {
		return // what was taken has changed something
	}
	g.index, g.evidence = len(cases), nil
	for _, look := range []struct {
		view view
		at   rules.Endpoint
	}{{own(rules.GetMe, g.slots[gridSubject]), rules.UpdateMe}, {own(rules.MyFollows, g.slots[gridSubject]), rules.CreateConnection}, {own(rules.Feed, g.slots[gridReader]), rules.CreateEvent}} {
		if g.accepts[look.at] != Yes {
			continue
		}
		before := len(g.outcome.Differences)
		g.look(ctx, look.view)
		for i, d := range g.outcome.Differences[before:] {
			at := look.at
			if d.Rule == "feed.event-shape" || d.Rule == "feed.update-visible" {
				at = rules.UpdateEvent
			}
			g.outcome.Differences[before+i].Rule, g.outcome.Differences[before+i].At = wrongTypeRule(at), at
		}
	}
}
