package model

import (
	"context"

	"github.com/socialfeed/conform/conformance/rules"
)

// ownConnectionViews returns the views in which a connection of a user would show.
func ownConnectionViews(who int) []view {
	return []view{own(rules.MyFollows, who), own(rules.MyFollowers, who), own(rules.MyFriends, who), own(rules.Feed, who)}
}

// connectThere tries to connect to the other by its id.
func (c *crossApp) connectThere(ctx context.Context, o Op) []view {
	if !c.idUnknown(ctx) {
		return nil
	}
	typ := "friend"
	if o.Kind == Follow {
		typ = "follow"
	}
	id := c.other().id
	c.logf("user %d tries to make a %s connection to %s", c.from, typ, c.otherName())
	answer := c.sendAs(ctx, c.from, Request{Endpoint: rules.CreateConnection, Body: Fields{"user_to_id": id, "type": typ}})
	if answer.OK() {
		c.leakIfUnknown(ctx, rules.CreateConnection, answer)
		c.sendAs(ctx, c.from, Request{Endpoint: rules.DeleteConnection, ID: idText(id)}) // another user may have the id by now
	}
	c.otherApp.pending = append(c.otherApp.pending, ownConnectionViews(c.to)...)
	return ownConnectionViews(c.from)
}

// connectBySocialID connects to a social id that only the other has, which must connect to
// nobody.
func (c *crossApp) connectBySocialID(ctx context.Context, o Op) []view {
	to := c.other()
	for _, u := range c.state.users {
		if u.social == to.social || u.surelyHolds("social_ids", to.social) {
			return nil
		}
	}
	if to.social == "" {
		return nil
	}
	typ := o.connectionType()
	c.logf("user %d connects to the social id of %s, as %s", c.from, c.otherName(), typ)
	c.sendAs(ctx, c.from, Request{Endpoint: rules.ConnectSocial, Body: Fields{"platform": to.network, "type": typ,
		"platform_user_id": c.state.users[c.from].idOn(to.network), "connection_ids": []any{to.social}}})
	c.otherApp.pending = append(c.otherApp.pending, ownConnectionViews(c.to)...)
	return ownConnectionViews(c.from)
}

// endThere tries to end connections to the other. A target may answer with a success though
// there were none.
func (c *crossApp) endThere(ctx context.Context, _ Op) []view {
	id := idText(c.other().id)
	if _, own := c.state.userByID(id); own {
		return nil
	}
	c.logf("user %d tries to end its connections to %s", c.from, c.otherName())
	c.sendAs(ctx, c.from, Request{Endpoint: rules.DeleteConnection, ID: id})
	c.otherApp.pending = append(c.otherApp.pending, ownConnectionViews(c.to)...)
	return ownConnectionViews(c.from)
}

// writeForeignThere tries to change or delete an event of the other.
func (c *crossApp) writeForeignThere(ctx context.Context, o Op) []view {
	c.application = c.otherApp
	which, readers := c.event(c.to, o.Event), c.feedViews(c.to)
	c.application = c.ownApp
	if which < 0 {
		return nil
	}
	id := idText(c.otherApp.state.events[which].id)
	if _, own := c.state.eventByID(id); own {
		return nil
	}
	r := Request{Endpoint: rules.UpdateEvent, ID: id, Body: Fields{"verb": "trespassed"}}
	if o.Write == DeleteForeignEvent {
		r = Request{Endpoint: rules.DeleteEvent, ID: id}
	}
	c.logf("user %d tries endpoint %d on event %d of %s", c.from, r.Endpoint, which, c.otherName())
	answer := c.sendAs(ctx, c.from, r)
	if answer.OK() && r.Endpoint != rules.DeleteEvent { // deleting what does not exist may be answered with 204
		c.recordLeak(r.Endpoint, "a refusal of an event of another application", answer.show())
	}
	c.otherApp.pending = append(c.otherApp.pending, readers...)
	return []view{own(rules.Feed, c.from)}
}
