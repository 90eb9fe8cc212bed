package conformance

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/socialfeed/conform/client"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// need blocks what is being judged when an arranging call failed.
func (t *T) need(rule string, sent *call, err error) {
	var refused *client.Error
	var odd *client.DecodeError
	x := sent.exchange
	switch {
	case err == nil:
	case errors.As(err, &refused):
		t.blockBy(outcome{status: result.Blocked, blockedBy: rule, expected: fmt.Sprintf("success from %s", x.Endpoint), actual: x.Summary(),
			message: fmt.Sprintf("needs %s, which answered %s", x.Endpoint, x.Summary())}, x)
	case errors.As(err, &odd):
		t.blockBy(outcome{status: result.Blocked, blockedBy: rule, expected: fmt.Sprintf("an answer from %s as documented", x.Endpoint), actual: x.Summary(),
			message: fmt.Sprintf("needs %s, whose answer is not as documented: %s", x.Endpoint, x.Summary())}, x)
	default:
		panic(unjudged(err))
	}
}

// do sends a request that must succeed: otherwise the rule blocks what is being judged.
func (a *Actor) do(rule string, to rules.Endpoint, id fmt.Stringer, body any) {
	var ids []string
	if id != nil {
		ids = append(ids, id.String())
	}
	sent, err := a.request(client.Request{Method: to.Method(), Path: to.Expand(ids...), Body: body}, nil)
	a.t.need(rule, sent, err)
}

// request sends a request of the actor, in a new session after a logout.
func (a *Actor) request(request client.Request, out any) (*call, error) {
	a.InSession()
	ctx, sent := a.t.newCall(a)
	return sent, a.api.Session(a.Token()).Do(ctx, request, out)
}

// InSession logs the actor in if it has logged out: the login that was to follow may have got no
// answer.
func (a *Actor) InSession() {
	if a.sessionEnded() {
		a.LogIn()
	}
}

// LogIn gives the actor a new session.
func (a *Actor) LogIn() {
	token := a.t.run.login.logIn(a)
	if token == "" {
		rule := rules.Login.BlockingRule()
		if a.sessionEnded() {
			rule = "sessions.logout.relogin"
		}
		a.t.block(rule, "needs a session, and logging in gave none", nil)
	}
	a.setToken(token)
}

// LogOut ends the actor's session.
func (a *Actor) LogOut() {
	a.do(rules.Logout.BlockingRule(), rules.Logout, nil, nil)
	a.endSession()
}

// Delete deletes the actor's account.
func (a *Actor) Delete() {
	a.do(rules.DeleteMe.BlockingRule(), rules.DeleteMe, nil, nil)
	a.endSession()
}

// Follow makes the actor follow another.
func (a *Actor) Follow(other *Actor) { a.connect(other, "follow", "connections.create.follow") }

func (a *Actor) connect(other *Actor, kind, rule string) {
	a.do(rule, rules.CreateConnection, nil, Fields{"user_to_id": other.ID, "type": kind})
}

// Disconnect ends the actor's connection to another.
func (a *Actor) Disconnect(other *Actor) {
	a.do(rules.DeleteConnection.BlockingRule(), rules.DeleteConnection, other.ID, nil)
}

// Post creates an event with a verb of its own, and further fields.
func (a *Actor) Post(further Fields) Record {
	plain := Fields{"verb": a.t.Unique()}
	payload := a.t.run.payloads.Event(a.t.turn(&a.t.awkwardUsed))
	payload.Fields["verb"] = plain["verb"].(string) + a.t.Awkward()
	var event Record
	needed := creation{plain: plain, anew: func() Fields { return plain }, fixed: further, payload: payload}
	_, sent, err := a.t.createAwkward(needed, func(all Fields) (*call, error) {
		return a.request(client.Request{Method: http.MethodPost, Path: rules.CreateEvent.Path(), Body: all}, &looseRecord{&event})
	})
	a.t.need(rules.CreateEvent.BlockingRule(), sent, err)
	if event.ID() == "" {
		a.t.block("events.create.body", "needs the id of a created event, and got none: "+sent.exchange.Summary(), sent.exchange)
	}
	return event
}

// Remove deletes one of the actor's events.
func (a *Actor) Remove(event Record) {
	a.do(rules.DeleteEvent.BlockingRule(), rules.DeleteEvent, client.ParseID(event.ID()), nil)
}

// Change updates one of the actor's events: the given fields, and others but the verb to
// awkward values.
func (a *Actor) Change(event Record, fields Fields) *Answer {
	payload := a.t.run.payloads.Change(a.t.turn(&a.t.awkwardUsed))
	delete(payload.Fields, "verb")
	return a.t.updated(fields, payload, func(all Fields) *Answer {
		return a.t.Send(a, rules.UpdateEvent, IDText(event.ID()), JSON(all))
	})
}

// Update updates the actor's record: what a target may require, the given fields, and
// others to awkward values.
func (a *Actor) Update(further Fields) *Answer {
	payload := a.t.run.payloads.Update(a.t.turn(&a.t.awkwardUsed), a.t.Unique())
	return a.t.updated(a.Required(further), payload, func(all Fields) *Answer {
		return a.t.Send(a, rules.UpdateMe, JSON(all))
	})
}
