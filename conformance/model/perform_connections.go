package model

import (
	"context"
	"fmt"

	"github.com/socialfeed/conform/conformance/rules"
)

// connect makes a follow, or one side's friend connection.
func (t *telling) connect(ctx context.Context, p pair, kind Kind) ([]view, error) {
	typ, rule := "follow", "connections.create.follow"
	stands := t.world.relation(p).follow
	otherKind := t.world.relation(p).asked.or(t.world.friends(p))
	if kind == Ask {
		typ, rule = "friend", "connections.create.friend"
		stands, otherKind = t.world.relation(p).asked, t.world.relation(p).follow
	}
	if otherKind != No && t.world.choices.KindsStand != Yes || stands == Unknown {
		return nil, nil // whether the one takes the place of the other is open
	}
	sufficed := kind == Ask && t.world.choices.FriendsAtOnce != No && t.world.relation(p.reversed()).asked != No
	answer, err := t.sendAs(ctx, p.from, Request{Endpoint: rules.CreateConnection, Body: Fields{"user_to_id": t.world.users[p.to].id, "type": typ}})
	if err != nil {
		return nil, err
	}
	t.covered(kind, "%s", t.standing(p))
	views := t.between(p.from, p.to)
	if kind == Ask {
		views = append(views, own(rules.MyFriends, p.to))
	}
	if answer.Refused() && (stands == Yes || sufficed) {
		t.tell("user %d makes a %s connection to user %d again, and is refused", p.from, typ, p.to)
		return views, nil
	}
	if stands == Yes || sufficed {
		if !answer.OK() {
			t.differ(Difference{Rule: rule, At: rules.CreateConnection, Expected: "201, or a refusal of a second one", Actual: answer.show()})
			return nil, nil
		}
	} else if !t.expect(answer, 201, rule, rules.CreateConnection) {
		return nil, nil
	}
	t.judgeConnection(p, typ, rule, answer)
	if kind == Follow {
		t.world.followed(p)
	} else {
		t.world.asked(p)
	}
	t.tell("user %d makes a %s connection to user %d", p.from, typ, p.to)
	return views, nil
}

func (t *telling) judgeConnection(p pair, typ, rule string, answer Response) {
	o := answer.object()
	from, to := idText(t.world.users[p.from].id), idText(t.world.users[p.to].id)
	if idText(o["user_from_id"]) != from || idText(o["user_to_id"]) != to || o["type"] != typ || o["enabled"] != true {
		t.differ(Difference{Rule: rule, At: rules.CreateConnection, Expected: fmt.Sprintf("an enabled %s connection from %s to %s", typ, from, to), Actual: answer.show()})
	}
}

// end ends the connections of a user to another.
func (t *telling) end(ctx context.Context, p pair) ([]view, error) {
	r, back := t.world.relation(p), t.world.relation(p.reversed())
	if r.ended > 0 && r.follow == No && r.asked == No && back.asked == No {
		return t.endAgain(ctx, p)
	}
	if r.follow != Yes && r.asked != Yes || t.world.choices.EndsWhole == Unknown && back.asked != No {
		return nil, nil
	}
	answer, err := t.sendAs(ctx, p.from, Request{Endpoint: rules.DeleteConnection, ID: idText(t.world.users[p.to].id)})
	if err != nil || !t.expect(answer, 204, "connections.delete.status", rules.DeleteConnection) {
		return nil, err
	}
	t.covered(End, "%s", t.standing(p))
	t.world.ended(p)
	t.tell("user %d ends its connections to user %d", p.from, p.to)
	return append(t.between(p.from, p.to), own(rules.Feed, p.to), own(rules.MyFriends, p.to)), nil
}

// endAgain ends connections that were ended before. A target may call that done, too.
func (t *telling) endAgain(ctx context.Context, p pair) ([]view, error) {
	answer, err := t.sendAs(ctx, p.from, Request{Endpoint: rules.DeleteConnection, ID: idText(t.world.users[p.to].id)})
	if err != nil {
		return nil, err
	}
	if !answer.Refused() && answer.Status != 204 {
		t.differ(Difference{Rule: "connections.delete.unknown", At: rules.DeleteConnection, Expected: "404", Actual: answer.show()})
	}
	t.covered(End, "again")
	t.tell("user %d ends its connections to user %d again", p.from, p.to)
	return t.between(p.from, p.to), nil
}

// part ends all connections between two users, by both. The second end may be
// refused where the first took everything along.
func (t *telling) part(ctx context.Context, p pair) ([]view, error) {
	ended := false
	for _, side := range []pair{p, p.reversed()} {
		r := t.world.relation(side)
		if r.follow == No && r.asked == No {
			continue
		}
		answer, err := t.sendAs(ctx, side.from, Request{Endpoint: rules.DeleteConnection, ID: idText(t.world.users[side.to].id)})
		if err != nil {
			return nil, err
		}
		taken := ended && r.follow == No && answer.Refused()
		if !taken && !t.expect(answer, 204, "connections.delete.status", rules.DeleteConnection) {
			return nil, nil
		}
		step := t.world.step()
		t.world.relate(side, func(r *relation) { r.follow, r.asked, r.ended = No, No, step })
		t.world.record(End, side.from, side.to, -1)
		ended = true
	}
	if !ended {
		return nil, nil
	}
	t.covered(Part, "%s", t.standing(p))
	t.tell("users %d and %d end all connections between them", p.from, p.to)
	return append(t.between(p.from, p.to), own(rules.Feed, p.to), own(rules.MyFriends, p.to), own(rules.MyFollows, p.to)), nil
}

// social connects a user to the bearer of a social id.
func (t *telling) social(ctx context.Context, o Op, p pair) ([]view, error) {
	typ := []string{"follow", "friend"}[abs(o.V)%2]
	if !t.bySocialID(p) {
		return nil, nil
	}
	before := t.standing(p)
	if connected, err := t.connectSocial(ctx, p.from, typ, t.world.users[p.to].network, p.to); err != nil || !connected {
		return nil, err
	}
	t.covered(Social, "%s %s", typ, before)
	t.tell("user %d connects to user %d by its social id, as %s", p.from, p.to, typ)
	return t.between(p.from, p.to), nil
}

// bySocialID reports whether a user can be told to connect to another by its social id.
func (t *telling) bySocialID(p pair) bool {
	r, back, to := t.world.relation(p), t.world.relation(p.reversed()), t.world.users[p.to]
	return t.world.choices.SocialConnects == Yes && p.from != p.to && to.lives() && r.follow == No && r.asked == No && back.asked == No &&
		to.surely("social_ids", to.social)
}

// gather connects a user to all others on the network where most of them are.
func (t *telling) gather(ctx context.Context, o Op, who int) ([]view, error) {
	typ := []string{"follow", "friend"}[abs(o.V)%2]
	found := map[string][]int{}
	network := ""
	for _, other := range t.living() {
		if t.bySocialID(pair{who, other}) {
			on := t.world.users[other].network
			if found[on] = append(found[on], other); len(found[on]) > len(found[network]) {
				network = on
			}
		}
	}
	if network == "" {
		return nil, nil
	}
	if connected, err := t.connectSocial(ctx, who, typ, network, found[network]...); err != nil || !connected {
		return nil, err
	}
	t.covered(Gather, "%s", typ)
	t.tell("user %d connects to users %v by their social ids, as %s", who, found[network], typ)
	return t.wholly(who), nil
}

// connectSocial connects a user to others by their social ids on a network, and reports
// whether the target did.
func (t *telling) connectSocial(ctx context.Context, who int, typ, network string, others ...int) (bool, error) {
	var ids []any
	for _, other := range others {
		ids = append(ids, t.world.users[other].social)
	}
	answer, err := t.sendAs(ctx, who, Request{Endpoint: rules.ConnectSocial, Body: Fields{"platform": network, "type": typ,
		"platform_user_id": t.world.users[who].terms["first_name"], "connection_ids": ids}})
	if err != nil || !t.expect(answer, 201, "social.status", rules.ConnectSocial) {
		return false, err
	}
	for _, other := range others {
		p := pair{who, other}
		if typ == "follow" {
			t.world.followed(p)
		} else {
			t.world.asked(p)
		}
		t.world.relate(p, func(r *relation) { r.bySocial = true })
	}
	return true, t.seeSocial(ctx, who, typ, others)
}

// seeSocial looks whom connecting by social ids has connected a user to. Who is missing from
// the list is blamed on that alone: nothing else is judged by a connection that there is not.
func (t *telling) seeSocial(ctx context.Context, who int, typ string, others []int) error {
	list := own(rules.MyFollows, who)
	if typ == "friend" {
		list = own(rules.MyFriends, who)
	}
	if err := t.look(ctx, list); err != nil {
		return err
	}
	for _, other := range others {
		missing := t.tainted[list.entry(idText(t.world.users[other].id))]
		t.world.relate(pair{who, other}, func(r *relation) {
			if r.bySocial = r.bySocial && typ == "friend"; missing {
				r.follow, r.asked = Unknown, Unknown
			}
		})
	}
	return nil
}
