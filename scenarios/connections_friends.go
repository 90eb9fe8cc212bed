package scenarios

import (
	"slices"

	. "github.com/socialfeed/conform/conformance"
)

// connectionsFriends judges when two users are friends.
func connectionsFriends(s *Suite) {
	s.Scenario("one user asks another to be friends, who then asks back",
		Judges("connections.friends.one-sided", "connections.friends.mutual"), func(t *Trial) {
			asking, asked, control := t.Actor(), t.Actor(), t.Actor()
			askFriend(t, asking, asked)
			ofAsking, ofAsked := userList(t, asking, MyFriends), userList(t, asked, MyFriends)
			t.Judge("connections.friends.one-sided", func(c *Check) {
				// Made later: once they show, the lists are up to date.
				asking.Befriend(control)
				asked.Befriend(control)
				t.Await(MyFriends.Home(), both(hasUsers(ofAsking, control), hasUsers(ofAsked, control)))
				asks, isAsked := hasUsers(ofAsking, asked)() == (Problem{}), hasUsers(ofAsked, asking)() == (Problem{})
				switch {
				case asks && isAsked:
					c.Observe("friends at once")
				case asks:
					c.Observe("a friend of the asking user at once")
				case isAsked:
					c.Observe("a friend of the asked user at once")
				}
				c.Observe("after the other side's too")
			})
			t.Judge("connections.friends.mutual", func(c *Check) {
				// Where the first sufficed, the second may conflict with it.
				if second := t.Send(asked, CreateConnection, connection(asking, "friend")); !second.Succeeded() {
					c.Status(second, OneOf(201, 409))
				}
				c.Eventually(hasUsers(ofAsking, asked))
				c.Eventually(hasUsers(ofAsked, asking))
			})
		})
}

// askFriend makes a friend connection from one side only. What needs it is
// blocked when it is refused, unless by a tolerated status.
func askFriend(t *Trial, asking, asked *Actor, tolerated ...int) {
	answer := t.Send(asking, CreateConnection, connection(asked, "friend"))
	if !answer.Succeeded() && !slices.Contains(tolerated, answer.Status()) {
		t.Blocked("connections.create.friend", "needs a friend connection, and the target answered %d", answer.Status())
	}
}
