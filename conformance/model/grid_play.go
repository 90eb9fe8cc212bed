package model

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/socialfeed/conform/conformance/rules"
)

// PlayGrid sends inputs with one defect each. Each endpoint is first seen to accept the request
// without a defect, and at the end to have changed nothing.
func (p *Player) PlayGrid(ctx context.Context, cases []Case) (*Outcome, error) {
	t := p.playthrough(Story{Name: "grid", Slots: 4, Plain: true})
	g := &gridRun{playthrough: t, accepts: map[rules.Endpoint]Tri{}}
	for _, o := range []Op{{Kind: Follow, A: gridReader, B: gridSubject}, {Kind: Post, A: gridSubject}, {Kind: Post, A: gridOpen}, {Kind: Join, A: gridOther}} {
		t.perform(ctx, o)
	}
	if len(t.state.users) < 4 || len(t.state.events) < 2 {
		return &t.outcome, t.err
	}
	for i, c := range cases {
		t.index, t.evidence = i, nil // each case has its own evidence
		if g.try(ctx, c); t.err != nil {
			return &t.outcome, fmt.Errorf("%s of %s at endpoint %d: %w", c.Class, c.Field, c.Endpoint, t.err)
		}
	}
	g.unchanged(ctx, cases)
	g.goesOn(ctx)
	return &t.outcome, t.err
}

// The slots of a grid: inputs that must be refused are the subject's, those that
// may be accepted are another user's, and a reader sees the effects of the first.
const (
	gridSubject = iota
	gridReader
	gridOpen
	gridOther
)

// gridRun is one run of the grid.
type gridRun struct {
	*playthrough
	accepts map[rules.Endpoint]Tri
}

// try sends one input and judges the status.
func (g *gridRun) try(ctx context.Context, c Case) {
	sender := gridSubject
	if len(c.Refused) == 0 {
		sender = gridOpen
	}
	if g.accepts[c.Endpoint] == Unknown {
		answer := g.submit(ctx, gridOpen, Request{Endpoint: c.Endpoint, Body: g.valid(c.Endpoint, gridOpen)})
		g.accepts[c.Endpoint] = tri(answer.OK())
	}
	if g.accepts[c.Endpoint] == No {
		return // without an accepted control refusals prove nothing
	}
	body := merged(g.valid(c.Endpoint, sender), c.Defect)
	if c.Alone {
		body = c.Defect
	} else if len(c.Refused) > 0 {
		body = merged(changesBeside(c), body)
	}
	delete(body, c.Missing)
	if c.Prefix+c.Suffix != "" {
		body[c.Field] = c.Prefix + idText(body[c.Field]) + c.Suffix
	}
	request := Request{Endpoint: c.Endpoint, Body: body, Raw: c.Raw, ContentType: c.ContentType, Query: c.Query}
	answer := g.submit(ctx, sender, request)
	if again := 3; slices.Contains(c.Refused, answer.Status) && g.index%again == 0 { // a refusal must not be remembered as something else
		answer = g.submit(ctx, sender, request)
	}
	g.player.Coverage["input "+fmt.Sprint(c.Endpoint)+" "+c.Field+"/"+c.Class]++
	expected := "no 5xx"
	ok := answer.Status < 500
	if len(c.Refused) > 0 {
		expected = strings.TrimSuffix(fmt.Sprintf("%d for %s as %s", c.Refused[0], c.Class, c.Field), " as ")
		ok = slices.Contains(c.Refused, answer.Status)
	}
	if !ok {
		g.recordDifference(Difference{Rule: c.Rule, At: c.Endpoint, Expected: expected, Actual: fmt.Sprint(answer.Status)})
	}
}

// valid returns the fields of a request that every server accepts.
func (g *gridRun) valid(at rules.Endpoint, sender int) Fields {
	u := g.state.users[g.slots[sender]]
	switch at {
	case rules.CreateUser:
		token := g.player.target.Unique()
		return Fields{"user_name": token, "email": token + "@example.com", "password": g.player.target.Password()}
	case rules.Login:
		return Fields{"user_name": u.name, "password": u.password}
	case rules.UpdateMe:
		return Fields{"user_name": u.name, "email": u.email, "password": u.password}
	case rules.CreateConnection:
		return Fields{"user_to_id": g.state.users[g.slots[gridOther]].id, "type": "follow"}
	case rules.ConnectSocial:
		return Fields{"platform": "facebook", "type": "follow", "platform_user_id": u.terms["first_name"], "connection_ids": []any{g.player.target.Unique()}}
	}
	return Fields{"verb": "like"}
}

// changesBeside returns fields beside a defect that would change something: with it, none must.
// One of them says by which rule.
func changesBeside(c Case) Fields {
	switch c.Endpoint {
	case rules.UpdateMe:
		return Fields{"first_name": refusedBy + c.Rule, "url": "https://refused.example"}
	case rules.UpdateEvent:
		return Fields{"verb": refusedBy + c.Rule, "location": refusedBy + c.Rule, "latitude": json.Number("1.5"), "longitude": json.Number("2.5")}
	}
	return nil
}

// refusedBy stands before the rule in a field of a request that must be refused.
const refusedBy = "refused by "

// changedBy returns the rule of the refused request whose value one of the differences shows, or
// a default.
func changedBy(found []Difference, otherwise string) string {
	for _, d := range found {
		if _, marked, is := strings.Cut(d.Actual, refusedBy); is {
			return marked[:strings.IndexFunc(marked+" ", func(r rune) bool { return !unicode.IsLetter(r) && r != '.' && r != '-' })]
		}
	}
	return otherwise
}

// submit sends a request as the user of a slot; an update of an event goes to one of that
// user's own. Creates of users and logins need no user.
func (g *gridRun) submit(ctx context.Context, sender int, r Request) Response {
	if r.Endpoint == rules.CreateUser || r.Endpoint == rules.Login {
		return g.send(ctx, r)
	}
	who := g.slots[sender]
	if r.Endpoint == rules.UpdateEvent {
		r.ID = idText(g.state.events[g.event(who, 0)].id)
	}
	return g.sendAs(ctx, who, r)
}

// goesOn has the user whose inputs were refused write something valid, in which none of them may show.
func (g *gridRun) goesOn(ctx context.Context) {
	if len(g.outcome.Differences) == 0 {
		g.perform(ctx, Op{Kind: Post, A: gridSubject, V: 1})
		g.perform(ctx, Op{Kind: Edit, A: gridSubject, V: 1})
	}
}

// unchanged checks that refused inputs have changed nothing.
func (g *gridRun) unchanged(ctx context.Context, cases []Case) {
	if len(g.outcome.Differences) > 0 {
		return // an accepted input has changed something
	}
	g.index, g.evidence = len(cases), nil
	for _, check := range []struct {
		view view
		at   rules.Endpoint
	}{{own(rules.GetMe, g.slots[gridSubject]), rules.UpdateMe}, {own(rules.MyFollows, g.slots[gridSubject]), rules.CreateConnection}, {own(rules.Feed, g.slots[gridReader]), rules.CreateEvent}} {
		if g.accepts[check.at] != Yes {
			continue
		}
		before := len(g.outcome.Differences)
		g.compareViews(ctx, check.view)
		for i, d := range g.outcome.Differences[before:] {
			at := check.at
			if d.Rule == "feed.event-shape" || d.Rule == "feed.update-visible" {
				at = rules.UpdateEvent
			}
			g.outcome.Differences[before+i].Rule, g.outcome.Differences[before+i].At = changedBy(g.outcome.Differences[before:], wrongTypeRule(at)), at
		}
	}
}
