package scenarios

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/onsi/gomega/types"
	. "github.com/socialfeed/conform/conformance"
	. "github.com/socialfeed/conform/conformance/rules"
)

// The networks that scenarios name: a target may know only well-known ones.
const (
	network      = "facebook"
	otherNetwork = "twitter"
)

// social judges the contract's part Endpoints, row 17.
func social(s *Suite) {
	// social.status: Connecting by social identifiers answers 201 and an empty object.
	// social.required: Each of the four parameters is required.
	// social.type-invalid: A connection type other than friend and follow is refused.
	// social.wrong-type: A parameter of the wrong JSON type is refused.
	// social.unknown-ids (should): Identifiers that no user has cause no error.
	s.Scenario("connecting by social identifiers is answered, known or not, and with a defect refused",
		Covers("social.status", "social.unknown-ids", "social.required", "social.type-invalid", "social.wrong-type"), socialAnswers)
	// connections.lists.follows: A user lists exactly the users it follows.
	// connections.lists.followers: A user lists exactly the users who follow it.
	// social.connects (should): The users who hold the given identifiers on that platform become connections of the given type.
	s.ScenarioWithRecheck("the users with the given social identifiers on that platform are followed, and no others",
		Covers("social.connects", "connections.lists.follows", "connections.lists.followers"), socialFollows)
	// social.connects (should): The users who hold the given identifiers on that platform become connections of the given type.
	s.Scenario("a user with the given social identifier is asked to be a friend",
		Covers("social.connects"), socialBefriends)
}

func socialAnswers(t *T) {
	own, first, second := t.Unique(), t.Unique(), t.Unique()
	actor := t.ActorWith(socialID(network, own))
	leaver, _ := t.ActorWith(socialID(network, first)), t.ActorWith(socialID(network, second))
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
		leaver.Delete()
		answersEmptyObject(c, t.Send(actor, ConnectSocial, JSON(bySocialIDs("follow", own, first))))
	})
	socialRefuses(t, actor, known, bySocialIDs("follow", own, second))
}

// socialRefuses sends a request that would be fine with one defect at a time.
// Control: the endpoint accepts the known ids.
func socialRefuses(t *T, actor *Actor, known *Answer, fine Fields) {
	t.Judge("social.required", func(c *Check) {
		known.Done()
		attempts := c.Attempts(OneOf(400, 422))
		for _, field := range []string{"platform", "type", "platform_user_id", "connection_ids"} {
			body := maps.Clone(fine)
			delete(body, field)
			attempts.Add("none of "+field, t.Send(actor, ConnectSocial, JSON(body)))
		}
		attempts.Judge()
	})
	t.Judge("social.type-invalid", func(c *Check) {
		known.Done()
		for _, typ := range []string{"friends", "FOLLOW"} {
			c.Status(t.Send(actor, ConnectSocial, JSON(joined(fine, Fields{"type": typ}))), OneOf(422).Tolerating(400))
		}
	})
	t.Judge("social.wrong-type", func(c *Check) {
		known.Done()
		attempts := c.Attempts(OneOf(422).Tolerating(400))
		for _, defect := range []Fields{{"connection_ids": t.Unique() + "," + t.Unique()}, {"connection_ids": []any{t.Unique(), 34}}, {"connection_ids": []any{Fields{"id": t.Unique()}}}, {"platform": 1}, {"platform_user_id": []string{t.Unique()}}, {"type": 1}} {
			attempts.Add(mistyped(defect), t.Send(actor, ConnectSocial, JSON(joined(fine, defect))))
		}
		attempts.Judge()
	})
}

func socialFollows(t *T) {
	own, first, last := t.Unique(), t.CustomID(), t.CustomID()
	actor := t.ActorWith(socialID(network, own))
	elsewhere := t.ActorWith(socialID(otherNetwork, first))
	like := t.Unique()
	unnamed := t.ActorWith(socialID(network, like))
	followed := append([]*Actor{userWithSocialID(t, first), userWithSocialID(t, last, otherNetwork)}, othersWithSocialID(t, last)...)
	actor.Follow(followed[1]) // and no more: the endpoint must still work
	actor.Disconnect(followed[1])
	givenUp, alsoNamed := t.Unique(), t.Unique()
	also := userGivenSocialID(t, givenUp, alsoNamed)
	follows, connects := listAt(t, actor, MyFollows), false
	t.Judge("social.connects", func(c *Check) {
		// Whether one may connect to oneself is left open, and unknown ids have a rule of their own.
		if !t.Send(actor, ConnectSocial, JSON(bySocialIDs("follow", own, own, givenUp, first, last))).Succeeded() {
			t.Send(actor, ConnectSocial, JSON(bySocialIDs("follow", own, first, last))).Done()
		}
		c.Eventually(connected(t, actor, MyFollows, MyFollowers, followed...), haveConnected(followed...))
		connects = true
		c.Eventually(follows, lackUsers(also))
		c.EventuallyStays(follows, lackUsers(elsewhere, unnamed))
		unknown := []string{t.Unique(), like + "0", like[:len(like)-1], t.CustomID(), t.Unique(), t.Unique(), t.Unique()}
		again := t.Send(actor, ConnectSocial, JSON(bySocialIDs("follow", own, append(unknown, first, alsoNamed, alsoNamed)...)))
		if !again.Succeeded() { // perhaps for a connection that stands
			again = t.Send(actor, ConnectSocial, JSON(bySocialIDs("follow", own, append(unknown, alsoNamed, alsoNamed)...)))
		}
		if again.Succeeded() {
			control := newActor(t)
			actor.Follow(control) // made last: once it shows, the list is up to date
			t.Require(MyFollows.BlockingRule(), follows, haveUsers(control))
			c.Eventually(connected(t, actor, MyFollows, MyFollowers, also), haveConnected(also))
			c.EventuallyStays(follows, lackUsers(unnamed)) // whose id those of nobody resemble
			shownLikeAnyFollow(t, c, actor, also, control, followed)
		}
	})
	lists := func(rule string, read func() []Record, users ...*Actor) {
		t.Judge(rule, func(c *Check) {
			if !connects {
				t.Skip("needs users who were connected by their social identifiers")
			}
			c.Eventually(read, haveUsers(users...))
		})
	}
	lists("connections.lists.follows", follows, followed...)
	lists("connections.lists.followers", listAt(t, followed[0], MyFollowers), actor)
}

// shownLikeAnyFollow judges that the reader's feed shows events of a user that a social id connects,
// like those of a user that is followed directly.
func shownLikeAnyFollow(t *T, c *Check, reader, connected, followed *Actor, others []*Actor) {
	event, controls := connected.Post(nil), followed.Post(nil)
	feed := feedOf(t, reader)
	t.Require("feed.follow.new-events", feed, haveEvents(controls.ID()))
	if !matches(haveEvents(event.ID()), feed()) {
		needFeedOf(t, event, append(others, connected, followed)...)
		c.Eventually(feed, haveEvents(event.ID()))
	}
}

// needFeedOf blocks the check unless an event is in the feed of another user that follows
// these users one by one.
func needFeedOf(t *T, event Record, users ...*Actor) {
	reader := t.Actor()
	for _, user := range users {
		reader.Follow(user)
	}
	t.Require("feed.merge", feedOf(t, reader), haveEvents(event.ID()))
}

// connected reads which of the users an actor is connected to: by its own list, or by theirs.
func connected(t *T, actor *Actor, own, theirs Endpoint, others ...*Actor) func() []string {
	return func() []string {
		ids := idsOf(listAt(t, actor, own)())
		for _, other := range others {
			if !slices.Contains(ids, other.ID.String()) && matches(haveUsers(actor), listAt(t, other, theirs)()) {
				ids = append(ids, other.ID.String())
			}
		}
		return ids
	}
}

// haveConnected asks that all of these users are among an actor's connections.
func haveConnected(users ...*Actor) types.GomegaMatcher {
	return Condition(func(ids []string) Mismatch {
		for _, user := range users {
			if !slices.Contains(ids, user.ID.String()) {
				return Mismatch{Expected: fmt.Sprintf("user %s in the list", user.ID), Actual: listed(ids)}
			}
		}
		return Mismatch{}
	})
}

func socialBefriends(t *T) {
	own, theirs := t.Unique(), t.Unique()
	actor, asked := t.ActorWith(socialID(network, own)), userWithSocialID(t, theirs)
	yardstick, control := t.AnyActor(), t.Actor()
	t.Judge("social.connects", func(c *Check) {
		t.Send(actor, ConnectSocial, JSON(bySocialIDs("friend", own, theirs))).Done()
		askFriend(t, control, yardstick)
		actor.Befriend(control) // made last: once it shows, the lists are up to date
		befriended := connected(t, actor, MyFriends, MyFriends, asked)
		t.Require(MyFriends.BlockingRule(), listAt(t, actor, MyFriends), haveUsers(control))
		theirFriends := listAt(t, control, MyFriends)
		t.Require(MyFriends.BlockingRule(), theirFriends, haveUsers(actor))
		if matches(haveUsers(yardstick), theirFriends()) { // one side suffices on this target
			c.Eventually(befriended, haveConnected(asked))
		}
		askFriend(t, asked, actor, 409) // a conflict where one side suffices
		c.Eventually(befriended, haveConnected(asked))
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

// userWithSocialID makes a user whose social_ids the target returned with the id, which it may have
// on further networks.
func userWithSocialID(t *T, id string, further ...string) *Actor {
	ids := Fields{network: id}
	for _, each := range further {
		ids[each] = id
	}
	user := t.ActorWith(Fields{"social_ids": ids})
	if kept := t.Send(user, GetMe).Record().Map("social_ids").Text(network); kept != id {
		t.Blocked("users.create.echo", "needs a user with the social id %q, and the target kept %q", id, kept)
	}
	return user
}

// othersWithSocialID makes another user with a social id that somebody has, where the target lets it.
func othersWithSocialID(t *T, id string) []*Actor {
	fields := t.NewUser(socialID(network, id))
	created := createUser(t, fields, Query("withLogin", "true"))
	if !created.Succeeded() || created.Record().Map("social_ids").Text(network) != id {
		return nil
	}
	return []*Actor{t.ActorOf(fields, created)}
}

// userGivenSocialID makes a user whose social id an update replaces.
func userGivenSocialID(t *T, former, id string) *Actor {
	user := t.ActorWith(socialID(network, former))
	updated := user.Update(socialID(network, id))
	if kept := updated.Record().Map("social_ids").Text(network); kept != id {
		t.Blocked("users.me.update.applies", "needs a user who is given the social id %q, and the target kept %q", id, kept)
	}
	return user
}

func answersEmptyObject(c *Check, answer *Answer) {
	c.Status(answer, OneOf(201))
	object := c.Object(answer)
	c.True(len(object) == 0, "{}", "an object with "+strings.Join(slices.Sorted(maps.Keys(object)), ", "))
}
