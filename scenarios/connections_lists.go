package scenarios

import (
	"fmt"
	"slices"

	. "github.com/socialfeed/conform/conformance"
)

// connectionsLists judges the lists of users (Endpoints, rows 11 to 16).
func connectionsLists(s *Suite) {
	s.Scenario("the follows of one user and the followers of another are listed to them and to a third user",
		Judges("connections.lists.follows", "connections.lists.followers").
			And(JudgesAt(FollowsOf, "connections.lists.of-user")).
			And(JudgesAt(FollowersOf, "connections.lists.of-user")), followsAndFollowersListed)
	s.Scenario("the friends of a user are listed to the user and to a third one",
		Judges("connections.lists.friends").And(JudgesAt(FriendsOf, "connections.lists.of-user")), friendsListed)
	s.Scenario("the lists of a user without connections are empty",
		Judges("connections.lists.empty"), emptyListed)
	s.Scenario("the lists of an unknown user are not found",
		Judges("connections.lists.unknown-user"), unknownUserListed)
	s.Scenario("a follow is not returned and makes nobody a friend",
		Judges("connections.lists.one-way"), oneWay)
}

func followsAndFollowersListed(t *Trial) {
	// Not one user for both lists: a follow that is returned has a rule of its own.
	fan, star, viewer, users := t.Actor(), t.Actor(), t.Actor(), t.Actors(3)
	for _, user := range users {
		fan.Follow(user)
		user.Follow(star)
	}
	// Follows both ways: each user once, all the same.
	users[2].Follow(fan)
	star.Follow(users[0])
	// The viewer's own lists must differ from theirs.
	viewer.Follow(users[0])
	users[1].Follow(viewer)
	for _, list := range []struct {
		rule        string
		owner       *Actor
		own, others Endpoint
	}{
		{"connections.lists.follows", fan, MyFollows, FollowsOf},
		{"connections.lists.followers", star, MyFollowers, FollowersOf},
	} {
		t.Judge(list.rule, func(c *Check) {
			c.Eventually(exactly(judgedList(t, c, list.owner, list.own), users...))
		})
		t.JudgeAt(list.others, "connections.lists.of-user", func(c *Check) {
			c.Eventually(exactly(judgedList(t, c, viewer, list.others, ID(list.owner.ID)), users...))
		})
	}
}

func friendsListed(t *Trial) {
	owner, viewer, friends := t.Actor(), t.Actor(), t.Actors(3)
	for _, friend := range friends {
		owner.Befriend(friend)
	}
	viewer.Befriend(friends[0]) // a friend's friend, whose own list differs from the owner's
	t.Judge("connections.lists.friends", func(c *Check) {
		c.Eventually(exactly(judgedList(t, c, owner, MyFriends), friends...))
	})
	t.JudgeAt(FriendsOf, "connections.lists.of-user", func(c *Check) {
		c.Eventually(exactly(judgedList(t, c, viewer, FriendsOf, ID(owner.ID)), friends...))
	})
}

func emptyListed(t *Trial) {
	loner, viewer := t.Actor(), t.Actor()
	empty := func(reader *Actor, at Endpoint, with ...With) {
		t.JudgeAt(at, "connections.lists.empty", func(c *Check) {
			answer := t.Send(reader, at, with...)
			if !isList(answer) {
				needsFilledList(t, at)
			}
			isEmptyList(c, answer)
		})
	}
	for _, at := range []Endpoint{MyFollows, MyFollowers, MyFriends} {
		empty(loner, at)
	}
	for _, at := range []Endpoint{FollowsOf, FollowersOf, FriendsOf} {
		empty(viewer, at, ID(loner.ID))
	}
}

func unknownUserListed(t *Trial) {
	actor := t.Actor()
	for _, at := range []Endpoint{FollowsOf, FollowersOf, FriendsOf} {
		t.JudgeAt(at, "connections.lists.unknown-user", func(c *Check) {
			answer := t.Send(actor, at, ID(UnusedID(actor.ID)))
			if !slices.Contains([]int{400, 404, 422}, answer.Status()) {
				needsFilledList(t, at)
			}
			c.Status(answer, OneOf(404).Tolerating(400, 422))
			for _, odd := range oddIDs() {
				t.Send(actor, at, IDText(odd)) // for the rules that look at every response
			}
		})
	}
}

// needsFilledList blocks what is being judged when a list that holds users
// cannot be read either: then the endpoint itself is broken.
func needsFilledList(t *Trial, at Endpoint) {
	one, other := t.Actor(), t.Actor()
	one.Follow(other)
	other.Follow(one)
	one.Befriend(other)
	awaitList(t, func() *Answer { return t.Send(one, at, ID(one.ID)) }, at)
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
		follower.Befriend(third) // and not the followed user too: they are no friends' friends
		friends := userList(t, follower, MyFriends)
		t.Await(MyFriends.Home(), hasUsers(friends, third))
		c.EventuallyForGood(hasNoUsers(friends, followed))
		c.EventuallyForGood(hasNoUsers(userList(t, followed, MyFriends), follower))
	})
}

// connectionsAfterUserDelete judges what deleting a user does to the lists of
// others (States, row 'user exists').
func connectionsAfterUserDelete(s *Suite) {
	const rule, unknown = "connections.lists.after-user-delete", "connections.lists.unknown-user"
	type list struct {
		at, others Endpoint // one's own, and any user's
		needed     string   // the rule that has connected users show there
	}
	story := func(connect func(a, b *Actor), lists ...list) func(*Trial) {
		return func(t *Trial) {
			leaver, first, last := t.Actor(), t.Actor(), t.Actor()
			connect(first, leaver)
			connect(last, leaver)
			connect(first, last)
			for _, l := range lists {
				t.Await(l.needed, both(
					hasUsers(userList(t, first, l.at), leaver, last),
					hasUsers(userList(t, last, l.at), leaver, first)))
			}
			leaver.Delete()
			for _, l := range lists {
				ofFirst, ofLast := userList(t, first, l.at), userList(t, last, l.at)
				seen := userList(t, last, l.others, ID(first.ID)) // the first's, as another sees it
				t.JudgeAt(l.at, rule, func(c *Check) {
					c.EventuallyForGood(hasKept(ofFirst, last, leaver))
					c.EventuallyForGood(hasKept(ofLast, first, leaver))
					if wasSeen := t.Send(last, l.others, ID(first.ID)); wasSeen.Succeeded() {
						c.EventuallyForGood(hasNoUsers(seen, leaver))
					}
				})
				t.JudgeAt(l.others, unknown, func(c *Check) {
					c.Eventually(func() Problem {
						answer := t.Send(last, l.others, ID(leaver.ID))
						if !answer.Succeeded() {
							return Problem{}
						}
						return Problem{Expected: "no list of a deleted user", Actual: fmt.Sprint(answer.Status())}
					})
				})
			}
		}
	}
	followEachOther := func(a, b *Actor) {
		a.Follow(b)
		b.Follow(a)
	}
	s.Scenario("a deleted user is among nobody's follows and followers",
		JudgesAt(MyFollows, rule).And(JudgesAt(MyFollowers, rule)).And(JudgesAt(FollowsOf, unknown)).And(JudgesAt(FollowersOf, unknown)),
		story(followEachOther, list{MyFollows, FollowsOf, "connections.lists.follows"},
			list{MyFollowers, FollowersOf, "connections.lists.followers"}))
	s.Scenario("a deleted user is among nobody's friends",
		JudgesAt(MyFriends, rule).And(JudgesAt(FriendsOf, unknown)), story((*Actor).Befriend,
			list{MyFriends, FriendsOf, "connections.friends.mutual"}))
}
