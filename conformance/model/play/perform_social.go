package play

import (
	"context"
	"slices"

	"github.com/socialfeed/conform/conformance/model/blame"
	"github.com/socialfeed/conform/conformance/model/exchange"
	"github.com/socialfeed/conform/conformance/model/leeway"
	"github.com/socialfeed/conform/conformance/model/story"
	"github.com/socialfeed/conform/conformance/model/value"
	"github.com/socialfeed/conform/conformance/model/world"
	"github.com/socialfeed/conform/conformance/rules"
)

// social connects a user to another by its social id.
func (t *run) social(ctx context.Context, o story.Op, p world.Pair) []world.View {
	typ := o.ConnectionType()
	if !t.bySocialID(p, typ) {
		return nil
	}
	before := t.relationLabel(p)
	if !t.connectSocial(ctx, p.From, typ, t.state.Users[p.To].Network, p.To) {
		return nil
	}
	t.count(story.ConnectBySocialID, "%s %s", typ, before)
	t.logf("user %d connects to user %d by its social id, as %s", p.From, p.To, typ)
	return t.connectionViews(p.From, p.To)
}

// bySocialID reports whether a user can connect to another by its social id, as a type, with a known
// outcome: where it is connected as the other type, both must be known to stand.
func (t *run) bySocialID(p world.Pair, typ string) bool {
	r, back, to := t.state.Relation(p), t.state.Relation(p.Reversed()), t.state.Users[p.To]
	bothStand := t.state.Choices.KindsStand == leeway.Yes
	isNew := r.Follow == leeway.No && (r.Asked == leeway.No && back.Asked == leeway.No || bothStand && t.state.Friends(p) == leeway.Yes)
	if typ == "friend" {
		isNew = r.Asked == leeway.No && back.Asked == leeway.No && (r.Follow == leeway.No || bothStand && r.Follow == leeway.Yes)
	}
	return t.state.Choices.SocialConnects == leeway.Yes && p.From != p.To && to.Lives() && isNew && to.SurelyHolds("social_ids", to.Social)
}

// connectAllBySocialID connects a user, by social ids, to all others on the network that has most of them.
func (t *run) connectAllBySocialID(ctx context.Context, o story.Op, p world.Pair) []world.View {
	who, typ := p.From, o.ConnectionType()
	found := map[string][]int{}
	network := ""
	for _, other := range t.living() {
		if t.bySocialID(world.Pair{From: who, To: other}, typ) {
			on := t.state.Users[other].Network
			if found[on] = append(found[on], other); len(found[on]) > len(found[network]) {
				network = on
			}
		}
	}
	if network == "" {
		return nil
	}
	if !t.connectSocial(ctx, who, typ, network, found[network]...) {
		return nil
	}
	t.count(story.ConnectAllBySocialID, "%s", typ)
	t.logf("user %d connects to users %v by their social ids, as %s", who, found[network], typ)
	return t.allViewsOf(who)
}

// connectSocial connects a user to others by their social ids on a network, compares the list that
// changes, and reports whether the target accepted that. A user missing from the list is blamed on
// that alone: what depends on the connection is not judged.
func (t *run) connectSocial(ctx context.Context, who int, typ, network string, others ...int) bool {
	if !t.requestSocial(ctx, who, typ, network, others) {
		return false
	}
	list := listOf(typ, who)
	t.compareViews(ctx, list)
	t.leaveMissingOpen(list, typ, others)
	return true
}

// listOf returns a user's own list of its connections of a type.
func listOf(typ string, who int) world.View {
	if typ == "friend" {
		return world.Own(rules.MyFriends, who)
	}
	return world.Own(rules.MyFollows, who)
}

// requestSocial asks to connect a user to others by their social ids on a network, and reports
// whether the target accepted that.
func (t *run) requestSocial(ctx context.Context, who int, typ, network string, others []int) bool {
	var ids []any
	for _, other := range others {
		ids = append(ids, t.state.Users[other].Social)
	}
	answer := t.sendAs(ctx, who, exchange.Request{Endpoint: rules.ConnectSocial, Body: value.Fields{"platform": network, "type": typ,
		"platform_user_id": t.state.Users[who].IdOn(network), "connection_ids": ids}})
	if !t.expect(answer, 201, "social.status", rules.ConnectSocial) {
		return false
	}
	for _, other := range others {
		t.state.ConnectedBySocialID(world.Pair{From: who, To: other}, typ)
	}
	return true
}

// leaveMissingOpen makes it unknown whether a user is connected to those whom the list lacks that
// connecting by social ids has changed.
func (t *run) leaveMissingOpen(list world.View, typ string, others []int) {
	for _, other := range others {
		missing := t.reported[list.Key(value.ID(t.state.Users[other].ID), "")]
		t.state.SeenBySocialID(world.Pair{From: list.Owner, To: other}, typ, !missing)
	}
}

// blameMissingConnections asks the users that a list lacks, though its owner was connected to
// them by social ids, whether they see the connection. If they do, the list is to blame.
func (t *run) blameMissingConnections(ctx context.Context, v world.View, found []blame.Difference) []blame.Difference {
	deciding := t.evidence[len(t.evidence)-1]
	for i, d := range found {
		if d.Rule != "social.connects" || v.Viewer != v.Owner {
			continue
		}
		other, known := t.state.UserByID(d.Key.ID)
		if !known {
			continue
		}
		theirs := world.Own(rules.MyFollowers, other)
		if v.At == rules.MyFriends {
			theirs = world.Own(rules.MyFriends, other)
		}
		listed, _ := t.read(ctx, theirs).Objects()
		if slices.ContainsFunc(listed, func(o value.Fields) bool { return value.ID(o["id"]) == value.ID(t.state.Users[v.Owner].ID) }) {
			t.state.NotBySocialID(world.Pair{From: v.Owner, To: other})
			found[i].Rule, found[i].At = blame.List(v.At)
		}
		t.evidence = append(slices.DeleteFunc(t.evidence, func(e any) bool { return e == deciding }), deciding) // the list is the deciding one
	}
	return found
}
