package model

import (
	"context"
	"slices"

	"github.com/socialfeed/conform/conformance/rules"
)

// social connects a user to another by its social id.
func (t *run) social(ctx context.Context, o Op, p pair) []view {
	typ := o.connectionType()
	if !t.bySocialID(p, typ) {
		return nil
	}
	before := t.relationLabel(p)
	if !t.connectSocial(ctx, p.from, typ, t.state.users[p.to].network, p.to) {
		return nil
	}
	t.count(ConnectBySocialID, "%s %s", typ, before)
	t.logf("user %d connects to user %d by its social id, as %s", p.from, p.to, typ)
	return t.connectionViews(p.from, p.to)
}

// bySocialID reports whether a user can connect to another by its social id, as a type, with a known
// outcome: where it is connected as the other type, both must be known to stand.
func (t *run) bySocialID(p pair, typ string) bool {
	r, back, to := t.state.relation(p), t.state.relation(p.reversed()), t.state.users[p.to]
	bothStand := t.state.choices.KindsStand == Yes
	isNew := r.follow == No && (r.asked == No && back.asked == No || bothStand && t.state.friends(p) == Yes)
	if typ == "friend" {
		isNew = r.asked == No && back.asked == No && (r.follow == No || bothStand && r.follow == Yes)
	}
	return t.state.choices.SocialConnects == Yes && p.from != p.to && to.lives() && isNew && to.surelyHolds("social_ids", to.social)
}

// connectAllBySocialID connects a user, by social ids, to all others on the network that has most of them.
func (t *run) connectAllBySocialID(ctx context.Context, o Op, p pair) []view {
	who, typ := p.from, o.connectionType()
	found := map[string][]int{}
	network := ""
	for _, other := range t.living() {
		if t.bySocialID(pair{who, other}, typ) {
			on := t.state.users[other].network
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
	t.count(ConnectAllBySocialID, "%s", typ)
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
func listOf(typ string, who int) view {
	if typ == "friend" {
		return own(rules.MyFriends, who)
	}
	return own(rules.MyFollows, who)
}

// requestSocial asks to connect a user to others by their social ids on a network, and reports
// whether the target accepted that.
func (t *run) requestSocial(ctx context.Context, who int, typ, network string, others []int) bool {
	var ids []any
	for _, other := range others {
		ids = append(ids, t.state.users[other].social)
	}
	answer := t.sendAs(ctx, who, Request{Endpoint: rules.ConnectSocial, Body: Fields{"platform": network, "type": typ,
		"platform_user_id": t.state.users[who].idOn(network), "connection_ids": ids}})
	if !t.expect(answer, 201, "social.status", rules.ConnectSocial) {
		return false
	}
	for _, other := range others {
		t.state.connectedBySocialID(pair{who, other}, typ)
	}
	return true
}

// leaveMissingOpen makes it unknown whether a user is connected to those whom the list lacks that
// connecting by social ids has changed.
func (t *run) leaveMissingOpen(list view, typ string, others []int) {
	for _, other := range others {
		missing := t.reported[list.key(idText(t.state.users[other].id), "")]
		t.state.seenBySocialID(pair{list.owner, other}, typ, !missing)
	}
}

// blameMissingConnections asks the users that a list lacks, though its owner was connected to
// them by social ids, whether they see the connection. If they do, the list is to blame.
func (t *run) blameMissingConnections(ctx context.Context, v view, found []Difference) []Difference {
	deciding := t.evidence[len(t.evidence)-1]
	for i, d := range found {
		if d.Rule != "social.connects" || v.viewer != v.owner {
			continue
		}
		other, known := t.state.userByID(d.key.id)
		if !known {
			continue
		}
		theirs := own(rules.MyFollowers, other)
		if v.at == rules.MyFriends {
			theirs = own(rules.MyFriends, other)
		}
		listed, _ := t.read(ctx, theirs).objects()
		if slices.ContainsFunc(listed, func(o Fields) bool { return idText(o["id"]) == idText(t.state.users[v.owner].id) }) {
			t.state.notBySocialID(pair{v.owner, other})
			found[i].Rule, found[i].At = listRule(v.at)
		}
		t.evidence = append(slices.DeleteFunc(t.evidence, func(e any) bool { return e == deciding }), deciding) // the list is the deciding one
	}
	return found
}
