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

// connect makes a follow, or one side's friend connection.
func (t *run) connect(ctx context.Context, o story.Op, p world.Pair) []world.View {
	kind := o.Kind
	typ, rule := "follow", "connections.create.follow"
	stands := t.state.Relation(p).Follow
	otherKind := t.state.Relation(p).Asked.Or(t.state.Friends(p))
	if kind == story.RequestFriend {
		typ, rule = "friend", "connections.create.friend"
		stands, otherKind = t.state.Relation(p).Asked, t.state.Relation(p).Follow
	}
	if otherKind != leeway.No && t.state.Choices.KindsStand != leeway.Yes || stands == leeway.Unknown {
		return nil // whether one replaces the other is open
	}
	sufficed := kind == story.RequestFriend && t.state.Friends(p) != leeway.No
	answer := t.sendAs(ctx, p.From, t.state.Connection(p, typ))
	t.count(kind, "%s", t.relationLabel(p))
	views := t.connectionViews(p.From, p.To)
	if kind == story.RequestFriend {
		views = append(views, world.Own(rules.MyFriends, p.To))
	}
	if answer.Refused() && (stands == leeway.Yes || sufficed) {
		t.logf("user %d makes a %s connection to user %d again, and is refused", p.From, typ, p.To)
		return views
	}
	if stands == leeway.Yes || sufficed {
		if !answer.OK() {
			t.recordDifference(blame.Difference{Rule: rule, At: rules.CreateConnection, Expected: "201, or a 4xx where the connection exists", Actual: answer.Show()})
			return nil
		}
	} else if !t.expect(answer, 201, rule, rules.CreateConnection) {
		return nil
	}
	t.judgeConnection(p, typ, rule, answer)
	t.state.Connected(p, typ)
	t.logf("user %d makes a %s connection to user %d", p.From, typ, p.To)
	return views
}

// judgeConnection judges the answer to a new connection.
func (t *run) judgeConnection(p world.Pair, typ, rule string, answer exchange.Response) {
	o := answer.Object()
	from, to := value.ID(t.state.Users[p.From].ID), value.ID(t.state.Users[p.To].ID)
	if value.ID(o["user_from_id"]) != from || value.ID(o["user_to_id"]) != to || o["type"] != typ || o["enabled"] != true {
		t.recordDifference(blame.Difference{Rule: rule, At: rules.CreateConnection, Expected: fmt.Sprintf("an enabled %s connection from %s to %s", typ, from, to), Actual: answer.Show()})
	}
}

// end ends the connections of a user to another.
func (t *run) end(ctx context.Context, _ story.Op, p world.Pair) []world.View {
	r, back := t.state.Relation(p), t.state.Relation(p.Reversed())
	if r.EndedStep > 0 && r.Follow == leeway.No && r.Asked == leeway.No && back.Asked == leeway.No {
		return t.endAgain(ctx, p)
	}
	if r.Follow != leeway.Yes && r.Asked != leeway.Yes || t.state.Choices.EndsWhole == leeway.Unknown && back.Asked != leeway.No {
		return nil
	}
	answer := t.sendAs(ctx, p.From, t.state.Disconnection(p))
	unmade := answer.Refused() && t.state.Unconfirmed(p)
	if !unmade && !t.expect(answer, 204, "connections.delete.status", rules.DeleteConnection) {
		return nil
	}
	t.count(story.End, "%s", t.relationLabel(p))
	t.state.Ended(p)
	t.logf("user %d ends its connections to user %d", p.From, p.To)
	return append(t.connectionViews(p.From, p.To), world.Own(rules.Feed, p.To), world.Own(rules.MyFriends, p.To), world.Of(rules.GetUser, p.To, p.From))
}

// endAgain ends connections that have ended already. A target may answer with a success.
func (t *run) endAgain(ctx context.Context, p world.Pair) []world.View {
	answer := t.sendAs(ctx, p.From, t.state.Disconnection(p))
	if !answer.Refused() && answer.Status != 204 {
		t.recordDifference(blame.Difference{Rule: "connections.delete.unknown", At: rules.DeleteConnection, Expected: "404", Actual: answer.Show()})
	}
	t.count(story.End, "again")
	t.logf("user %d ends its connections to user %d again", p.From, p.To)
	return t.connectionViews(p.From, p.To)
}

// disconnectBoth ends all connections between two users, by both. The second request may be refused if
// the first ended everything.
func (t *run) disconnectBoth(ctx context.Context, _ story.Op, p world.Pair) []world.View {
	ended, confirmed := false, t.state.AskedBySocialID(p)
	for _, side := range []world.Pair{p, p.Reversed()} {
		r := t.state.Relation(side)
		if r.Follow == leeway.No && r.Asked == leeway.No && !confirmed {
			continue
		}
		answer := t.sendAs(ctx, side.From, t.state.Disconnection(side))
		certain := r.Follow == leeway.Yes || r.Asked == leeway.Yes
		taken := answer.Refused() && (!certain || ended && r.Follow == leeway.No || t.state.Unconfirmed(side))
		if !taken && !t.expect(answer, 204, "connections.delete.status", rules.DeleteConnection) {
			return nil
		}
		t.state.EndedOneSide(side)
		ended = true
	}
	if !ended {
		return nil
	}
	t.count(story.DisconnectBoth, "%s", t.relationLabel(p))
	t.logf("users %d and %d end all connections between them", p.From, p.To)
	return append(t.connectionViews(p.From, p.To), world.Own(rules.Feed, p.To), world.Own(rules.MyFriends, p.To), world.Own(rules.MyFollows, p.To))
}
