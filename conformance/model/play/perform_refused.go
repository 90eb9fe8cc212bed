package play

import (
	"context"
	"fmt"

	"github.com/socialfeed/conform/conformance/model/blame"
	"github.com/socialfeed/conform/conformance/model/exchange"
	"github.com/socialfeed/conform/conformance/model/leeway"
	"github.com/socialfeed/conform/conformance/model/story"
	"github.com/socialfeed/conform/conformance/model/value"
	"github.com/socialfeed/conform/conformance/model/world"
	"github.com/socialfeed/conform/conformance/rules"
)

// writeForeign tries what only another user may do: change its event, delete it, or end its
// connection. It must be refused, and change nothing.
func (t *run) writeForeign(ctx context.Context, o story.Op, p world.Pair) []world.View {
	which := t.event(p.To, o.Event)
	switch {
	case o.Write == story.EndForeignFollow:
		back := t.state.Relation(p.Reversed())
		if back.Follow != leeway.Yes || t.state.Relation(p).Follow != leeway.No || t.state.Relation(p).Asked != leeway.No || back.Asked != leeway.No {
			return nil
		}
		t.sendAs(ctx, p.From, t.state.Disconnection(p))
		t.state.TriedToEnd(p)
		t.logf("user %d tries to end the follow of user %d", p.From, p.To)
		t.count(story.WriteForeign, "end %s", t.relationLabel(p))
		return []world.View{world.Own(rules.Feed, p.To), world.Own(rules.MyFollows, p.To), world.Own(rules.MyFollowers, p.From)}
	case which < 0:
		return nil
	case o.Write == story.ChangeForeignEvent:
		return t.writeForeignEvent(ctx, p, which, exchange.Request{Endpoint: rules.UpdateEvent, Body: value.Fields{"verb": "trespassed"}}, "events.update.others")
	}
	return t.writeForeignEvent(ctx, p, which, exchange.Request{Endpoint: rules.DeleteEvent}, "events.delete.others")
}

// writeForeignEvent tries a request on another user's event.
func (t *run) writeForeignEvent(ctx context.Context, p world.Pair, which int, r exchange.Request, rule string) []world.View {
	r.ID = value.ID(t.state.Events[which].ID)
	answer := t.sendAs(ctx, p.From, r)
	t.state.TriedToWrite(p, which, r)
	t.logf("user %d tries endpoint %d on event %d of user %d", p.From, r.Endpoint, which, p.To)
	t.count(story.WriteForeign, "%d %s", r.Endpoint, t.relationLabel(p))
	if answer.Status != 403 && answer.Status != 404 {
		t.recordDifference(blame.Difference{Rule: rule, At: r.Endpoint, Expected: "403 or 404", Actual: fmt.Sprint(answer.Status)})
	}
	return t.feedViews(p.To)
}

// useEnded tries an ended session at an endpoint. It must be refused, and change nothing.
func (t *run) useEnded(ctx context.Context, o story.Op, p world.Pair) []world.View {
	who, u := p.From, t.state.Users[p.From]
	chosen := -1
	for i, s := range u.Sessions {
		if s.State == leeway.No {
			chosen = i
		}
	}
	if chosen < 0 {
		return nil
	}
	requests := t.writesIn(o, who)
	r := requests[o.Variant%len(requests)]
	r.Session = u.Sessions[chosen].Token
	answer := t.send(ctx, r)
	t.logf("user %d tries endpoint %d with session %d, which has ended", who, r.Endpoint, chosen)
	t.count(story.UseEnded, "%d %v", r.Endpoint, u.Lives())
	rule, at, expected, ok := "sessions.logout.destroys", rules.Logout, "401", answer.Status == 401
	if !u.Lives() {
		rule, at, expected, ok = "sessions.deleted-user", rules.DeleteMe, "401, 403 or 404", answer.Refused()
	}
	if !ok {
		t.recordDifference(blame.Difference{Rule: rule, At: at, Expected: fmt.Sprintf("%s at endpoint %d", expected, r.Endpoint), Actual: answer.Show()})
		t.lost = t.lost || answer.OK() // what came of it follows from that
	}
	if !u.Lives() {
		return nil
	}
	if which, ok := t.state.EventByID(r.ID); ok && r.Endpoint == rules.DeleteEvent {
		t.state.TriedToDelete(which)
	}
	return append(t.feedViews(who), world.Own(rules.GetMe, who), world.Own(rules.MyFollows, who))
}

// useDeleted tries to change or delete the event that a user deleted last. It must be refused,
// and change no other event.
func (t *run) useDeleted(ctx context.Context, o story.Op, p world.Pair) []world.View {
	who := p.From
	latest := -1
	for i, e := range t.state.Events {
		if e.Owner == who && e.DeletedStep > 0 && (latest < 0 || e.DeletedStep > t.state.Events[latest].DeletedStep) {
			latest = i
		}
	}
	if latest < 0 {
		return nil
	}
	r := exchange.Request{Endpoint: rules.UpdateEvent, ID: value.ID(t.state.Events[latest].ID), Body: value.Fields{"priority": "of a deleted event"}}
	rule := "events.update.unknown"
	if o.Delete {
		r.Endpoint, r.Body, rule = rules.DeleteEvent, nil, "events.delete.unknown"
	}
	answer := t.sendAs(ctx, who, r)
	t.logf("user %d tries endpoint %d on event %d, which it deleted", who, r.Endpoint, latest)
	t.count(story.UseDeleted, "%d %d", r.Endpoint, min(len(t.events(who)), 2))
	if done := r.Endpoint == rules.DeleteEvent && answer.Status == 204; !answer.Refused() && !done { // a second deletion may succeed
		t.recordDifference(blame.Difference{Rule: rule, At: r.Endpoint, Expected: "404", Actual: fmt.Sprint(answer.Status)})
	}
	return t.feedViews(who)
}

// sendDefect sends an input that lacks what is required. It must be refused, and change nothing: which
// refusal it is the grid judges.
func (t *run) sendDefect(ctx context.Context, o story.Op, p world.Pair) []world.View {
	who := p.From
	requests := []exchange.Request{
		{Endpoint: rules.CreateEvent, Body: value.Fields{"location": "refused"}},
		{Endpoint: rules.UpdateMe, Body: value.Fields{"first_name": "refused"}},
		{Endpoint: rules.CreateConnection, Body: value.Fields{"type": "follow"}},
	}
	r := requests[o.Variant%len(requests)]
	answer := t.sendAs(ctx, who, r)
	t.logf("user %d sends an input with a defect to endpoint %d", who, r.Endpoint)
	t.count(story.SendDefect, "%d", r.Endpoint)
	if !answer.Refused() {
		for field, rule := range r.Endpoint.Request().Required() {
			t.recordDifference(blame.Difference{Rule: rule, At: r.Endpoint, Expected: "422 without " + field, Actual: fmt.Sprint(answer.Status)})
		}
		t.lost = true
	}
	return append(t.feedViews(who), world.Own(rules.GetMe, who))
}

// writesIn returns the requests that an ended session is tried with. A session would be all
// they need to succeed.
func (t *run) writesIn(o story.Op, who int) []exchange.Request {
	u := t.state.Users[who]
	requests := []exchange.Request{
		{Endpoint: rules.Feed}, {Endpoint: rules.MyFollows}, {Endpoint: rules.MyFollowers}, {Endpoint: rules.MyFriends},
		{Endpoint: rules.CreateEvent, Body: value.Fields{"verb": world.EndedSessionsValue}},
		{Endpoint: rules.Logout},
		{Endpoint: rules.SearchUsers, Query: map[string]string{"q": u.Terms["user_name"]}},
		{Endpoint: rules.GetUser, ID: value.ID(u.ID)},
	}
	if u.Lives() {
		requests = append(requests, exchange.Request{Endpoint: rules.UpdateMe, Body: value.Merge(u.Credentials(), value.Fields{"first_name": world.EndedSessionsValue})})
	}
	if which := t.event(who, o.Event); which >= 0 {
		requests = append(requests,
			exchange.Request{Endpoint: rules.UpdateEvent, ID: value.ID(t.state.Events[which].ID), Body: value.Fields{"verb": world.EndedSessionsValue}},
			exchange.Request{Endpoint: rules.DeleteEvent, ID: value.ID(t.state.Events[which].ID)})
	}
	return requests
}
