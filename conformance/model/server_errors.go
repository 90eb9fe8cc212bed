package model

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/socialfeed/conform/conformance/rules"
)

// ProbeServerErrors sends requests that may make a server fail, as a user whose state is not
// compared. Any answer but a 5xx is lawful, which the passive rules judge.
func (p *Player) ProbeServerErrors(ctx context.Context, as ReusableUser) (*Outcome, error) {
	t := p.newRun(Story{Name: "server errors", Slots: 1, Plain: true})
	t.reuse(as)
	u := t.state.users[0]
	posted := t.sendAs(ctx, 0, Request{Endpoint: rules.CreateEvent, Body: Fields{"verb": "like"}})
	if t.err != nil {
		return &t.outcome, fmt.Errorf("probing server errors: an event: %w", t.err)
	}
	for _, r := range serverErrorRequests(u, idText(posted.object()["id"])) {
		if r.Endpoint == rules.Login || r.Endpoint == rules.CreateUser {
			t.send(ctx, r)
		} else {
			t.sendAs(ctx, 0, r)
		}
		if t.err != nil {
			return &t.outcome, fmt.Errorf("probing server errors: endpoint %d: %w", r.Endpoint, t.err)
		}
	}
	return &t.outcome, nil
}

// serverErrorRequests returns the requests that ProbeServerErrors sends as u, who has posted an event. The
// event's id is empty where the target refused to create it.
func serverErrorRequests(u *user, event string) []Request {
	const nesting, digits = 1200, 40
	deep := json.RawMessage(strings.Repeat(`{"a":`, nesting) + `"b"` + strings.Repeat("}", nesting))
	all := []Request{
		{Endpoint: rules.CreateEvent, Raw: `{"verb":"like","latitude":1e400}`},
		{Endpoint: rules.CreateEvent, Raw: `{"verb":"like","latitude":90.5,"longitude":-180.5}`},
		{Endpoint: rules.CreateEvent, Raw: `{"verb":"like","location":"\ud83d"}`},
		{Endpoint: rules.CreateEvent, Raw: `{"verb":"like","location":"a\u0000b"}`},
		{Endpoint: rules.UpdateMe, Body: merged(u.credentials(), Fields{"first_name": "a\x00b"})},
		{Endpoint: rules.UpdateMe, Body: merged(u.credentials(), Fields{"metadata": deep})},
		{Endpoint: rules.ConnectSocial, Body: Fields{"platform": "facebook", "type": "follow", "platform_user_id": u.terms["user_name"] + "🦉", "connection_ids": []any{}}},
		{Endpoint: rules.UpdateEvent, ID: "abc", Raw: `{"verb":"like"}`},
		{Endpoint: rules.CreateConnection, Raw: `{"user_to_id":` + strings.Repeat("9", digits) + `,"type":"follow"}`},
		{Endpoint: rules.CreateEvent, Raw: `null`},
		{Endpoint: rules.CreateEvent, Raw: `{"verb":"like","object":{"id":"1","display_name":["A picture"]}}`},
		{Endpoint: rules.UpdateMe, Raw: `{"user_name":"a",`},
		{Endpoint: rules.Login, Raw: `{"user_name":["a"],"password":5}`},
		{Endpoint: rules.Login, Raw: `[]`},
		{Endpoint: rules.Login, Raw: `{"user_name":"a",`},
		{Endpoint: rules.CreateConnection, Raw: `{"user_to_id":`},
		{Endpoint: rules.CreateUser, Raw: `null`, Query: map[string]string{"withLogin": "maybe"}},
	}
	if event != "" {
		all = append(all, Request{Endpoint: rules.UpdateEvent, ID: event, Raw: `{}`}, Request{Endpoint: rules.UpdateEvent, ID: event, Raw: `{"verb":`})
	}
	return all
}
