package story

import (
	"github.com/socialfeed/conform/conformance/rules"
)

// relation is how one user is connected to another.
type relation struct {
	follow, asked Tri  // a follow, and this side's friend connection
	followed      int  // when the latest follow was made
	follows       int  // how often a follow was made
	friendsSince  int  // since when the two are friends
	bySocial      bool // made by social ids, and not seen yet
	ended         int  // when a connection between the two ended last
	// atDeletion is how they were connected when the other was deleted, nil if it was not.
	atDeletion *struct{ follow, friends Tri }
}

// relation returns how one user is connected to another.
func (w *World) relation(p pair) relation {
	if r, there := w.relations[p]; there {
		return r
	}
	return relation{follow: No, asked: No}
}

// relate changes how one user is connected to another, and keeps since when the two are friends.
func (w *World) relate(p pair, change func(*relation)) {
	before := w.friends(p)
	r := w.relation(p)
	change(&r)
	w.relations[p] = r
	if w.friends(p) == before {
		return
	}
	for _, side := range []pair{p, p.reversed()} {
		r := w.relation(side)
		r.friendsSince = w.now()
		w.relations[side] = r
	}
}

// friends reports whether two users are friends.
func (w *World) friends(p pair) Tri {
	one, other := w.relation(p).asked, w.relation(p.reversed()).asked
	atOnce := w.choices[w.users[p.from].app].FriendsAtOnce
	switch both, either := one.and(other), one.or(other); {
	case atOnce == Yes || either == No:
		return either
	case atOnce == No || both == Yes:
		return both
	}
	return Unknown
}

// neverConnected reports whether neither of two users was ever connected to the other, so that no
// lag explains that a view shows one because of the other.
func (w *World) neverConnected(p pair) bool {
	for _, side := range []pair{p, p.reversed()} {
		if r := w.relation(side); r.follow != No || r.asked != No || r.ended > 0 {
			return false
		}
	}
	return true
}

// shows reports whether a reader's feed must show an event. Whether new friends see older
// events, and users their own, is open.
func (w *World) shows(reader, which int) Tri {
	e := &w.events[which]
	if !w.stands(which) || w.users[reader].app != w.users[e.owner].app {
		return No
	}
	if reader == e.owner {
		return Unknown
	}
	p := pair{reader, e.owner}
	r, friends := w.relation(p), w.friends(p)
	switch {
	case r.follow == Yes:
		return Yes
	case friends == Yes && e.created > r.friendsSince:
		return Yes
	case r.follow == No && friends == No:
		return No
	}
	return Unknown
}

// listed reports whether a list of a user shows another one. Whether friends count as followed
// and followers is open.
func (w *World) listed(list rules.Endpoint, owner, other int) Tri {
	if !w.users[other].lives() || !w.users[owner].lives() || owner == other {
		return No
	}
	p := pair{owner, other}
	friends := w.friends(p)
	follow := No
	switch list.OwnList() {
	case rules.MyFollows:
		follow = w.relation(p).follow
	case rules.MyFollowers:
		follow = w.relation(p.reversed()).follow
	default:
		return friends
	}
	if follow == No && friends != No {
		return Unknown
	}
	return follow
}
