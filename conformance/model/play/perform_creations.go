package play

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/socialfeed/conform/conformance/model/blame"
	"github.com/socialfeed/conform/conformance/model/body"
	"github.com/socialfeed/conform/conformance/model/exchange"
	"github.com/socialfeed/conform/conformance/model/leeway"
	"github.com/socialfeed/conform/conformance/model/reuse"
	"github.com/socialfeed/conform/conformance/model/story"
	"github.com/socialfeed/conform/conformance/model/value"
	"github.com/socialfeed/conform/conformance/model/world"
	"github.com/socialfeed/conform/conformance/rules"
)

// actor returns the user in a slot, and creates it if the slot is empty. It returns -1 if the
// target refuses to create one.
func (t *run) actor(ctx context.Context, slot int) int {
	slot = slot % max(t.story.Slots, 1)
	if who, there := t.slots[slot]; there {
		return who
	}
	if fields, there := t.story.Users[slot]; there && t.number == 0 {
		return t.createIn(ctx, slot, t.similarUser(fields))
	}
	if t.player.options.Reuse != nil && t.number == 0 && slot >= t.story.SharedNames {
		if a, there := t.player.options.Reuse(); there {
			t.assign(slot, t.reuse(a))
			t.recordReused(slot, a)
			t.logf("user %d was created before, and nothing was done with it", t.slots[slot])
			return t.slots[slot]
		}
	}
	return t.createIn(ctx, slot, t.newUser(slot, true))
}

// createInOrder creates the users whose order matters, of those whom operations name.
func (t *run) createInOrder(ctx context.Context) {
	for _, slot := range t.story.CreationOrder {
		if slices.ContainsFunc(t.story.Ops, func(o story.Op) bool { return slices.Contains(o.Users(), slot) }) {
			t.switchTo(slot)
			t.actor(ctx, slot)
		}
	}
}

// join creates an operation's actor, unless there is one.
func (t *run) join(ctx context.Context, o story.Op, _ world.Pair) []world.View {
	slot := o.Actor % max(t.story.Slots, 1)
	if _, there := t.slots[slot]; there {
		return nil
	}
	if !o.WithoutLogin {
		t.actor(ctx, slot)
		return nil
	}
	t.createIn(ctx, slot, t.newUser(slot, false))
	return nil
}

// createIn creates a user for a slot and returns it, -1 if that fails.
func (t *run) createIn(ctx context.Context, slot int, c userCreation) int {
	who := t.create(ctx, c)
	if who >= 0 {
		t.assign(slot, who)
	}
	return who
}

// similarUser returns a user to create with values like those of another.
func (t *run) similarUser(fields value.Fields) userCreation {
	const logged = 1 // any number but that of plain values
	like, token := value.Fields{}, t.player.target.Unique()
	for name, v := range fields {
		if like[name] = v; slices.Contains([]string{"user_name", "email", "social_ids"}, name) { // may have to be unique
			like[name] = variant(v, token)
		}
	}
	like["password"] = t.player.target.Password()
	return userCreation{payload: t.payloads.Begin(like), v: logged, token: value.Text(like["user_name"]), profile: t.player.target.Unique(), withLogin: true}
}

// recordReused keeps a reused user, so that the story can be replayed with one like it.
func (t *run) recordReused(slot int, a reuse.User) {
	if t.outcome.reused == nil {
		t.outcome.reused = map[int]reuse.User{}
	}
	t.outcome.reused[slot] = a
}

// newUser returns a user to create for a slot.
func (t *run) newUser(slot int, withLogin bool) userCreation {
	token, v := t.player.target.Unique(), t.story.Values+slot
	if slot >= t.story.SharedNames {
		return t.creation(v, t.payloads.DistinctNames(v, token), token, withLogin)
	}
	if t.sharedName == "" {
		t.sharedName = t.player.target.Unique()
	}
	email := t.payloads.DistinctNames(v, token).KeepOnly("email") // a longer one may be refused
	names, name := v, t.sharedName+token
	if slot == story.PrefixSlot {
		names, name = 0, t.sharedName
	}
	return t.creation(v, t.payloads.Names(names, name).With(email), name, withLogin)
}

// assign puts a user into a slot.
func (t *run) assign(slot, who int) { t.slots[slot], t.slotOf[who] = who, slot }

// userCreation is a user to be created.
type userCreation struct {
	payload        *body.Drawn
	v              int
	token, profile string // in its names, and in its profile
	withLogin      bool
}

// creation returns a user to create with the v-th values, names, and a token that the names
// contain.
func (t *run) creation(v int, names *body.Drawn, token string, withLogin bool) userCreation {
	c := userCreation{v: v, token: token, profile: t.player.target.Unique(), withLogin: withLogin}
	c.payload = t.payloads.User(v, c.profile).With(t.payloads.Begin(value.Fields{"password": t.player.target.Password()})).With(names)
	return c
}

func (c userCreation) request(fields value.Fields) exchange.Request {
	r := exchange.Request{Endpoint: rules.CreateUser, Body: fields}
	if c.withLogin {
		r.Query = map[string]string{"withLogin": "true"}
	}
	return r
}

// create creates a user and returns it, -1 if that fails.
func (t *run) create(ctx context.Context, c userCreation) int {
	answer, sent := t.sendAwkward(c.payload, func(fields value.Fields) exchange.Response { return t.send(ctx, c.request(fields)) })
	if c.payload.Optional && answer.Refused() {
		return -1
	}
	return t.created(c, answer, sent)
}

// created judges the answer to a creation and returns the user, -1 if there is none.
func (t *run) created(c userCreation, answer exchange.Response, sent value.Fields) int {
	o := answer.Object()
	if !t.expect(answer, 201, "users.create.status", rules.CreateUser) || value.ID(o["id"]) == "" {
		if answer.OK() {
			t.recordDifference(blame.Difference{Rule: "users.create.body", At: rules.CreateUser, Expected: "an id", Actual: answer.Show()})
		}
		return -1
	}
	who := t.state.Joined(sent, o)
	u := t.state.Users[who]
	u.Terms = map[string]string{"user_name": termIn(u.Name, c.token), "first_name": c.profile}
	u.RecordSocialID(sent)
	t.logf("user %d is created%s", who, t.valuesSuffix(c.v, sent))
	if session, _ := o["session_token"].(string); session != "" && c.withLogin {
		t.state.LoggedIn(who, session, "sessions.create-with-login", rules.CreateUser)
	}
	if at, ok := value.Instant(o["last_login"]); !c.withLogin && ok && at.Year() > 1 {
		t.recordDifference(blame.Difference{Rule: "users.create.last-login-unset", At: rules.CreateUser, Expected: "no last_login of a user who never logged in", Actual: value.Show(o["last_login"])})
	}
	for name, want := range u.Fields {
		if got := value.Of(o, name); !want.Allows(got) {
			rule := "users.create.echo"
			if name == "user_name" {
				rule = "users.create.body"
			}
			u.Fields[name] = want.Or(got) // reported once
			rule, at := blame.Unicode(want, got, rules.CreateUser, rule)
			t.recordDifference(blame.Difference{Rule: rule, At: at, Expected: name + " " + want.Show(), Actual: name + " " + value.Show(got)})
		}
	}
	return who
}

// termIn returns what a user name is searched by: the token, or the whole name if it does not
// contain the token.
func termIn(name, token string) string {
	if strings.Contains(name, token) {
		return token
	}
	return name
}

// valuesSuffix returns the end of a log line about a write: the values, blank for plain ones.
func (t *run) valuesSuffix(v int, sent value.Fields) string {
	if t.story.Plain || v == 0 {
		return ""
	}
	return " with " + value.Show(reuse.WithoutPassword(sent))
}

// sendAwkward sends a request with values some of which a valid server may refuse. If it does,
// the values are not used again and the request is repeated with plain ones. It returns the
// last answer and the fields sent.
func (t *run) sendAwkward(d *body.Drawn, send func(value.Fields) exchange.Response) (exchange.Response, value.Fields) {
	answer := send(d.Fields)
	if !answer.Refused() || len(d.Refusable) == 0 {
		return answer, d.Fields
	}
	t.payloads.MarkRefused(d)
	answer = send(d.Fallback)
	return answer, d.Fallback
}

// recreate creates a user under the name of a deleted one.
func (t *run) recreate(ctx context.Context, o story.Op, p world.Pair) []world.View {
	former, was := p.From, t.state.Users[p.From]
	if was.Lives() || t.state.Choices.NamesRecur != leeway.Yes {
		return nil
	}
	names := t.payloads.Begin(value.Fields{"user_name": was.Name, "email": was.Email})
	names.Fallback["email"], names.Refusable["email"] = sameForm(was.Email), "of a deleted user" // the email may stay taken though the name does not
	names.Optional = t.story.UsesApplications()                                                  // a user of another application may have them by now
	who := t.create(ctx, t.creation(o.Values, names, was.Terms["user_name"], !o.WithoutLogin))
	if who < 0 {
		return nil
	}
	t.assign(o.Actor%t.story.Slots, who)
	t.count(story.Recreate, "")
	if u := t.state.Users[who]; was.Password != "" && was.Password != u.Password {
		if answer := t.send(ctx, exchange.Request{Endpoint: rules.Login, Body: value.Fields{"user_name": u.Name, "password": was.Password}}); answer.OK() {
			t.recordDifference(blame.Difference{Rule: "sessions.deleted-user", At: rules.DeleteMe, Expected: "no login with the password of a deleted user", Actual: fmt.Sprint(answer.Status)})
		}
	}
	views := []world.View{world.Own(rules.Feed, who), world.Own(rules.GetMe, who)}
	for reader := range t.state.Users {
		if t.state.Relation(world.Pair{From: reader, To: former}).AtDeletion != nil && t.state.Users[reader].Lives() && reader != who {
			views = append(views, world.Own(rules.Feed, reader), world.Own(rules.MyFollows, reader))
		}
	}
	return views
}
