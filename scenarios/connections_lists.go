package scenarios

import (
	"fmt"
	"slices"

	. "github.com/socialfeed/conform/conformance"
	. "github.com/socialfeed/conform/conformance/rules"
)

// connectionsLists judges the lists of users (Endpoints, rows 11 to 16).
func connectionsLists(s *Suite) {
	// connections.lists.follows: A user lists exactly the users it follows.
	// connections.lists.followers: A user lists exactly the users who follow it.
	// connections.lists.of-user: The follows, followers and friends of any user can be read by a third user.
	// connections.lists.one-way: A follow runs in one direction. It does not make the other side follow back, and makes nobody a friend.
	s.Scenario("the follows of one user and the followers of another are listed to them and to a third user",
		Covers("connections.lists.follows", "connections.lists.followers").
			And(CoversAt(FollowsOf, "connections.lists.of-user")).
			And(CoversAt(FollowersOf, "connections.lists.of-user")).
			And(CoversAt(FriendsOf, "connections.lists.of-user")).
			And(CoversAt(MyFriends, "connections.lists.one-way")), followsAndFollowersListed)
	// connections.lists.friends: A user lists its friends.
	// connections.lists.of-user: The follows, followers and friends of any user can be read by a third user.
	s.Scenario("the friends of a user are listed to the user and to a third one",
		Covers("connections.lists.friends").And(CoversAt(FriendsOf, "connections.lists.of-user")), friendsListed)
	// connections.lists.empty: A list without users is an empty array.
	s.Scenario("the lists of a user without connections are empty",
		Covers("connections.lists.empty"), emptyListed)
	// connections.lists.unknown-user: The lists of an unknown user id are answered as not found.
	s.Scenario("the lists of an unknown user are not found",
		Covers("connections.lists.unknown-user"), unknownUserListed)
	// connections.lists.one-way: A follow runs in one direction. It does not make the other side follow back, and makes nobody a friend.
	s.ScenarioWithRecheck("a follow is not returned and makes nobody a friend",
		Covers("connections.lists.one-way"), oneWay)
}

func followsAndFollowersListed(t *T) {
	// Two users, since a follow in both directions has a rule of its own.
	fan, star, viewer := t.Actor(), t.Actor(), t.AnyActor()
	users := alike(t)
	const again = 1           // is followed a second time, but listed once
	t.Send(star, MyFollowers) // a cached empty list must not stay for ever
	fan.Follow(users[again])
	ended := t.Send(fan, DeleteConnection, ID(users[again].ID)).Succeeded()
	for i, user := range users {
		if i != again || ended {
			fan.Follow(user)
		}
		user.Follow(star)
	}
	// Follows in both directions: each user is still listed once.
	users[2].Follow(fan)
	star.Follow(users[0])
	fields := t.NewUser(nil)
	idle := t.UserOf(fields, createUser(t, fields)) // who never logged in
	fan.Follow(idle)
	// The viewer's own lists must differ from theirs.
	viewer.Follow(users[0])
	users[1].Follow(viewer)
	for _, list := range []struct {
		rule        string
		owner       *Actor
		own, others Endpoint
		listed      []*Actor
	}{
		{"connections.lists.follows", fan, MyFollows, FollowsOf, append(slices.Clone(users), idle)},
		{"connections.lists.followers", star, MyFollowers, FollowersOf, users},
	} {
		t.Judge(list.rule, func(c *Check) {
			c.Eventually(judgedList(t, c, list.owner, list.own), haveExactly(list.listed...))
		})
		t.JudgeAt(list.others, "connections.lists.of-user", func(c *Check) {
			for _, reader := range []*Actor{viewer, list.owner, users[again]} {
				c.Eventually(judgedList(t, c, reader, list.others, ID(list.owner.ID)), haveExactly(list.listed...))
			}
		})
	}
	noFriends(t, viewer, fan, users[2])
}

// alike are three users, two of one name and one of none, and two with ids beside their own, which
// are those of nobody else in a list: each user is listed once.
func alike(t *T) []*Actor {
	named := Fields{"first_name": "Ida", "last_name": "Hall"}
	return []*Actor{
		t.ActorWith(named),
		t.ActorWith(joined(named, Fields{"custom_id": t.CustomID()})),
		t.ActorWith(Fields{"social_ids": Fields{network: t.Unique(), otherNetwork: t.Unique()}, "first_name": nil, "last_name": nil}),
	}
}

// noFriends judges that mutual follows make no friends, in the lists for the user itself and for
// the viewer.
func noFriends(t *T, viewer, user, mutual *Actor) {
	t.JudgeAt(MyFriends, "connections.lists.one-way", func(c *Check) {
		c.Eventually(listAt(t, user, MyFriends), lackUsers(mutual))
	})
	t.JudgeAt(FriendsOf, "connections.lists.of-user", func(c *Check) {
		t.Require("connections.lists.one-way", listAt(t, user, MyFriends), lackUsers(mutual))
		if friends := t.SendSettled(viewer, FriendsOf, ID(user.ID)); isList(friends) {
			c.Expect(friends.Records(), lackUsers(mutual))
		}
	})
}

func friendsListed(t *T) {
	owner, viewer, friends := t.Actor(), t.AnyActor(), t.Actors(3)
	for _, friend := range friends {
		owner.Befriend(friend)
	}
	viewer.Befriend(friends[0]) // a friend's friend, whose own list differs from the owner's
	t.Judge("connections.lists.friends", func(c *Check) {
		c.Eventually(judgedList(t, c, owner, MyFriends), haveExactly(friends...))
	})
	t.JudgeAt(FriendsOf, "connections.lists.of-user", func(c *Check) {
		for _, reader := range []*Actor{viewer, owner, friends[1]} {
			c.Eventually(judgedList(t, c, reader, FriendsOf, ID(owner.ID)), haveExactly(friends...))
		}
	})
}

func emptyListed(t *T) {
	loner, viewer := t.Actor(), t.Actor()
	lists := map[Endpoint]bool{}
	empty := func(reader *Actor, at Endpoint, with ...With) {
		t.JudgeAt(at, "connections.lists.empty", func(c *Check) {
			answer := t.SendSettled(reader, at, with...)
			if !isList(answer) {
				needsFilledList(t, at)
			}
			isEmptyList(c, answer)
			lists[at] = true
		})
	}
	for _, at := range []Endpoint{MyFollows, MyFollowers, MyFriends} {
		empty(loner, at)
	}
	for _, at := range []Endpoint{FollowsOf, FollowersOf, FriendsOf} {
		empty(viewer, at, ID(loner.ID))
	}
	viewer.Follow(loner)
	viewer.Disconnect(loner)
	emptied := func(reader *Actor, at Endpoint) {
		t.JudgeAt(at, "connections.lists.empty", func(c *Check) {
			if lists[at] { // its users belong to connections.delete.removes
				c.Eventually(answerOf(t, reader, at), beAList())
			}
		})
	}
	emptied(viewer, MyFollows)
	emptied(loner, MyFollowers)
}

func unknownUserListed(t *T) {
	actor := t.AnyActor()
	for i, at := range []Endpoint{FollowsOf, FollowersOf, FriendsOf} {
		t.JudgeAt(at, "connections.lists.unknown-user", func(c *Check) {
			answer := t.Send(actor, at, ID(UnusedID(actor.ID)))
			if !slices.Contains([]int{400, 404, 422}, answer.Status()) {
				needsFilledList(t, at)
			}
			c.Status(answer, OneOf(404).Tolerating(400, 422))
			extended := t.Send(actor, at, IDText(actor.ID.String()+"x"))
			c.True(!extended.Succeeded(), "no list of an id with a letter appended", fmt.Sprint(extended.Status()))
			for _, odd := range oddIDs()[i : i+2] { // two of them at each
				t.Send(actor, at, IDText(odd)) // for the passive rules
			}
		})
	}
}

// needsFilledList blocks the check if a list with users cannot be read either: then the
// endpoint itself is broken.
func needsFilledList(t *T, at Endpoint) {
	one, other, friend := t.Actor(), t.Actor(), t.Actor()
	one.Follow(other)
	other.Follow(one)
	one.Befriend(friend) // not of the other: there may be only one kind of connection to it
	awaitList(t, func() *Answer { return t.Send(one, at, ID(one.ID)) }, at)
}

// oneWay judges a follow; the connections of the other two users are made later: once
// they show, a list is up to date.
func oneWay(t *T) {
	const rule = "connections.lists.one-way"
	follower, followed, third, friend := t.Actor(), t.Actor(), t.Actor(), t.Actor()
	follower.Follow(followed)
	t.Require(MyFollows.BlockingRule(), listAt(t, follower, MyFollows), haveUsers(followed))
	t.JudgeAt(MyFollows, rule, func(c *Check) {
		followed.Follow(third)
		follows := listAt(t, followed, MyFollows)
		t.Require(MyFollows.BlockingRule(), follows, haveUsers(third))
		c.EventuallyStays(follows, lackUsers(follower))
	})
	t.JudgeAt(MyFollowers, rule, func(c *Check) {
		third.Follow(follower)
		followers := listAt(t, follower, MyFollowers)
		t.Require(MyFollowers.BlockingRule(), followers, haveUsers(third))
		c.EventuallyStays(followers, lackUsers(followed))
	})
	t.JudgeAt(MyFriends, rule, func(c *Check) {
		follower.Befriend(friend) // not a friend of the followed user, too: friends' friends do not matter here
		friends := listAt(t, follower, MyFriends)
		t.Require(MyFriends.BlockingRule(), friends, haveUsers(friend))
		c.EventuallyStays(friends, lackUsers(followed))
		c.EventuallyStays(listAt(t, followed, MyFriends), lackUsers(follower))
	})
}
