package model

import (
	"context"
	"fmt"
	"slices"
	"strings"

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
		if slices.ContainsFunc(t.story.Ops, func(o Op) bool { return slices.Contains(o.users(), slot) }) {
			t.switchTo(slot)
			t.actor(ctx, slot)
		}
	}
}

// join creates an operation's actor, unless there is one.
func (t *run) join(ctx context.Context, o Op, _ pair) []view {
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
func (t *run) similarUser(fields Fields) userCreation {
	const logged = 1 // any number but that of plain values
	like, token := Fields{}, t.player.target.Unique()
	for name, v := range fields {
		if like[name] = v; slices.Contains([]string{"user_name", "email", "social_ids"}, name) { // may have to be unique
			like[name] = variant(v, token)
		}
	}
	like["password"] = t.player.target.Password()
	return userCreation{payload: t.payloads.begin(like), v: logged, token: asText(like["user_name"]), profile: t.player.target.Unique(), withLogin: true}
}

// recordReused keeps a reused user, so that the story can be replayed with one like it.
func (t *run) recordReused(slot int, a ReusableUser) {
	if t.outcome.reused == nil {
		t.outcome.reused = map[int]ReusableUser{}
	}
	t.outcome.reused[slot] = a
}

// newUser returns a user to create for a slot.
func (t *run) newUser(slot int, withLogin bool) userCreation {
	token, v := t.player.target.Unique(), t.story.Values+slot
	if slot >= t.story.SharedNames {
		return t.creation(v, t.payloads.distinctNames(v, token), token, withLogin)
	}
	if t.sharedName == "" {
		t.sharedName = t.player.target.Unique()
	}
	email := t.payloads.distinctNames(v, token).keepOnly("email") // a longer one may be refused
	names, name := v, t.sharedName+token
	if slot == prefixSlot {
		names, name = 0, t.sharedName
	}
	return t.creation(v, t.payloads.names(names, name).with(email), name, withLogin)
}

// assign puts a user into a slot.
func (t *run) assign(slot, who int) { t.slots[slot], t.slotOf[who] = who, slot }

// userCreation is a user to be created.
type userCreation struct {
	payload        *drawnPayload
	v              int
	token, profile string // in its names, and in its profile
	withLogin      bool
}

// creation returns a user to create with the v-th values, names, and a token that the names
// contain.
func (t *run) creation(v int, names *drawnPayload, token string, withLogin bool) userCreation {
	c := userCreation{v: v, token: token, profile: t.player.target.Unique(), withLogin: withLogin}
	c.payload = t.payloads.user(v, c.profile).with(t.payloads.begin(Fields{"password": t.player.target.Password()})).with(names)
	return c
}

func (c userCreation) request(fields Fields) Request {
	r := Request{Endpoint: rules.CreateUser, Body: fields}
	if c.withLogin {
		r.Query = map[string]string{"withLogin": "true"}
	}
	return r
}

// create creates a user and returns it, -1 if that fails.
func (t *run) create(ctx context.Context, c userCreation) int {
	answer, sent := t.sendAwkward(c.payload, func(fields Fields) Response { return t.send(ctx, c.request(fields)) })
	if c.payload.optional && answer.Refused() {
		return -1
	}
	return t.created(c, answer, sent)
}

// created judges the answer to a creation and returns the user, -1 if there is none.
func (t *run) created(c userCreation, answer Response, sent Fields) int {
	o := answer.object()
	if !t.expect(answer, 201, "users.create.status", rules.CreateUser) || idText(o["id"]) == "" {
		if answer.OK() {
			t.recordDifference(Difference{Rule: "users.create.body", At: rules.CreateUser, Expected: "an id", Actual: answer.show()})
		}
		return -1
	}
	who := t.state.joined(sent, o)
	u := t.state.users[who]
	u.terms = map[string]string{"user_name": termIn(u.name, c.token), "first_name": c.profile}
	u.recordSocialID(sent)
	t.logf("user %d is created%s", who, t.valuesSuffix(c.v, sent))
	if session, _ := o["session_token"].(string); session != "" && c.withLogin {
		t.state.loggedIn(who, session, "sessions.create-with-login", rules.CreateUser)
	}
	if at, ok := instant(o["last_login"]); !c.withLogin && ok && at.Year() > 1 {
		t.recordDifference(Difference{Rule: "users.create.last-login-unset", At: rules.CreateUser, Expected: "no last_login of a user who never logged in", Actual: showValue(o["last_login"])})
	}
	for name, want := range u.fields {
		if got := valueOf(o, name); !want.allows(got) {
			rule := "users.create.echo"
			if name == "user_name" {
				rule = "users.create.body"
			}
			u.fields[name] = want.or(got) // reported once
			rule, at := unicodeRule(want, got, rules.CreateUser, rule)
			t.recordDifference(Difference{Rule: rule, At: at, Expected: name + " " + want.show(), Actual: name + " " + showValue(got)})
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
func (t *run) valuesSuffix(v int, sent Fields) string {
	if t.story.Plain || v == 0 {
		return ""
	}
	return " with " + showValue(withoutPassword(sent))
}

// sendAwkward sends a request with values some of which a valid server may refuse. If it does,
// the values are not used again and the request is repeated with plain ones. It returns the
// last answer and the fields sent.
func (t *run) sendAwkward(d *drawnPayload, send func(Fields) Response) (Response, Fields) {
	answer := send(d.fields)
	if !answer.Refused() || len(d.refusable) == 0 {
		return answer, d.fields
	}
	t.payloads.markRefused(d)
	answer = send(d.fallback)
	return answer, d.fallback
}

// recreate creates a user under the name of a deleted one.
func (t *run) recreate(ctx context.Context, o Op, p pair) []view {
	former, was := p.from, t.state.users[p.from]
	if was.lives() || t.state.choices.NamesRecur != Yes {
		return nil
	}
	names := t.payloads.begin(Fields{"user_name": was.name, "email": was.email})
	names.fallback["email"], names.refusable["email"] = sameForm(was.email), "of a deleted user" // the email may stay taken though the name does not
	names.optional = t.story.usesApplications()                                                  // a user of another application may have them by now
	who := t.create(ctx, t.creation(o.Values, names, was.terms["user_name"], !o.WithoutLogin))
	if who < 0 {
		return nil
	}
	t.assign(o.Actor%t.story.Slots, who)
	t.count(Recreate, "")
	if u := t.state.users[who]; was.password != "" && was.password != u.password {
		if answer := t.send(ctx, Request{Endpoint: rules.Login, Body: Fields{"user_name": u.name, "password": was.password}}); answer.OK() {
			t.recordDifference(Difference{Rule: "sessions.deleted-user", At: rules.DeleteMe, Expected: "no login with the password of a deleted user", Actual: fmt.Sprint(answer.Status)})
		}
	}
	views := []view{own(rules.Feed, who), own(rules.GetMe, who)}
	for reader := range t.state.users {
		if t.state.relation(pair{reader, former}).atDeletion != nil && t.state.users[reader].lives() && reader != who {
			views = append(views, own(rules.Feed, reader), own(rules.MyFollows, reader))
		}
	}
	return views
}
