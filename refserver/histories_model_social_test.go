package refserver_test

import (
	"maps"
	"slices"

	"github.com/socialfeed/conform/refserver"
)

func (w world) joined(edges ...modelEdge) world {
	w.edges = maps.Clone(w.edges)
	if w.edges == nil {
		w.edges = map[modelEdge]bool{}
	}
	for _, e := range edges {
		w.edges[e] = true
	}
	return w
}

func (w world) connect(user string, in asked, out got) (bool, world) {
	switch {
	case in.target == user:
		return out.status == 422, w
	case w.user(in.target).id == "":
		return out.status == 404, w
	}
	return out.status == 201, w.joined(modelEdge{user, in.target, in.typ})
}

func (w world) connectSocial(user string, in asked) world {
	for _, u := range w.users {
		if u.id != user && u.social != "" && slices.Contains(in.ids, u.social) {
			w = w.joined(modelEdge{user, u.id, in.typ})
		}
	}
	return w
}

func (w world) disconnect(user string, in asked, out got) (bool, world) {
	edges := maps.Clone(w.edges)
	maps.DeleteFunc(edges, func(e modelEdge, _ bool) bool {
		own := e.from == user && e.to == in.target
		others := e.from == in.target && e.to == user && e.typ == "friend"
		return (own || others) && (in.typ == "" || in.typ == e.typ)
	})
	if len(edges) == len(w.edges) {
		return out.status == 404, w
	}
	w.edges = edges
	return out.status == 204, w
}

func (w world) friends(c refserver.Choices, a, b string) bool {
	to, from := w.edges[modelEdge{a, b, "friend"}], w.edges[modelEdge{b, a, "friend"}]
	if c.MutualFriends {
		return to && from
	}
	return to || from
}

func (w world) list(c refserver.Choices, user string, in asked, out got) bool {
	kind := in.endpoint
	if kind >= 14 {
		user, kind = in.target, kind-3
		if w.user(user).id == "" {
			return out.status == 404
		}
	}
	return out.is(200, w.where(func(u modelUser) bool {
		friends := w.friends(c, user, u.id)
		switch kind {
		case 11:
			return w.edges[modelEdge{user, u.id, "follow"}] || c.FriendsFollow && friends
		case 12:
			return w.edges[modelEdge{u.id, user, "follow"}] || c.FriendsFollow && friends
		default:
			return friends
		}
	})...)
}

func (w world) createEvent(user string, in asked, out got) (bool, world) {
	event := modelEvent{out.id, user, in.verb}
	newest := len(w.events) == 0 || before(w.events[len(w.events)-1].id, out.id)
	w.events = append(slices.Clone(w.events), event)
	return newest && out.is(201, event.describe()), w
}

func (w world) changeEvent(user string, in asked, out got) (bool, world) {
	i := slices.IndexFunc(w.events, func(e modelEvent) bool { return e.id == in.target })
	switch {
	case i < 0:
		return out.status == 404, w
	case w.events[i].owner != user:
		return out.status == 403, w
	}
	w.events = slices.Clone(w.events)
	if in.endpoint == 20 {
		w.events = slices.Delete(w.events, i, i+1)
		return out.status == 204, w
	}
	w.events[i].verb = in.verb
	return out.is(200, w.events[i].describe()), w
}

func (w world) feed(c refserver.Choices, user string) []string {
	var feed []string
	for _, e := range slices.Backward(w.events) {
		if w.edges[modelEdge{user, e.owner, "follow"}] || w.friends(c, user, e.owner) || c.OwnEvents && e.owner == user {
			feed = append(feed, e.describe())
		}
	}
	return feed
}
