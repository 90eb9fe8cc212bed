package world

import (
	"fmt"
	"slices"

	"github.com/socialfeed/conform/conformance/model/blame"
	"github.com/socialfeed/conform/conformance/model/exchange"
	"github.com/socialfeed/conform/conformance/model/leeway"
	"github.com/socialfeed/conform/conformance/model/story"
	"github.com/socialfeed/conform/conformance/model/value"
	"github.com/socialfeed/conform/conformance/rules"
)

// listed reports whether a list of a user shows another one. Whether friends count as followed
// and followers is open.
func (st *State) listed(at rules.Endpoint, owner, other int) leeway.Tri {
	if !st.Users[other].Lives() || !st.Users[owner].Lives() || owner == other {
		return leeway.No
	}
	p := Pair{owner, other}
	switch at.OwnList() {
	case rules.MyFollows:
		return orUnknown(st.Relation(p).Follow, st.Friends(p))
	case rules.MyFollowers:
		return orUnknown(st.Relation(p.Reversed()).Follow, st.Friends(p))
	}
	return st.Friends(p)
}

func orUnknown(t, friends leeway.Tri) leeway.Tri {
	if t == leeway.No && friends != leeway.No {
		return leeway.Unknown
	}
	return t
}

// judgeList compares a list of users with the state.
func (st *State) judgeList(v View, r exchange.Response) []blame.Difference {
	if !st.Users[v.Owner].Lives() {
		if r.Refused() {
			return nil
		}
		return []blame.Difference{{Rule: "connections.lists.unknown-user", At: v.At, Expected: "a refusal for a deleted user", Actual: r.Show(), Key: v.Key("", "")}}
	}
	objects, ok := r.Objects()
	if r.Status != 200 || !ok {
		rule, at := blame.List(v.At)
		if st.listsNobody(v) {
			rule, at = "connections.lists.empty", v.At
		}
		return []blame.Difference{{Rule: rule, At: at, Expected: "200 and an array of users", Actual: r.Show(), Key: v.Key("", "")}}
	}
	st.learnSocialFriends(v, objects)
	var found []blame.Difference
	var shown []int
	for _, o := range objects {
		id := value.ID(o["id"])
		who, known := st.UserByID(id)
		switch {
		case !known:
			rule, at := blame.List(v.At)
			if slices.ContainsFunc(st.Users, func(u *User) bool { return value.Same(o["user_name"], u.Name) }) {
				rule, at = "users.id-stable", v.At
			}
			found = append(found, blame.Difference{Rule: rule, At: at, Key: v.Key(id, ""), Expected: "only connected users", Actual: "user " + id})
			continue // no user of the story
		case slices.Contains(shown, who):
			rule, at := blame.List(v.At)
			found = append(found, blame.Difference{Rule: rule, At: at, Key: v.Key(id, "twice"), Expected: "user " + id + " once", Actual: "the user twice in the list"})
		case st.listed(v.At, v.Owner, who) == leeway.No:
			found = append(found, st.extraUser(v, who))
		default:
			found = append(found, st.staleUser(v, who, o)...)
		}
		shown = append(shown, who)
	}
	for who, u := range st.Users {
		if st.listed(v.At, v.Owner, who) == leeway.Yes && !slices.Contains(shown, who) && !st.Choices.Lengths.MayBeCut(v.At, len(objects)) {
			rule, at := st.missingUserRule(v, who)
			found = append(found, blame.Difference{Rule: rule, At: at, Symptom: "missing from " + blame.ListName(v.At), Key: v.Key(value.ID(u.ID), ""),
				Expected: fmt.Sprintf("user %d in the %s of user %d", who, blame.ListName(v.At), v.Owner),
				Actual:   fmt.Sprintf("a list of %d users without it", len(objects))})
		}
	}
	return found
}

// listsNobody reports whether a list must be empty.
func (st *State) listsNobody(v View) bool {
	for who := range st.Users {
		if st.listed(v.At, v.Owner, who) != leeway.No {
			return false
		}
	}
	return true
}

func (st *State) extraUser(v View, who int) blame.Difference {
	d := blame.Difference{Symptom: "there among " + blame.ListName(v.At), Key: v.Key(value.ID(st.Users[who].ID), ""),
		Expected: fmt.Sprintf("no user %d in the %s of user %d", who, blame.ListName(v.At), v.Owner), Actual: "the user is there"}
	there, back := st.Relation(Pair{v.Owner, who}), st.Relation(Pair{who, v.Owner})
	ended := max(there.EndedStep, back.EndedStep)
	d.Rule, d.At = blame.List(v.At)
	d.Timeless = st.neverConnected(Pair{v.Owner, who}) && st.Users[who].Lives()
	switch {
	case !st.Users[who].Lives():
		d.Rule, d.At = "connections.lists.after-user-delete", v.At.OwnList()
	case ended > 0:
		d.Rule, d.At = "connections.delete.removes", rules.DeleteConnection
	case there.Follow == leeway.Yes || back.Follow == leeway.Yes:
		d.Rule, d.At = "connections.lists.one-way", v.At.OwnList()
	}
	return d
}

// missingUserRule returns the rule to blame when a list lacks a user: that of an operation
// since the user was last shown there, or that of the list.
func (st *State) missingUserRule(v View, who int) (string, rules.Endpoint) {
	p := Pair{v.Owner, who}
	there, back := st.Relation(p), st.Relation(p.Reversed())
	ofFriends := v.At.OwnList() == rules.MyFriends // of whom each may end it for both
	if !ofFriends && (there.Follow == leeway.Yes && st.endedByOther(p, there.followedStep) || back.Follow == leeway.Yes && st.endedByOther(p.Reversed(), back.followedStep)) {
		return "connections.delete.only-own", rules.DeleteConnection
	}
	last := st.shownAt[v.Key(value.ID(st.Users[who].ID), "")]
	if last > max(there.EndedStep, back.EndedStep, 0) {
		for _, h := range slices.Backward(st.since(last - 1)) {
			switch {
			case h.kind == story.DeleteUser:
				return "connections.lists.after-user-delete", v.At.OwnList()
			case h.kind == story.End:
				return "connections.delete.removes", rules.DeleteConnection
			}
		}
	}
	const many = 10 // if one of many is missing, the list is to blame
	inOwn := st.shownAt[Own(v.At.OwnList(), v.Owner).Key(value.ID(st.Users[who].ID), "")] > max(there.EndedStep, back.EndedStep, 0)
	bothAsked := there.Asked == leeway.Yes && back.Asked == leeway.Yes || st.Choices.FriendsAtOnce != leeway.Yes
	switch {
	case (there.bySocial || back.bySocial) && last == 0 && !inOwn:
		return "social.connects", rules.ConnectSocial
	case v.At == rules.MyFriends && bothAsked && st.friendsOf(v.Owner) < many:
		return "connections.friends.mutual", rules.CreateConnection
	}
	return blame.List(v.At)
}

func (st *State) friendsOf(who int) int {
	n := 0
	for other := range st.Users {
		if st.listed(rules.MyFriends, who, other) == leeway.Yes {
			n++
		}
	}
	return n
}

// staleUser compares a user in a list with the state. Missing fields are no difference: a list
// may show fewer.
func (st *State) staleUser(v View, who int, o value.Fields) []blame.Difference {
	u := st.Users[who]
	for name, want := range u.Fields {
		got := value.Of(o, name)
		if want.Or(value.Absent{}).Allows(got) {
			continue
		}
		rule, at := shownInRule("users.me.update.applies", v, u)
		return []blame.Difference{{Rule: rule, At: at, Key: v.Key(value.ID(u.ID), "stale"),
			Expected: fmt.Sprintf("user %d with %s %s in %s", who, name, want.Show(), v.whereShown()), Actual: value.Show(got)}}
	}
	if got := value.Of(o, "created_at"); !value.SameInstant(got, u.Created) {
		rule, at := shownInRule("users.me.update.keeps-identity", v, u)
		return []blame.Difference{{Rule: rule, At: at, Key: v.Key(value.ID(u.ID), "stale"),
			Expected: fmt.Sprintf("user %d with created_at %s in %s", who, value.Show(u.Created), v.whereShown()), Actual: value.Show(got)}}
	}
	return nil
}

// shownInRule returns the rule to blame for what a list or a search shows of a user: that of its
// update, if there was one.
func shownInRule(ofUpdate string, v View, u *User) (string, rules.Endpoint) {
	switch {
	case u.ChangedStep > 0:
		return ofUpdate, rules.UpdateMe
	case v.At == rules.SearchUsers:
		return "search.status", v.At
	}
	return blame.List(v.At)
}

// whereShown names the list or the search of a view.
func (v View) whereShown() string {
	if v.At == rules.SearchUsers {
		return "a search"
	}
	return fmt.Sprintf("the %s of user %d", blame.ListName(v.At), v.Owner)
}
