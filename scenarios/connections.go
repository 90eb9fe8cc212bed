package scenarios

import (
	"strconv"

	. "github.com/socialfeed/conform/conformance"
	. "github.com/socialfeed/conform/conformance/rules"
)

// connections judges the contract's part Endpoints, rows 9 to 16, and the connections of
// the part States.
func connections(s *Suite) {
	connectionsCreate(s)
	connectionsChoices(s)
	connectionsDelete(s)
	connectionsLists(s)
	connectionsAfterUserDelete(s)
	connectionsFriends(s)
}

func connectionsCreate(s *Suite) {
	// connections.create.follow: A user follows another, and gets the new connection.
	// connections.create.friend: A user makes a friend connection to another, and gets the new connection.
	s.Scenario("a user follows one user and asks another to be friends",
		Covers("connections.create.follow", "connections.create.friend"), connectionMade)
	// connections.create.target-required: A connection to nobody is refused.
	// connections.create.unknown-target: A connection to an id that no user ever had is refused as not found.
	// connections.create.wrong-type: A connection parameter of the wrong JSON type is refused.
	s.Scenario("a connection to nobody, to an unknown user or of the wrong JSON types is refused",
		Covers("connections.create.target-required", "connections.create.unknown-target", "connections.create.wrong-type"), connectionRefused)
	// connections.create.type-invalid: A connection type other than friend and follow is refused, and no connection comes of it.
	s.ScenarioWithRecheck("a connection of an unknown type is refused and not made",
		Covers("connections.create.type-invalid"), connectionOfUnknownType)
}

func connectionMade(t *T) {
	actor := t.AnyActor()
	for _, kind := range []string{"follow", "friend"} {
		other := t.AnyActor()
		t.Judge("connections.create."+kind, func(c *Check) {
			answer := t.Send(actor, CreateConnection, connection(other, kind))
			c.Status(answer, OneOf(201))
			made := c.Object(answer)
			c.Same("user_from_id", actor.ID.String(), made.Text("user_from_id"))
			c.Same("user_to_id", other.ID.String(), made.Text("user_to_id"))
			c.Fields(made, Fields{"type": kind, "enabled": true})
			c.Present(made, "created_at", "updated_at")
		})
	}
}

func connectionRefused(t *T) {
	actor, other := t.AnyActor(), t.AnyActor()
	other.Follow(actor) // the control: a valid request succeeds
	refuses := func(c *Check, want StatusMatcher, bodies ...Fields) {
		for _, body := range bodies {
			c.Status(t.Send(actor, CreateConnection, JSON(body)), want)
		}
	}
	t.Judge("connections.create.target-required", func(c *Check) {
		refuses(c, OneOf(400, 422), Fields{"type": "follow"}, Fields{"type": "friend"}, Fields{"user_to_id": nil, "type": "follow"})
	})
	t.Judge("connections.create.unknown-target", func(c *Check) {
		nobody := UnusedID(actor.ID)
		refuses(c, OneOf(404).Tolerating(400, 422),
			Fields{"user_to_id": nobody, "type": "follow"},
			Fields{"user_to_id": nobody, "type": "friend"})
		id := other.ID.String()
		if _, err := strconv.ParseUint(id, 10, 64); err == nil {
			refuses(c, OneOf(404).Tolerating(400, 422), Fields{"user_to_id": "-" + id, "type": "follow"})
		}
	})
	t.Judge("connections.create.wrong-type", func(c *Check) {
		attempts := c.Attempts(OneOf(422).Tolerating(400))
		for _, defect := range []Fields{{"user_to_id": []any{other.ID}}, {"user_to_id": Fields{"id": other.ID}}, {"user_to_id": true}, {"type": 1}, {"type": []string{"follow"}}} {
			attempts.Add(mistyped(defect), t.Send(actor, CreateConnection, JSON(joined(Fields{"user_to_id": other.ID, "type": "follow"}, defect))))
		}
		attempts.Judge()
	})
}

func connectionOfUnknownType(t *T) {
	actor, other, control, friend := t.Actor(), t.Actor(), t.Actor(), t.Actor()
	control.Follow(actor) // the control: a valid request succeeds
	t.Judge("connections.create.type-invalid", func(c *Check) {
		for _, refused := range []struct {
			by, to *Actor
			kind   string
		}{{actor, other, "follower"}, {actor, other, "1"}, {actor, other, " follow "}, {control, actor, "Follow"}} { // the last where a follow stands
			c.Status(t.Send(refused.by, CreateConnection, connection(refused.to, refused.kind)), OneOf(422).Tolerating(400))
		}
		// Made later: once they show, the lists are up to date.
		actor.Follow(control)
		control.Follow(other)
		actor.Befriend(friend)
		for _, list := range []struct {
			reader        *Actor
			at            Endpoint
			shown, absent *Actor
		}{
			{actor, MyFollows, control, other},
			{other, MyFollowers, control, actor},
			{actor, MyFriends, friend, other},
		} {
			users := listAt(t, list.reader, list.at)
			t.Require(list.at.BlockingRule(), users, haveUsers(list.shown))
			c.EventuallyStays(users, lackUsers(list.absent))
		}
		c.Eventually(listAt(t, actor, MyFollowers), haveUsers(control)) // as before the refused request
	})
}

// connection is the body that asks for a connection.
func connection(to *Actor, kind string) With {
	return JSON(Fields{"user_to_id": to.ID, "type": kind})
}
