package model

import (
	"fmt"
	"slices"

	"github.com/socialfeed/conform/conformance/rules"
)

// judgeUser compares a user as it or another sees it with the world.
func (w *World) judgeUser(v view, r Response) []Difference {
	u := w.users[v.owner]
	if v.at == rules.GetMe && v.session >= 0 {
		return w.judgeSession(v, r)
	}
	if !u.lives() {
		if r.Refused() {
			return nil
		}
		return []Difference{{Rule: "users.me.delete.gone", At: rules.DeleteMe, key: v.entry(""),
			Expected: fmt.Sprintf("404 for user %d, which was deleted", v.owner), Actual: r.show()}}
	}
	rule, at := "users.me.get", rules.GetMe
	if v.at == rules.GetUser {
		rule, at = "users.get.other", rules.GetUser
	}
	o := r.object()
	if r.Status == 200 && same(o["user_name"], u.name) && idText(o["id"]) != idText(u.id) {
		rule = "users.id-stable"
	}
	if r.Status != 200 || idText(o["id"]) != idText(u.id) {
		return []Difference{{Rule: rule, At: at, key: v.entry(""), Expected: fmt.Sprintf("200 and user %s", idText(u.id)), Actual: r.show()}}
	}
	var found []Difference
	for name, want := range u.fields {
		if v.at == rules.GetUser && (name == "email" || slices.Contains(w.choices.Hidden, name)) {
			want = want.or(absent{}) // whether others see it is open
		}
		got := valueOf(o, name)
		if want.allows(got) {
			continue
		}
		rule, at := unicodeRule(want, got, v.at, rule)
		switch {
		case got == endedSessionsValue:
			rule, at = "auth.no-effect", rules.UpdateMe
		case u.changed > 0:
			rule, at = unicodeRule(want, got, rules.UpdateMe, "users.me.update.applies")
		}
		found = append(found, Difference{Rule: rule, At: at, key: v.entry(name),
			Expected: fmt.Sprintf("user %d with %s %s", v.owner, name, want.show()), Actual: showValue(got)})
	}
	return append(found, w.judgeTimes(v, u, o)...)
}

func (w *World) judgeTimes(v view, u *user, o Fields) []Difference {
	var found []Difference
	if !sameInstant(o["created_at"], u.created) {
		found = append(found, Difference{Rule: "users.me.update.keeps-identity", At: rules.UpdateMe, key: v.entry("created_at"),
			Expected: "created_at " + showValue(u.created), Actual: showValue(valueOf(o, "created_at"))})
	}
	if order, ok := orderOf(o["updated_at"], u.updated); ok && order < 0 {
		found = append(found, Difference{Rule: "users.me.update.updated-at", At: rules.UpdateMe, key: v.entry("updated_at"),
			Expected: "updated_at " + showValue(u.updated) + " or later", Actual: showValue(o["updated_at"])})
	}
	if at, ok := instant(o["last_login"]); v.at == rules.GetMe && u.entered && (!ok || at.Year() <= 1) {
		found = append(found, Difference{Rule: "sessions.login.last-login", At: rules.GetMe, key: v.entry("last_login"),
			Expected: "last_login as the time of a login", Actual: showValue(valueOf(o, "last_login"))})
	}
	return found
}

// judgeSession looks whether a session works as long as it must, and no longer.
func (w *World) judgeSession(v view, r Response) []Difference {
	u := w.users[v.owner]
	switch state := u.sessions[v.session].state; {
	case state == No && !u.lives() && !r.Refused():
		return []Difference{{Rule: "sessions.deleted-user", At: rules.DeleteMe, key: v.entry(fmt.Sprint("session ", v.session)),
			Expected: fmt.Sprintf("401 for a session of user %d, which was deleted", v.owner), Actual: fmt.Sprint(r.Status)}}
	case state == No && u.lives() && r.Status != 401:
		return []Difference{{Rule: "sessions.logout.destroys", At: rules.Logout, key: v.entry(fmt.Sprint("session ", v.session)),
			Expected: fmt.Sprintf("401 for a session that user %d ended", v.owner), Actual: fmt.Sprint(r.Status)}}
	case state == Yes && v.at == rules.GetMe && r.OK() && idText(r.object()["id"]) != idText(u.id):
		rule, at := "users.me.get", rules.GetMe
		if s := u.sessions[v.session]; !s.used { // it never was this user's
			rule, at = s.rule, s.at
		}
		return []Difference{{Rule: rule, At: at, key: v.entry(fmt.Sprint("session ", v.session)),
			Expected: "a session of user " + idText(u.id), Actual: "a session of user " + idText(r.object()["id"])}}
	}
	return nil
}

// judgeLogin looks at a login that must not work: a deleted user's.
func (w *World) judgeLogin(v view, r Response) []Difference {
	if r.Refused() || idText(r.object()["id"]) != idText(w.users[v.owner].id) {
		return nil // whoever took the name since may log in
	}
	return []Difference{{Rule: "sessions.deleted-user", At: rules.DeleteMe, key: v.entry(""),
		Expected: fmt.Sprintf("no login of user %d, which was deleted", v.owner), Actual: fmt.Sprint(r.Status)}}
}
