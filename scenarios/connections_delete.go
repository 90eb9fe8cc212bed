package scenarios

import (
	"github.com/onsi/gomega"
	. "github.com/socialfeed/conform/conformance"
	. "github.com/socialfeed/conform/conformance/rules"
)

// connectionsDelete judges the end of a connection (Endpoints, row 10).
func connectionsDelete(s *Suite) {
	// connections.delete.status: Ending a connection answers 204.
	// connections.delete.removes: A connection that was ended is gone from the lists of both users.
	// connections.delete.unknown: Ending a connection that does not exist is answered as not found.
	// feed.unfollow: After an unfollow the events of that user are gone from the feed.
	s.ScenarioWithRecheck("a user ends a follow, a friendship, and a connection that it does not have",
		Covers("connections.delete.status", "connections.delete.removes", "connections.delete.unknown", "feed.unfollow"), connectionEnded)
	// connections.delete.removes: A connection that was ended is gone from the lists of both users.
	s.ScenarioWithRecheck("a follow that was ended is gone from the lists of both users, and no other is",
		Covers("connections.delete.removes"), endedFollowGone)
	// connections.delete.only-own: A user who is followed cannot end the follower's connection.
	s.ScenarioWithRecheck("a followed user cannot end the follower's follow",
		Covers("connections.delete.only-own"), othersFollowStays)
}

func connectionEnded(t *T) {
	actor, followed, friend, stranger := t.Actor(), t.Actor(), t.Actor(), t.Actor()
	actor.Follow(followed)
	ended := t.Send(actor, DeleteConnection, ID(followed.ID))
	var unfriended *Answer
	var event, own Record
	ofActor, ofFriend := listAt(t, actor, MyFriends), listAt(t, friend, MyFriends)
	t.Judge("connections.delete.removes", func(c *Check) {
		actor.Befriend(friend)
		t.Require("connections.friends.mutual", ofActor, haveUsers(friend))
		t.Require("connections.friends.mutual", ofFriend, haveUsers(actor))
		event, own = friend.Post(nil), actor.Post(nil)
		t.Require("feed.friends", feedOf(t, actor), haveEvents(event.ID()))
		t.Require("feed.friends", feedOf(t, friend), haveEvents(own.ID()))
		unfriended = t.Send(actor, DeleteConnection, ID(friend.ID))
		unfriended.Done()
	})
	t.Judge("feed.unfollow", func(c *Check) {
		// Where one side ends it for both; otherwise the actor may still be a friend of the friend's.
		if unfriended != nil && matches(lackUsers(friend), ofActor()) && matches(lackUsers(actor), ofFriend()) {
			c.Eventually(feedOf(t, actor), lackEvents(event.ID()))
		}
	})
	t.Judge("connections.delete.removes", func(c *Check) {
		if unfriended == nil {
			t.Skip("needs a friendship to end")
		}
		unfriended.Done()
		// Whether ending one side also ends the other is left open.
		t.Send(friend, DeleteConnection, ID(actor.ID))
		c.EventuallyStays(ofActor, lackUsers(friend))
		c.EventuallyStays(ofFriend, lackUsers(actor))
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
		t.Require("connections.delete.removes", listAt(t, actor, MyFriends), lackUsers(friend))
		c.EventuallyStays(feedOf(t, actor), lackEvents(event.ID()))
		c.EventuallyStays(feedOf(t, friend), lackEvents(own.ID()))
	})
	unknownNotEnded(t, actor, ended, stranger, followed) // no more
}

// unknownNotEnded judges the answers to ending connections that the actor does not have,
// together with one that it had.
func unknownNotEnded(t *T, actor *Actor, ended *Answer, unconnected ...*Actor) {
	t.Judge("connections.delete.unknown", func(c *Check) {
		ended.Done() // the control: a valid request succeeds
		for _, other := range unconnected {
			answer := t.Send(actor, DeleteConnection, ID(other.ID))
			if answer.Succeeded() {
				t.Require("connections.delete.removes", listAt(t, actor, MyFollows), lackUsers(other))
			}
			c.Status(answer, OneOf(404).Tolerating(204).ToleratingRefusals())
		}
		for _, odd := range oddIDs() {
			t.Send(actor, DeleteConnection, IDText(odd)) // for the passive rules
		}
	})
}

func endedFollowGone(t *T) {
	actor, fan := t.Actor(), t.Actor()
	first, kept, last := t.Actor(), t.Actor(), t.Actor()
	for _, followed := range []*Actor{first, kept, last} {
		actor.Follow(followed)
	}
	fan.Follow(first)
	fan.Follow(last)
	follows := listAt(t, actor, MyFollows)
	ofFirst, ofLast := listAt(t, first, MyFollowers), listAt(t, last, MyFollowers)
	t.Require(MyFollows.BlockingRule(), follows, haveUsers(first, kept, last))
	t.Require(MyFollowers.BlockingRule(), ofFirst, haveUsers(actor, fan))
	t.Require(MyFollowers.BlockingRule(), ofLast, haveUsers(actor, fan))
	rename(t, actor) // a follow is of an id, not of a name
	t.Judge("connections.delete.removes", func(c *Check) {
		actor.Disconnect(first)
		c.Eventually(follows, gomega.And(lackUsers(first), haveUsers(kept, last)))
		actor.Disconnect(last)
		c.EventuallyStays(follows, haveKept(kept, first, last))
		c.EventuallyStays(ofFirst, haveKept(fan, actor))
		c.EventuallyStays(ofLast, haveKept(fan, actor))
		// The lists as viewers read them whose own lists never had the deleted users.
		for _, list := range []struct {
			at                  Endpoint
			viewer, owner, gone *Actor
		}{{FollowsOf, last, actor, last}, {FollowersOf, fan, last, actor}} {
			if t.SendSettled(list.viewer, list.at, ID(list.owner.ID)).Succeeded() {
				c.EventuallyStays(listAt(t, list.viewer, list.at, ID(list.owner.ID)), lackUsers(list.gone))
			}
		}
	})
}

func othersFollowStays(t *T) {
	follower, followed, control := newActor(t), newActor(t), newActor(t)
	follower.Follow(followed)
	follows, followers := listAt(t, follower, MyFollows), listAt(t, followed, MyFollowers)
	t.Require(MyFollows.BlockingRule(), follows, haveUsers(followed))
	t.Require(MyFollowers.BlockingRule(), followers, haveUsers(follower))
	t.Judge("connections.delete.only-own", func(c *Check) {
		t.Send(followed, DeleteConnection, ID(follower.ID)) // whatever it answers
		followed.Follow(follower)
		followed.Disconnect(follower) // its own follow alone
		// Made later: once they show, the lists are up to date.
		follower.Follow(control)
		control.Follow(followed)
		t.Require(MyFollows.BlockingRule(), follows, haveUsers(control))
		t.Require(MyFollowers.BlockingRule(), followers, haveUsers(control))
		c.EventuallyStays(follows, haveUsers(followed))
		c.EventuallyStays(followers, haveUsers(follower))
		control.Follow(follower)
		follower.Disconnect(control) // the earlier of two follows
		c.EventuallyStays(listAt(t, control, MyFollows), haveUsers(follower))
	})
}
