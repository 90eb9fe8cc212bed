package model

import (
	"context"
	"fmt"

	"github.com/socialfeed/conform/conformance/rules"
)

// password returns a new password: one that the cleanup of a killed run can derive again or,
// for a while, an awkward one.
func (t *playthrough) password(o Op) *drawnPayload {
	v := o.V
	if abs(o.B)%2 == 0 {
		v = 0
	}
	d, made := t.payloads.begin(nil), t.player.target.Password()
	t.payloads.put(d, "password", v, passwords(), func(form any) any { return fillForm(form.(string), made) })
	return d
}

// judgeFormerPassword checks that a login with a former password is refused.
func (t *playthrough) judgeFormerPassword(ctx context.Context, login Fields) {
	answer := t.send(ctx, Request{Endpoint: rules.Login, Body: login})
	if answer.OK() {
		t.recordDifference(Difference{Rule: "users.me.update.password", At: rules.UpdateMe, Expected: "no login with a former password", Actual: fmt.Sprint(answer.Status)})
	}
}

// judgePasswordChange checks that a login works with the new password, and not with the former one.
func (t *playthrough) judgePasswordChange(ctx context.Context, who int, former string) {
	u := t.state.users[who]
	t.judgeFormerPassword(ctx, Fields{"user_name": u.name, "password": former})
	answer := t.send(ctx, Request{Endpoint: rules.Login, Body: Fields{"user_name": u.name, "password": u.password}})
	if token, _ := answer.object()["session_token"].(string); answer.OK() && token != "" {
		t.state.loggedIn(who, token, "users.me.update.password", rules.UpdateMe)
	} else {
		t.recordDifference(Difference{Rule: "users.me.update.password", At: rules.UpdateMe, Expected: "a login with the new password", Actual: fmt.Sprint(answer.Status)})
	}
}
