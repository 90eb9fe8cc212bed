package model

import (
	"context"
	"slices"

	"github.com/socialfeed/conform/conformance/rules"
)

// living are the users that are there, in order of creation.
func (t *playthrough) living() []int {
	var all []int
	for i, u := range t.world.users {
		if u.lives() {
			all = append(all, i)
		}
	}
	return all
}

// third is a user who can look at what is another's, -1 where there is none.
func (t *playthrough) third(besides ...int) int {
	living := t.living()
	for i := range living { // takes turns
		if who := living[(i+t.index)%len(living)]; !slices.Contains(besides, who) {
			return who
		}
	}
	return -1
}

// audit are the views of one. The lists take turns.
func (t *playthrough) audit(extent int) []view {
	if extent == everything {
		return t.everything()
	}
	var all []view
	for i, u := range t.world.users {
		if !u.lives() {
			if extent == feedsAndLists {
				all = append(all, t.graveyard(i)...)
			}
			continue
		}
		all = append(all, own(rules.Feed, i))
		if extent == feedsAndLists {
			all = append(all, own(rules.MyFollows+rules.Endpoint((i+t.index)%3), i))
		}
	}
	return all
}

// readAgain reads what is A's and B's over and over: nothing is written meanwhile, and
// the same must come back each time; and A's record, where it is asked for.
func (t *playthrough) readAgain(ctx context.Context, a, b int, record bool) {
	const times = 6
	if t.player.options.Lag > 0 || len(t.outcome.Differences) > 0 {
		return // what is stale may come back for a while
	}
	other := t.third(a, b)
	views := []view{own(rules.Feed, a), own(rules.MyFollows, a), own(rules.MyFriends, b), own(rules.MyFollowers, b)}
	if other >= 0 {
		views = append(views, of(rules.FollowsOf, a, other), of(rules.FriendsOf, b, other), of(rules.GetUser, a, other))
	}
	if record {
		views = append(views, own(rules.GetMe, a))
		if other >= 0 {
			views = append(views, t.search("user_name", a, other), of(rules.FollowersOf, b, other))
		}
	}
	done := slices.Clone(t.evidence)
	for range times {
		for _, v := range views {
			t.evidence = slices.Clone(done)
			answer := t.read(ctx, v)
			for _, d := range t.news(v, answer) {
				d.repeated, d.slots = true, t.about(v, d)
				t.differ(d)
			}
		}
	}
	t.evidence = done
}

// wholly are all views of two users.
func (t *playthrough) wholly(users ...int) []view {
	var all []view
	for _, who := range users {
		if !t.world.users[who].lives() {
			continue
		}
		all = append(all, own(rules.Feed, who), own(rules.MyFollows, who), own(rules.MyFollowers, who), own(rules.MyFriends, who), own(rules.GetMe, who))
		if other := t.third(who); other >= 0 {
			all = append(all, of(rules.GetUser, who, other), of(rules.FollowsOf, who, other), of(rules.FollowersOf, who, other), of(rules.FriendsOf, who, other))
		}
		all = append(all, t.endedSessions(who)...)
	}
	return all
}

// everything is each view of each living user, and what deleted ones must not show.
func (t *playthrough) everything() []view {
	var all []view
	for i, u := range t.world.users {
		other := t.third(i)
		if !u.lives() {
			all = append(all, t.graveyard(i)...)
			continue
		}
		all = append(all, own(rules.Feed, i), own(rules.MyFollows, i), own(rules.MyFollowers, i), own(rules.MyFriends, i), own(rules.GetMe, i))
		if other >= 0 {
			all = append(all, of(rules.GetUser, i, other), of(rules.FollowsOf+rules.Endpoint(i%3), i, []int{other, i}[(i/3+t.index)%2]))
		}
	}
	return all
}

// fromAllSides are all views of all users, by all that they are called.
func (t *playthrough) fromAllSides() []view {
	all := t.wholly(t.living()...)
	for i, u := range t.world.users {
		if !u.lives() {
			all = append(all, t.graveyard(i)...)
			continue
		}
		all = append(all, of(rules.FollowsOf+rules.Endpoint(i%3), i, i), of(rules.GetUser, i, i))
		all = append(all, t.called(i)...)
		if other := t.third(i); other >= 0 {
			all = append(all, view{at: rules.SearchUsers, viewer: other, owner: i, session: -1, field: wholeName, term: u.name, exact: true})
		}
	}
	return all
}

// graveyard is where a deleted user could still show.
func (t *playthrough) graveyard(who int) []view {
	var all []view
	if other := t.third(who); other >= 0 {
		all = append(all, of(rules.GetUser, who, other), t.search("user_name", who, other))
	}
	if t.world.users[who].password != "" {
		all = append(all, own(rules.Login, who))
	}
	return append(all, t.endedSessions(who)...)
}

// sessions are the looks at each session of a user.
func (t *playthrough) sessions(who int) []view {
	var all []view
	for i := range t.world.users[who].sessions {
		all = append(all, view{at: rules.GetMe, viewer: who, owner: who, session: i})
	}
	return all
}

// endedSessions are the looks at the sessions of a user that must not work.
func (t *playthrough) endedSessions(who int) []view {
	return slices.DeleteFunc(t.sessions(who), func(v view) bool { return t.world.users[who].sessions[v.session].state != No })
}

// readers are the feeds that a user's events may be in, and one that they must not be in.
func (t *playthrough) readers(owner int) []view {
	var all []view
	stranger := false
	for _, reader := range t.living() {
		p := pair{reader, owner}
		r := t.world.relation(p)
		connected := r.follow != No || t.world.friends(p) != No || r.ended > 0
		if connected || !stranger && reader != owner {
			all = append(all, own(rules.Feed, reader))
			stranger = stranger || !connected
		}
	}
	return all
}

// between are the views that a connection from one user to another shows in. The
// lists of one's own and those that another sees take turns.
func (t *playthrough) between(a, b int) []view {
	all := []view{own(rules.Feed, a)}
	if other := t.third(a, b); other >= 0 && t.index%2 == 1 {
		return append(all, of(rules.FollowsOf, a, other), of(rules.FollowersOf, b, other), of(rules.FriendsOf, a, other), own(rules.Feed, b))
	}
	return append(all, own(rules.MyFollows, a), own(rules.MyFollowers, b), own(rules.MyFriends, b))
}
