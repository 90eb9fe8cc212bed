package play

import (
	"context"
	"slices"

	"github.com/socialfeed/conform/conformance/model/leeway"
	"github.com/socialfeed/conform/conformance/model/story"
	"github.com/socialfeed/conform/conformance/model/world"
	"github.com/socialfeed/conform/conformance/rules"
)

// living returns the users that are not deleted, in order of creation.
func (t *run) living() []int {
	var all []int
	for i, u := range t.state.Users {
		if u.Lives() {
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
func (t *run) auditViews(extent story.Extent) []world.View {
	if extent == story.AuditAll {
		return t.allViews()
	}
	var all []world.View
	for i, u := range t.state.Users {
		if !u.Lives() {
			if extent == story.AuditFeedsAndLists {
				all = append(all, t.deletedUserViews(i)...)
			}
			continue
		}
		all = append(all, world.Own(rules.Feed, i))
		if extent == story.AuditFeedsAndLists {
			all = append(all, world.Own(rules.OwnLists()[(i+t.index)%3], i))
		}
	}
	return all
}

// ownAudit returns the one endpoint that an audit of a user's own data reads, the feed for any other.
func ownAudit(extent story.Extent) rules.Endpoint {
	if at, known := map[story.Extent]rules.Endpoint{story.AuditOwnRecord: rules.GetMe, story.AuditOwnFollowers: rules.MyFollowers, story.AuditOwnFriends: rules.MyFriends}[extent]; known {
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
	views := []world.View{world.Own(rules.Feed, a), world.Own(rules.MyFollows, a), world.Own(rules.MyFriends, b), world.Own(rules.MyFollowers, b)}
	if other >= 0 {
		views = append(views, world.Of(rules.FollowsOf, a, other), world.Of(rules.FriendsOf, b, other), world.Of(rules.GetUser, a, other))
	}
	if record {
		views = append(views, world.Own(rules.GetMe, a))
		if other >= 0 {
			views = append(views, t.userSearch("user_name", a, other), world.Of(rules.FollowersOf, b, other))
		}
	}
	done, right := slices.Clone(t.evidence), make([][]any, len(views))
	for range times {
		for i, v := range views {
			t.evidence = slices.Concat(done, right[i])
			answer := t.read(ctx, v)
			differences := t.newDifferences(v, answer)
			for _, d := range differences {
				d.Repeated, d.Slots = true, t.slotsOf(v, d)
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
func (t *run) viewsOfOthers(viewer int) []world.View {
	others := slices.DeleteFunc(t.living(), func(who int) bool { return who == viewer })
	if !t.state.Users[viewer].Lives() {
		return nil
	}
	others = others[:min(story.MostOthers, len(others))]
	var all []world.View
	for _, who := range others {
		all = append(all, t.userSearch("user_name", who, viewer))
	}
	lists := rules.ListsOfUser()
	for _, at := range append(lists[:], rules.GetUser) {
		for _, who := range others {
			all = append(all, world.Of(at, who, viewer))
		}
	}
	return all
}

// allViewsOf returns all views of the given users.
func (t *run) allViewsOf(users ...int) []world.View {
	var all []world.View
	for _, who := range users {
		if !t.state.Users[who].Lives() {
			continue
		}
		all = append(all, world.Own(rules.Feed, who), world.Own(rules.MyFollows, who), world.Own(rules.MyFollowers, who), world.Own(rules.MyFriends, who), world.Own(rules.GetMe, who))
		if other := t.otherThan(who); other >= 0 {
			all = append(all, world.Of(rules.GetUser, who, other), world.Of(rules.FollowsOf, who, other), world.Of(rules.FollowersOf, who, other), world.Of(rules.FriendsOf, who, other))
		}
		all = append(all, t.endedSessionViews(who)...)
	}
	return all
}

// allViews returns each view of each living user, and the views in which deleted users must not
// show.
func (t *run) allViews() []world.View {
	var all []world.View
	for i, u := range t.state.Users {
		other := t.otherThan(i)
		if !u.Lives() {
			all = append(all, t.deletedUserViews(i)...)
			continue
		}
		all = append(all, world.Own(rules.Feed, i), world.Own(rules.MyFollows, i), world.Own(rules.MyFollowers, i), world.Own(rules.MyFriends, i), world.Own(rules.GetMe, i))
		if other >= 0 {
			all = append(all, world.Of(rules.GetUser, i, other), world.Of(rules.ListsOfUser()[i%3], i, []int{other, i}[(i/3+t.index)%2]))
		}
	}
	return all
}

// thoroughViews returns all views of all users, and the searches for each by all its names.
func (t *run) thoroughViews() []world.View {
	all := t.allViewsOf(t.living()...)
	for i, u := range t.state.Users {
		if !u.Lives() {
			all = append(all, t.deletedUserViews(i)...)
			continue
		}
		all = append(all, world.Of(rules.ListsOfUser()[i%3], i, i), world.Of(rules.GetUser, i, i))
		all = append(all, t.nameSearches(i)...)
		if other := t.otherThan(i); other >= 0 {
			all = append(all, world.View{At: rules.SearchUsers, Viewer: other, Owner: i, Session: -1, Field: world.WholeNameField, Term: u.Name, Exact: true})
		}
	}
	return all
}

// deletedUserViews returns the views in which a deleted user could still show.
func (t *run) deletedUserViews(who int) []world.View {
	var all []world.View
	if other := t.otherThan(who); other >= 0 {
		all = append(all, world.Of(rules.GetUser, who, other), t.userSearch("user_name", who, other))
		if former := t.state.Users[who].FormerTerms; len(former) > 0 {
			all = append(all, formerSearch(former[len(former)-1], who, other))
		}
		if deep := !t.player.options.Until.IsZero(); deep {
			all = append(all, t.userSearch("first_name", who, other))
			all = append(all, t.wholeSearches(who)...)
		}
	}
	if t.state.Users[who].Password != "" {
		all = append(all, world.Own(rules.Login, who))
	}
	return append(all, t.endedSessionViews(who)...)
}

// sessionViews returns a view of each session of a user.
func (t *run) sessionViews(who int) []world.View {
	var all []world.View
	for i := range t.state.Users[who].Sessions {
		all = append(all, world.View{At: rules.GetMe, Viewer: who, Owner: who, Session: i})
	}
	return all
}

// deletedSessionViews returns views of the sessions of a user who may be deleted, each at two endpoints.
func (t *run) deletedSessionViews(who int) []world.View {
	all := t.sessionViews(who)
	for i := range t.state.Users[who].Sessions {
		all = append(all, world.View{At: rules.Feed, Viewer: who, Owner: who, Session: i})
	}
	return all
}

// endedSessionViews returns views of the sessions of a user that must not work.
func (t *run) endedSessionViews(who int) []world.View {
	return slices.DeleteFunc(t.sessionViews(who), func(v world.View) bool { return t.state.Users[who].Sessions[v.Session].State != leeway.No })
}

// feedViews returns the feeds that a user's events may be in, and one that they must not be in.
func (t *run) feedViews(owner int) []world.View {
	var all []world.View
	stranger := false
	for _, reader := range t.living() {
		p := world.Pair{From: reader, To: owner}
		r := t.state.Relation(p)
		connected := r.Follow != leeway.No || t.state.Friends(p) != leeway.No || r.EndedStep > 0
		if connected || !stranger && reader != owner {
			all = append(all, world.Own(rules.Feed, reader))
			stranger = stranger || !connected
		}
	}
	return all
}

// connectionViews returns the views that a connection from one user to another shows in. A
// user's own lists and those that others see take turns.
func (t *run) connectionViews(a, b int) []world.View {
	all := []world.View{world.Own(rules.Feed, a)}
	if other := t.otherThan(a, b); other >= 0 && t.index%2 == 1 {
		return append(all, world.Of(rules.FollowsOf, a, other), world.Of(rules.FollowersOf, b, other), world.Of(rules.FriendsOf, a, other), world.Own(rules.Feed, b))
	}
	return append(all, world.Own(rules.MyFollows, a), world.Own(rules.MyFollowers, b), world.Own(rules.MyFriends, b))
}
