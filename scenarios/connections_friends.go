package scenarios

import (
	"slices"

	. "github.com/socialfeed/conform/conformance"
)

// connectionsFriends judges when two users are friends.
func connectionsFriends(s *Suite) {
	s.Scenario("two users who each ask the other are friends",
		Judges("connections.friends.mutual"), func(t *Trial) {
			one, other := t.Actor(), t.Actor()
			t.Judge("connections.friends.mutual", func(c *Check) {
				askFriend(t, one, other)
				// Where the first sufficed, the second may conflict with it.
				if second := t.Send(other, CreateConnection, connection(one, "friend")); !second.Succeeded() {
					c.Status(second, OneOf(201, 409))
				}
				c.Eventually(hasUsers(userList(t, one, MyFriends), other))
				c.Eventually(hasUsers(userList(t, other, MyFriends), one))
			})
		})
	s.Scenario("one user asks another to be friends, who does not ask back",
		Judges("connections.friends.one-sided"), func(t *Trial) {
			asking, asked, control := t.Actor(), t.Actor(), t.Actor()
			t.Judge("connections.friends.one-sided", func(c *Check) {
				askFriend(t, asking, asked)
				// Made later: once they show, the lists are up to date.
				asking.Befriend(control)
				asked.Befriend(control)
				ofAsking, ofAsked := userList(t, asking, MyFriends), userList(t, asked, MyFriends)
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
