package model

import (
	"fmt"
	"slices"

	"github.com/socialfeed/conform/conformance/rules"
)

// mine is the list of one's own that shows the same as a list of a user, for rules
// that are booked there.
func mine(at rules.Endpoint) rules.Endpoint {
	if at >= rules.FollowsOf {
		return at - rules.FollowsOf + rules.MyFollows
	}
	return at
}

// listed reports whether a user is in a list of another's. Whether friends count
// as followed and followers is open.
func (w *World) listed(at rules.Endpoint, owner, other int) Tri {
	if !w.users[other].lives() || !w.users[owner].lives() || owner == other {
		return No
	}
	p := pair{owner, other}
	switch mine(at) {
	case rules.MyFollows:
		return orOpen(w.relation(p).follow, w.friends(p))
	case rules.MyFollowers:
		return orOpen(w.relation(p.reversed()).follow, w.friends(p))
	}
	return w.friends(p)
}

func orOpen(t, friends Tri) Tri {
	if t == No && friends != No {
		return Unknown
	}
	return t
}

// judgeList compares a list of users with the world.
func (w *World) judgeList(v view, r Response) []Difference {
	if !w.users[v.owner].lives() {
		if r.Refused() {
			return nil
		}
		return []Difference{{Rule: "connections.lists.unknown-user", At: v.at, Expected: "a refusal for a deleted user", Actual: r.show(), key: v.entry("")}}
	}
	objects, ok := r.objects()
	if r.Status != 200 || !ok {
		rule, at := listRule(v.at)
		if w.listsNobody(v) {
			rule, at = "connections.lists.empty", v.at
		}
		return []Difference{{Rule: rule, At: at, Expected: "200 and an array of users", Actual: r.show(), key: v.entry("")}}
	}
	var found []Difference
	var shown []int
	for _, o := range objects {
		id := idText(o["id"])
		who, known := w.userByID(id)
		switch {
		case !known:
			rule, at := listRule(v.at)
			if slices.ContainsFunc(w.users, func(u *user) bool { return same(o["user_name"], u.name) }) {
				rule, at = "users.id-stable", v.at
			}
			found = append(found, Difference{Rule: rule, At: at, key: v.entry(id), Expected: "connected users alone", Actual: "user " + id})
			continue // who stands for nobody of the story
		case slices.Contains(shown, who):
			rule, at := listRule(v.at)
			found = append(found, Difference{Rule: rule, At: at, key: v.entry("twice " + id), Expected: "user " + id + " once", Actual: "it stands there twice"})
		case w.listed(v.at, v.owner, who) == No:
			found = append(found, w.extraUser(v, who))
		default:
			found = append(found, w.staleUser(v, who, o)...)
		}
		shown = append(shown, who)
	}
	for who, u := range w.users {
		if w.listed(v.at, v.owner, who) == Yes && !slices.Contains(shown, who) && len(objects) < promisedLength {
			rule, at := w.missingUserRule(v, who)
			found = append(found, Difference{Rule: rule, At: at, symptom: "missing from " + listName(v.at), key: v.entry(idText(u.id)),
				Expected: fmt.Sprintf("user %d in the %s of user %d", who, listName(v.at), v.owner),
				Actual:   fmt.Sprintf("a list of %d users without it", len(objects))})
		}
	}
	return found
}

// listsNobody reports whether a list must be empty.
func (w *World) listsNobody(v view) bool {
	for who := range w.users {
		if w.listed(v.at, v.owner, who) != No {
			return false
		}
	}
	return true
}

func listName(at rules.Endpoint) string {
	return map[rules.Endpoint]string{rules.MyFollows: "follows", rules.MyFollowers: "followers", rules.MyFriends: "friends"}[mine(at)]
}

func listRule(at rules.Endpoint) (string, rules.Endpoint) {
	if at >= rules.FollowsOf {
		return "connections.lists.of-user", at
	}
	return "connections.lists." + listName(at), at
}

func (w *World) extraUser(v view, who int) Difference {
	d := Difference{symptom: "there among " + listName(v.at), key: v.entry(idText(w.users[who].id)),
		Expected: fmt.Sprintf("no user %d in the %s of user %d", who, listName(v.at), v.owner), Actual: "the user is there"}
	there, back := w.relation(pair{v.owner, who}), w.relation(pair{who, v.owner})
	ended := max(there.ended, back.ended)
	d.Rule, d.At = listRule(v.at)
	switch {
	case !w.users[who].lives():
		d.Rule, d.At = "connections.lists.after-user-delete", mine(v.at)
	case ended > 0:
		d.Rule, d.At = "connections.delete.removes", rules.DeleteConnection
	case there.follow == Yes || back.follow == Yes:
		d.Rule, d.At = "connections.lists.one-way", mine(v.at)
	}
	return d
}

// missingUserRule blames a user whom a list lacks: on what happened since it was
// seen there, or on the list.
func (w *World) missingUserRule(v view, who int) (string, rules.Endpoint) {
	p := pair{v.owner, who}
	there, back := w.relation(p), w.relation(p.reversed())
	if there.follow == Yes && w.endedByOther(p, there.followed) || back.follow == Yes && w.endedByOther(p.reversed(), back.followed) {
		return "connections.delete.only-own", rules.DeleteConnection
	}
	last := w.seen[v.entry(idText(w.users[who].id))]
	if last > max(there.ended, back.ended, 0) {
		for _, h := range slices.Backward(w.since(last - 1)) {
			switch {
			case h.kind == Leave:
				return "connections.lists.after-user-delete", mine(v.at)
			case h.kind == End:
				return "connections.delete.removes", rules.DeleteConnection
			}
		}
	}
	const many = 10 // of whom one is missing: it is the list that lacks it
	switch {
	case (there.bySocial || back.bySocial) && last == 0:
		return "social.connects", rules.ConnectSocial
	case v.at == rules.MyFriends && there.asked == Yes && back.asked == Yes && w.friendsOf(v.owner) < many:
		return "connections.friends.mutual", rules.CreateConnection
	}
	return listRule(v.at)
}

func (w *World) friendsOf(who int) int {
	n := 0
	for other := range w.users {
		if w.listed(rules.MyFriends, who, other) == Yes {
			n++
		}
	}
	return n
}

// staleUser compares what a list tells of a user with the user. What it does not
// tell is no difference: a list may tell less.
func (w *World) staleUser(v view, who int, o Fields) []Difference {
	u := w.users[who]
	for name, want := range u.fields {
		got := valueOf(o, name)
		if want.or(absent{}).allows(got) {
			continue
		}
		rule, at := "users.me.update.applies", rules.UpdateMe
		if u.changed == 0 {
			rule, at = listRule(v.at)
		}
		return []Difference{{Rule: rule, At: at, key: v.entry("stale " + idText(u.id)),
			Expected: fmt.Sprintf("user %d with %s %s in the %s of user %d", who, name, want.show(), listName(v.at), v.owner),
			Actual:   showValue(got)}}
	}
	return nil
}
