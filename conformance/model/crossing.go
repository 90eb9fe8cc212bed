package model

import (
	"context"
	"fmt"
	"slices"

	"github.com/socialfeed/conform/conformance/rules"
)

// What crosses from one application to another must come to nothing: no session, no
// user and no event of the one is there for the other. Ids and session tokens may be
// each application's own, so that the same one stands for somebody else there: what
// hangs on that is left out.

// isolation is the rule that applications are kept apart.
const isolation = "auth.app-isolation"

// isolatedAt is where the catalogue judges what was seen of it at an endpoint.
func isolatedAt(at rules.Endpoint) rules.Endpoint {
	switch at {
	case rules.SearchUsers:
		return rules.SearchUsers
	case rules.Login, rules.Logout, rules.GetMe:
		return rules.GetMe
	}
	return rules.GetUser
}

// crossing is an operation of a user on one of another application.
type crossing struct {
	*playthrough
	here, there *application
	from, to    int
}

// cross plays an operation of a user on another of another application.
func (t *playthrough) cross(ctx context.Context, o Op, from int) []view {
	here := t.application
	defer func() { t.application = here }()
	t.enter(o.B)
	to := t.actor(ctx, o.B)
	if to < 0 {
		return nil
	}
	c := &crossing{t, here, t.application, from, to}
	t.application = here
	t.covered(o.Kind, "elsewhere %v", c.stranger().lives())
	switch o.Kind {
	case Seek:
		c.seek(ctx, o.V)
	case UseElsewhere:
		return c.useSession(ctx, o)
	case LogInElsewhere:
		c.logInThere(ctx, o)
	case Follow, Ask, Befriend:
		return c.reachOut(ctx, o.Kind)
	case Social:
		return c.reachBySocialID(ctx, o)
	case End, Part:
		return c.endThere(ctx)
	case Trespass:
		return c.trespassThere(ctx, o)
	}
	return nil
}

func (c *crossing) stranger() *user { return c.there.world.users[c.to] }

// apart records that applications are not kept apart.
func (c *crossing) apart(at rules.Endpoint, expected, actual string) {
	c.differ(Difference{Rule: isolation, At: isolatedAt(at), Expected: expected, Actual: actual})
}

// named is how a sentence tells of the other user.
func (c *crossing) named() string {
	return fmt.Sprintf("user %d of the %s application", c.to, c.there.ordinal())
}

func (a *application) ordinal() string {
	if a.number == 0 {
		return "first"
	}
	return "second"
}

// unknown reports whether the other's id is nobody's here, and looks that nobody else
// is shown under it but one of this application's own.
func (c *crossing) unknown(ctx context.Context) bool {
	id := idText(c.stranger().id)
	if _, own := c.world.userByID(id); own {
		return false
	}
	answer := c.sendAs(ctx, c.from, Request{Endpoint: rules.GetUser, ID: id})
	for _, d := range c.foreign(own(rules.GetUser, c.from), answer) {
		c.differ(d)
	}
	return answer.Refused()
}

// granted records that a request for the other was granted, unless somebody of this
// application has come by the id since.
func (c *crossing) granted(ctx context.Context, at rules.Endpoint, answer Response) {
	if c.unknown(ctx) {
		c.apart(at, fmt.Sprintf("a refusal at endpoint %d: %s is nobody here", at, c.named()), answer.show())
	}
}

// seek looks for the other by its id, in lists, and by what it is called.
func (c *crossing) seek(ctx context.Context, v int) {
	c.tell("user %d looks for %s", c.from, c.named())
	unknown := c.unknown(ctx)
	if list := rules.FollowsOf + rules.Endpoint(abs(v)%3); unknown {
		answer := c.sendAs(ctx, c.from, Request{Endpoint: list, ID: idText(c.stranger().id)})
		if answer.OK() {
			c.granted(ctx, list, answer)
		}
	}
	u := c.stranger()
	terms := slices.DeleteFunc([]string{u.name, u.terms["user_name"], u.terms["first_name"], u.email}, func(term string) bool { return term == "" })
	for i := range min(len(terms), 2) { // two of them, in turns
		term := terms[(abs(v)+i)%len(terms)]
		answer := c.sendAs(ctx, c.from, Request{Endpoint: rules.SearchUsers, Query: map[string]string{"q": term}})
		for _, d := range c.foreign(own(rules.SearchUsers, c.from), answer) {
			c.differ(d)
		}
	}
}

// useSession tries a session under the other's application, at what only reads and
// then at some other endpoints. It is no session there.
func (c *crossing) useSession(ctx context.Context, o Op) []view {
	const atATime = 3 // endpoints
	sessions := c.world.users[c.from].sessions
	if len(sessions) == 0 {
		return nil
	}
	token := sessions[len(sessions)-1-abs(o.C)%len(sessions)].token
	requests := append(c.writesIn(o, c.from), Request{Endpoint: rules.DeleteMe},
		Request{Endpoint: rules.CreateConnection, Body: Fields{"user_to_id": c.stranger().id, "type": "follow"}})
	views := []view{own(rules.GetMe, c.from), own(rules.Feed, c.from)}
	c.application = c.there
	if c.world.hasSession(token) {
		return nil
	}
	c.tell("a session of user %d of the %s application is used", c.from, c.here.ordinal())
	tried := []Request{{Endpoint: rules.GetMe}}
	for i := range atATime {
		tried = append(tried, requests[(abs(o.V)*atATime+i)%len(requests)])
	}
	for i, r := range tried {
		r.Session = token
		answer := c.send(ctx, r)
		if shown := idText(answer.object()["id"]); i == 0 && answer.OK() && !c.world.has(shown) && !c.here.world.has(shown) {
			return nil // it is the token of somebody here, whom the story has not met
		}
		if answer.Status != 401 {
			c.apart(rules.GetMe, fmt.Sprintf("401 at endpoint %d for a session of another application", r.Endpoint), answer.show())
		}
	}
	c.due = append(c.due, own(rules.GetMe, c.to), own(rules.Feed, c.to))
	return views
}

// hasSession reports whether a token is that of a session of the world, also an ended one.
func (w *World) hasSession(token string) bool {
	return slices.ContainsFunc(w.users, func(u *user) bool {
		return slices.ContainsFunc(u.sessions, func(s session) bool { return s.token == token })
	})
}

// logInThere tries to log in to the other's application as a user of this one. Only a
// namesake with the same password has a session there.
func (c *crossing) logInThere(ctx context.Context, o Op) {
	u := c.world.users[c.from]
	by, value := "user_name", u.name
	if abs(o.V)%2 == 1 {
		by, value = "email", u.email
	}
	c.application = c.there
	for who, other := range c.world.users {
		name := map[string]string{"user_name": other.name, "email": other.email}[by]
		if other.lives() && name == value && other.password == u.password {
			c.logIn(ctx, who, by)
			return
		}
	}
	c.tell("user %d of the %s application tries to log in by %s", c.from, c.here.ordinal(), by)
	answer := c.send(ctx, Request{Endpoint: rules.Login, Body: Fields{by: value, "password": u.password}})
	if answer.OK() {
		c.apart(rules.Login, "no login of a user of another application", answer.show())
	}
}
