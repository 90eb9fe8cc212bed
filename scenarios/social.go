package scenarios

import (
	"maps"

	. "github.com/socialfeed/conform/conformance"
)

// The networks that scenarios name: a target may know only well-known ones.
const (
	network      = "facebook"
	otherNetwork = "twitter"
)

// social judges the contract's part Endpoints, row 17.
func social(s *Suite) {
	s.Scenario("connecting by social identifiers is answered, and with a defect refused",
		Judges("social.status", "social.required", "social.type-invalid", "social.wrong-type"), func(t *Trial) {
			own, theirs := t.Unique(), t.Unique()
			actor := t.ActorWith(bearing(network, own))
			t.ActorWith(bearing(network, theirs))
			t.Judge("social.status", func(c *Check) {
				answersEmptyObject(c, t.Send(actor, ConnectSocial, JSON(bySocialIDs("follow", own, theirs))))
			})
			t.Judge("social.required", func(c *Check) {
				for _, field := range []string{"platform", "type", "platform_user_id", "connection_ids"} {
					body := bySocialIDs("follow", own, theirs)
					delete(body, field)
					c.Status(t.Send(actor, ConnectSocial, JSON(body)), OneOf(400, 422))
				}
			})
			refusesWith := func(c *Check, defect Fields) {
				body := bySocialIDs("follow", own, theirs)
				maps.Copy(body, defect)
				c.Status(t.Send(actor, ConnectSocial, JSON(body)), OneOf(422).Tolerating(400))
			}
			t.Judge("social.type-invalid", func(c *Check) {
				refusesWith(c, Fields{"type": "enemy"})
			})
			t.Judge("social.wrong-type", func(c *Check) {
				refusesWith(c, Fields{"connection_ids": theirs})
				refusesWith(c, Fields{"platform": 1})
				refusesWith(c, Fields{"platform_user_id": []string{own}})
				refusesWith(c, Fields{"type": 1})
			})
		})
	s.Scenario("the users with the given social identifiers on that platform are followed, and no others",
		Judges("social.connects"), func(t *Trial) {
			own, first, last := t.Unique(), t.Unique(), t.Unique()
			actor := t.ActorWith(bearing(network, own))
			t.Judge("social.connects", func(c *Check) {
				t.ActorWith(bearing(otherNetwork, first))
				t.ActorWith(bearing(network, t.Unique()))
				followed := []*Actor{bearer(t, first), bearer(t, last)}
				t.Send(actor, ConnectSocial, JSON(bySocialIDs("follow", own, first, last))).Done()
				c.Eventually(exactly(userList(t, actor, MyFollows), followed...))
				c.EventuallyForGood(hasNoUsers(userList(t, actor, MyFriends), followed...))

				friendly := t.Unique()
				asked := bearer(t, friendly)
				t.Send(actor, ConnectSocial, JSON(bySocialIDs("friend", own, friendly))).Done()
				askFriend(t, asked, actor, 409) // one side may not suffice, and where it did, the other may conflict
				c.Eventually(hasUsers(userList(t, actor, MyFriends), asked))
			})
		})
	s.Scenario("social identifiers that no user has are no error",
		Judges("social.unknown-ids"), func(t *Trial) {
			own := t.Unique()
			actor := t.ActorWith(bearing(network, own))
			t.Judge("social.unknown-ids", func(c *Check) {
				answersEmptyObject(c, t.Send(actor, ConnectSocial, JSON(bySocialIDs("follow", own, t.Unique(), t.Unique()))))
				known := t.Unique()
				t.ActorWith(bearing(network, known))
				answersEmptyObject(c, t.Send(actor, ConnectSocial, JSON(bySocialIDs("follow", own, t.Unique(), known))))
			})
		})
}

// bySocialIDs is a request to connect to the users with these ids on the network.
func bySocialIDs(kind, own string, ids ...string) Fields {
	return Fields{"platform": network, "type": kind, "platform_user_id": own, "connection_ids": ids}
}

// bearing are the fields of a user with an id on a network.
func bearing(platform, id string) Fields {
	return Fields{"social_ids": Fields{platform: id}}
}

// bearer makes a user who is known to have the id on the network.
func bearer(t *Trial, id string) *Actor {
	user := t.ActorWith(bearing(network, id))
	if kept := t.Send(user, GetMe).Record().Map("social_ids").Text(network); kept != id {
		t.Blocked("users.create.echo", "needs a user with the social id %q, and the target kept %q", id, kept)
	}
	return user
}

func answersEmptyObject(c *Check, answer *Answer) {
	c.Status(answer, OneOf(201))
	c.True(len(c.Object(answer)) == 0, "{}", string(answer.Body()))
}
