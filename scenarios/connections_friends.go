package scenarios

import (
	"slices"

	. "github.com/socialfeed/conform/conformance"
	. "github.com/socialfeed/conform/conformance/rules"
)

// connectionsFriends judges when two users are friends.
func connectionsFriends(s *Suite) {
	// connections.friends.mutual: After a friend connection each way, both users list each other as friends.
	// connections.friends.one-sided (choice): Whether users are friends at once, or only after the other side has made the connection too, is left open.
	// feed.friends: Friends see each other's events.
	s.Scenario("one user asks another to be friends, and the other then asks back",
		Covers("connections.friends.one-sided", "connections.friends.mutual", "feed.friends"), func(t *T) {
			asking, asked, control := t.Actor(), t.Actor(), t.Actor()
			askFriend(t, asking, asked)
			ofAsking, ofAsked := listAt(t, asking, MyFriends), listAt(t, asked, MyFriends)
			t.Judge("connections.friends.one-sided", func(c *Check) {
				// Made later: once they show, the lists are up to date.
				asking.Befriend(control)
				asked.Befriend(control)
				t.Require(MyFriends.BlockingRule(), ofAsking, haveUsers(control))
				t.Require(MyFriends.BlockingRule(), ofAsked, haveUsers(control))
				asks, isAsked := matches(haveUsers(asked), ofAsking()), matches(haveUsers(asking), ofAsked())
				switch {
				case asks && isAsked:
					c.ObserveAnswer(FriendsAtOnce)
				case asks:
					c.Observe("a friend of the asking user at once")
				case isAsked:
					c.Observe("a friend of the asked user at once")
				}
				c.ObserveAnswer(FriendsWhenBoth)
			})
			t.Judge("connections.friends.mutual", func(c *Check) {
				// If the first was enough, the second may conflict with it.
				if second := t.Send(asked, CreateConnection, connection(asking, "friend")); !second.Succeeded() {
					c.Status(second, OneOf(201, 409))
				}
				c.Eventually(ofAsking, haveUsers(asked))
				c.Eventually(ofAsked, haveUsers(asking))
			})
			again := false
			t.Judge("connections.friends.mutual", func(c *Check) { // and once more, after the one who asked has ended it
				t.Send(asking, DeleteConnection, ID(asked.ID)).Done()
				t.Send(asked, DeleteConnection, ID(asking.ID)) // whether the first ended both sides is open
				t.Require("connections.delete.removes", ofAsking, lackUsers(asked))
				askFriend(t, asking, asked)
				askFriend(t, asked, asking, 409)
				c.Eventually(ofAsking, haveUsers(asked))
				c.Eventually(ofAsked, haveUsers(asking))
				again = true
			})
			t.Judge("feed.friends", func(c *Check) { // of those who are friends again
				if !again {
					t.Skip("needs a friendship that was ended and made again")
				}
				c.Eventually(feedOf(t, asking), haveEvents(asked.Post(nil).ID()))
			})
		})
}

// askFriend makes a friend connection from one side only. A refusal with another than a
// tolerated status blocks the check.
func askFriend(t *T, asking, asked *Actor, tolerated ...int) {
	answer := t.Send(asking, CreateConnection, connection(asked, "friend"))
	if !answer.Succeeded() && !slices.Contains(tolerated, answer.Status()) {
		t.Blocked("connections.create.friend", "needs a friend connection, and the target answered %d", answer.Status())
	}
}
