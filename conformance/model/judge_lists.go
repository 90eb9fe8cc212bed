package model

import (
	"fmt"
	"slices"

	"github.com/socialfeed/conform/conformance/rules"
)

// listed reports whether a list of a user shows another one. Whether friends count as followed
// and followers is open.
func (st *State) listed(at rules.Endpoint, owner, other int) Tri {
	if !st.users[other].lives() || !st.users[owner].lives() || owner == other {
		return No
	}
	p := pair{owner, other}
	switch at.OwnList() {
	case rules.MyFollows:
		return orUnknown(st.relation(p).follow, st.friends(p))
	case rules.MyFollowers:
		return orUnknown(st.relation(p.reversed()).follow, st.friends(p))
	}
	return st.friends(p)
}

func orUnknown(t, friends Tri) Tri {
	if t == No && friends != No {
		return Unknown
	}
	return t
}

// judgeList compares a list of users with the state.
func (st *State) judgeList(v view, r Response) []Difference {
	if !st.users[v.owner].lives() {
		if r.Refused() {
			return nil
		}
		return []Difference{{Rule: "connections.lists.unknown-user", At: v.at, Expected: "a refusal for a deleted user", Actual: r.show(), key: v.key("", "")}}
	}
	objects, ok := r.objects()
	if r.Status != 200 || !ok {
		rule, at := listRule(v.at)
		if st.listsNobody(v) {
			rule, at = "connections.lists.empty", v.at
		}
		return []Difference{{Rule: rule, At: at, Expected: "200 and an array of users", Actual: r.show(), key: v.key("", "")}}
	}
	var found []Difference
	var shown []int
	for _, o := range objects {
		id := idText(o["id"])
		who, known := st.userByID(id)
		switch {
		case !known:
			rule, at := listRule(v.at)
			if slices.ContainsFunc(st.users, func(u *user) bool { return same(o["user_name"], u.name) }) {
				rule, at = "users.id-stable", v.at
			}
			found = append(found, Difference{Rule: rule, At: at, key: v.key(id, ""), Expected: "only connected users", Actual: "user " + id})
			continue // no user of the story
		case slices.Contains(shown, who):
			rule, at := listRule(v.at)
			found = append(found, Difference{Rule: rule, At: at, key: v.key(id, "twice"), Expected: "user " + id + " once", Actual: "the user twice in the list"})
		case st.listed(v.at, v.owner, who) == No:
			found = append(found, st.extraUser(v, who))
		default:
			found = append(found, st.staleUser(v, who, o)...)
		}
		shown = append(shown, who)
	}
	for who, u := range st.users {
		if st.listed(v.at, v.owner, who) == Yes && !slices.Contains(shown, who) && !st.choices.Lengths.mayBeCut(v.at, len(objects)) {
			rule, at := st.missingUserRule(v, who)
			found = append(found, Difference{Rule: rule, At: at, symptom: "missing from " + listName(v.at), key: v.key(idText(u.id), ""),
				Expected: fmt.Sprintf("user %d in the %s of user %d", who, listName(v.at), v.owner),
				Actual:   fmt.Sprintf("a list of %d users without it", len(objects))})
		}
	}
	return found
}

// listsNobody reports whether a list must be empty.
func (st *State) listsNobody(v view) bool {
	for who := range st.users {
		if st.listed(v.at, v.owner, who) != No {
			return false
		}
	}
	return true
}

func (st *State) extraUser(v view, who int) Difference {
	d := Difference{symptom: "there among " + listName(v.at), key: v.key(idText(st.users[who].id), ""),
		Expected: fmt.Sprintf("no user %d in the %s of user %d", who, listName(v.at), v.owner), Actual: "the user is there"}
	there, back := st.relation(pair{v.owner, who}), st.relation(pair{who, v.owner})
	ended := max(there.endedStep, back.endedStep)
	d.Rule, d.At = listRule(v.at)
	d.timeless = st.neverConnected(pair{v.owner, who}) && st.users[who].lives()
	switch {
	case !st.users[who].lives():
		d.Rule, d.At = "connections.lists.after-user-delete", v.at.OwnList()
	case ended > 0:
		d.Rule, d.At = "connections.delete.removes", rules.DeleteConnection
	case there.follow == Yes || back.follow == Yes:
		d.Rule, d.At = "connections.lists.one-way", v.at.OwnList()
	}
	return d
}

// missingUserRule returns the rule to blame when a list lacks a user: that of an operation
// since the user was last shown there, or that of the list.
func (st *State) missingUserRule(v view, who int) (string, rules.Endpoint) {
	p := pair{v.owner, who}
	there, back := st.relation(p), st.relation(p.reversed())
	ofFriends := v.at.OwnList() == rules.MyFriends // of whom each may end it for both
	if !ofFriends && (there.follow == Yes && st.endedByOther(p, there.followedStep) || back.follow == Yes && st.endedByOther(p.reversed(), back.followedStep)) {
		return "connections.delete.only-own", rules.DeleteConnection
	}
	last := st.shownAt[v.key(idText(st.users[who].id), "")]
	if last > max(there.endedStep, back.endedStep, 0) {
		for _, h := range slices.Backward(st.since(last - 1)) {
			switch {
			case h.kind == DeleteUser:
				return "connections.lists.after-user-delete", v.at.OwnList()
			case h.kind == End:
				return "connections.delete.removes", rules.DeleteConnection
			}
		}
	}
	const many = 10 // if one of many is missing, the list is to blame
	inOwn := st.shownAt[own(v.at.OwnList(), v.owner).key(idText(st.users[who].id), "")] > max(there.endedStep, back.endedStep, 0)
	bothAsked := there.asked == Yes && back.asked == Yes || st.choices.FriendsAtOnce != Yes
	switch {
	case (there.bySocial || back.bySocial) && last == 0 && !inOwn:
		return "social.connects", rules.ConnectSocial
	case v.at == rules.MyFriends && bothAsked && st.friendsOf(v.owner) < many:
		return "connections.friends.mutual", rules.CreateConnection
	}
	return listRule(v.at)
}

func (st *State) friendsOf(who int) int {
	n := 0
	for other := range st.users {
		if st.listed(rules.MyFriends, who, other) == Yes {
			n++
		}
	}
	return n
}

// staleUser compares a user in a list with the state. Missing fields are no difference: a list
// may show fewer.
func (st *State) staleUser(v view, who int, o Fields) []Difference {
	u := st.users[who]
	for name, want := range u.fields {
		got := valueOf(o, name)
		if want.or(absent{}).allows(got) {
			continue
		}
		rule, at := shownInRule("users.me.update.applies", v, u)
		return []Difference{{Rule: rule, At: at, key: v.key(idText(u.id), "stale"),
			Expected: fmt.Sprintf("user %d with %s %s in %s", who, name, want.show(), v.whereShown()), Actual: showValue(got)}}
	}
	if got := valueOf(o, "created_at"); !sameInstant(got, u.created) {
		rule, at := shownInRule("users.me.update.keeps-identity", v, u)
		return []Difference{{Rule: rule, At: at, key: v.key(idText(u.id), "stale"),
			Expected: fmt.Sprintf("user %d with created_at %s in %s", who, showValue(u.created), v.whereShown()), Actual: showValue(got)}}
	}
	return nil
}

// shownInRule returns the rule to blame for what a list or a search shows of a user: that of its
// update, if there was one.
func shownInRule(ofUpdate string, v view, u *user) (string, rules.Endpoint) {
	switch {
	case u.changedStep > 0:
		return ofUpdate, rules.UpdateMe
	case v.at == rules.SearchUsers:
		return "search.status", v.at
	}
	return listRule(v.at)
}

// whereShown names the list or the search of a view.
func (v view) whereShown() string {
	if v.at == rules.SearchUsers {
		return "a search"
	}
	return fmt.Sprintf("the %s of user %d", listName(v.at), v.owner)
}
