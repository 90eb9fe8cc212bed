package model

import (
	"context"
	"fmt"

	"github.com/socialfeed/conform/conformance/rules"
)

// connect makes a follow, or one side's friend connection.
func (t *run) connect(ctx context.Context, o Op, p pair) []view {
	kind := o.Kind
	typ, rule := "follow", "connections.create.follow"
	stands := t.state.relation(p).follow
	otherKind := t.state.relation(p).asked.or(t.state.friends(p))
	if kind == RequestFriend {
		typ, rule = "friend", "connections.create.friend"
		stands, otherKind = t.state.relation(p).asked, t.state.relation(p).follow
	}
	if otherKind != No && t.state.choices.KindsStand != Yes || stands == Unknown {
		return nil // whether one replaces the other is open
	}
	sufficed := kind == RequestFriend && t.state.choices.FriendsAtOnce != No && t.state.relation(p.reversed()).asked != No
	answer := t.sendAs(ctx, p.from, t.state.connection(p, typ))
	t.count(kind, "%s", t.relationLabel(p))
	views := t.connectionViews(p.from, p.to)
	if kind == RequestFriend {
		views = append(views, own(rules.MyFriends, p.to))
	}
	if answer.Refused() && (stands == Yes || sufficed) {
		t.logf("user %d makes a %s connection to user %d again, and is refused", p.from, typ, p.to)
		return views
	}
	if stands == Yes || sufficed {
		if !answer.OK() {
			t.recordDifference(Difference{Rule: rule, At: rules.CreateConnection, Expected: "201, or a 4xx where the connection exists", Actual: answer.show()})
			return nil
		}
	} else if !t.expect(answer, 201, rule, rules.CreateConnection) {
		return nil
	}
	t.judgeConnection(p, typ, rule, answer)
	t.state.connected(p, typ)
	t.logf("user %d makes a %s connection to user %d", p.from, typ, p.to)
	return views
}

// judgeConnection judges the answer to a new connection.
func (t *run) judgeConnection(p pair, typ, rule string, answer Response) {
	o := answer.object()
	from, to := idText(t.state.users[p.from].id), idText(t.state.users[p.to].id)
	if idText(o["user_from_id"]) != from || idText(o["user_to_id"]) != to || o["type"] != typ || o["enabled"] != true {
		t.recordDifference(Difference{Rule: rule, At: rules.CreateConnection, Expected: fmt.Sprintf("an enabled %s connection from %s to %s", typ, from, to), Actual: answer.show()})
	}
}

// end ends the connections of a user to another.
func (t *run) end(ctx context.Context, _ Op, p pair) []view {
	r, back := t.state.relation(p), t.state.relation(p.reversed())
	if r.endedStep > 0 && r.follow == No && r.asked == No && back.asked == No {
		return t.endAgain(ctx, p)
	}
	if r.follow != Yes && r.asked != Yes || t.state.choices.EndsWhole == Unknown && back.asked != No {
		return nil
	}
	answer := t.sendAs(ctx, p.from, t.state.disconnection(p))
	unmade := answer.Refused() && t.state.unconfirmed(p)
	if !unmade && !t.expect(answer, 204, "connections.delete.status", rules.DeleteConnection) {
		return nil
	}
	t.count(End, "%s", t.relationLabel(p))
	t.state.ended(p)
	t.logf("user %d ends its connections to user %d", p.from, p.to)
	return append(t.connectionViews(p.from, p.to), own(rules.Feed, p.to), own(rules.MyFriends, p.to), of(rules.GetUser, p.to, p.from))
}

// endAgain ends connections that have ended already. A target may answer with a success.
func (t *run) endAgain(ctx context.Context, p pair) []view {
	answer := t.sendAs(ctx, p.from, t.state.disconnection(p))
	if !answer.Refused() && answer.Status != 204 {
		t.recordDifference(Difference{Rule: "connections.delete.unknown", At: rules.DeleteConnection, Expected: "404", Actual: answer.show()})
	}
	t.count(End, "again")
	t.logf("user %d ends its connections to user %d again", p.from, p.to)
	return t.connectionViews(p.from, p.to)
}

// disconnectBoth ends all connections between two users, by both. The second request may be refused if
// the first ended everything.
func (t *run) disconnectBoth(ctx context.Context, _ Op, p pair) []view {
	ended := false
	for _, side := range []pair{p, p.reversed()} {
		r := t.state.relation(side)
		if r.follow == No && r.asked == No {
			continue
		}
		answer := t.sendAs(ctx, side.from, t.state.disconnection(side))
		taken := answer.Refused() && (ended && r.follow == No || t.state.unconfirmed(side))
		if !taken && !t.expect(answer, 204, "connections.delete.status", rules.DeleteConnection) {
			return nil
		}
		t.state.endedOneSide(side)
		ended = true
	}
	if !ended {
		return nil
	}
	t.count(DisconnectBoth, "%s", t.relationLabel(p))
	t.logf("users %d and %d end all connections between them", p.from, p.to)
	return append(t.connectionViews(p.from, p.to), own(rules.Feed, p.to), own(rules.MyFriends, p.to), own(rules.MyFollows, p.to))
}
