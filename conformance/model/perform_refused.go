package model

import (
	"context"
	"fmt"

	"github.com/socialfeed/conform/conformance/rules"
)

// writeForeign tries what only another user may do: change its event, delete it, or end its
// connection. It must be refused, and change nothing.
func (t *run) writeForeign(ctx context.Context, o Op, p pair) []view {
	which := t.event(p.to, o.Event)
	switch {
	case o.Write == EndForeignFollow:
		back := t.state.relation(p.reversed())
		if back.follow != Yes || t.state.relation(p).follow != No || t.state.relation(p).asked != No || back.asked != No {
			return nil
		}
		t.sendAs(ctx, p.from, t.state.disconnection(p))
		t.state.triedToEnd(p)
		t.logf("user %d tries to end the follow of user %d", p.from, p.to)
		t.count(WriteForeign, "end %s", t.relationLabel(p))
		return []view{own(rules.Feed, p.to), own(rules.MyFollows, p.to), own(rules.MyFollowers, p.from)}
	case which < 0:
		return nil
	case o.Write == ChangeForeignEvent:
		return t.writeForeignEvent(ctx, p, which, Request{Endpoint: rules.UpdateEvent, Body: Fields{"verb": "trespassed"}}, "events.update.others")
	}
	return t.writeForeignEvent(ctx, p, which, Request{Endpoint: rules.DeleteEvent}, "events.delete.others")
}

// writeForeignEvent tries a request on another user's event.
func (t *run) writeForeignEvent(ctx context.Context, p pair, which int, r Request, rule string) []view {
	r.ID = idText(t.state.events[which].id)
	answer := t.sendAs(ctx, p.from, r)
	t.state.triedToWrite(p, which, r)
	t.logf("user %d tries endpoint %d on event %d of user %d", p.from, r.Endpoint, which, p.to)
	t.count(WriteForeign, "%d %s", r.Endpoint, t.relationLabel(p))
	if answer.Status != 403 && answer.Status != 404 {
		t.recordDifference(Difference{Rule: rule, At: r.Endpoint, Expected: "403 or 404", Actual: fmt.Sprint(answer.Status)})
	}
	return t.feedViews(p.to)
}

// useEnded tries an ended session at an endpoint. It must be refused, and change nothing.
func (t *run) useEnded(ctx context.Context, o Op, p pair) []view {
	who, u := p.from, t.state.users[p.from]
	chosen := -1
	for i, s := range u.sessions {
		if s.state == No {
			chosen = i
		}
	}
	if chosen < 0 {
		return nil
	}
	requests := t.writesIn(o, who)
	r := requests[o.Variant%len(requests)]
	r.Session = u.sessions[chosen].token
	answer := t.send(ctx, r)
	t.logf("user %d tries endpoint %d with session %d, which has ended", who, r.Endpoint, chosen)
	t.count(UseEnded, "%d %v", r.Endpoint, u.lives())
	rule, at, expected, ok := "sessions.logout.destroys", rules.Logout, "401", answer.Status == 401
	if !u.lives() {
		rule, at, expected, ok = "sessions.deleted-user", rules.DeleteMe, "401, 403 or 404", answer.Refused()
	}
	if !ok {
		t.recordDifference(Difference{Rule: rule, At: at, Expected: fmt.Sprintf("%s at endpoint %d", expected, r.Endpoint), Actual: answer.show()})
		t.lost = t.lost || answer.OK() // what came of it follows from that
	}
	if !u.lives() {
		return nil
	}
	if which, ok := t.state.eventByID(r.ID); ok && r.Endpoint == rules.DeleteEvent {
		t.state.triedToDelete(which)
	}
	return append(t.feedViews(who), own(rules.GetMe, who), own(rules.MyFollows, who))
}

// useDeleted tries to change or delete the event that a user deleted last. It must be refused,
// and change no other event.
func (t *run) useDeleted(ctx context.Context, o Op, p pair) []view {
	who := p.from
	latest := -1
	for i, e := range t.state.events {
		if e.owner == who && e.deletedStep > 0 && (latest < 0 || e.deletedStep > t.state.events[latest].deletedStep) {
			latest = i
		}
	}
	if latest < 0 {
		return nil
	}
	r := Request{Endpoint: rules.UpdateEvent, ID: idText(t.state.events[latest].id), Body: Fields{"priority": "of a deleted event"}}
	rule := "events.update.unknown"
	if o.Delete {
		r.Endpoint, r.Body, rule = rules.DeleteEvent, nil, "events.delete.unknown"
	}
	answer := t.sendAs(ctx, who, r)
	t.logf("user %d tries endpoint %d on event %d, which it deleted", who, r.Endpoint, latest)
	t.count(UseDeleted, "%d %d", r.Endpoint, min(len(t.events(who)), 2))
	if done := r.Endpoint == rules.DeleteEvent && answer.Status == 204; !answer.Refused() && !done { // a second deletion may succeed
		t.recordDifference(Difference{Rule: rule, At: r.Endpoint, Expected: "404", Actual: fmt.Sprint(answer.Status)})
	}
	return t.feedViews(who)
}

// sendDefect sends an input that lacks what is required. It must be refused, and change nothing: which
// refusal it is the grid judges.
func (t *run) sendDefect(ctx context.Context, o Op, p pair) []view {
	who := p.from
	requests := []Request{
		{Endpoint: rules.CreateEvent, Body: Fields{"location": "refused"}},
		{Endpoint: rules.UpdateMe, Body: Fields{"first_name": "refused"}},
		{Endpoint: rules.CreateConnection, Body: Fields{"type": "follow"}},
	}
	r := requests[o.Variant%len(requests)]
	answer := t.sendAs(ctx, who, r)
	t.logf("user %d sends an input with a defect to endpoint %d", who, r.Endpoint)
	t.count(SendDefect, "%d", r.Endpoint)
	if !answer.Refused() {
		for field, rule := range r.Endpoint.Request().Required() {
			t.recordDifference(Difference{Rule: rule, At: r.Endpoint, Expected: "422 without " + field, Actual: fmt.Sprint(answer.Status)})
		}
		t.lost = true
	}
	return append(t.feedViews(who), own(rules.GetMe, who))
}

// writesIn returns the requests that an ended session is tried with. A session would be all
// they need to succeed.
func (t *run) writesIn(o Op, who int) []Request {
	u := t.state.users[who]
	requests := []Request{
		{Endpoint: rules.Feed}, {Endpoint: rules.MyFollows}, {Endpoint: rules.MyFollowers}, {Endpoint: rules.MyFriends},
		{Endpoint: rules.CreateEvent, Body: Fields{"verb": endedSessionsValue}},
		{Endpoint: rules.Logout},
		{Endpoint: rules.SearchUsers, Query: map[string]string{"q": u.terms["user_name"]}},
		{Endpoint: rules.GetUser, ID: idText(u.id)},
	}
	if u.lives() {
		requests = append(requests, Request{Endpoint: rules.UpdateMe, Body: merged(u.credentials(), Fields{"first_name": endedSessionsValue})})
	}
	if which := t.event(who, o.Event); which >= 0 {
		requests = append(requests,
			Request{Endpoint: rules.UpdateEvent, ID: idText(t.state.events[which].id), Body: Fields{"verb": endedSessionsValue}},
			Request{Endpoint: rules.DeleteEvent, ID: idText(t.state.events[which].id)})
	}
	return requests
}
