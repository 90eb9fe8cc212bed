package model

import (
	"context"
	"fmt"

	"github.com/socialfeed/conform/conformance/rules"
)

// connect makes a follow, or one side's friend connection.
func (t *playthrough) connect(ctx context.Context, p pair, kind Kind) []view {
	typ, rule := "follow", "connections.create.follow"
	stands := t.world.relation(p).follow
	otherKind := t.world.relation(p).asked.or(t.world.friends(p))
	if kind == Ask {
		typ, rule = "friend", "connections.create.friend"
		stands, otherKind = t.world.relation(p).asked, t.world.relation(p).follow
	}
	if otherKind != No && t.world.choices.KindsStand != Yes || stands == Unknown {
		return nil // whether the one takes the place of the other is open
	}
	sufficed := kind == Ask && t.world.choices.FriendsAtOnce != No && t.world.relation(p.reversed()).asked != No
	answer := t.sendAs(ctx, p.from, Request{Endpoint: rules.CreateConnection, Body: Fields{"user_to_id": t.world.users[p.to].id, "type": typ}})
	t.covered(kind, "%s", t.standing(p))
	views := t.between(p.from, p.to)
	if kind == Ask {
		views = append(views, own(rules.MyFriends, p.to))
	}
	if answer.Refused() && (stands == Yes || sufficed) {
		t.tell("user %d makes a %s connection to user %d again, and is refused", p.from, typ, p.to)
		return views
	}
	if stands == Yes || sufficed {
		if !answer.OK() {
			t.differ(Difference{Rule: rule, At: rules.CreateConnection, Expected: "201, or a refusal of a second one", Actual: answer.show()})
			return nil
		}
	} else if !t.expect(answer, 201, rule, rules.CreateConnection) {
		return nil
	}
	t.judgeConnection(p, typ, rule, answer)
	if kind == Follow {
		t.world.followed(p)
	} else {
		t.world.asked(p)
	}
	t.tell("user %d makes a %s connection to user %d", p.from, typ, p.to)
	return views
}

func (t *playthrough) judgeConnection(p pair, typ, rule string, answer Response) {
	o := answer.object()
	from, to := idText(t.world.users[p.from].id), idText(t.world.users[p.to].id)
	if idText(o["user_from_id"]) != from || idText(o["user_to_id"]) != to || o["type"] != typ || o["enabled"] != true {
		t.differ(Difference{Rule: rule, At: rules.CreateConnection, Expected: fmt.Sprintf("an enabled %s connection from %s to %s", typ, from, to), Actual: answer.show()})
	}
}

// end ends the connections of a user to another.
func (t *playthrough) end(ctx context.Context, p pair) []view {
	r, back := t.world.relation(p), t.world.relation(p.reversed())
	if r.ended > 0 && r.follow == No && r.asked == No && back.asked == No {
		return t.endAgain(ctx, p)
	}
	if r.follow != Yes && r.asked != Yes || t.world.choices.EndsWhole == Unknown && back.asked != No {
		return nil
	}
	answer := t.sendAs(ctx, p.from, Request{Endpoint: rules.DeleteConnection, ID: idText(t.world.users[p.to].id)})
	unmade := answer.Refused() && t.world.unseen(p)
	if !unmade && !t.expect(answer, 204, "connections.delete.status", rules.DeleteConnection) {
		return nil
	}
	t.covered(End, "%s", t.standing(p))
	t.world.ended(p)
	t.tell("user %d ends its connections to user %d", p.from, p.to)
	return append(t.between(p.from, p.to), own(rules.Feed, p.to), own(rules.MyFriends, p.to))
}

// endAgain ends connections that were ended before. A target may call that done, too.
func (t *playthrough) endAgain(ctx context.Context, p pair) []view {
	answer := t.sendAs(ctx, p.from, Request{Endpoint: rules.DeleteConnection, ID: idText(t.world.users[p.to].id)})
	if !answer.Refused() && answer.Status != 204 {
		t.differ(Difference{Rule: "connections.delete.unknown", At: rules.DeleteConnection, Expected: "404", Actual: answer.show()})
	}
	t.covered(End, "again")
	t.tell("user %d ends its connections to user %d again", p.from, p.to)
	return t.between(p.from, p.to)
}

// unseen reports whether all that there is of a user's connections to another is a friend
// connection that social ids were to make and that no list shows yet: a target may be about
// to make it.
func (w *World) unseen(p pair) bool {
	r := w.relation(p)
	return r.bySocial && r.follow == No && w.friends(p) != Yes
}

// part ends all connections between two users, by both. The second end may be
// refused where the first took everything along.
func (t *playthrough) part(ctx context.Context, p pair) []view {
	ended := false
	for _, side := range []pair{p, p.reversed()} {
		r := t.world.relation(side)
		if r.follow == No && r.asked == No {
			continue
		}
		answer := t.sendAs(ctx, side.from, Request{Endpoint: rules.DeleteConnection, ID: idText(t.world.users[side.to].id)})
		taken := answer.Refused() && (ended && r.follow == No || t.world.unseen(side))
		if !taken && !t.expect(answer, 204, "connections.delete.status", rules.DeleteConnection) {
			return nil
		}
		step := t.world.step()
		t.world.relate(side, func(r *relation) { r.follow, r.asked, r.ended = No, No, step })
		t.world.record(End, side.from, side.to, -1)
		ended = true
	}
	if !ended {
		return nil
	}
	t.covered(Part, "%s", t.standing(p))
	t.tell("users %d and %d end all connections between them", p.from, p.to)
	return append(t.between(p.from, p.to), own(rules.Feed, p.to), own(rules.MyFriends, p.to), own(rules.MyFollows, p.to))
}
