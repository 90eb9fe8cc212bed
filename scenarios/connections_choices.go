package scenarios

import (
	"net/url"

	. "github.com/socialfeed/conform/conformance"
	. "github.com/socialfeed/conform/conformance/rules"
)

// connectionsChoices records the points that the contract leaves open about connections.
func connectionsChoices(s *Suite) {
	// connections.create.type-missing (choice): Whether a connection without a type is refused, or which type it becomes, is left open.
	// connections.create.duplicate (choice): The answer to a connection that is created a second time is left open.
	// connections.create.self (choice): Whether a user may have a connection to itself is left open.
	// connections.lists.follows: A user lists exactly the users it follows.
	s.Scenario("a connection without a type, a second time, and to oneself",
		Covers("connections.create.type-missing", "connections.create.duplicate", "connections.create.self", "connections.lists.follows"), oddConnections)
	// connections.followed-path (choice): Whether the follows of a user can also be read under the suffix followed is left open.
	s.Scenario("the follows of a user under the suffix followed",
		Covers("connections.followed-path"), followsUnderFollowed)
}

func oddConnections(t *T) {
	actor, untyped, twice := t.Actor(), t.AnyActor(), t.AnyActor()
	actor.Follow(twice)
	again := false // it was taken a second time
	t.Judge("connections.create.type-missing", func(c *Check) {
		answer := t.Send(actor, CreateConnection, JSON(Fields{"user_to_id": untyped.ID}))
		if !answer.Succeeded() {
			c.Observe("refused with %d", answer.Status())
		}
		made := answer.Record()
		c.Present(made, "type")
		c.Observe("becomes %s", made.Text("type"))
	})
	t.Judge("connections.create.duplicate", func(c *Check) {
		answer := t.Send(actor, CreateConnection, connection(twice, "follow"))
		again = answer.Succeeded()
		switch {
		case !answer.Succeeded():
			c.Observe("refused with %d", answer.Status())
		case answer.Status() == 201:
			c.Observe("201 again")
		}
		c.Observe("%d", answer.Status())
	})
	t.Judge("connections.lists.follows", func(c *Check) { // taken or refused, it ends nothing and adds nothing
		c.Eventually(listAt(t, actor, MyFollows), haveUsersOnce(twice))
		if again { // nor does a third one, as each second turn of a switch would
			t.Send(actor, CreateConnection, connection(twice, "follow"))
			c.Eventually(listAt(t, actor, MyFollows), haveUsersOnce(twice))
		}
	})
	t.Judge("connections.create.self", func(c *Check) {
		answer := t.Send(actor, CreateConnection, connection(actor, "follow"))
		if !answer.Succeeded() {
			c.Observe("refused with %d", answer.Status())
		}
		c.Observe("accepted")
	})
}

func followsUnderFollowed(t *T) {
	viewer, owner, followed := t.AnyActor(), t.Actor(), t.AnyActor()
	owner.Follow(followed)
	t.Judge("connections.followed-path", func(c *Check) {
		t.Require(FollowsOf.BlockingRule(), listAt(t, viewer, FollowsOf, ID(owner.ID)), haveUsers(followed))
		answer := t.SendTo(viewer, FollowsOf.Method(), "/0.2/users/"+url.PathEscape(owner.ID.String())+"/followed")
		if !answer.Succeeded() {
			c.Observe("refused with %d", answer.Status())
		}
		if !matches(haveUsers(followed), c.Array(answer)) {
			c.Observe("answers with something else")
		}
		c.Observe("answers as well")
	})
}
