package conformance

import (
	"fmt"
	"net/http"

	"github.com/socialfeed/conform/conformance/explore"
	"github.com/socialfeed/conform/conformance/grid"
	"github.com/socialfeed/conform/conformance/internal/jsonvalue"
	"github.com/socialfeed/conform/conformance/rules"
)

// sendBy sends the plain request of a user to an endpoint, with a change; nil for none.
func (g *gridPlay) sendBy(sender *Actor, at rules.Endpoint, change func(*grid.Message), with ...With) *Answer {
	g.requests++
	as := g.credentials(sender, at)
	m := g.message(sender, at)
	plain := as.authorization()
	if plain != "" {
		m.Header.Set("Authorization", plain)
	}
	if change != nil {
		change(m)
	}
	body, err := m.EncodedBody()
	if err != nil {
		panic(unjudged(err))
	}
	if m.Header.Get("Authorization") == plain {
		m.Header.Del("Authorization") // the sender's own, which is renewed where its session ends
	}
	return g.t.Send(as, at, append(with, asMessage(m, body))...)
}

// asMessage shapes a request like a message.
func asMessage(m *grid.Message, body []byte) With {
	return func(d *draft) {
		d.spelled, d.raw, d.body, d.chunked = m.EscapedPath(), m.RawQuery, body, m.Chunked
		for name, value := range m.Query {
			d.query.Set(name, value)
		}
		if len(body) > 0 {
			d.headers.Set("Content-Type", "application/json")
		}
		for name, values := range m.Header {
			if values[0] == "" {
				d.headers.Del(name)
			} else {
				d.headers[name] = values
			}
		}
	}
}

// credentials are what an endpoint needs.
func (g *gridPlay) credentials(sender *Actor, at rules.Endpoint) Credentials {
	switch at.Caller() {
	case rules.AnyCaller:
		return Anonymous{}
	case rules.Application:
		return g.t.AppOnly()
	}
	return sender
}

// message is the plain request of a user to an endpoint.
func (g *gridPlay) message(sender *Actor, at rules.Endpoint) *grid.Message {
	asked := at.Request()
	fill := g.t.samples(sender.Required(nil), func(source rules.Source) any { return g.id(source, sender, at) })
	m := &grid.Message{Endpoint: at, Header: http.Header{}, Query: map[string]string{}, Body: asked.ValidBody(fill)}
	if asked.Body != nil {
		m.Further = asked.FurtherFields(fill)
	}
	if at == rules.CreateUser { // in whose session it can be deleted, however its password is spelled
		m.Query["withLogin"] = "true"
	}
	for _, parameter := range asked.Path {
		m.IDs = append(m.IDs, fmt.Sprint(fill(parameter.Sample)))
	}
	for _, parameter := range asked.Query {
		if parameter.Sample != "" {
			m.Query[parameter.Name] = fmt.Sprint(fill(parameter.Sample))
		}
	}
	return m
}

// id fills in an id of a plain request. What a successful request uses up is made anew for a user
// whose requests may succeed.
func (g *gridPlay) id(source rules.Source, sender *Actor, at rules.Endpoint) any {
	mayUseUp := sender != g.subject && explore.UsesUp(at)
	switch {
	case source == rules.OwnID:
		return sender.ID
	case source == rules.OtherID && mayUseUp:
		other := g.t.AnyActor()
		if at == rules.DeleteConnection {
			sender.Follow(other)
		}
		return other.ID
	case source == rules.OtherID:
		return g.stranger.ID
	case source == rules.OwnEventID && mayUseUp:
		return sender.Post(nil).ID()
	case source == rules.OwnEventID:
		return g.events[sender]
	}
	return nil
}

// seen is what the subject and its reader see: what no refused request may change. Times that a new
// session changes are left out.
func (g *gridPlay) seen() any {
	me := g.t.Send(g.subject, rules.GetMe).Record()
	profile := map[string]any{}
	for _, field := range rules.User.Fields() {
		if field.Sent != nil && me.Has(field.Name) {
			profile[field.Name] = me[field.Name]
		}
	}
	return []any{profile, asValues(g.t.Send(g.subject, rules.MyFollows).Records(), "id"), asValues(g.t.Send(g.reader, rules.Feed).Records(), "id", "verb", "language", "location", "priority", "object", "metadata")}
}

// asValues are some fields of records, as one JSON value.
func asValues(records []Record, names ...string) []any {
	all := []any{}
	for _, record := range records {
		one := map[string]any{}
		for _, name := range names {
			if record.Has(name) {
				one[name] = record[name]
			}
		}
		all = append(all, one)
	}
	return all
}

// blameChange finds the refused request that changes what the subject and its reader see, and
// judges its rule.
func (g *gridPlay) blameChange(cases []grid.Case, before any) {
	for _, c := range cases {
		if len(c.Refused) == 0 || g.controls[c.Endpoint] == nil || !g.controls[c.Endpoint].accepts {
			continue
		}
		answer := g.send(&c)
		after := g.seen()
		if jsonvalue.Equal(before, after) {
			continue
		}
		g.judge(c, expectedOf(c)+", and nothing changed", fmt.Sprintf("%s, and what the sender and its follower see changed", answer.summary()), confirmations, answer.exchange)
		before = after
	}
}
