package conformance

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"

	"github.com/socialfeed/conform/client"
)

// Actor is a user that a scenario created on the target, with its session. What
// an actor does is arranged, not judged: when a step fails, what needs it is
// blocked by the rule that stands for the step. It is deleted when the run ends.
type Actor struct {
	ID       client.ID // in the form in which the target issued it
	UserName string
	Email    string
	Password string

	trial *Trial
	api   *client.Client
	app   string
	token string
	ended bool // its session was ended on purpose
}

func (a *Actor) authorization() string { return Basic{a.app, a.token}.authorization() }

// Token is the actor's session token.
func (a *Actor) Token() string { return a.token }

// Session are the actor's credentials as they are now: unlike the actor itself,
// they are not renewed when the target ends the session.
func (a *Actor) Session() Basic { return Basic{a.app, a.token} }

// Required are the fields that a target may require to create or update the
// actor, and further ones.
func (a *Actor) Required(further Fields) Fields {
	fields := Fields{"user_name": a.UserName, "password": a.Password, "email": a.Email}
	maps.Copy(fields, further)
	return fields
}

// NewUser are fields to create a user with: all that a target may require, and further ones.
func (t *Trial) NewUser(further Fields) Fields {
	name := t.Unique()
	fields := Fields{"user_name": name, "password": t.Password(), "email": name + "@example.com"}
	maps.Copy(fields, further)
	return fields
}

// Actor creates a user and its session.
func (t *Trial) Actor() *Actor { return t.ActorWith(nil) }

// ActorWith creates a user with further fields, and its session.
func (t *Trial) ActorWith(further Fields) *Actor {
	return t.actor(t.client, t.run.config.Target.AppToken, t.NewUser(further))
}

// ActorElsewhere creates a user of the target's second application.
func (t *Trial) ActorElsewhere() *Actor {
	return t.actor(t.second, t.run.config.Target.SecondAppToken, t.NewUser(nil))
}

// Actors creates several users.
func (t *Trial) Actors(n int) []*Actor {
	actors := make([]*Actor, n)
	for i := range actors {
		actors[i] = t.Actor()
	}
	return actors
}

// ActorOf makes an actor of a user that the story created by a request of its
// own, from the fields it sent and the answer.
func (t *Trial) ActorOf(fields Fields, created *Answer) *Actor {
	a := t.newActor(t.client, t.run.config.Target.AppToken, fields)
	record := created.Record()
	if a.ID = idIn(record); a.ID.IsZero() {
		t.block("users.create.body", "needs the id of a created user, and got none: "+created.summary())
	}
	a.token = record.Text("session_token")
	if a.token == "" {
		a.LogIn()
	}
	return a
}

func (t *Trial) newActor(api *client.Client, app string, fields Fields) *Actor {
	text := func(name string) string { s, _ := fields[name].(string); return s }
	a := &Actor{
		UserName: text("user_name"), Email: text("email"), Password: text("password"),
		trial: t, api: api, app: app,
	}
	t.actors = append(t.actors, a)
	return a
}

// made is what arranging needs of a User, and nothing else: a target may break
// every other field and still be judged.
type made struct {
	ID    client.ID `json:"id"`
	Token string    `json:"session_token"`
}

// actor creates a user by the way that was found to work on this target.
func (t *Trial) actor(api *client.Client, app string, fields Fields) *Actor {
	a := t.newActor(api, app, fields)
	user, err := t.make(api, fields)
	if errors.As(err, new(*client.Error)) && t.run.entry.withoutLogin() {
		user, err = t.make(api, fields)
	}
	t.need(CreateUser.Home(), err)
	a.ID, a.token = user.ID, user.Token
	if a.ID.IsZero() {
		t.block("users.create.body", "needs the id of a created user, and got none")
	}
	t.run.entry.settle(a)
	return a
}

func (t *Trial) make(api *client.Client, fields Fields) (user made, err error) {
	request := client.Request{Method: http.MethodPost, Path: CreateUser.Path(), Body: fields}
	if t.run.entry.withLogin() {
		request.Query = url.Values{"withLogin": {"true"}}
	}
	err = api.Do(t.ctx, request, &user)
	return user, err
}

// need blocks what is being judged when an arranging call failed.
func (t *Trial) need(rule string, err error) {
	var refused *client.Error
	var odd *client.DecodeError
	switch {
	case err == nil:
	case errors.As(err, &refused):
		t.block(rule, fmt.Sprintf("needs %s, which answered %s", t.last.endpoint, t.last.summary()))
	case errors.As(err, &odd):
		t.block(rule, fmt.Sprintf("needs %s, whose answer is not as documented: %s", t.last.endpoint, t.last.summary()))
	default:
		panic(unjudged(err))
	}
}

func (a *Actor) do(rule string, to Endpoint, id fmt.Stringer, body, out any) {
	var ids []string
	if id != nil {
		ids = append(ids, id.String())
	}
	request := client.Request{Method: to.Method(), Path: to.expand(ids...), Body: body}
	a.trial.sender = a
	defer func() { a.trial.sender = nil }()
	a.trial.need(rule, a.api.Session(a.token).Do(a.trial.ctx, request, out))
}

// LogIn gives the actor a new session.
func (a *Actor) LogIn() {
	if a.token = a.trial.run.entry.logIn(a); a.token == "" {
		a.trial.block(Login.Home(), "needs a session, and logging in gave none")
	}
	a.ended = false
}

// LogOut ends the actor's session.
func (a *Actor) LogOut() {
	a.do(Logout.Home(), Logout, nil, nil, nil)
	a.ended = true
}

// Delete deletes the actor's account.
func (a *Actor) Delete() {
	a.do(DeleteMe.Home(), DeleteMe, nil, nil, nil)
	a.ended = true
}

// Follow makes the actor follow another.
func (a *Actor) Follow(other *Actor) { a.connect(other, "follow", "connections.create.follow") }

// Befriend makes friends of the two: each asks, since one side may not suffice;
// where the first sufficed, the second may be refused as a conflict.
func (a *Actor) Befriend(other *Actor) {
	a.connect(other, "friend", "connections.create.friend")
	request := client.Request{Method: http.MethodPost, Path: CreateConnection.Path(),
		Body: Fields{"user_to_id": a.ID, "type": "friend"}}
	err := other.api.Session(other.token).Do(other.trial.ctx, request, nil)
	if !errors.Is(err, client.ErrConflict) {
		a.trial.need("connections.create.friend", err)
	}
}

func (a *Actor) connect(other *Actor, kind, rule string) {
	a.do(rule, CreateConnection, nil, Fields{"user_to_id": other.ID, "type": kind}, nil)
}

// Disconnect ends the actor's connection to another.
func (a *Actor) Disconnect(other *Actor) {
	a.do(DeleteConnection.Home(), DeleteConnection, other.ID, nil, nil)
}

// Post creates an event with a verb of its own, and further fields.
func (a *Actor) Post(further Fields) Record {
	fields := Fields{"verb": a.trial.Unique()}
	maps.Copy(fields, further)
	var event Record
	a.do(CreateEvent.Home(), CreateEvent, nil, fields, &looseRecord{&event})
	if event.ID() == "" {
		a.trial.block("events.create.body", "needs the id of a created event, and got none: "+a.trial.last.summary())
	}
	return event
}

// Remove deletes one of the actor's events.
func (a *Actor) Remove(event Record) {
	a.do(DeleteEvent.Home(), DeleteEvent, client.ParseID(event.ID()), nil, nil)
}

// Change updates one of the actor's events.
func (a *Actor) Change(event Record, fields Fields) {
	a.do(UpdateEvent.Home(), UpdateEvent, client.ParseID(event.ID()), fields, nil)
}

// looseRecord decodes a resource without losing digits.
type looseRecord struct{ to *Record }

// UnmarshalJSON decodes an object.
func (l *looseRecord) UnmarshalJSON(data []byte) error {
	value, err := decodeJSON(data)
	if err != nil {
		return err
	}
	record, ok := asRecord(value)
	if !ok {
		return errors.New("not an object")
	}
	*l.to = record
	return nil
}

// idIn is a record's id in the form it has there.
func idIn(r Record) client.ID {
	literal, err := encodeJSON(r["id"])
	if err != nil {
		return client.ID{}
	}
	var id client.ID
	if id.UnmarshalJSON(literal) != nil {
		return client.ID{}
	}
	return id
}
