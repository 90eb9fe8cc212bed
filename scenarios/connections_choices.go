package scenarios

import (
	"net/url"

	. "github.com/socialfeed/conform/conformance"
)

// connectionsChoices asks what the contract leaves open about connections.
func connectionsChoices(s *Suite) {
	s.Scenario("a connection without a type, a second time, and to oneself",
		Judges("connections.create.type-missing", "connections.create.duplicate", "connections.create.self"), func(t *Trial) {
			actor, untyped, twice := t.Actor(), t.Actor(), t.Actor()
			actor.Follow(twice)
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
				switch {
				case !answer.Succeeded():
					c.Observe("refused with %d", answer.Status())
				case answer.Status() == 201:
					c.Observe("201 again")
				}
				c.Observe("%d", answer.Status())
			})
			t.Judge("connections.create.self", func(c *Check) {
				answer := t.Send(actor, CreateConnection, connection(actor, "follow"))
				if !answer.Succeeded() {
					c.Observe("refused with %d", answer.Status())
				}
				c.Observe("accepted")
			})
		})
	s.Scenario("the follows of a user under the suffix followed",
		Judges("connections.followed-path"), func(t *Trial) {
			viewer, owner, followed := t.Actor(), t.Actor(), t.Actor()
			owner.Follow(followed)
			t.Judge("connections.followed-path", func(c *Check) {
				t.Await(FollowsOf.Home(), hasUsers(userList(t, viewer, FollowsOf, ID(owner.ID)), followed))
				answer := t.SendTo(viewer, FollowsOf.Method(), "/0.2/users/"+url.PathEscape(owner.ID.String())+"/followed")
				if !answer.Succeeded() {
					c.Observe("refused with %d", answer.Status())
				}
				if problem := hasUsers(func() []Record { return c.Array(answer) }, followed)(); problem != (Problem{}) {
					c.Observe("answers with something else")
				}
				c.Observe("answers as well")
			})
		})
}
