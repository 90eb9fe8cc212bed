package play

import (
	"context"
	"fmt"
	"slices"

	"github.com/socialfeed/conform/conformance/model/blame"
	"github.com/socialfeed/conform/conformance/model/exchange"
	"github.com/socialfeed/conform/conformance/model/leeway"
	"github.com/socialfeed/conform/conformance/model/story"
	"github.com/socialfeed/conform/conformance/model/value"
	"github.com/socialfeed/conform/conformance/model/world"
	"github.com/socialfeed/conform/conformance/rules"
)

// logIn gives a user another session.
func (t *run) logIn(ctx context.Context, who int, by string, details bool) []world.View {
	u := t.state.Users[who]
	v := u.Name
	if by == "email" {
		v = u.Email
	}
	login := exchange.Request{Endpoint: rules.Login, Body: value.Fields{by: v, "password": u.Password}}
	if details {
		login.Query = map[string]string{"withUserDetails": "true"}
	}
	answer := t.send(ctx, login)
	rule := "sessions.login.user-name"
	if by == "email" {
		rule = "sessions.login.email"
	}
	o := answer.Object()
	token, _ := o["session_token"].(string)
	at := rules.Login
	switch {
	case answer.OK():
	case t.loggedOutAs(who, v):
		rule, at = "sessions.logout.relogin", rules.Logout
	case len(u.Passwords) > 0: // it worked once
		rule, at = t.ruleOfNewPassword(ctx, who, by)
	}
	if !t.expect(answer, 200, rule, at) {
		return nil
	}
	if id := value.ID(o["id"]); id != "" && id != value.ID(u.ID) {
		rule = "users.id-stable"
	}
	if token == "" || value.ID(o["id"]) != value.ID(u.ID) {
		t.recordDifference(blame.Difference{Rule: rule, At: rules.Login, Expected: "a session of user " + value.ID(u.ID), Actual: "a session of " + value.Show(value.Of(o, "id"))})
		return nil
	}
	t.state.LoggedIn(who, token, rule, rules.Login)
	u.LoggedIn = true
	u.LoginNames = append(u.LoginNames, v)
	t.logf("user %d logs in by %s", who, by)
	t.count(story.LogIn, "%s %d", by, min(len(u.Sessions), 3))
	return append(t.sessionViews(who), world.Own(rules.GetMe, who))
}

// loggedOutAs reports whether a user has logged out, and has logged in by a name since the name
// was set.
func (t *run) loggedOutAs(who int, name string) bool {
	u := t.state.Users[who]
	return (u.ChangedStep == 0 || slices.Contains(u.LoginNames, name)) &&
		t.state.HasLoggedOut(who)
}

// logOut ends a session that works.
func (t *run) logOut(ctx context.Context, o story.Op, p world.Pair) []world.View {
	who, u := p.From, t.state.Users[p.From]
	var working []int
	for i, s := range u.Sessions {
		if s.State == leeway.Yes {
			working = append(working, i)
		}
	}
	if len(working) == 0 {
		return nil
	}
	chosen := working[o.Session%len(working)]
	answer := t.send(ctx, exchange.Request{Endpoint: rules.Logout, Session: u.Sessions[chosen].Token})
	if answer.Status == 401 { // how long a session lives is open
		u.Sessions[chosen].State = leeway.Unknown
		return nil
	}
	if t.expect(answer, 204, "sessions.logout.status", rules.Logout) {
		t.state.LoggedOut(who, chosen)
		t.logf("user %d logs out of session %d", who, chosen)
		t.count(story.LogOut, "%d", len(working))
	}
	return t.sessionViews(who)
}

// deleteUser deletes a user.
func (t *run) deleteUser(ctx context.Context, _ story.Op, p world.Pair) []world.View {
	who := p.From
	affected := t.feedViews(who)
	for _, other := range t.living() {
		if other != who && t.state.EverConnected(world.Pair{From: who, To: other}) {
			affected = append(affected, world.Own(rules.MyFollows, other), world.Own(rules.MyFollowers, other), world.Own(rules.MyFriends, other))
		}
	}
	answer := t.sendAs(ctx, who, exchange.Request{Endpoint: rules.DeleteMe})
	if !t.expect(answer, 204, "users.me.delete.status", rules.DeleteMe) {
		return nil
	}
	t.count(story.DeleteUser, "%d events", min(len(t.events(who)), 4))
	t.state.Deleted(who)
	t.logf("user %d deletes itself", who)
	affected = append(affected, t.deletedUserViews(who)...)
	if u := t.state.Users[who]; u.Email != "" && u.FormerNames != nil { // the index of emails may keep another one
		affected = append(affected, world.View{At: rules.Login, Viewer: who, Owner: who, Session: -1, Field: "email"})
	}
	affected = append(affected, t.sessionViews(who)...)
	return slices.DeleteFunc(affected, func(v world.View) bool { return v.Viewer == who && v.At != rules.GetMe && v.At != rules.Login })
}

// edit changes a user's profile, its names or its password.
func (t *run) edit(ctx context.Context, o story.Op, p world.Pair, changes update) []world.View {
	who, u := p.From, t.state.Users[p.From]
	c := changes(t, o, u)
	if c == nil {
		return nil
	}
	d, terms := c.Drawn, c.terms
	t.allowRefusedPassword(d, u)
	before := u.Before()
	former, wasNamed, wasReached := u.Password, u.Name, u.Email
	if t.state.Choices.MergesMetadata != leeway.No {
		t.respectKeyLimit(d, u.Fields["metadata"])
	}
	send := func(fields value.Fields) exchange.Response {
		return t.sendAs(ctx, who, exchange.Request{Endpoint: rules.UpdateMe, Body: fields})
	}
	answer, sent := t.sendAwkward(d, send)
	if d.Optional && answer.Refused() {
		return nil
	}
	if !t.expectAccepted(answer, rules.UpdateMe, sent, send) {
		return nil
	}
	t.judgeEdit(who, sent, answer)
	if u.Previous = before; wasNamed != u.Name && wasReached != u.Email && wasReached != "" && u.Email != "" {
		u.FormerNames = value.Fields{"user_name": wasNamed, "email": wasReached}
	}
	terms["user_name"] = termIn(u.Name, terms["user_name"])
	for _, field := range []string{"user_name", "first_name"} {
		if terms[field] != u.Terms[field] {
			u.FormerTerms = append(u.FormerTerms, u.Terms[field])
		}
		u.FormerTerms = slices.DeleteFunc(u.FormerTerms, func(term string) bool { return term == terms[field] })
	}
	u.Terms = terms
	u.RecordSocialID(sent)
	t.logf("user %d %s", who, c.told+t.valuesSuffix(c.shown, sent))
	t.count(o.Kind, "%v", u.ChangedStep > 0)
	views := []world.View{world.Own(rules.GetMe, who)}
	if other := t.otherThan(who); other >= 0 {
		views = append(views, world.Of(rules.GetUser, who, other))
	}
	views = append(views, t.nameSearches(who)...)
	if c.takenBack { // it was in the index before
		views = append(views, t.wholeSearches(who)...)
	}
	if ended := t.endedSessionViews(who); len(ended) > 0 { // which must not come back with the update
		views = append(views, ended[len(ended)-1])
	}
	if former == u.Password {
		return views
	}
	if u.Passwords = append(u.Passwords, former); len(u.Passwords) > 1 && u.Email != "" && u.Passwords[0] != u.Password {
		t.judgeFormerPassword(ctx, value.Fields{"email": u.Email, "password": u.Passwords[0]})
	}
	t.judgePasswordChange(ctx, who, former)
	return views
}

// judgeEdit judges the answer to an update of a user, and applies it to the state.
func (t *run) judgeEdit(who int, sent value.Fields, answer exchange.Response) {
	u, o := t.state.Users[who], answer.Object()
	was := u.Updated
	t.state.Edited(who, sent, o)
	for name, want := range u.Fields {
		if got := value.Of(o, name); !want.Allows(got) {
			u.Fields[name] = want.Or(got)
			rule, at := blame.Unicode(want, got, rules.UpdateMe, "users.me.update.applies")
			t.recordDifference(blame.Difference{Rule: rule, At: at, Expected: name + " " + want.Show(), Actual: name + " " + value.Show(got)})
		}
	}
	if value.ID(o["id"]) != value.ID(u.ID) || !value.SameInstant(o["created_at"], u.Created) {
		t.recordDifference(blame.Difference{Rule: "users.me.update.keeps-identity", At: rules.UpdateMe,
			Expected: fmt.Sprintf("id %s and created_at %s", value.ID(u.ID), value.Show(u.Created)),
			Actual:   fmt.Sprintf("id %s and created_at %s", value.Show(value.Of(o, "id")), value.Show(value.Of(o, "created_at")))})
	}
	if value.WentBack(was, o["updated_at"]) {
		t.recordDifference(blame.Difference{Rule: "users.me.update.updated-at", At: rules.UpdateMe,
			Expected: "updated_at " + value.Show(was) + " or later", Actual: value.Show(o["updated_at"])})
	}
}
