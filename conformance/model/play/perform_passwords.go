package play

import (
	"context"
	"fmt"
	"strings"

	"github.com/socialfeed/conform/conformance/model/blame"
	"github.com/socialfeed/conform/conformance/model/body"
	"github.com/socialfeed/conform/conformance/model/exchange"
	"github.com/socialfeed/conform/conformance/model/story"
	"github.com/socialfeed/conform/conformance/model/value"
	"github.com/socialfeed/conform/conformance/model/world"
	"github.com/socialfeed/conform/conformance/rules"
)

// password returns a new password of a user: one that the cleanup of a killed run can derive again or,
// for a while, an awkward one. With OtherCase it is one that differs, if the present one was such, from
// that in case alone.
func (t *run) password(o story.Op, u *world.User) *body.Drawn {
	made := t.player.target.Password()
	if o.OtherCase {
		const one, other = "Abc", "aBC"
		if known, ends := strings.CutSuffix(u.Password, one); ends {
			return t.payloads.Begin(value.Fields{"password": known + other})
		}
		return t.payloads.Begin(value.Fields{"password": made + one})
	}
	if !o.Awkward {
		return t.payloads.Password(0, made)
	}
	return t.payloads.Password(o.Values, made)
}

// judgeFormerPassword checks that a login with a former password is refused.
func (t *run) judgeFormerPassword(ctx context.Context, login value.Fields) {
	answer := t.send(ctx, exchange.Request{Endpoint: rules.Login, Body: login})
	if answer.OK() {
		t.recordDifference(blame.Difference{Rule: "users.me.update.password", At: rules.UpdateMe, Expected: "no login with a former password", Actual: fmt.Sprint(answer.Status)})
	}
}

// judgePasswordChange checks that a login works with the new password, and not with the former one.
func (t *run) judgePasswordChange(ctx context.Context, who int, former string) {
	u := t.state.Users[who]
	t.judgeFormerPassword(ctx, value.Fields{"user_name": u.Name, "password": former})
	answer := t.send(ctx, exchange.Request{Endpoint: rules.Login, Body: value.Fields{"user_name": u.Name, "password": u.Password}})
	if token, _ := answer.Object()["session_token"].(string); answer.OK() && token != "" {
		t.state.LoggedIn(who, token, "users.me.update.password", rules.UpdateMe)
	} else {
		rule, at := t.ruleOfNewPassword(ctx, who, "user_name")
		t.recordDifference(blame.Difference{Rule: rule, At: at, Expected: "a login by user_name with the new password", Actual: fmt.Sprint(answer.Status)})
	}
}

// ruleOfNewPassword returns the rule to blame where a login by a name is refused that has the password
// of the latest update: where it works by the user's other name, the update was right.
func (t *run) ruleOfNewPassword(ctx context.Context, who int, by string) (string, rules.Endpoint) {
	u := t.state.Users[who]
	rule, other := "sessions.login.user-name", value.Fields{"email": u.Email, "password": u.Password}
	if by == "email" {
		rule, other = "sessions.login.email", value.Fields{"user_name": u.Name, "password": u.Password}
	}
	before := t.evidence
	answer := t.send(ctx, exchange.Request{Endpoint: rules.Login, Body: other})
	t.evidence = before
	if u.Email != "" && answer.OK() {
		return rule, rules.Login
	}
	return "users.me.update.password", rules.UpdateMe
}
