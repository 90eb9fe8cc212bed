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
func (t *run) prepare(ctx context.Context, o Op, index int) *concurrentOp {
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
	send := performances()[o.Kind].AtOnce
	if send == nil {
		return nil
	}
	w, known := send(t, o, pair{a, b}, fmt.Sprintf("at once, %d", index+1))
	if !known {
		return nil
	}
	if w.request.Session == "" && w.request.Endpoint != rules.Login {
		w.request.Session = token
	}
	return &concurrentOp{op: o, write: w}
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

func (t *run) postAtOnce(_ Op, p pair, text string) (write, bool) {
	fields := Fields{"verb": "like", "priority": text}
	return write{Request{Endpoint: rules.CreateEvent, Body: fields}, func(st *State, r Response) { st.posted(p.from, fields, r.object()) }, t.feedViews(p.from)}, true
}

func (t *run) editAtOnce(o Op, p pair, text string) (write, bool) {
	fields := merged(t.state.users[p.from].credentials(), Fields{disjointField(o, "last_name", "first_name"): text})
	return write{Request{Endpoint: rules.UpdateMe, Body: fields}, func(st *State, r Response) { st.edited(p.from, fields, r.object()) }, []view{own(rules.GetMe, p.from)}}, true
}

func (t *run) followAtOnce(_ Op, p pair, _ string) (write, bool) {
	views := []view{own(rules.MyFollows, p.from), own(rules.MyFollowers, p.to), own(rules.Feed, p.from)}
	return write{t.state.connection(p, "follow"), func(st *State, _ Response) { st.followed(p) }, views}, p.from != p.to && t.state.relation(p).asked == No
}

func (t *run) requestAtOnce(_ Op, p pair, _ string) (write, bool) {
	r, back := t.state.relation(p), t.state.relation(p.reversed())
	known := p.from != p.to && r.follow == No && r.asked == No && back.follow == No
	return write{t.state.connection(p, "friend"), func(st *State, _ Response) { st.asked(p) }, []view{own(rules.MyFriends, p.from), own(rules.MyFriends, p.to)}}, known
}

func (t *run) endAtOnce(_ Op, p pair, _ string) (write, bool) {
	views := []view{own(rules.MyFollows, p.from), own(rules.MyFollowers, p.to), own(rules.Feed, p.from)}
	return write{t.state.disconnection(p), func(st *State, _ Response) { st.ended(p) }, views}, p.from != p.to && t.state.friends(p) == No
}

func (t *run) changeAtOnce(o Op, p pair, text string) (write, bool) {
	which := t.event(p.from, o.Event)
	if which < 0 {
		return write{}, false
	}
	fields := Fields{disjointField(o, "location", "priority"): text}
	return write{Request{Endpoint: rules.UpdateEvent, ID: idText(t.state.events[which].id), Body: fields},
		func(st *State, r Response) { st.changed(which, fields, r.object()) }, t.feedViews(p.from)}, true
}

// removal returns the deletion of one of a user's events, false if it has none.
func (t *run) removal(o Op, who int) (write, bool) {
	which := t.event(who, o.Event)
	if which < 0 {
		return write{}, false
	}
	return write{Request{Endpoint: rules.DeleteEvent, ID: idText(t.state.events[which].id)}, func(st *State, _ Response) { st.removed(which) }, t.feedViews(who)}, true
}

// logOutAtOnce ends a session, counted from the latest.
func (t *run) logOutAtOnce(o Op, p pair, _ string) (write, bool) {
	u := t.state.users[p.from]
	tokens := u.working()
	token := tokens[len(tokens)-1-o.Session%len(tokens)]
	return write{Request{Endpoint: rules.Logout, Session: token}, func(st *State, _ Response) {
		st.loggedOut(p.from, slices.IndexFunc(u.sessions, func(s session) bool { return s.token == token }))
	}, nil}, true
}

func (t *run) logInAtOnce(_ Op, p pair, _ string) (write, bool) {
	login := Request{Endpoint: rules.Login, Body: Fields{"user_name": t.state.users[p.from].name, "password": t.state.users[p.from].password}}
	return write{login, func(st *State, r Response) {
		token, _ := r.object()["session_token"].(string)
		if token == "" {
			return
		}
		st.loggedIn(p.from, token, "sessions.login.user-name", rules.Login)
		if u := st.users[p.from]; !u.lives() {
			u.sessions[len(u.sessions)-1].state = No
		}
	}, nil}, true
}

// without returns the views of all viewers but one.
func without(views []view, who int) []view {
	return slices.DeleteFunc(views, func(v view) bool { return v.viewer == who })
}
