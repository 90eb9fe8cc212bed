package model

import (
	"context"

	"github.com/socialfeed/conform/conformance/rules"
)

// connectionsOf are the views in which a connection of a user would show.
func connectionsOf(who int) []view {
	return []view{own(rules.MyFollows, who), own(rules.MyFollowers, who), own(rules.MyFriends, who), own(rules.Feed, who)}
}

// reachOut tries to connect to the other by its id.
func (c *crossing) reachOut(ctx context.Context, kind Kind) []view {
	if !c.unknown(ctx) {
		return nil
	}
	typ := "friend"
	if kind == Follow {
		typ = "follow"
	}
	id := c.stranger().id
	c.tell("user %d tries to make a %s connection to %s", c.from, typ, c.named())
	answer := c.sendAs(ctx, c.from, Request{Endpoint: rules.CreateConnection, Body: Fields{"user_to_id": id, "type": typ}})
	if answer.OK() {
		c.granted(ctx, rules.CreateConnection, answer)
		c.sendAs(ctx, c.from, Request{Endpoint: rules.DeleteConnection, ID: idText(id)}) // whoever it was
	}
	c.there.due = append(c.there.due, connectionsOf(c.to)...)
	return connectionsOf(c.from)
}

// reachBySocialID connects to a social id that only the other has: to nobody.
func (c *crossing) reachBySocialID(ctx context.Context, o Op) []view {
	to := c.stranger()
	for _, u := range c.world.users {
		if u.social == to.social || u.surely("social_ids", to.social) {
			return nil
		}
	}
	if to.social == "" {
		return nil
	}
	typ := []string{"follow", "friend"}[abs(o.V)%2]
	c.tell("user %d connects to the social id of %s, as %s", c.from, c.named(), typ)
	c.sendAs(ctx, c.from, Request{Endpoint: rules.ConnectSocial, Body: Fields{"platform": to.network, "type": typ,
		"platform_user_id": c.world.users[c.from].terms["first_name"], "connection_ids": []any{to.social}}})
	c.there.due = append(c.there.due, connectionsOf(c.to)...)
	return connectionsOf(c.from)
}

// endThere tries to end connections to the other. A target may call done what there was not.
func (c *crossing) endThere(ctx context.Context) []view {
	id := idText(c.stranger().id)
	if _, own := c.world.userByID(id); own {
		return nil
	}
	c.tell("user %d tries to end its connections to %s", c.from, c.named())
	c.sendAs(ctx, c.from, Request{Endpoint: rules.DeleteConnection, ID: id})
	c.there.due = append(c.there.due, connectionsOf(c.to)...)
	return connectionsOf(c.from)
}

// trespassThere tries to change or delete an event of the other.
func (c *crossing) trespassThere(ctx context.Context, o Op) []view {
	c.application = c.there
	which, readers := c.event(c.to, o.C), c.readers(c.to)
	c.application = c.here
	if which < 0 {
		return nil
	}
	id := idText(c.there.world.events[which].id)
	if _, own := c.world.eventByID(id); own {
		return nil
	}
	r := Request{Endpoint: rules.UpdateEvent, ID: id, Body: Fields{"verb": "trespassed"}}
	if abs(o.V)%2 == 1 {
		r = Request{Endpoint: rules.DeleteEvent, ID: id}
	}
	c.tell("user %d tries endpoint %d on event %d of %s", c.from, r.Endpoint, which, c.named())
	answer := c.sendAs(ctx, c.from, r)
	if answer.OK() && r.Endpoint != rules.DeleteEvent { // to delete what is not there may be called done
		c.apart(r.Endpoint, "a refusal of an event of another application", answer.show())
	}
	c.there.due = append(c.there.due, readers...)
	return []view{own(rules.Feed, c.from)}
}
