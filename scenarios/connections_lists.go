package scenarios

import . "github.com/socialfeed/conform/conformance"

// connectionsLists judges the lists of users (Endpoints, rows 11 to 16).
func connectionsLists(s *Suite) {
	const ofUser = "connections.lists.of-user"
	s.Scenario("the follows and followers of a user are listed to the user and to a third one",
		Judges("connections.lists.follows", "connections.lists.followers").
			And(JudgesAt(FollowsOf, ofUser)).And(JudgesAt(FollowersOf, ofUser)), func(t *Trial) {
			owner, viewer := t.Actor(), t.Actor()
			followed, followers := t.Actors(3), t.Actors(3)
			for i := range followed {
				owner.Follow(followed[i])
				followers[i].Follow(owner)
			}
			// The viewer's own lists must differ from the owner's.
			viewer.Follow(followers[0])
			followed[0].Follow(viewer)
			for _, list := range []struct {
				rule        string
				own, others Endpoint
				users       []*Actor
			}{
				{"connections.lists.follows", MyFollows, FollowsOf, followed},
				{"connections.lists.followers", MyFollowers, FollowersOf, followers},
			} {
				t.Judge(list.rule, func(c *Check) {
					c.Eventually(exactly(judgedList(t, c, owner, list.own), list.users...))
				})
				t.JudgeAt(list.others, ofUser, func(c *Check) {
					c.Eventually(exactly(judgedList(t, c, viewer, list.others, ID(owner.ID)), list.users...))
				})
			}
		})
	s.Scenario("the friends of a user are listed to the user and to a third one",
		Judges("connections.lists.friends").And(JudgesAt(FriendsOf, ofUser)), func(t *Trial) {
			owner, viewer, friends := t.Actor(), t.Actor(), t.Actors(3)
			for _, friend := range friends {
				owner.Befriend(friend)
			}
			viewer.Befriend(friends[0]) // a friend's friend, whose own list differs from the owner's
			t.Judge("connections.lists.friends", func(c *Check) {
				c.Eventually(exactly(judgedList(t, c, owner, MyFriends), friends...))
			})
			t.JudgeAt(FriendsOf, ofUser, func(c *Check) {
				c.Eventually(exactly(judgedList(t, c, viewer, FriendsOf, ID(owner.ID)), friends...))
			})
		})
	s.Scenario("the lists of a user without connections are empty",
		Judges("connections.lists.empty"), func(t *Trial) {
			loner, viewer := t.Actor(), t.Actor()
			empty := func(reader *Actor, at Endpoint, with ...With) {
				t.JudgeAt(at, "connections.lists.empty", func(c *Check) {
					users := judgedList(t, c, reader, at, with...)()
					c.True(len(users) == 0, "[]", listed(idsOf(users)))
				})
			}
			for _, at := range []Endpoint{MyFollows, MyFollowers, MyFriends} {
				empty(loner, at)
			}
			for _, at := range []Endpoint{FollowsOf, FollowersOf, FriendsOf} {
				empty(viewer, at, ID(loner.ID))
			}
		})
	s.Scenario("the lists of an unknown user are not found",
		Judges("connections.lists.unknown-user"), func(t *Trial) {
			actor := t.Actor()
			for _, at := range []Endpoint{FollowsOf, FollowersOf, FriendsOf} {
				t.JudgeAt(at, "connections.lists.unknown-user", func(c *Check) {
					c.Status(t.Send(actor, at, ID(UnusedID(actor.ID))), OneOf(404).Tolerating(400, 422))
				})
			}
		})
	s.Scenario("a follow is not returned and makes nobody a friend",
		Judges("connections.lists.one-way"), oneWay)
}

// oneWay tells of a follow; the third user's connections are made later: once
// they show, a list is up to date.
func oneWay(t *Trial) {
	const rule = "connections.lists.one-way"
	follower, followed, third := t.Actor(), t.Actor(), t.Actor()
	follower.Follow(followed)
	t.Await(MyFollows.Home(), hasUsers(userList(t, follower, MyFollows), followed))
	t.JudgeAt(MyFollows, rule, func(c *Check) {
		followed.Follow(third)
		follows := userList(t, followed, MyFollows)
		t.Await(MyFollows.Home(), hasUsers(follows, third))
		c.EventuallyForGood(hasNoUsers(follows, follower))
	})
	t.JudgeAt(MyFollowers, rule, func(c *Check) {
		third.Follow(follower)
		followers := userList(t, follower, MyFollowers)
		t.Await(MyFollowers.Home(), hasUsers(followers, third))
		c.EventuallyForGood(hasNoUsers(followers, followed))
	})
	t.JudgeAt(MyFriends, rule, func(c *Check) {
		follower.Befriend(third)
		followed.Befriend(third)
		for _, pair := range [][2]*Actor{{follower, followed}, {followed, follower}} {
			friends := userList(t, pair[0], MyFriends)
			t.Await(MyFriends.Home(), hasUsers(friends, third))
			c.EventuallyForGood(hasNoUsers(friends, pair[1]))
		}
	})
}

// connectionsAfterUserDelete judges what deleting a user does to the lists of
// others (States, row 'user exists').
func connectionsAfterUserDelete(s *Suite) {
	const rule = "connections.lists.after-user-delete"
	story := func(connect func(a, b *Actor), lists ...Endpoint) func(*Trial) {
		return func(t *Trial) {
			leaver, first, last := t.Actor(), t.Actor(), t.Actor()
			connect(first, leaver)
			connect(last, leaver)
			connect(first, last)
			for _, at := range lists {
				t.Await(at.Home(), both(
					hasUsers(userList(t, first, at), leaver, last),
					hasUsers(userList(t, last, at), leaver, first)))
			}
			leaver.Delete()
			for _, at := range lists {
				t.JudgeAt(at, rule, func(c *Check) {
					c.EventuallyForGood(exactly(userList(t, first, at), last))
					c.EventuallyForGood(exactly(userList(t, last, at), first))
				})
			}
		}
	}
	followEachOther := func(a, b *Actor) {
		a.Follow(b)
		b.Follow(a)
	}
	s.Scenario("a deleted user is among nobody's follows and followers",
		JudgesAt(MyFollows, rule).And(JudgesAt(MyFollowers, rule)), story(followEachOther, MyFollows, MyFollowers))
	s.Scenario("a deleted user is among nobody's friends",
		JudgesAt(MyFriends, rule), story((*Actor).Befriend, MyFriends))
}
