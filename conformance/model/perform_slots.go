package model

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/socialfeed/conform/conformance/rules"
)

// actor is the user in a slot, created where nobody has been in it. It is -1 where
// the target refuses to create one.
func (t *playthrough) actor(ctx context.Context, slot int) int {
	slot = abs(slot) % max(t.story.Slots, 1)
	if who, there := t.slots[slot]; there {
		return who
	}
	if fields, there := t.story.Cast[slot]; there && t.number == 0 {
		return t.comeIn(ctx, slot, t.like(fields))
	}
	if t.player.options.Adopt != nil && t.number == 0 && slot >= t.story.Kin {
		if a, there := t.player.options.Adopt(); there {
			t.settleIn(slot, t.adopt(a))
			t.remember(slot, a)
			t.tell("user %d was created before, and nothing was done with it", t.slots[slot])
			return t.slots[slot]
		}
	}
	return t.comeIn(ctx, slot, t.newcomer(slot, true))
}

// join creates the user in a slot without a login, unless it is there.
func (t *playthrough) join(ctx context.Context, slot int) []view {
	slot = abs(slot) % max(t.story.Slots, 1)
	if _, there := t.slots[slot]; there {
		return nil
	}
	t.comeIn(ctx, slot, t.newcomer(slot, false))
	return nil
}

// comeIn creates a user for a slot.
func (t *playthrough) comeIn(ctx context.Context, slot int, c creation) int {
	who := t.create(ctx, c)
	if who >= 0 {
		t.settleIn(slot, who)
	}
	return who
}

// like is a user to be created with values like those of another.
func (t *playthrough) like(fields Fields) creation {
	const told = 1
	like, token := Fields{}, t.player.target.Unique()
	for name, v := range fields {
		if like[name] = v; slices.Contains([]string{"user_name", "email", "social_ids"}, name) { // may have to be its own
			like[name] = varied(v, token)
		}
	}
	like["password"] = t.player.target.Password()
	return creation{payload: t.payloads.begin(like), v: told, token: asText(like["user_name"]), profile: t.player.target.Unique(), withLogin: true}
}

// remember keeps whom the story was played by.
func (t *playthrough) remember(slot int, a Adopted) {
	if t.outcome.cast == nil {
		t.outcome.cast = map[int]Fields{}
	}
	t.outcome.cast[slot] = withoutPassword(a.Sent)
}

// newcomer is a user to be created for a slot.
func (t *playthrough) newcomer(slot int, withLogin bool) creation {
	token := t.player.target.Unique()
	if slot < t.story.Kin {
		if t.kin == "" {
			t.kin = t.player.target.Unique()
		}
		token = t.kin + token
	}
	v := t.story.Values + slot
	return t.creation(v, t.payloads.called(v, token), token, withLogin)
}

// settleIn puts a user into a slot.
func (t *playthrough) settleIn(slot, who int) { t.slots[slot], t.came[who] = who, slot }

// creation is a user to be created: with a session where it is to log in with it.
type creation struct {
	payload        *payload
	v              int
	token, profile string // which its name and its profile have in them
	withLogin      bool
}

func (t *playthrough) creation(v int, names *payload, token string, withLogin bool) creation {
	c := creation{v: v, token: token, profile: t.player.target.Unique(), withLogin: withLogin}
	c.payload = t.payloads.user(v, c.profile).with(t.payloads.begin(Fields{"password": t.player.target.Password()})).with(names)
	return c
}

func (c creation) request(fields Fields) Request {
	r := Request{Endpoint: rules.CreateUser, Body: fields}
	if c.withLogin {
		r.Query = map[string]string{"withLogin": "true"}
	}
	return r
}

func (t *playthrough) create(ctx context.Context, c creation) int {
	answer, sent := t.sendAwkward(c.payload, func(fields Fields) Response { return t.send(ctx, c.request(fields)) })
	if c.payload.optional && answer.Refused() {
		return -1
	}
	return t.created(c, answer, sent)
}

// created takes in the answer to a creation: it is the user, or -1.
func (t *playthrough) created(c creation, answer Response, sent Fields) int {
	o := answer.object()
	if !t.expect(answer, 201, "users.create.status", rules.CreateUser) || idText(o["id"]) == "" {
		if answer.OK() {
			t.differ(Difference{Rule: "users.create.body", At: rules.CreateUser, Expected: "an id", Actual: answer.show()})
		}
		return -1
	}
	who := t.world.joined(sent, o)
	u := t.world.users[who]
	u.terms = map[string]string{"user_name": termIn(u.name, c.token), "first_name": c.profile}
	u.remember(sent)
	t.tell("user %d is created%s", who, t.with(c.v, sent))
	if session, _ := o["session_token"].(string); session != "" && c.withLogin {
		t.world.loggedIn(who, session, "sessions.create-with-login", rules.CreateUser)
	}
	if at, ok := instant(o["last_login"]); !c.withLogin && ok && at.Year() > 1 {
		t.differ(Difference{Rule: "users.create.last-login-unset", At: rules.CreateUser, Expected: "no last_login of a user who never logged in", Actual: showValue(o["last_login"])})
	}
	for name, want := range u.fields {
		if got := valueOf(o, name); !want.allows(got) {
			rule := "users.create.echo"
			if name == "user_name" {
				rule = "users.create.body"
			}
			u.fields[name] = want.or(got) // told once
			rule, at := unicodeRule(want, got, rules.CreateUser, rule)
			t.differ(Difference{Rule: rule, At: at, Expected: name + " " + want.show(), Actual: name + " " + showValue(got)})
		}
	}
	return who
}

// termIn is what a user is searched by of its name: the token, or all of a name that has none.
func termIn(name, token string) string {
	if strings.Contains(name, token) {
		return token
	}
	return name
}

// remember keeps the social id that a user was given last.
func (u *user) remember(sent Fields) {
	if ids, ok := sent["social_ids"].(map[string]any); ok {
		for network, id := range ids { // there is one
			u.network = network
			u.social, _ = id.(string)
		}
	}
}

// with ends a sentence about a write with its values, unless they are plain ones.
func (t *playthrough) with(v int, sent Fields) string {
	if t.story.Plain || v == 0 {
		return ""
	}
	return " with " + showValue(withoutPassword(sent))
}

func withoutPassword(fields Fields) Fields {
	shown := maps.Clone(fields)
	delete(shown, "password")
	return shown
}

// sendAwkward sends a request with values of which a valid server may refuse some. If
// it does, the request is sent with plain values instead, and these values are out of use.
func (t *playthrough) sendAwkward(d *payload, send func(Fields) Response) (Response, Fields) {
	answer := send(d.fields)
	if !answer.Refused() || len(d.refusable) == 0 {
		return answer, d.fields
	}
	t.payloads.refuse(d)
	answer = send(d.plainer)
	return answer, d.plainer
}

// comeBack creates a user under the name of a deleted one.
func (t *playthrough) comeBack(ctx context.Context, o Op, former int) []view {
	if t.world.choices.NamesRecur != Yes {
		return nil
	}
	was := t.world.users[former]
	names := t.payloads.begin(Fields{"user_name": was.name, "email": was.email})
	names.plainer["email"], names.refusable["email"] = alike(was.email), "of a deleted user" // which may stay taken though the name does not
	names.optional = t.story.ofSeveral()                                                     // another application may have them by now
	who := t.create(ctx, t.creation(o.V, names, was.terms["user_name"], abs(o.V)%2 == 0))
	if who < 0 {
		return nil
	}
	t.settleIn(abs(o.A)%t.story.Slots, who)
	t.covered(Return, "")
	views := []view{own(rules.Feed, who), own(rules.GetMe, who)}
	for reader := range t.world.users {
		if t.world.relation(pair{reader, former}).parting != nil && t.world.users[reader].lives() && reader != who {
			views = append(views, own(rules.Feed, reader), own(rules.MyFollows, reader))
		}
	}
	return views
}
