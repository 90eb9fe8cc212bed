package play

import (
	"fmt"
	"slices"

	"github.com/socialfeed/conform/conformance/model/exchange"
	"github.com/socialfeed/conform/conformance/model/value"
	"github.com/socialfeed/conform/conformance/rules"
)

func (f *fake) has(from, to int, kind string) bool {
	return slices.ContainsFunc(f.edges, func(e edge) bool { return e.from == from && e.to == to && e.kind == kind })
}

func (f *fake) drop(from, to int, kinds ...string) int {
	before := len(f.edges)
	f.edges = slices.DeleteFunc(f.edges, func(e edge) bool { return e.from == from && e.to == to && slices.Contains(kinds, e.kind) })
	return before - len(f.edges)
}

func (f *fake) friends(a, b int) bool {
	switch {
	case f.dialect.mutual:
		return f.has(a, b, "friend") && f.has(b, a, "friend")
	case f.dialect.directional:
		return f.has(a, b, "friend")
	}
	return f.has(a, b, "friend") || f.has(b, a, "friend")
}

func (f *fake) connect(from, to int, kind string) exchange.Response {
	view := value.Fields{"user_from_id": f.id(from), "user_to_id": f.id(to), "type": kind, "enabled": true}
	if f.has(from, to, kind) || kind == "friend" && f.dialect.conflict && !f.dialect.mutual && f.has(to, from, kind) {
		if f.dialect.conflict {
			return refuse(409)
		}
		return exchange.Response{Status: 201, Body: view}
	}
	if f.dialect.oneKind {
		f.drop(from, to, "follow", "friend")
	}
	key := fmt.Sprintf("%s %d %d", kind, from, to)
	f.count[key]++
	if f.fault == "a third follow is forgotten" && f.count[key] == 3 {
		return exchange.Response{Status: 201, Body: view}
	}
	f.edges = append(f.edges, edge{from, to, kind, f.now})
	return exchange.Response{Status: 201, Body: view}
}

func (f *fake) disconnect(from, to int) exchange.Response {
	if f.fault == "the followed can end a follow" && f.drop(to, from, "follow") > 0 {
		return exchange.Response{Status: 204}
	}
	kinds := []string{"follow", "friend"}
	if f.fault == "an end leaves the friend where both kinds stand" && f.has(from, to, "follow") && f.has(from, to, "friend") {
		kinds = kinds[:1]
	}
	n := f.drop(from, to, kinds...)
	if !f.dialect.endsHalf {
		n += f.drop(to, from, kinds[1:]...)
	}
	if n == 0 {
		return f.unknown(rules.DeleteConnection)
	}
	if f.fault == "the feed is stale after a refollow" && f.count[fmt.Sprintf("follow %d %d", from, to)] > 1 {
		f.stale[fmt.Sprintf("%d-%d", from, to)] = exchange.Response{Status: 1}
	}
	return exchange.Response{Status: 204}
}

func (f *fake) social(me *fakeUser, fields value.Fields) exchange.Response {
	if f.dialect.noSocial {
		return exchange.Response{Status: 201, Body: value.Fields{}}
	}
	for _, u := range f.users {
		ids, _ := u.fields["social_ids"].(map[string]any)
		for _, id := range fields["connection_ids"].([]any) {
			if !u.gone && u != me && value.Same(ids[fields["platform"].(string)], id) {
				f.connect(me.id, u.id, fields["type"].(string))
				if f.dialect.socialConfirms && fields["type"] == "friend" {
					f.connect(u.id, me.id, "friend")
				}
			}
		}
	}
	return exchange.Response{Status: 201, Body: value.Fields{}}
}

func (f *fake) list(at rules.Endpoint, owner int, me *fakeUser) exchange.Response {
	found := []any{}
	for _, u := range f.users {
		shown := false
		switch at {
		case rules.MyFollows:
			shown = f.has(owner, u.id, "follow") || f.dialect.friendsFollow && f.friends(owner, u.id)
		case rules.MyFollowers:
			shown = f.has(u.id, owner, "follow") || f.dialect.friendsFollow && f.friends(owner, u.id)
		case rules.MyFriends:
			shown = f.friends(owner, u.id)
		}
		if shown && (!u.gone || f.fault == "deleted users stay among followers of the followed" && at == rules.MyFollowers) {
			found = append(found, f.user(u, me))
		}
	}
	if f.fault == "a list ends one short of twenty" && len(found) >= 20 {
		found = found[:19]
	}
	if f.fault == "the follows end after five" && at == rules.MyFollows && len(found) > 5 {
		found = found[:5]
	}
	if c := f.dialect.cap; c > 0 && len(found) > c {
		found = found[:c]
	}
	return exchange.Response{Status: 200, Body: found}
}
