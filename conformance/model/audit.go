package model

import (
	"context"
	"slices"

	"github.com/socialfeed/conform/conformance/rules"
)

// living returns the users that are not deleted, in order of creation.
func (t *run) living() []int {
	var all []int
	for i, u := range t.state.users {
		if u.lives() {
			all = append(all, i)
		}
	}
	return all
}

// otherThan returns a living user that is none of the given ones, -1 if there is none.
func (t *run) otherThan(besides ...int) int {
	living := t.living()
	for i := range living { // a different one each time
		if who := living[(i+t.index)%len(living)]; !slices.Contains(besides, who) {
			return who
		}
	}
	return -1
}

// auditViews returns the views of an audit of the given extent. The lists take turns.
func (t *run) auditViews(extent Extent) []view {
	if extent == AuditAll {
		return t.allViews()
	}
	var all []view
	for i, u := range t.state.users {
		if !u.lives() {
			if extent == AuditFeedsAndLists {
				all = append(all, t.deletedUserViews(i)...)
			}
			continue
		}
		all = append(all, own(rules.Feed, i))
		if extent == AuditFeedsAndLists {
			all = append(all, own(rules.OwnLists()[(i+t.index)%3], i))
		}
	}
	return all
}

// ownAudit returns the one endpoint that an audit of a user's own data reads, the feed for any other.
func ownAudit(extent Extent) rules.Endpoint {
	if at, known := map[Extent]rules.Endpoint{AuditOwnRecord: rules.GetMe, AuditOwnFollowers: rules.MyFollowers, AuditOwnFriends: rules.MyFriends}[extent]; known {
		return at
	}
	return rules.Feed
}

// readRepeatedly reads the feeds and lists of two users several times, and with record also A's user
// record. Nothing is written in between, so each read must show the same; a difference after
// a read that was right says so, and has that one as evidence, too.
func (t *run) readRepeatedly(ctx context.Context, a, b int, record bool) {
	const times = 5
	if t.player.options.Lag > 0 || len(t.outcome.Differences) > 0 {
		return // stale answers may alternate with fresh ones for a while
	}
	other := t.otherThan(a, b)
	views := []view{own(rules.Feed, a), own(rules.MyFollows, a), own(rules.MyFriends, b), own(rules.MyFollowers, b)}
	if other >= 0 {
		views = append(views, of(rules.FollowsOf, a, other), of(rules.FriendsOf, b, other), of(rules.GetUser, a, other))
	}
	if record {
		views = append(views, own(rules.GetMe, a))
		if other >= 0 {
			views = append(views, t.userSearch("user_name", a, other), of(rules.FollowersOf, b, other))
		}
	}
	done, right := slices.Clone(t.evidence), make([][]any, len(views))
	for range times {
		for i, v := range views {
			t.evidence = slices.Concat(done, right[i])
			answer := t.read(ctx, v)
			differences := t.newDifferences(v, answer)
			for _, d := range differences {
				d.Repeated, d.slots = true, t.slotsOf(v, d)
				if right[i] != nil {
					d.Actual += ", after the same request was answered as expected"
				}
				t.recordDifference(d)
			}
			if right[i] == nil && len(differences) == 0 {
				right[i] = []any{answer.Evidence}
			}
		}
	}
	t.evidence = done
}

// viewsOfOthers returns searches for some others, their records and lists, as one user reads them:
// those of one kind after the other, so that they are sent at once.
func (t *run) viewsOfOthers(viewer int) []view {
	others := slices.DeleteFunc(t.living(), func(who int) bool { return who == viewer })
	if !t.state.users[viewer].lives() {
		return nil
	}
	others = others[:min(mostOthers, len(others))]
	var all []view
	for _, who := range others {
		all = append(all, t.userSearch("user_name", who, viewer))
	}
	lists := rules.ListsOfUser()
	for _, at := range append(lists[:], rules.GetUser) {
		for _, who := range others {
			all = append(all, of(at, who, viewer))
		}
	}
	return all
}

// allViewsOf returns all views of the given users.
func (t *run) allViewsOf(users ...int) []view {
	var all []view
	for _, who := range users {
		if !t.state.users[who].lives() {
			continue
		}
		all = append(all, own(rules.Feed, who), own(rules.MyFollows, who), own(rules.MyFollowers, who), own(rules.MyFriends, who), own(rules.GetMe, who))
		if other := t.otherThan(who); other >= 0 {
			all = append(all, of(rules.GetUser, who, other), of(rules.FollowsOf, who, other), of(rules.FollowersOf, who, other), of(rules.FriendsOf, who, other))
		}
		all = append(all, t.endedSessionViews(who)...)
	}
	return all
}

// allViews returns each view of each living user, and the views in which deleted users must not
// show.
func (t *run) allViews() []view {
	var all []view
	for i, u := range t.state.users {
		other := t.otherThan(i)
		if !u.lives() {
			all = append(all, t.deletedUserViews(i)...)
			continue
		}
		all = append(all, own(rules.Feed, i), own(rules.MyFollows, i), own(rules.MyFollowers, i), own(rules.MyFriends, i), own(rules.GetMe, i))
		if other >= 0 {
			all = append(all, of(rules.GetUser, i, other), of(rules.ListsOfUser()[i%3], i, []int{other, i}[(i/3+t.index)%2]))
		}
	}
	return all
}

// thoroughViews returns all views of all users, and the searches for each by all its names.
func (t *run) thoroughViews() []view {
	all := t.allViewsOf(t.living()...)
	for i, u := range t.state.users {
		if !u.lives() {
			all = append(all, t.deletedUserViews(i)...)
			continue
		}
		all = append(all, of(rules.ListsOfUser()[i%3], i, i), of(rules.GetUser, i, i))
		all = append(all, t.nameSearches(i)...)
		if other := t.otherThan(i); other >= 0 {
			all = append(all, view{at: rules.SearchUsers, viewer: other, owner: i, session: -1, field: wholeNameField, term: u.name, exact: true})
		}
	}
	return all
}

// deletedUserViews returns the views in which a deleted user could still show.
func (t *run) deletedUserViews(who int) []view {
	var all []view
	if other := t.otherThan(who); other >= 0 {
		all = append(all, of(rules.GetUser, who, other), t.userSearch("user_name", who, other))
		if former := t.state.users[who].formerTerms; len(former) > 0 {
			all = append(all, formerSearch(former[len(former)-1], who, other))
		}
		if deep := !t.player.options.Until.IsZero(); deep {
			all = append(all, t.userSearch("first_name", who, other))
			all = append(all, t.wholeSearches(who)...)
		}
	}
	if t.state.users[who].password != "" {
		all = append(all, own(rules.Login, who))
	}
	return append(all, t.endedSessionViews(who)...)
}

// sessionViews returns a view of each session of a user.
func (t *run) sessionViews(who int) []view {
	var all []view
	for i := range t.state.users[who].sessions {
		all = append(all, view{at: rules.GetMe, viewer: who, owner: who, session: i})
	}
	return all
}

// deletedSessionViews returns views of the sessions of a user who may be deleted, each at two endpoints.
func (t *run) deletedSessionViews(who int) []view {
	all := t.sessionViews(who)
	for i := range t.state.users[who].sessions {
		all = append(all, view{at: rules.Feed, viewer: who, owner: who, session: i})
	}
	return all
}

// endedSessionViews returns views of the sessions of a user that must not work.
func (t *run) endedSessionViews(who int) []view {
	return slices.DeleteFunc(t.sessionViews(who), func(v view) bool { return t.state.users[who].sessions[v.session].state != No })
}

// feedViews returns the feeds that a user's events may be in, and one that they must not be in.
func (t *run) feedViews(owner int) []view {
	var all []view
	stranger := false
	for _, reader := range t.living() {
		p := pair{reader, owner}
		r := t.state.relation(p)
		connected := r.follow != No || t.state.friends(p) != No || r.endedStep > 0
		if connected || !stranger && reader != owner {
			all = append(all, own(rules.Feed, reader))
			stranger = stranger || !connected
		}
	}
	return all
}

// connectionViews returns the views that a connection from one user to another shows in. A
// user's own lists and those that others see take turns.
func (t *run) connectionViews(a, b int) []view {
	all := []view{own(rules.Feed, a)}
	if other := t.otherThan(a, b); other >= 0 && t.index%2 == 1 {
		return append(all, of(rules.FollowsOf, a, other), of(rules.FollowersOf, b, other), of(rules.FriendsOf, a, other), own(rules.Feed, b))
	}
	return append(all, own(rules.MyFollows, a), own(rules.MyFollowers, b), own(rules.MyFriends, b))
}
