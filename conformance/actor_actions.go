package conformance

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/socialfeed/conform/client"
	"github.com/socialfeed/conform/conformance/internal/wire"
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

// do has the actor make a request that must succeed; it is the rule's to blame
// where it does not.
func (a *Actor) do(rule string, to rules.Endpoint, id fmt.Stringer, body, out any) *wire.Exchange {
	var ids []string
	if id != nil {
		ids = append(ids, id.String())
	}
	sent, err := a.request(client.Request{Method: to.Method(), Path: to.Expand(ids...), Body: body}, out)
	a.t.need(rule, sent, err)
	return sent.exchange
}

func (a *Actor) request(request client.Request, out any) (*call, error) {
	ctx, sent := a.t.newCall(a)
	return sent, a.api.Session(a.Token()).Do(ctx, request, out)
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
	a.do(rules.Logout.BlockingRule(), rules.Logout, nil, nil, nil)
	a.endSession()
}

// Delete deletes the actor's account.
func (a *Actor) Delete() {
	a.do(rules.DeleteMe.BlockingRule(), rules.DeleteMe, nil, nil, nil)
	a.endSession()
}

// Follow makes the actor follow another.
func (a *Actor) Follow(other *Actor) { a.connect(other, "follow", "connections.create.follow") }

// Befriend makes friends of the two: each asks, since one side may not suffice;
// where the first sufficed, the second may be refused as a conflict.
func (a *Actor) Befriend(other *Actor) {
	a.connect(other, "friend", "connections.create.friend")
	sent, err := other.request(client.Request{Method: http.MethodPost, Path: rules.CreateConnection.Path(),
		Body: Fields{"user_to_id": a.ID, "type": "friend"}}, nil)
	if !errors.Is(err, client.ErrConflict) {
		a.t.need("connections.create.friend", sent, err)
	}
}

func (a *Actor) connect(other *Actor, kind, rule string) {
	a.do(rule, rules.CreateConnection, nil, Fields{"user_to_id": other.ID, "type": kind}, nil)
}

// Disconnect ends the actor's connection to another.
func (a *Actor) Disconnect(other *Actor) {
	a.do(rules.DeleteConnection.BlockingRule(), rules.DeleteConnection, other.ID, nil, nil)
}

// Post creates an event with a verb of its own, and further fields.
func (a *Actor) Post(further Fields) Record {
	verb := a.t.Unique()
	dress := a.t.run.wardrobe.Event(a.t.turn(&a.t.dresses))
	dress.Fields["verb"] = verb + a.t.Awkward()
	var event Record
	_, sent, err := a.t.dressed(rules.CreateEvent, Fields{"verb": verb}, further, dress, func() Fields { return Fields{"verb": verb} }, func(all Fields) (*call, error) {
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
	a.do(rules.DeleteEvent.BlockingRule(), rules.DeleteEvent, client.ParseID(event.ID()), nil, nil)
}

// Change updates one of the actor's events.
func (a *Actor) Change(event Record, fields Fields) {
	a.do(rules.UpdateEvent.BlockingRule(), rules.UpdateEvent, client.ParseID(event.ID()), fields, nil)
}
