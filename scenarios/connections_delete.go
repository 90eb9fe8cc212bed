package scenarios

import . "github.com/socialfeed/conform/conformance"

// connectionsDelete judges the end of a connection (Endpoints, row 10).
func connectionsDelete(s *Suite) {
	s.Scenario("a user ends a follow, a friendship, and a connection that it does not have",
		Judges("connections.delete.status", "connections.delete.removes", "connections.delete.unknown", "feed.unfollow"), connectionEnded)
	s.Scenario("a follow that was ended is gone from the lists of both users, and no other is",
		Judges("connections.delete.removes"), endedFollowGone)
	s.Scenario("a followed user cannot end the follower's follow",
		Judges("connections.delete.only-own"), othersFollowStays)
}

func connectionEnded(t *Trial) {
	actor, followed, friend, stranger := t.Actor(), t.Actor(), t.Actor(), t.Actor()
	actor.Follow(followed)
	ended := t.Send(actor, DeleteConnection, ID(followed.ID))
	var unfriended *Answer
	var event Record
	t.Judge("connections.delete.removes", func(c *Check) {
		actor.Befriend(friend)
		ofActor, ofFriend := userList(t, actor, MyFriends), userList(t, friend, MyFriends)
		t.Await("connections.friends.mutual", both(hasUsers(ofActor, friend), hasUsers(ofFriend, actor)))
		event = friend.Post(nil)
		t.Await("feed.friends", holds(feedOf(t, actor), "event", event.ID()))
		unfriended = t.Send(actor, DeleteConnection, ID(friend.ID))
		unfriended.Done()
		// Whether one side's end takes the other's connection along is left open.
		t.Send(friend, DeleteConnection, ID(actor.ID))
		c.EventuallyForGood(hasNoUsers(ofActor, friend))
		c.EventuallyForGood(hasNoUsers(ofFriend, actor))
	})
	t.Judge("connections.delete.status", func(c *Check) {
		c.Status(ended, OneOf(204))
		if unfriended != nil {
			c.Status(unfriended, OneOf(204))
		}
	})
	t.Judge("feed.unfollow", func(c *Check) {
		if unfriended == nil {
			t.Blocked("connections.delete.removes", "needs the end of a friendship")
		}
		unfriended.Done()
		t.Await("connections.delete.removes", hasNoUsers(userList(t, actor, MyFriends), friend))
		c.EventuallyForGood(lacks(feedOf(t, actor), "event", event.ID()))
	})
	t.Judge("connections.delete.unknown", func(c *Check) {
		ended.Done() // an endpoint that ends nothing proves nothing by its refusals
		c.Status(t.Send(actor, DeleteConnection, ID(stranger.ID)), OneOf(404).Tolerating(204).ToleratingRefusals())
		for _, odd := range oddIDs() {
			t.Send(actor, DeleteConnection, IDText(odd)) // for the rules that look at every response
		}
	})
}

func endedFollowGone(t *Trial) {
	actor, fan := t.Actor(), t.Actor()
	first, kept, last := t.Actor(), t.Actor(), t.Actor()
	for _, followed := range []*Actor{first, kept, last} {
		actor.Follow(followed)
	}
	fan.Follow(first)
	fan.Follow(last)
	follows := userList(t, actor, MyFollows)
	ofFirst, ofLast := userList(t, first, MyFollowers), userList(t, last, MyFollowers)
	t.Await(MyFollows.Home(), hasUsers(follows, first, kept, last))
	t.Await(MyFollowers.Home(), both(hasUsers(ofFirst, actor, fan), hasUsers(ofLast, actor, fan)))
	t.Judge("connections.delete.removes", func(c *Check) {
		actor.Disconnect(first)
		c.Eventually(both(hasNoUsers(follows, first), hasUsers(follows, kept, last)))
		actor.Disconnect(last)
		c.EventuallyForGood(hasKept(follows, kept, first, last))
		c.EventuallyForGood(hasKept(ofFirst, fan, actor))
		c.EventuallyForGood(hasKept(ofLast, fan, actor))
		// The same lists, as others see them in whose own ones nobody was who is gone.
		for _, list := range []struct {
			at                  Endpoint
			viewer, owner, gone *Actor
		}{{FollowsOf, last, actor, last}, {FollowersOf, fan, last, actor}} {
			if t.Send(list.viewer, list.at, ID(list.owner.ID)).Succeeded() {
				c.EventuallyForGood(hasNoUsers(userList(t, list.viewer, list.at, ID(list.owner.ID)), list.gone))
			}
		}
	})
}

func othersFollowStays(t *Trial) {
	follower, followed, control := t.Actor(), t.Actor(), t.Actor()
	follower.Follow(followed)
	follows, followers := userList(t, follower, MyFollows), userList(t, followed, MyFollowers)
	t.Await(MyFollows.Home(), hasUsers(follows, followed))
	t.Await(MyFollowers.Home(), hasUsers(followers, follower))
	t.Judge("connections.delete.only-own", func(c *Check) {
		t.Send(followed, DeleteConnection, ID(follower.ID)) // whatever it answers
		followed.Follow(follower)
		followed.Disconnect(follower) // its own follow, and no other
		// Made later: once they show, the lists are up to date.
		follower.Follow(control)
		control.Follow(followed)
		t.Await(MyFollows.Home(), hasUsers(follows, control))
		t.Await(MyFollowers.Home(), hasUsers(followers, control))
		c.EventuallyForGood(hasUsers(follows, followed))
		c.EventuallyForGood(hasUsers(followers, follower))
	})
}
