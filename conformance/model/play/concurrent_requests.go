package play

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/socialfeed/conform/conformance/model/exchange"
	"github.com/socialfeed/conform/conformance/model/leeway"
	"github.com/socialfeed/conform/conformance/model/story"
	"github.com/socialfeed/conform/conformance/model/value"
	"github.com/socialfeed/conform/conformance/model/world"
	"github.com/socialfeed/conform/conformance/rules"
)

// prepare readies the operation at an index of the story to be sent concurrently with others. It
// returns nil if the operation makes no sense in the current state.
func (t *run) prepare(ctx context.Context, o story.Op, index int) *concurrentOp {
	a := t.actor(ctx, o.Actor)
	if a < 0 || !t.state.Users[a].Lives() {
		return nil
	}
	b := t.actor(ctx, o.Other)
	if b < 0 {
		return nil
	}
	token := t.sessionFor(ctx, a, exchange.Request{Endpoint: rules.CreateEvent}) // as any write
	if token == "" {
		return nil
	}
	send := performances()[o.Kind].AtOnce
	if send == nil {
		return nil
	}
	w, known := send(t, o, world.Pair{From: a, To: b}, fmt.Sprintf("at once, %d", index+1))
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

func (t *run) postAtOnce(_ story.Op, p world.Pair, text string) (write, bool) {
	fields := value.Fields{"verb": "like", "priority": text}
	return write{exchange.Request{Endpoint: rules.CreateEvent, Body: fields}, func(st *world.State, r exchange.Response) { st.Posted(p.From, fields, r.Object()) }, t.feedViews(p.From)}, true
}

func (t *run) editAtOnce(o story.Op, p world.Pair, text string) (write, bool) {
	fields := value.Merge(t.state.Users[p.From].Credentials(), value.Fields{disjointField(o, "last_name", "first_name"): text})
	return write{exchange.Request{Endpoint: rules.UpdateMe, Body: fields}, func(st *world.State, r exchange.Response) { st.Edited(p.From, fields, r.Object()) }, []world.View{world.Own(rules.GetMe, p.From)}}, true
}

func (t *run) followAtOnce(_ story.Op, p world.Pair, _ string) (write, bool) {
	views := []world.View{world.Own(rules.MyFollows, p.From), world.Own(rules.MyFollowers, p.To), world.Own(rules.Feed, p.From)}
	return write{t.state.Connection(p, "follow"), func(st *world.State, _ exchange.Response) { st.Followed(p) }, views}, p.From != p.To && t.state.Relation(p).Asked == leeway.No
}

func (t *run) requestAtOnce(_ story.Op, p world.Pair, _ string) (write, bool) {
	r, back := t.state.Relation(p), t.state.Relation(p.Reversed())
	known := p.From != p.To && r.Follow == leeway.No && r.Asked == leeway.No && back.Follow == leeway.No
	return write{t.state.Connection(p, "friend"), func(st *world.State, _ exchange.Response) { st.Asked(p) }, []world.View{world.Own(rules.MyFriends, p.From), world.Own(rules.MyFriends, p.To)}}, known
}

func (t *run) endAtOnce(_ story.Op, p world.Pair, _ string) (write, bool) {
	views := []world.View{world.Own(rules.MyFollows, p.From), world.Own(rules.MyFollowers, p.To), world.Own(rules.Feed, p.From)}
	return write{t.state.Disconnection(p), func(st *world.State, _ exchange.Response) { st.Ended(p) }, views}, p.From != p.To && t.state.Friends(p) == leeway.No
}

func (t *run) changeAtOnce(o story.Op, p world.Pair, text string) (write, bool) {
	which := t.event(p.From, o.Event)
	if which < 0 {
		return write{}, false
	}
	fields := value.Fields{disjointField(o, "location", "priority"): text}
	return write{exchange.Request{Endpoint: rules.UpdateEvent, ID: value.ID(t.state.Events[which].ID), Body: fields},
		func(st *world.State, r exchange.Response) { st.Changed(which, fields, r.Object()) }, t.feedViews(p.From)}, true
}

// removal returns the deletion of one of a user's events, false if it has none.
func (t *run) removal(o story.Op, who int) (write, bool) {
	which := t.event(who, o.Event)
	if which < 0 {
		return write{}, false
	}
	return write{exchange.Request{Endpoint: rules.DeleteEvent, ID: value.ID(t.state.Events[which].ID)}, func(st *world.State, _ exchange.Response) { st.Removed(which) }, t.feedViews(who)}, true
}

// logOutAtOnce ends a session, counted from the latest.
func (t *run) logOutAtOnce(o story.Op, p world.Pair, _ string) (write, bool) {
	u := t.state.Users[p.From]
	tokens := u.Working()
	token := tokens[len(tokens)-1-o.Session%len(tokens)]
	return write{exchange.Request{Endpoint: rules.Logout, Session: token}, func(st *world.State, _ exchange.Response) {
		st.LoggedOut(p.From, slices.IndexFunc(u.Sessions, func(s world.Session) bool { return s.Token == token }))
	}, nil}, true
}

func (t *run) logInAtOnce(_ story.Op, p world.Pair, _ string) (write, bool) {
	login := exchange.Request{Endpoint: rules.Login, Body: value.Fields{"user_name": t.state.Users[p.From].Name, "password": t.state.Users[p.From].Password}}
	return write{login, func(st *world.State, r exchange.Response) {
		token, _ := r.Object()["session_token"].(string)
		if token == "" {
			return
		}
		st.LoggedIn(p.From, token, "sessions.login.user-name", rules.Login)
		if u := st.Users[p.From]; !u.Lives() {
			u.Sessions[len(u.Sessions)-1].State = leeway.No
		}
	}, nil}, true
}

// without returns the views of all viewers but one.
func without(views []world.View, who int) []world.View {
	return slices.DeleteFunc(views, func(v world.View) bool { return v.Viewer == who })
}

// stagger is the pause between requests that are sent concurrently: long enough for them to arrive in
// the same order each time that a story is played, and short enough for the target still to work on
// one when the next arrives, or as long as the story says.
func (t *run) stagger(first rules.Endpoint) time.Duration {
	const least, most, longest = 200 * time.Microsecond, time.Millisecond, 100 * time.Millisecond
	if t.story.Stagger > 0 {
		return min(max(least, time.Duration(t.story.Stagger)*t.took[first]/4), longest)
	}
	return min(max(least, t.quickest/4), most)
}

// timed records how long the target took for a request that was sent alone, the shortest time for each
// endpoint and of all.
func (t *run) timed(at rules.Endpoint, took time.Duration) {
	if t.took == nil {
		t.took = map[rules.Endpoint]time.Duration{}
	}
	if before, known := t.took[at]; !known || took < before {
		t.took[at] = took
	}
	if t.quickest == 0 || took < t.quickest {
		t.quickest = took
	}
}
