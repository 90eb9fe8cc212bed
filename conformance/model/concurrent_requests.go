package model

import (
	"context"
	"fmt"
	"net/http"
	"slices"

	"github.com/socialfeed/conform/conformance/rules"
)

// prepare readies the operation at an index of the story to be sent concurrently with others. It
// returns nil if the operation makes no sense in the current state.
func (t *playthrough) prepare(ctx context.Context, o Op, index int) *concurrentOp {
	a := t.actor(ctx, o.Actor)
	if a < 0 || !t.state.users[a].lives() {
		return nil
	}
	b := t.actor(ctx, o.Other)
	if b < 0 {
		return nil
	}
	token := t.sessionFor(ctx, a, Request{Endpoint: rules.CreateEvent}) // as any write
	if token == "" {
		return nil
	}
	c := &concurrentOp{op: o, text: fmt.Sprintf("at once, %d", index+1), request: Request{Session: token}}
	if t.fillRequest(c, o, pair{a, b}); c.apply == nil {
		return nil
	}
	return c
}

// success returns the status of a successful request to an endpoint, and the rule about it. The
// rule is blank if other statuses are possible, as for a connection that is made twice.
func success(at rules.Endpoint) (status int, rule string) {
	one := map[rules.Endpoint]struct {
		status int
		rule   string
	}{
		rules.CreateEvent:      {http.StatusCreated, "events.create.status"},
		rules.UpdateEvent:      {http.StatusOK, "events.update.status"},
		rules.DeleteEvent:      {http.StatusNoContent, "events.delete.status"},
		rules.DeleteConnection: {http.StatusNoContent, "connections.delete.status"},
		rules.UpdateMe:         {http.StatusCreated, "users.me.update.status"},
		rules.DeleteMe:         {http.StatusNoContent, "users.me.delete.status"},
		rules.Login:            {http.StatusOK, "sessions.login.user-name"},
		rules.Logout:           {http.StatusNoContent, "sessions.logout.status"},
	}[at]
	return one.status, one.rule
}

// fillRequest sets an operation's request and effect.
func (t *playthrough) fillRequest(c *concurrentOp, o Op, p pair) {
	switch o.Kind {
	case LogIn, LogOut:
		t.fillSessionRequest(c, o, p.from)
	case Follow, RequestFriend, End:
		t.fillConnectionRequest(c, o, p)
	case Change, Remove:
		t.fillEventRequest(c, o, p.from)
	case Post:
		fields := Fields{"verb": "like", "priority": c.text}
		c.request.Endpoint, c.request.Body = rules.CreateEvent, fields
		c.apply = func(st *State, r Response) { st.posted(p.from, fields, r.object()) }
		c.views = t.feedViews(p.from)
	case Audit:
		c.request.Endpoint = ownAudit(o.Extent)
		c.apply = func(*State, Response) {} // what it shows during the write is open
		c.views = []view{own(c.request.Endpoint, p.from)}
	case DeleteUser:
		c.request.Endpoint = rules.DeleteMe
		c.apply = func(st *State, _ Response) { st.deleted(p.from) }
		c.views = without(t.feedViews(p.from), p.from)
	case Edit:
		u := t.state.users[p.from]
		fields := Fields{"user_name": u.name, "email": u.email, "password": u.password, disjointField(o, "last_name", "first_name"): c.text}
		c.request.Endpoint, c.request.Body = rules.UpdateMe, fields
		c.apply = func(st *State, r Response) { st.edited(p.from, fields, r.object()) }
		c.views = []view{own(rules.GetMe, p.from)}
	}
}

// fillConnectionRequest sets the request and effect of an operation that makes or ends a connection,
// if its effect is known.
func (t *playthrough) fillConnectionRequest(c *concurrentOp, o Op, p pair) {
	if p.from == p.to {
		return
	}
	switch o.Kind {
	case Follow:
		if t.state.relation(p).asked != No {
			return
		}
		c.request.Endpoint, c.request.Body = rules.CreateConnection, Fields{"user_to_id": t.state.users[p.to].id, "type": "follow"}
		c.apply = func(st *State, _ Response) { st.followed(p) }
		c.views = []view{own(rules.MyFollows, p.from), own(rules.MyFollowers, p.to), own(rules.Feed, p.from)}
	case RequestFriend:
		if t.state.relation(p).follow != No || t.state.relation(p).asked != No || t.state.relation(p.reversed()).follow != No {
			return
		}
		c.request.Endpoint, c.request.Body = rules.CreateConnection, Fields{"user_to_id": t.state.users[p.to].id, "type": "friend"}
		c.apply = func(st *State, _ Response) { st.asked(p) }
		c.views = []view{own(rules.MyFriends, p.from), own(rules.MyFriends, p.to)}
	case End:
		if t.state.friends(p) != No {
			return
		}
		c.request.Endpoint, c.request.ID = rules.DeleteConnection, idText(t.state.users[p.to].id)
		c.apply = func(st *State, _ Response) { st.ended(p) }
		c.views = []view{own(rules.MyFollows, p.from), own(rules.MyFollowers, p.to), own(rules.Feed, p.from)}
	}
}

// fillEventRequest sets the request and effect of an operation on one of the user's events, if it has any.
func (t *playthrough) fillEventRequest(c *concurrentOp, o Op, who int) {
	which := t.event(who, o.Event)
	if which < 0 {
		return
	}
	switch o.Kind {
	case Change:
		fields := Fields{disjointField(o, "location", "priority"): c.text}
		c.request.Endpoint, c.request.ID, c.request.Body = rules.UpdateEvent, idText(t.state.events[which].id), fields
		c.apply = func(st *State, r Response) { st.changed(which, fields, r.object()) }
		c.views = t.feedViews(who)
	case Remove:
		c.request.Endpoint, c.request.ID = rules.DeleteEvent, idText(t.state.events[which].id)
		c.apply = func(st *State, _ Response) { st.removed(which) }
		c.views = t.feedViews(who)
	}
}

// fillSessionRequest sets the request and effect of an operation that begins or ends a session.
func (t *playthrough) fillSessionRequest(c *concurrentOp, o Op, who int) {
	u := t.state.users[who]
	if o.Kind == LogOut {
		tokens := u.working()
		token := tokens[len(tokens)-1-o.Session%len(tokens)] // counted from the latest
		c.request.Endpoint, c.request.Session = rules.Logout, token
		c.apply = func(st *State, _ Response) {
			st.loggedOut(who, slices.IndexFunc(u.sessions, func(s session) bool { return s.token == token }))
		}
		return
	}
	c.request = Request{Endpoint: rules.Login, Body: Fields{"user_name": u.name, "password": u.password}}
	c.apply = func(st *State, r Response) {
		token, _ := r.object()["session_token"].(string)
		if token == "" {
			return
		}
		st.loggedIn(who, token, "sessions.login.user-name", rules.Login)
		if u := st.users[who]; !u.lives() {
			u.sessions[len(u.sessions)-1].state = No
		}
	}
}

// without returns the views of all viewers but one.
func without(views []view, who int) []view {
	return slices.DeleteFunc(views, func(v view) bool { return v.viewer == who })
}
