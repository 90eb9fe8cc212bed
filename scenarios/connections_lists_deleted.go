package scenarios

import (
	. "github.com/socialfeed/conform/conformance"
	. "github.com/socialfeed/conform/conformance/rules"
)

// connectionsAfterUserDelete judges the effect of a deleted user on the lists of others
// (States, row 'user exists').
func connectionsAfterUserDelete(s *Suite) {
	const rule, unknown = "connections.lists.after-user-delete", "connections.lists.unknown-user"
	type list struct {
		at, others Endpoint // the list of the session's user, and of any user
		needed     string   // the rule that connected users are listed there
	}
	body := func(connect func(a, b *Actor), lists ...list) func(*T) {
		return func(t *T) {
			leaver, first, last := t.Actor(), t.Actor(), t.Actor()
			connect(first, leaver)
			connect(last, leaver)
			connect(first, last)
			for _, l := range lists {
				t.Require(l.needed, listAt(t, first, l.at), haveUsers(leaver, last))
				t.Require(l.needed, listAt(t, last, l.at), haveUsers(leaver, first))
			}
			leaver.Delete()
			for _, l := range lists {
				ofFirst, ofLast := listAt(t, first, l.at), listAt(t, last, l.at)
				seen := listAt(t, last, l.others, ID(first.ID)) // the first's, as another sees it
				t.JudgeAt(l.at, rule, func(c *Check) {
					c.EventuallyStays(ofFirst, haveKept(last, leaver))
					c.EventuallyStays(ofLast, haveKept(first, leaver))
					if wasSeen := t.SendSettled(last, l.others, ID(first.ID)); wasSeen.Succeeded() {
						c.EventuallyStays(seen, lackUsers(leaver))
					}
				})
				t.JudgeAt(l.others, unknown, func(c *Check) {
					c.Eventually(answerOf(t, last, l.others, ID(leaver.ID)), beUnsuccessful("no list of a deleted user"))
				})
			}
		}
	}
	followEachOther := func(a, b *Actor) {
		a.Follow(b)
		b.Follow(a)
	}
	// connections.lists.unknown-user: The lists of an unknown user id are answered as not found.
	// connections.lists.after-user-delete: A deleted user is in nobody's lists.
	s.ScenarioWithRecheck("a deleted user is among nobody's follows and followers",
		CoversAt(MyFollows, rule).And(CoversAt(MyFollowers, rule)).And(CoversAt(FollowsOf, unknown)).And(CoversAt(FollowersOf, unknown)),
		body(followEachOther, list{MyFollows, FollowsOf, "connections.lists.follows"},
			list{MyFollowers, FollowersOf, "connections.lists.followers"}))
	// connections.lists.unknown-user: The lists of an unknown user id are answered as not found.
	// connections.lists.after-user-delete: A deleted user is in nobody's lists.
	s.ScenarioWithRecheck("a deleted user is among nobody's friends",
		CoversAt(MyFriends, rule).And(CoversAt(FriendsOf, unknown)), body((*Actor).Befriend,
			list{MyFriends, FriendsOf, "connections.friends.mutual"}))
}
