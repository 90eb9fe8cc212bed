package model

import (
	"context"
	"slices"
	"strings"

	"github.com/socialfeed/conform/conformance/rules"
)

// social connects a user to the bearer of a social id.
func (t *playthrough) social(ctx context.Context, o Op, p pair) []view {
	typ := []string{"follow", "friend"}[abs(o.V)%2]
	if !t.bySocialID(p) {
		return nil
	}
	before := t.standing(p)
	if !t.connectSocial(ctx, p.from, typ, t.world.users[p.to].network, p.to) {
		return nil
	}
	t.covered(Social, "%s %s", typ, before)
	t.tell("user %d connects to user %d by its social id, as %s", p.from, p.to, typ)
	return t.between(p.from, p.to)
}

// bySocialID reports whether a user can be told to connect to another by its social id.
func (t *playthrough) bySocialID(p pair) bool {
	r, back, to := t.world.relation(p), t.world.relation(p.reversed()), t.world.users[p.to]
	return t.world.choices.SocialConnects == Yes && p.from != p.to && to.lives() && r.follow == No && r.asked == No && back.asked == No &&
		to.surely("social_ids", to.social)
}

// gather connects a user to all others on the network where most of them are.
func (t *playthrough) gather(ctx context.Context, o Op, who int) []view {
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
		return nil
	}
	if !t.connectSocial(ctx, who, typ, network, found[network]...) {
		return nil
	}
	t.covered(Gather, "%s", typ)
	t.tell("user %d connects to users %v by their social ids, as %s", who, found[network], typ)
	return t.wholly(who)
}

// connectSocial connects a user to others by their social ids on a network, and reports
// whether the target did.
func (t *playthrough) connectSocial(ctx context.Context, who int, typ, network string, others ...int) bool {
	var ids []any
	for _, other := range others {
		ids = append(ids, t.world.users[other].social)
	}
	answer := t.sendAs(ctx, who, Request{Endpoint: rules.ConnectSocial, Body: Fields{"platform": network, "type": typ,
		"platform_user_id": t.world.users[who].terms["first_name"], "connection_ids": ids}})
	if !t.expect(answer, 201, "social.status", rules.ConnectSocial) {
		return false
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
	t.seeSocial(ctx, who, typ, others)
	return true
}

// seeSocial looks whom connecting by social ids has connected a user to. Who is missing from
// the list is blamed on that alone: nothing else is judged by a connection that there is not.
func (t *playthrough) seeSocial(ctx context.Context, who int, typ string, others []int) {
	list := own(rules.MyFollows, who)
	if typ == "friend" {
		list = own(rules.MyFriends, who)
	}
	t.look(ctx, list)
	for _, other := range others {
		missing := t.tainted[list.entry(idText(t.world.users[other].id))]
		t.world.relate(pair{who, other}, func(r *relation) {
			if missing && r.bySocial {
				r.follow, r.asked = Unknown, Unknown
			}
			r.bySocial = r.bySocial && typ == "friend"
		})
	}
}

// seenByOthers asks those whom a list lacks, though its owner was connected to them by
// social ids, whether they see the connection: then it is the list that lacks them.
func (t *playthrough) seenByOthers(ctx context.Context, v view, found []Difference) []Difference {
	deciding := t.evidence[len(t.evidence)-1]
	for i, d := range found {
		if d.Rule != "social.connects" || v.viewer != v.owner {
			continue
		}
		other, known := t.world.userByID(d.key[strings.LastIndex(d.key, "/")+1:])
		if !known {
			continue
		}
		theirs := own(rules.MyFollowers, other)
		if v.at == rules.MyFriends {
			theirs = own(rules.MyFriends, other)
		}
		listed, _ := t.read(ctx, theirs).objects()
		if slices.ContainsFunc(listed, func(o Fields) bool { return idText(o["id"]) == idText(t.world.users[v.owner].id) }) {
			t.world.relate(pair{v.owner, other}, func(r *relation) { r.bySocial = false })
			found[i].Rule, found[i].At = listRule(v.at)
		}
		t.evidence = append(slices.DeleteFunc(t.evidence, func(e any) bool { return e == deciding }), deciding) // the list stands last
	}
	return found
}

// named takes in a request that may name the id of its sender on a platform: what that is
// for is open, and a target may keep it among the user's social ids.
func (u *user) named(r Request) {
	if was, known := u.fields["social_ids"]; known && r.Endpoint == rules.ConnectSocial {
		u.fields["social_ids"] = withPlatformID(was, r.Body)
	}
}

// withPlatformID are the social ids that a user may have once a request to connect by them
// has named its own.
func withPlatformID(was lawful, request any) lawful {
	sent, _ := request.(Fields)
	platform, isText := sent["platform"].(string)
	own, isOwn := sent["platform_user_id"].(string)
	if !isText || !isOwn {
		return was
	}
	all := was
	for _, each := range was {
		older, _ := each.(map[string]any)
		all = all.or(merged(older, Fields{platform: own}))
	}
	return all
}
