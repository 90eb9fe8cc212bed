package model

import (
	"context"
	"net/http"
	"slices"

	"github.com/socialfeed/conform/conformance/rules"
)

// prepare readies an operation to be sent at once with another, nil where it
// makes no sense in the state of the world.
func (t *playthrough) prepare(ctx context.Context, o Op) *concurrent {
	a := t.actor(ctx, o.A)
	if a < 0 || !t.world.users[a].lives() {
		return nil
	}
	b := t.actor(ctx, o.B)
	if b < 0 {
		return nil
	}
	token := t.session(ctx, a)
	if token == "" {
		return nil
	}
	c := &concurrent{op: o, request: Request{Session: token}}
	if t.aim(c, o, pair{a, b}); o.Kind == LogIn || o.Kind == LogOut {
		t.aimSession(c, o, a)
	}
	if c.apply == nil {
		return nil
	}
	return c
}

// success is the status of a request that succeeds, and its rule; none where there may be
// others, as of a connection that is made twice.
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

// aim gives an operation its request and its effect.
func (t *playthrough) aim(c *concurrent, o Op, p pair) {
	u := t.world.users[p.from]
	which := t.event(p.from, o.C)
	switch o.Kind {
	case Post:
		fields := Fields{"verb": "like", "priority": o.String()}
		c.request.Endpoint, c.request.Body = rules.CreateEvent, fields
		c.apply = func(w *World, r Response) { w.posted(p.from, fields, r.object()) }
		c.views = t.readers(p.from)
	case Audit:
		c.request.Endpoint = []rules.Endpoint{rules.Feed, rules.GetMe, rules.MyFollowers}[abs(o.V)%3]
		c.apply = func(*World, Response) {} // what it shows meanwhile is open
		c.views = []view{own(c.request.Endpoint, p.from)}
	case Leave:
		c.request.Endpoint = rules.DeleteMe
		c.apply = func(w *World, _ Response) { w.left(p.from) }
		c.views = without(t.readers(p.from), p.from)
	case Follow:
		if p.from == p.to || t.world.relation(p).asked != No {
			return
		}
		c.request.Endpoint, c.request.Body = rules.CreateConnection, Fields{"user_to_id": t.world.users[p.to].id, "type": "follow"}
		c.apply = func(w *World, _ Response) { w.followed(p) }
		c.views = []view{own(rules.MyFollows, p.from), own(rules.MyFollowers, p.to), own(rules.Feed, p.from)}
	case Ask:
		if p.from == p.to || t.world.relation(p).follow != No || t.world.relation(p).asked != No || t.world.relation(p.reversed()).follow != No {
			return
		}
		c.request.Endpoint, c.request.Body = rules.CreateConnection, Fields{"user_to_id": t.world.users[p.to].id, "type": "friend"}
		c.apply = func(w *World, _ Response) { w.asked(p) }
		c.views = []view{own(rules.MyFriends, p.from), own(rules.MyFriends, p.to)}
	case End:
		if p.from == p.to || t.world.friends(p) != No {
			return
		}
		c.request.Endpoint, c.request.ID = rules.DeleteConnection, idText(t.world.users[p.to].id)
		c.apply = func(w *World, _ Response) { w.ended(p) }
		c.views = []view{own(rules.MyFollows, p.from), own(rules.MyFollowers, p.to), own(rules.Feed, p.from)}
	case Change:
		if which < 0 {
			return
		}
		fields := Fields{part(o, "location", "priority"): o.String()}
		c.request.Endpoint, c.request.ID, c.request.Body = rules.UpdateEvent, idText(t.world.events[which].id), fields
		c.apply = func(w *World, r Response) { w.changed(which, fields, r.object()) }
		c.views = t.readers(p.from)
	case Remove:
		if which < 0 {
			return
		}
		c.request.Endpoint, c.request.ID = rules.DeleteEvent, idText(t.world.events[which].id)
		c.apply = func(w *World, _ Response) { w.removed(which) }
		c.views = t.readers(p.from)
	case Edit:
		fields := Fields{"user_name": u.name, "email": u.email, "password": u.password, part(o, "last_name", "first_name"): o.String()}
		c.request.Endpoint, c.request.Body = rules.UpdateMe, fields
		c.apply = func(w *World, r Response) { w.edited(p.from, fields, r.object()) }
		c.views = []view{own(rules.GetMe, p.from)}
	}
}

// aimSession gives an operation that begins or ends a session its request and its effect.
func (t *playthrough) aimSession(c *concurrent, o Op, who int) {
	u, token := t.world.users[who], c.request.Session
	if o.Kind == LogOut {
		c.request.Endpoint = rules.Logout
		c.apply = func(w *World, _ Response) {
			w.loggedOut(who, slices.IndexFunc(u.sessions, func(s session) bool { return s.token == token }))
		}
		return
	}
	c.request = Request{Endpoint: rules.Login, Body: Fields{"user_name": u.name, "password": u.password}}
	c.apply = func(w *World, r Response) {
		token, _ := r.object()["session_token"].(string)
		if token == "" {
			return
		}
		w.loggedIn(who, token, "sessions.login.user-name", rules.Login)
		if u := w.users[who]; !u.lives() {
			u.sessions[len(u.sessions)-1].state = No
		}
	}
}

// without are the views of all but one.
func without(views []view, who int) []view {
	return slices.DeleteFunc(views, func(v view) bool { return v.viewer == who })
}
