package story

import (
	"maps"
	"slices"

	"github.com/socialfeed/conform/conformance/rules"
)

// socialID returns the social id of a user on a network, or on the first one if none is named;
// false if it is not certain.
func (u *user) socialID(network string) (string, string, bool) {
	ids, ok := u.fields["social_ids"].first().(map[string]any)
	if !ok || len(ids) == 0 {
		return "", "", false
	}
	if network == "" {
		network = slices.Min(slices.Collect(maps.Keys(ids)))
	}
	id, there := ids[network].(string)
	return network, id, there && u.surelyHolds("social_ids", id)
}

// reachable reports whether a user can connect to another by its social id, as a type, with a
// known outcome: if it is connected as the other type, both must be known to stand.
func (w *World) reachable(p pair, typ string) bool {
	if w.elsewhere(p) || !w.users[p.to].lives() || p.from == p.to {
		return false
	}
	choices := w.choices[w.users[p.from].app]
	mine, theirs := w.relation(p), w.relation(p.reversed())
	both := choices.KindsStand == Yes
	isNew := mine.follow == No && (mine.asked == No && theirs.asked == No || both && w.friends(p) == Yes)
	if typ == friend {
		isNew = mine.asked == No && theirs.asked == No && (mine.follow == No || both && mine.follow == Yes)
	}
	return choices.SocialConnects == Yes && isNew
}

// socialTargets returns those of the users that a step names who can be reached on one network, with
// their ids there.
func (w *World) socialTargets(s Step) (network string, who []int, ids []any) {
	from, there := w.who(s.User, false)
	if !there || !w.users[from].lives() {
		return "", nil, nil
	}
	for _, role := range s.Others {
		to, known := w.who(role, false)
		if !known || !w.reachable(pair{from, to}, s.Type) {
			continue
		}
		on, id, certain := w.users[to].socialID(network)
		if !certain {
			continue
		}
		network, who, ids = on, append(who, to), append(ids, id)
	}
	return network, who, ids
}

func requestSocial(w *World, s Step) (Request, bool) {
	network, who, ids := w.socialTargets(s)
	if len(who) == 0 {
		return Request{}, false
	}
	from, _ := w.who(s.User, false)
	return Request{Endpoint: rules.ConnectSocial, Body: Fields{"platform": network, "type": s.Type, "platform_user_id": w.users[from].name, "connection_ids": ids}}, true
}

// applySocial connects a user to those whose ids the request names. What naming its own id on a
// platform is for is open: a target may keep it among the user's social ids.
func applySocial(w *World, c call) {
	from, _ := w.who(c.User, false)
	network, _ := c.Request.Body["platform"].(string)
	named, _ := c.Request.Body["connection_ids"].([]any)
	for _, role := range c.Others {
		to, known := w.who(role, false)
		if !known || !w.users[to].lives() {
			continue
		}
		p := pair{from, to}
		if _, id, certain := w.users[to].socialID(network); !certain || !slices.Contains(named, any(id)) {
			continue
		}
		switch r := w.relation(p); {
		case c.Type == follow && r.follow == Yes, c.Type == friend && r.asked == Yes:
		case w.reachable(p, c.Type):
			w.connected(p, c.Type, true)
		default: // something else was done at the same time
			w.relate(p, func(r *relation) { r.follow, r.asked = Unknown, Unknown })
		}
	}
	w.keepPlatformID(from, c.Request.Body)
}

// keepPlatformID allows that a user has the platform id of a request among its social ids.
func (w *World) keepPlatformID(who int, body Fields) {
	u := &w.users[who]
	was, known := u.fields["social_ids"]
	platform, isText := body["platform"].(string)
	if !known || !isText {
		return
	}
	all := was
	for _, each := range was {
		older, _ := each.(map[string]any)
		all = all.or(merged(older, Fields{platform: body["platform_user_id"]}))
	}
	u.fields = maps.Clone(u.fields)
	u.fields["social_ids"] = all
}

func viewsOfSocial(w *World, s Step) []Step {
	list := "see follows"
	if s.Type == friend {
		list = "see friends"
	}
	all := []Step{own(list, s.User), own("see feed", s.User)}
	for _, other := range s.Others[:min(len(s.Others), 1)] {
		all = append(all, own("see followers", other), own("see friends", other))
	}
	return all
}
