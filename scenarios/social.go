package scenarios

import (
	"fmt"
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
	s.Scenario("connecting by social identifiers is answered, known or not, and with a defect refused",
		Judges("social.status", "social.unknown-ids", "social.required", "social.type-invalid", "social.wrong-type"), socialAnswers)
	s.Scenario("the users with the given social identifiers on that platform are followed, and no others",
		Judges("social.connects"), socialFollows)
	s.Scenario("a user with the given social identifier is asked to be a friend",
		Judges("social.connects"), socialBefriends)
}

func socialAnswers(t *Trial) {
	own, first, second, third := t.Unique(), t.Unique(), t.Unique(), t.Unique()
	actor := t.ActorWith(socialID(network, own))
	for _, id := range []string{first, second, third} {
		t.ActorWith(socialID(network, id))
	}
	known := t.Send(actor, ConnectSocial, JSON(bySocialIDs("follow", own, first)))
	t.Judge("social.status", func(c *Check) {
		answersEmptyObject(c, known)
	})
	t.Judge("social.unknown-ids", func(c *Check) {
		if known.Status() != 201 || len(known.Record()) > 0 {
			t.Blocked("social.status", "needs 201 and {} for known social ids, and the target answered %d", known.Status())
		}
		answersEmptyObject(c, t.Send(actor, ConnectSocial, JSON(bySocialIDs("follow", own, t.Unique(), t.Unique()))))
		answersEmptyObject(c, t.Send(actor, ConnectSocial, JSON(bySocialIDs("follow", own, t.Unique(), second))))
	})
	socialRefuses(t, actor, known, bySocialIDs("follow", own, third))
}

// socialRefuses sends a request that would be fine with one defect at a time.
// An endpoint that did not take the known ids proves nothing by its refusals.
func socialRefuses(t *Trial, actor *Actor, known *Answer, fine Fields) {
	t.Judge("social.required", func(c *Check) {
		known.Done()
		for _, field := range []string{"platform", "type", "platform_user_id", "connection_ids"} {
			body := maps.Clone(fine)
			delete(body, field)
			c.Status(t.Send(actor, ConnectSocial, JSON(body)), OneOf(400, 422))
		}
	})
	refusesWith := func(c *Check, defect Fields) {
		known.Done()
		body := maps.Clone(fine)
		maps.Copy(body, defect)
		c.Status(t.Send(actor, ConnectSocial, JSON(body)), OneOf(422).Tolerating(400))
	}
	t.Judge("social.type-invalid", func(c *Check) {
		refusesWith(c, Fields{"type": "enemy"})
	})
	t.Judge("social.wrong-type", func(c *Check) {
		refusesWith(c, Fields{"connection_ids": t.Unique()})
		refusesWith(c, Fields{"platform": 1})
		refusesWith(c, Fields{"platform_user_id": []string{t.Unique()}})
		refusesWith(c, Fields{"type": 1})
	})
}

func socialFollows(t *Trial) {
	own, first, last := t.Unique(), t.Unique(), t.Unique()
	actor := t.ActorWith(socialID(network, own))
	elsewhere := t.ActorWith(socialID(otherNetwork, first))
	unnamed := t.ActorWith(socialID(network, t.Unique()))
	followed := []*Actor{userWithSocialID(t, first), userWithSocialID(t, last)}
	alsoNamed := t.Unique()
	also := userWithSocialID(t, alsoNamed)
	t.Judge("social.connects", func(c *Check) {
		t.Send(actor, ConnectSocial, JSON(bySocialIDs("follow", own, first, last))).Done()
		follows := userList(t, actor, MyFollows)
		c.Eventually(hasUsers(follows, followed...))
		c.EventuallyForGood(hasNoUsers(follows, elsewhere, unnamed))
		// Whether an unknown id may be refused has a rule of its own.
		if t.Send(actor, ConnectSocial, JSON(bySocialIDs("follow", own, t.Unique(), alsoNamed))).Succeeded() {
			control := t.Actor()
			actor.Follow(control) // made last: once it shows, the list is up to date
			t.Await(MyFollows.Home(), hasUsers(follows, control))
			c.Eventually(hasUsers(follows, also))
			// A follow like any other: the followed user lists it, and the feed shows its events.
			c.Eventually(hasUsers(userList(t, also, MyFollowers), actor))
			event, controls := also.Post(nil), control.Post(nil)
			t.Await("feed.follow.new-events", holds(feedOf(t, actor), "event", controls.ID()))
			c.Eventually(holds(feedOf(t, actor), "event", event.ID()))
		}
	})
}

func socialBefriends(t *Trial) {
	own, theirs := t.Unique(), t.Unique()
	actor, asked := t.ActorWith(socialID(network, own)), userWithSocialID(t, theirs)
	yardstick, control := t.Actor(), t.Actor()
	t.Judge("social.connects", func(c *Check) {
		t.Send(actor, ConnectSocial, JSON(bySocialIDs("friend", own, theirs))).Done()
		askFriend(t, actor, yardstick)
		actor.Befriend(control) // made last: once it shows, the list is up to date
		friends := userList(t, actor, MyFriends)
		t.Await(MyFriends.Home(), hasUsers(friends, control))
		if hasUsers(friends, yardstick)() == (Problem{}) { // one side suffices on this target
			c.Eventually(hasUsers(friends, asked))
		}
		askFriend(t, asked, actor, 409) // a conflict where the first sufficed
		c.Eventually(hasUsers(friends, asked))
	})
}

// bySocialIDs is a request to connect to the users with these ids on the network.
func bySocialIDs(kind, own string, ids ...string) Fields {
	return Fields{"platform": network, "type": kind, "platform_user_id": own, "connection_ids": ids}
}

// socialID are the fields of a user with an id on a network.
func socialID(platform, id string) Fields {
	return Fields{"social_ids": Fields{platform: id}}
}

// userWithSocialID makes a user who is known to have the id on the network.
func userWithSocialID(t *Trial, id string) *Actor {
	user := t.ActorWith(socialID(network, id))
	if kept := t.Send(user, GetMe).Record().Map("social_ids").Text(network); kept != id {
		t.Blocked("users.create.echo", "needs a user with the social id %q, and the target kept %q", id, kept)
	}
	return user
}

func answersEmptyObject(c *Check, answer *Answer) {
	c.Status(answer, OneOf(201))
	fields := len(c.Object(answer))
	c.True(fields == 0, "{}", fmt.Sprintf("an object with %d fields", fields))
}
