package conformance

import (
	"errors"
	"maps"
	"net/http"
	"net/url"

	"github.com/socialfeed/conform/client"
	"github.com/socialfeed/conform/conformance/internal/jsonvalue"
	"github.com/socialfeed/conform/conformance/rules"
)

// Actor is a user that a scenario created on the target, with its session. What an actor does is
// arranged, not judged: when a step fails, the checks that need it are blocked by the rule that
// the step belongs to. It is deleted when the run ends.
type Actor struct {
	ID       client.ID // in the form in which the target issued it
	UserName string
	Email    string
	Password string

	t     *T
	api   *client.Client
	app   string
	token string
	ended bool // its session was ended on purpose
}

func (a *Actor) authorization() string { return a.Session().authorization() }

// Token is the actor's session token.
func (a *Actor) Token() string {
	a.t.mu.Lock()
	defer a.t.mu.Unlock()
	return a.token
}

func (a *Actor) setToken(token string) {
	a.t.mu.Lock()
	defer a.t.mu.Unlock()
	a.token, a.ended = token, false
}

// sessionEnded reports whether the actor's session was ended on purpose.
func (a *Actor) sessionEnded() bool {
	a.t.mu.Lock()
	defer a.t.mu.Unlock()
	return a.ended
}

// endSession records that the actor's session was ended on purpose.
func (a *Actor) endSession() {
	a.t.mu.Lock()
	defer a.t.mu.Unlock()
	a.ended = true
}

// Session are the actor's credentials as they are now: unlike the actor itself,
// they are not renewed when the target ends the session.
func (a *Actor) Session() Basic { return Basic{a.app, a.Token()} }

// Required are the fields that a target may require to create or update the
// actor, and further ones.
func (a *Actor) Required(further Fields) Fields {
	fields := Fields{"user_name": a.UserName, "password": a.Password, "email": a.Email}
	maps.Copy(fields, further)
	return fields
}

// NewUser are fields to create a user with: all that a target may require, and further ones.
func (t *T) NewUser(further Fields) Fields {
	name := t.Unique()
	fields := Fields{"user_name": name, "password": t.Password(), "email": name + "@example.com"}
	maps.Copy(fields, further)
	return fields
}

// Actor creates a user and its session.
func (t *T) Actor() *Actor { return t.ActorWith(nil) }

// AnyActor is for what reads no list or feed of the actor, nor of who is connected to it: its user
// may have connections and events from earlier scenarios, though none with the other actors of this
// one. Its fields are those of its creation, and its session is open.
func (t *T) AnyActor() *Actor {
	if a := t.reusedActor(); a != nil {
		return a
	}
	return t.Actor()
}

// reusedActor is an actor with the user of an earlier scenario, nil where there is none.
func (t *T) reusedActor() *Actor {
	if !t.run.login.foundWithLogin() {
		return nil
	}
	return t.reusingActor(func(l reusableUser) bool { return !l.untouched() && t.unknownHere(l) })
}

// ActorWith creates a user with further fields, and its session.
func (t *T) ActorWith(further Fields) *Actor {
	return t.actor(t.client, t.run.config.Target.AppToken, further)
}

// ActorElsewhere creates a user of the target's second application.
func (t *T) ActorElsewhere() *Actor {
	return t.actor(t.second, t.run.config.Target.SecondAppToken, nil)
}

// NamesakeElsewhere creates a user of the target's second application with the names and
// the password of an actor. It is nil where the target refuses them: whether names are
// unique among all applications is open.
func (t *T) NamesakeElsewhere(of *Actor) *Actor {
	fields := of.Required(nil)
	user, sent, err := t.createUser(t.second, fields)
	if errors.As(err, new(*client.Error)) && sent.exchange.Status/100 == 4 {
		return nil
	}
	t.need(rules.CreateUser.BlockingRule(), sent, err)
	return t.arrived(t.newActor(t.second, t.run.config.Target.SecondAppToken, fields), user, sent)
}

// Actors creates several users.
func (t *T) Actors(n int) []*Actor {
	actors := make([]*Actor, n)
	for i := range actors {
		actors[i] = t.Actor()
	}
	return actors
}

// ActorOf makes an actor of a user that the scenario created by a request of its
// own, from the fields it sent and the answer.
func (t *T) ActorOf(fields Fields, created *Answer) *Actor {
	a := t.UserOf(fields, created)
	if token := created.Record().Text("session_token"); token != "" && t.run.login.withLogin() {
		a.setToken(token)
	} else {
		a.LogIn()
	}
	return a
}

// UserOf is like ActorOf, but does not log the user in.
func (t *T) UserOf(fields Fields, created *Answer) *Actor {
	a := t.newActor(t.client, t.run.config.Target.AppToken, fields)
	if a.ID = idIn(created.Record()); a.ID.IsZero() {
		t.block("users.create.body", "needs the id of a created user, and got none: "+created.summary(), created.exchange)
	}
	return a
}

func (t *T) newActor(api *client.Client, app string, fields Fields) *Actor {
	sent := Record(fields)
	return &Actor{UserName: sent.Text("user_name"), Email: sent.Text("email"), Password: sent.Text("password"), t: t, api: api, app: app}
}

// createdUser has only the fields of a User that arranging needs: a target may break every other
// field and still be judged.
type createdUser struct {
	ID    client.ID `json:"id"`
	Token string    `json:"session_token"`
}

// actor creates a user with further fields, by the way that was found to work on this target.
func (t *T) actor(api *client.Client, app string, further Fields) *Actor {
	if a := t.reusable(api, further); a != nil {
		return a
	}
	plain := t.NewUser(nil)
	payload := t.run.payloads.NewUser(t.turn(&t.newcomers), plain["user_name"].(string))
	if further != nil { // what is searched for is not to be there twice, where a server refuses long metadata and keeps the user
		delete(payload.Fields, "metadata")
	} else if api == t.client {
		further = t.run.shared.name(t)
	}
	done := t.run.login.explore()
	defer done()
	var user createdUser
	needed := creation{plain: plain, anew: func() Fields { return t.NewUser(nil) }, fixed: further, payload: payload}
	fields, sent, err := t.createAwkward(needed, func(all Fields) (sent *call, err error) {
		user, sent, err = t.createUser(api, all)
		return sent, err
	})
	if errors.As(err, new(*client.Error)) && t.run.login.withoutLogin() {
		user, sent, err = t.createUser(api, fields)
	}
	t.need(rules.CreateUser.BlockingRule(), sent, err)
	return t.arrived(t.newActor(api, app, fields), user, sent)
}

// arrived sets an actor's id and session to those of the user that was created for it.
func (t *T) arrived(a *Actor, user createdUser, sent *call) *Actor {
	a.ID = user.ID
	a.setToken(user.Token)
	if a.ID.IsZero() {
		t.block("users.create.body", "needs the id of a created user, and got none", sent.exchange)
	}
	t.run.login.openSession(a)
	return a
}

// reusable is an actor for an unchanged user of an earlier scenario, nil if there is none.
func (t *T) reusable(api *client.Client, further Fields) *Actor {
	if further != nil || api != t.client || !t.run.login.foundWithLogin() {
		return nil
	}
	return t.reusingActor(reusableUser.untouched)
}

func (t *T) createUser(api *client.Client, fields Fields) (user createdUser, sent *call, err error) {
	request := client.Request{Method: http.MethodPost, Path: rules.CreateUser.Path(), Body: fields}
	if t.run.login.withLogin() {
		request.Query = url.Values{"withLogin": {"true"}}
	}
	ctx, sent := t.newCall(nil)
	err = api.Do(ctx, request, &user)
	return user, sent, err
}

// looseRecord decodes a resource without losing digits.
type looseRecord struct{ to *Record }

// UnmarshalJSON decodes an object.
func (l *looseRecord) UnmarshalJSON(data []byte) error {
	value, err := jsonvalue.Decode(data)
	if err != nil {
		return err
	}
	record, ok := jsonvalue.AsRecord(value)
	if !ok {
		return errors.New("not an object")
	}
	*l.to = record
	return nil
}

// idIn is a record's id in the form it has there.
func idIn(r Record) client.ID {
	literal, err := jsonvalue.Encode(r["id"])
	if err != nil {
		return client.ID{}
	}
	var id client.ID
	if id.UnmarshalJSON(literal) != nil {
		return client.ID{}
	}
	return id
}
