package play

import (
	"context"

	"github.com/socialfeed/conform/conformance/model/exchange"
	"github.com/socialfeed/conform/conformance/model/story"
	"github.com/socialfeed/conform/conformance/model/value"
	"github.com/socialfeed/conform/conformance/model/world"
	"github.com/socialfeed/conform/conformance/rules"
)

// ownConnectionViews returns the views in which a connection of a user would show.
func ownConnectionViews(who int) []world.View {
	return []world.View{world.Own(rules.MyFollows, who), world.Own(rules.MyFollowers, who), world.Own(rules.MyFriends, who), world.Own(rules.Feed, who)}
}

// connectThere tries to connect to the other by its id.
func (c *crossApp) connectThere(ctx context.Context, o story.Op) []world.View {
	if !c.idUnknown(ctx) {
		return nil
	}
	typ := "friend"
	if o.Kind == story.Follow {
		typ = "follow"
	}
	id := c.other().ID
	c.logf("user %d tries to make a %s connection to %s", c.from, typ, c.otherName())
	answer := c.sendAs(ctx, c.from, exchange.Request{Endpoint: rules.CreateConnection, Body: value.Fields{"user_to_id": id, "type": typ}})
	if answer.OK() {
		c.leakIfUnknown(ctx, rules.CreateConnection, answer)
		c.sendAs(ctx, c.from, exchange.Request{Endpoint: rules.DeleteConnection, ID: value.ID(id)}) // another user may have the id by now
	}
	c.otherApp.pending = append(c.otherApp.pending, ownConnectionViews(c.to)...)
	return ownConnectionViews(c.from)
}

// connectBySocialID connects to a social id that only the other has, which must connect to
// nobody.
func (c *crossApp) connectBySocialID(ctx context.Context, o story.Op) []world.View {
	to := c.other()
	for _, u := range c.state.Users {
		if u.Social == to.Social || u.SurelyHolds("social_ids", to.Social) {
			return nil
		}
	}
	if to.Social == "" {
		return nil
	}
	typ := o.ConnectionType()
	c.logf("user %d connects to the social id of %s, as %s", c.from, c.otherName(), typ)
	c.sendAs(ctx, c.from, exchange.Request{Endpoint: rules.ConnectSocial, Body: value.Fields{"platform": to.Network, "type": typ,
		"platform_user_id": c.state.Users[c.from].IdOn(to.Network), "connection_ids": []any{to.Social}}})
	c.otherApp.pending = append(c.otherApp.pending, ownConnectionViews(c.to)...)
	return ownConnectionViews(c.from)
}

// endThere tries to end connections to the other. A target may answer with a success though
// there were none.
func (c *crossApp) endThere(ctx context.Context, _ story.Op) []world.View {
	id := value.ID(c.other().ID)
	if _, own := c.state.UserByID(id); own {
		return nil
	}
	c.logf("user %d tries to end its connections to %s", c.from, c.otherName())
	c.sendAs(ctx, c.from, exchange.Request{Endpoint: rules.DeleteConnection, ID: id})
	c.otherApp.pending = append(c.otherApp.pending, ownConnectionViews(c.to)...)
	return ownConnectionViews(c.from)
}

// writeForeignThere tries to change or delete an event of the other.
func (c *crossApp) writeForeignThere(ctx context.Context, o story.Op) []world.View {
	c.application = c.otherApp
	which, readers := c.event(c.to, o.Event), c.feedViews(c.to)
	c.application = c.ownApp
	if which < 0 {
		return nil
	}
	id := value.ID(c.otherApp.state.Events[which].ID)
	if _, own := c.state.EventByID(id); own {
		return nil
	}
	r := exchange.Request{Endpoint: rules.UpdateEvent, ID: id, Body: value.Fields{"verb": "trespassed"}}
	if o.Write == story.DeleteForeignEvent {
		r = exchange.Request{Endpoint: rules.DeleteEvent, ID: id}
	}
	c.logf("user %d tries endpoint %d on event %d of %s", c.from, r.Endpoint, which, c.otherName())
	answer := c.sendAs(ctx, c.from, r)
	if answer.OK() && r.Endpoint != rules.DeleteEvent { // deleting what does not exist may be answered with 204
		c.recordLeak(r.Endpoint, "a refusal of an event of another application", answer.Show())
	}
	c.otherApp.pending = append(c.otherApp.pending, readers...)
	return []world.View{world.Own(rules.Feed, c.from)}
}
