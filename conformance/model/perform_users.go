package model

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/socialfeed/conform/conformance/rules"
)

// logIn gives a user a further session.
func (t *playthrough) logIn(ctx context.Context, who int, by string) []view {
	u := t.world.users[who]
	value := u.name
	if by == "email" {
		value = u.email
	}
	answer := t.send(ctx, Request{Endpoint: rules.Login, Body: Fields{by: value, "password": u.password}})
	rule := "sessions.login.user-name"
	if by == "email" {
		rule = "sessions.login.email"
	}
	o := answer.object()
	token, _ := o["session_token"].(string)
	at := rules.Login
	if t.loggedOutAs(who, value) && !answer.OK() {
		rule, at = "sessions.logout.relogin", rules.Logout
	}
	if !t.expect(answer, 200, rule, at) {
		return nil
	}
	if id := idText(o["id"]); id != "" && id != idText(u.id) {
		rule = "users.id-stable"
	}
	if token == "" || idText(o["id"]) != idText(u.id) {
		t.differ(Difference{Rule: rule, At: rules.Login, Expected: "a session of user " + idText(u.id), Actual: "a session of " + showValue(valueOf(o, "id"))})
		return nil
	}
	t.world.loggedIn(who, token, rule, rules.Login)
	u.entered = true
	u.known = append(u.known, value)
	t.tell("user %d logs in by %s", who, by)
	t.covered(LogIn, "%s %d", by, min(len(u.sessions), 3))
	return append(t.sessions(who), own(rules.GetMe, who))
}

// loggedOutAs reports whether a user has logged out, and was let in by a name since it took that.
func (t *playthrough) loggedOutAs(who int, name string) bool {
	u := t.world.users[who]
	return (u.changed == 0 || slices.Contains(u.known, name)) &&
		slices.ContainsFunc(t.world.log, func(h entry) bool { return h.kind == LogOut && h.actor == who })
}

// logOut ends a session that works.
func (t *playthrough) logOut(ctx context.Context, who, which int) []view {
	u := t.world.users[who]
	var working []int
	for i, s := range u.sessions {
		if s.state == Yes {
			working = append(working, i)
		}
	}
	if len(working) == 0 {
		return nil
	}
	chosen := working[abs(which)%len(working)]
	answer := t.send(ctx, Request{Endpoint: rules.Logout, Session: u.sessions[chosen].token})
	if answer.Status == 401 { // how long a session lives is open
		u.sessions[chosen].state = Unknown
		return nil
	}
	if t.expect(answer, 204, "sessions.logout.status", rules.Logout) {
		t.world.loggedOut(who, chosen)
		t.tell("user %d logs out of session %d", who, chosen)
		t.covered(LogOut, "%d", len(working))
	}
	return t.sessions(who)
}

// leave deletes a user.
func (t *playthrough) leave(ctx context.Context, who int) []view {
	affected := t.readers(who)
	for _, other := range t.living() {
		if other != who && t.world.met(pair{who, other}) {
			affected = append(affected, own(rules.MyFollows, other), own(rules.MyFollowers, other), own(rules.MyFriends, other))
		}
	}
	answer := t.sendAs(ctx, who, Request{Endpoint: rules.DeleteMe})
	if !t.expect(answer, 204, "users.me.delete.status", rules.DeleteMe) {
		return nil
	}
	t.covered(Leave, "%d events", min(len(t.events(who)), 4))
	t.world.left(who)
	t.tell("user %d deletes itself", who)
	affected = append(affected, t.graveyard(who)...)
	affected = append(affected, t.sessions(who)...)
	return slices.DeleteFunc(affected, func(v view) bool { return v.viewer == who && v.at != rules.GetMe && v.at != rules.Login })
}

// edit changes a user's profile, its names or its password.
func (t *playthrough) edit(ctx context.Context, o Op, who int) []view {
	u := t.world.users[who]
	d, terms := t.changesOf(o, u)
	if d == nil {
		return nil
	}
	before := u.asItIs()
	former := u.password
	if t.world.choices.MergesMetadata != No {
		t.spare(d, u.fields["metadata"])
	}
	send := func(fields Fields) Response {
		return t.sendAs(ctx, who, Request{Endpoint: rules.UpdateMe, Body: fields})
	}
	answer, sent := t.sendAwkward(d, send)
	if d.optional && answer.Refused() {
		return nil
	}
	if !t.expectTaken(answer, rules.UpdateMe, sent, send) {
		return nil
	}
	t.judgeEdit(who, sent, answer)
	u.before = before
	terms["user_name"] = termIn(u.name, terms["user_name"])
	for _, field := range []string{"user_name", "first_name"} {
		if terms[field] != u.terms[field] {
			u.former = append(u.former, u.terms[field])
		}
		u.former = slices.DeleteFunc(u.former, func(term string) bool { return term == terms[field] })
	}
	u.terms = terms
	u.remember(sent)
	t.tell("user %d %s", who, t.update(o, sent))
	t.covered(o.Kind, "%v", u.changed > 0)
	views := []view{own(rules.GetMe, who)}
	if other := t.third(who); other >= 0 {
		views = append(views, of(rules.GetUser, who, other))
	}
	views = append(views, t.called(who)...)
	if former == u.password {
		return views
	}
	if u.passwords = append(u.passwords, former); len(u.passwords) > 1 && u.email != "" && u.passwords[0] != u.password {
		t.refusedPassword(ctx, Fields{"email": u.email, "password": u.passwords[0]})
	}
	t.formerPassword(ctx, who, former)
	return views
}

// update tells an update of a user.
func (t *playthrough) update(o Op, sent Fields) string {
	const awkward = 1 // whatever they are: no number chose them
	switch o.Kind {
	case Rename:
		return "takes another name and email"
	case Repassword:
		return "takes another password"
	case Namesake:
		return "takes the names of a user of another application" + t.with(awkward, sent)
	case Revert:
		return "takes back its latest update" + t.with(awkward, sent)
	case Tweak:
		return "changes itself a little" + t.with(awkward, sent)
	}
	return "updates itself" + t.with(o.V, sent)
}

// former is what a user was before its latest update.
type former struct {
	fields Fields // those that are known for certain
	terms  map[string]string
}

// asItIs is what a user could go back to.
func (u *user) asItIs() *former {
	f := &former{fields: Fields{"password": u.password}, terms: maps.Clone(u.terms)}
	for name, values := range u.fields {
		if _, missing := values.first().(absent); len(values) == 1 && !missing {
			f.fields[name] = values[0]
		}
	}
	return f
}

// judgeEdit judges the answer to an update of a user, which takes effect.
func (t *playthrough) judgeEdit(who int, sent Fields, answer Response) {
	u, o := t.world.users[who], answer.object()
	was := u.updated
	t.world.edited(who, sent, o)
	for name, want := range u.fields {
		if got := valueOf(o, name); !want.allows(got) {
			u.fields[name] = want.or(got)
			rule, at := unicodeRule(want, got, rules.UpdateMe, "users.me.update.applies")
			t.differ(Difference{Rule: rule, At: at, Expected: name + " " + want.show(), Actual: name + " " + showValue(got)})
		}
	}
	if idText(o["id"]) != idText(u.id) || !sameInstant(o["created_at"], u.created) {
		t.differ(Difference{Rule: "users.me.update.keeps-identity", At: rules.UpdateMe,
			Expected: fmt.Sprintf("id %s and created_at %s", idText(u.id), showValue(u.created)),
			Actual:   fmt.Sprintf("id %s and created_at %s", showValue(valueOf(o, "id")), showValue(valueOf(o, "created_at")))})
	}
	if order, ok := orderOf(o["updated_at"], was); ok && order < 0 {
		t.differ(Difference{Rule: "users.me.update.updated-at", At: rules.UpdateMe,
			Expected: "updated_at " + showValue(was) + " or later", Actual: showValue(o["updated_at"])})
	}
}
