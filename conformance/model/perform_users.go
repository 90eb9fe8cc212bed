package model

import (
	"context"
	"fmt"
	"slices"

	"github.com/socialfeed/conform/conformance/rules"
)

// logIn gives a user another session.
func (t *run) logIn(ctx context.Context, who int, by string, details bool) []view {
	u := t.state.users[who]
	value := u.name
	if by == "email" {
		value = u.email
	}
	login := Request{Endpoint: rules.Login, Body: Fields{by: value, "password": u.password}}
	if details {
		login.Query = map[string]string{"withUserDetails": "true"}
	}
	answer := t.send(ctx, login)
	rule := "sessions.login.user-name"
	if by == "email" {
		rule = "sessions.login.email"
	}
	o := answer.object()
	token, _ := o["session_token"].(string)
	at := rules.Login
	switch {
	case answer.OK():
	case t.loggedOutAs(who, value):
		rule, at = "sessions.logout.relogin", rules.Logout
	case len(u.passwords) > 0: // it worked once
		rule, at = t.ruleOfNewPassword(ctx, who, by)
	}
	if !t.expect(answer, 200, rule, at) {
		return nil
	}
	if id := idText(o["id"]); id != "" && id != idText(u.id) {
		rule = "users.id-stable"
	}
	if token == "" || idText(o["id"]) != idText(u.id) {
		t.recordDifference(Difference{Rule: rule, At: rules.Login, Expected: "a session of user " + idText(u.id), Actual: "a session of " + showValue(valueOf(o, "id"))})
		return nil
	}
	t.state.loggedIn(who, token, rule, rules.Login)
	u.loggedIn = true
	u.loginNames = append(u.loginNames, value)
	t.logf("user %d logs in by %s", who, by)
	t.count(LogIn, "%s %d", by, min(len(u.sessions), 3))
	return append(t.sessionViews(who), own(rules.GetMe, who))
}

// loggedOutAs reports whether a user has logged out, and has logged in by a name since the name
// was set.
func (t *run) loggedOutAs(who int, name string) bool {
	u := t.state.users[who]
	return (u.changedStep == 0 || slices.Contains(u.loginNames, name)) &&
		t.state.hasLoggedOut(who)
}

// logOut ends a session that works.
func (t *run) logOut(ctx context.Context, o Op, p pair) []view {
	who, u := p.from, t.state.users[p.from]
	var working []int
	for i, s := range u.sessions {
		if s.state == Yes {
			working = append(working, i)
		}
	}
	if len(working) == 0 {
		return nil
	}
	chosen := working[o.Session%len(working)]
	answer := t.send(ctx, Request{Endpoint: rules.Logout, Session: u.sessions[chosen].token})
	if answer.Status == 401 { // how long a session lives is open
		u.sessions[chosen].state = Unknown
		return nil
	}
	if t.expect(answer, 204, "sessions.logout.status", rules.Logout) {
		t.state.loggedOut(who, chosen)
		t.logf("user %d logs out of session %d", who, chosen)
		t.count(LogOut, "%d", len(working))
	}
	return t.sessionViews(who)
}

// deleteUser deletes a user.
func (t *run) deleteUser(ctx context.Context, _ Op, p pair) []view {
	who := p.from
	affected := t.feedViews(who)
	for _, other := range t.living() {
		if other != who && t.state.everConnected(pair{who, other}) {
			affected = append(affected, own(rules.MyFollows, other), own(rules.MyFollowers, other), own(rules.MyFriends, other))
		}
	}
	answer := t.sendAs(ctx, who, Request{Endpoint: rules.DeleteMe})
	if !t.expect(answer, 204, "users.me.delete.status", rules.DeleteMe) {
		return nil
	}
	t.count(DeleteUser, "%d events", min(len(t.events(who)), 4))
	t.state.deleted(who)
	t.logf("user %d deletes itself", who)
	affected = append(affected, t.deletedUserViews(who)...)
	if u := t.state.users[who]; u.email != "" && u.formerNames != nil { // the index of emails may keep another one
		affected = append(affected, view{at: rules.Login, viewer: who, owner: who, session: -1, field: "email"})
	}
	affected = append(affected, t.sessionViews(who)...)
	return slices.DeleteFunc(affected, func(v view) bool { return v.viewer == who && v.at != rules.GetMe && v.at != rules.Login })
}

// edit changes a user's profile, its names or its password.
func (t *run) edit(ctx context.Context, o Op, p pair, changes update) []view {
	who, u := p.from, t.state.users[p.from]
	c := changes(t, o, u)
	if c == nil {
		return nil
	}
	d, terms := c.drawnPayload, c.terms
	t.allowRefusedPassword(d, u)
	before := u.version()
	former, wasNamed, wasReached := u.password, u.name, u.email
	if t.state.choices.MergesMetadata != No {
		t.respectKeyLimit(d, u.fields["metadata"])
	}
	send := func(fields Fields) Response {
		return t.sendAs(ctx, who, Request{Endpoint: rules.UpdateMe, Body: fields})
	}
	answer, sent := t.sendAwkward(d, send)
	if d.optional && answer.Refused() {
		return nil
	}
	if !t.expectAccepted(answer, rules.UpdateMe, sent, send) {
		return nil
	}
	t.judgeEdit(who, sent, answer)
	if u.previous = before; wasNamed != u.name && wasReached != u.email && wasReached != "" && u.email != "" {
		u.formerNames = Fields{"user_name": wasNamed, "email": wasReached}
	}
	terms["user_name"] = termIn(u.name, terms["user_name"])
	for _, field := range []string{"user_name", "first_name"} {
		if terms[field] != u.terms[field] {
			u.formerTerms = append(u.formerTerms, u.terms[field])
		}
		u.formerTerms = slices.DeleteFunc(u.formerTerms, func(term string) bool { return term == terms[field] })
	}
	u.terms = terms
	u.recordSocialID(sent)
	t.logf("user %d %s", who, c.told+t.valuesSuffix(c.shown, sent))
	t.count(o.Kind, "%v", u.changedStep > 0)
	views := []view{own(rules.GetMe, who)}
	if other := t.otherThan(who); other >= 0 {
		views = append(views, of(rules.GetUser, who, other))
	}
	views = append(views, t.nameSearches(who)...)
	if c.takenBack { // it was in the index before
		views = append(views, t.wholeSearches(who)...)
	}
	if ended := t.endedSessionViews(who); len(ended) > 0 { // which must not come back with the update
		views = append(views, ended[len(ended)-1])
	}
	if former == u.password {
		return views
	}
	if u.passwords = append(u.passwords, former); len(u.passwords) > 1 && u.email != "" && u.passwords[0] != u.password {
		t.judgeFormerPassword(ctx, Fields{"email": u.email, "password": u.passwords[0]})
	}
	t.judgePasswordChange(ctx, who, former)
	return views
}

// judgeEdit judges the answer to an update of a user, and applies it to the state.
func (t *run) judgeEdit(who int, sent Fields, answer Response) {
	u, o := t.state.users[who], answer.object()
	was := u.updated
	t.state.edited(who, sent, o)
	for name, want := range u.fields {
		if got := valueOf(o, name); !want.allows(got) {
			u.fields[name] = want.or(got)
			rule, at := unicodeRule(want, got, rules.UpdateMe, "users.me.update.applies")
			t.recordDifference(Difference{Rule: rule, At: at, Expected: name + " " + want.show(), Actual: name + " " + showValue(got)})
		}
	}
	if idText(o["id"]) != idText(u.id) || !sameInstant(o["created_at"], u.created) {
		t.recordDifference(Difference{Rule: "users.me.update.keeps-identity", At: rules.UpdateMe,
			Expected: fmt.Sprintf("id %s and created_at %s", idText(u.id), showValue(u.created)),
			Actual:   fmt.Sprintf("id %s and created_at %s", showValue(valueOf(o, "id")), showValue(valueOf(o, "created_at")))})
	}
	if wentBack(was, o["updated_at"]) {
		t.recordDifference(Difference{Rule: "users.me.update.updated-at", At: rules.UpdateMe,
			Expected: "updated_at " + showValue(was) + " or later", Actual: showValue(o["updated_at"])})
	}
}
