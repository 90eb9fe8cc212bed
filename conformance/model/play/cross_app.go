package play

import (
	"context"
	"fmt"
	"slices"

	"github.com/socialfeed/conform/conformance/model/blame"
	"github.com/socialfeed/conform/conformance/model/exchange"
	"github.com/socialfeed/conform/conformance/model/story"
	"github.com/socialfeed/conform/conformance/model/value"
	"github.com/socialfeed/conform/conformance/model/world"
	"github.com/socialfeed/conform/conformance/rules"
)

// Operations across applications must have no effect: sessions, users and events of one do not
// exist in the other. Ids and session tokens may be unique within an application only, so the same
// one may exist in both: whatever depends on that is not judged.

// crossApp is an operation of a user on one of another application.
type crossApp struct {
	*run
	ownApp, otherApp *application
	from, to         int
}

// performCrossApp plays an operation of a user on one of another application.
func (t *run) performCrossApp(ctx context.Context, o story.Op, from int) []world.View {
	here := t.application
	defer func() { t.application = here }()
	t.switchTo(o.Other)
	to := t.actor(ctx, o.Other)
	if to < 0 {
		return nil
	}
	c := &crossApp{t, here, t.application, from, to}
	t.application = here
	t.count(o.Kind, "elsewhere %v", c.other().Lives())
	return performances()[o.Kind].Across(c, ctx, o)
}

// other returns the user of the other application.
func (c *crossApp) other() *world.User { return c.otherApp.state.Users[c.to] }

// recordLeak records that applications are not kept apart.
func (c *crossApp) recordLeak(at rules.Endpoint, expected, actual string) {
	c.recordDifference(blame.Difference{Rule: blame.Isolation, At: blame.IsolationAt(at), Expected: expected, Actual: actual})
}

// otherName returns how the log names the other user.
func (c *crossApp) otherName() string {
	return fmt.Sprintf("user %d of the %s application", c.to, c.otherApp.ordinal())
}

func (a *application) ordinal() string {
	if a.number == 0 {
		return "first"
	}
	return "second"
}

// idUnknown reports whether nobody has the other's id here, and records a difference if the id
// shows a user of the other application.
func (c *crossApp) idUnknown(ctx context.Context) bool {
	id := value.ID(c.other().ID)
	if _, own := c.state.UserByID(id); own {
		return false
	}
	answer := c.sendAs(ctx, c.from, exchange.Request{Endpoint: rules.GetUser, ID: id})
	for _, d := range c.foreignDifferences(world.Own(rules.GetUser, c.from), answer) {
		c.recordDifference(d)
	}
	return answer.Refused()
}

// leakIfUnknown records that a request about the other was granted, unless a user of this
// application has the id.
func (c *crossApp) leakIfUnknown(ctx context.Context, at rules.Endpoint, answer exchange.Response) {
	if c.idUnknown(ctx) {
		c.recordLeak(at, fmt.Sprintf("a refusal at endpoint %d: %s is nobody here", at, c.otherName()), answer.Show())
	}
}

// lookForOther is lookFor as an operation.
func (c *crossApp) lookForOther(ctx context.Context, o story.Op) []world.View {
	c.lookFor(ctx, o.Variant)
	return nil
}

// lookFor looks for the other by its id, in lists, and by its names.
func (c *crossApp) lookFor(ctx context.Context, v int) {
	c.logf("user %d looks for %s", c.from, c.otherName())
	unknown := c.idUnknown(ctx)
	if list := rules.ListsOfUser()[v%3]; unknown {
		answer := c.sendAs(ctx, c.from, exchange.Request{Endpoint: list, ID: value.ID(c.other().ID)})
		if answer.OK() {
			c.leakIfUnknown(ctx, list, answer)
		}
	}
	u := c.other()
	terms := slices.DeleteFunc([]string{u.Name, u.Terms["user_name"], u.Terms["first_name"], u.Email}, func(term string) bool { return term == "" })
	for i := range min(len(terms), 2) { // two of them, in turns
		term := terms[(v+i)%len(terms)]
		answer := c.sendAs(ctx, c.from, exchange.Request{Endpoint: rules.SearchUsers, Query: map[string]string{"q": term}})
		for _, d := range c.foreignDifferences(world.Own(rules.SearchUsers, c.from), answer) {
			c.recordDifference(d)
		}
	}
}

// useSession tries a session in the other application, where it must not work: at an endpoint
// that only reads, then at some others.
func (c *crossApp) useSession(ctx context.Context, o story.Op) []world.View {
	const atATime = 3 // endpoints
	sessions, lives := c.state.Users[c.from].Sessions, c.state.Users[c.from].Lives()
	if len(sessions) == 0 {
		return nil
	}
	token := sessions[len(sessions)-1-o.Session%len(sessions)].Token
	requests := append(c.writesIn(o, c.from), exchange.Request{Endpoint: rules.DeleteMe},
		exchange.Request{Endpoint: rules.CreateConnection, Body: value.Fields{"user_to_id": c.other().ID, "type": "follow"}})
	views := []world.View{world.Own(rules.GetMe, c.from), world.Own(rules.Feed, c.from)}
	c.application = c.otherApp
	if c.state.HasSession(token) {
		return nil
	}
	c.logf("a session of user %d of the %s application is used", c.from, c.ownApp.ordinal())
	tried := []exchange.Request{{Endpoint: rules.GetMe}}
	for i := range atATime {
		tried = append(tried, requests[(o.Variant*atATime+i)%len(requests)])
	}
	for i, r := range tried {
		r.Session = token
		answer := c.send(ctx, r)
		if shown := value.ID(answer.Object()["id"]); i == 0 && answer.OK() && !c.state.Has(shown) && !c.ownApp.state.Has(shown) {
			return nil // it is the token of a user here from outside of the story
		}
		if answer.Status != 401 && (lives || !answer.Refused()) { // sessions.deleted-user tolerates other refusals
			c.recordLeak(rules.GetMe, fmt.Sprintf("401 at endpoint %d for a session of another application", r.Endpoint), answer.Show())
		}
	}
	c.pending = append(c.pending, world.Own(rules.GetMe, c.to), world.Own(rules.Feed, c.to))
	return views
}

// logInThere tries to log in to the other application as a user of this one. Only a user there
// with the same name and password gets a session.
func (c *crossApp) logInThere(ctx context.Context, o story.Op) []world.View {
	u := c.state.Users[c.from]
	by, v := "user_name", u.Name
	if o.ByEmail {
		by, v = "email", u.Email
	}
	c.application = c.otherApp
	for who, other := range c.state.Users {
		name := map[string]string{"user_name": other.Name, "email": other.Email}[by]
		if other.Lives() && name == v && other.Password == u.Password {
			c.logIn(ctx, who, by, false)
			return nil
		}
	}
	c.logf("user %d of the %s application tries to log in by %s", c.from, c.ownApp.ordinal(), by)
	answer := c.send(ctx, exchange.Request{Endpoint: rules.Login, Body: value.Fields{by: v, "password": u.Password}})
	if answer.OK() {
		c.recordLeak(rules.Login, "no login of a user of another application", answer.Show())
	}
	return nil
}
