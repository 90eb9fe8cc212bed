package model

import (
	"context"
	"fmt"
	"strings"

	"github.com/socialfeed/conform/conformance/rules"
)

// password returns a new password of a user: one that the cleanup of a killed run can derive again or,
// for a while, an awkward one. With OtherCase it is one that differs, if the present one was such, from
// that in case alone.
func (t *run) password(o Op, u *user) *drawnPayload {
	made := t.player.target.Password()
	if o.OtherCase {
		const one, other = "Abc", "aBC"
		if known, ends := strings.CutSuffix(u.password, one); ends {
			return t.payloads.begin(Fields{"password": known + other})
		}
		return t.payloads.begin(Fields{"password": made + one})
	}
	if !o.Awkward {
		return t.payloads.password(0, made)
	}
	return t.payloads.password(o.Values, made)
}

// judgeFormerPassword checks that a login with a former password is refused.
func (t *run) judgeFormerPassword(ctx context.Context, login Fields) {
	answer := t.send(ctx, Request{Endpoint: rules.Login, Body: login})
	if answer.OK() {
		t.recordDifference(Difference{Rule: "users.me.update.password", At: rules.UpdateMe, Expected: "no login with a former password", Actual: fmt.Sprint(answer.Status)})
	}
}

// judgePasswordChange checks that a login works with the new password, and not with the former one.
func (t *run) judgePasswordChange(ctx context.Context, who int, former string) {
	u := t.state.users[who]
	t.judgeFormerPassword(ctx, Fields{"user_name": u.name, "password": former})
	answer := t.send(ctx, Request{Endpoint: rules.Login, Body: Fields{"user_name": u.name, "password": u.password}})
	if token, _ := answer.object()["session_token"].(string); answer.OK() && token != "" {
		t.state.loggedIn(who, token, "users.me.update.password", rules.UpdateMe)
	} else {
		rule, at := t.ruleOfNewPassword(ctx, who, "user_name")
		t.recordDifference(Difference{Rule: rule, At: at, Expected: "a login by user_name with the new password", Actual: fmt.Sprint(answer.Status)})
	}
}

// ruleOfNewPassword returns the rule to blame where a login by a name is refused that has the password
// of the latest update: where it works by the user's other name, the update was right.
func (t *run) ruleOfNewPassword(ctx context.Context, who int, by string) (string, rules.Endpoint) {
	u := t.state.users[who]
	rule, other := "sessions.login.user-name", Fields{"email": u.email, "password": u.password}
	if by == "email" {
		rule, other = "sessions.login.email", Fields{"user_name": u.name, "password": u.password}
	}
	before := t.evidence
	answer := t.send(ctx, Request{Endpoint: rules.Login, Body: other})
	t.evidence = before
	if u.email != "" && answer.OK() {
		return rule, rules.Login
	}
	return "users.me.update.password", rules.UpdateMe
}
