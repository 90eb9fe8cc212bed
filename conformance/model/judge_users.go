package model

import (
	"fmt"
	"slices"

	"github.com/socialfeed/conform/conformance/rules"
)

// judgeUser compares a user, as seen by itself or another, with the state.
func (st *State) judgeUser(v view, r Response) []Difference {
	u := st.users[v.owner]
	if v.at == rules.GetMe && v.session >= 0 {
		return st.judgeSession(v, r)
	}
	if !u.lives() {
		if r.Refused() {
			return nil
		}
		return []Difference{{Rule: "users.me.delete.gone", At: rules.DeleteMe, key: v.key("", ""),
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
		_, others := st.userByID(idText(o["id"]))
		return []Difference{{Rule: rule, At: at, key: v.key("", ""), timeless: others && r.Status == 200, Expected: fmt.Sprintf("200 and user %d", v.owner), Actual: r.show()}}
	}
	var found []Difference
	for name, want := range u.fields {
		if v.at == rules.GetUser && (name == "email" || slices.Contains(st.choices.Hidden, name)) {
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
		case u.changedStep > 0:
			rule, at = unicodeRule(want, got, rules.UpdateMe, "users.me.update.applies")
		}
		found = append(found, Difference{Rule: rule, At: at, key: v.key("", name),
			Expected: fmt.Sprintf("user %d with %s %s", v.owner, name, want.show()), Actual: showValue(got)})
	}
	return append(found, st.judgeTimes(v, u, o)...)
}

// judgeTimes compares the timestamps of a user with the state.
func (st *State) judgeTimes(v view, u *user, o Fields) []Difference {
	var found []Difference
	if !sameInstant(o["created_at"], u.created) {
		found = append(found, Difference{Rule: "users.me.update.keeps-identity", At: rules.UpdateMe, key: v.key("", "created_at"),
			Expected: "created_at " + showValue(u.created), Actual: showValue(valueOf(o, "created_at"))})
	}
	if wentBack(u.updated, o["updated_at"]) {
		found = append(found, Difference{Rule: "users.me.update.updated-at", At: rules.UpdateMe, key: v.key("", "updated_at"),
			Expected: "updated_at " + showValue(u.updated) + " or later", Actual: showValue(o["updated_at"])})
	}
	at, ok := instant(o["last_login"])
	if v.at == rules.GetUser && ok && at.Year() <= 1 && u.loggedIn { // others may not see it at all
		found = append(found, Difference{Rule: "users.get.other", At: rules.GetUser, key: v.key("", "last_login"),
			Expected: "last_login as the time of a login", Actual: showValue(valueOf(o, "last_login"))})
	}
	if v.at == rules.GetMe && u.loggedIn && (!ok || at.Year() <= 1) {
		found = append(found, Difference{Rule: "sessions.login.last-login", At: rules.GetMe, key: v.key("", "last_login"),
			Expected: "last_login as the time of a login", Actual: showValue(valueOf(o, "last_login"))})
	}
	return found
}

// judgeSession checks that a session works as long as it must, and no longer.
func (st *State) judgeSession(v view, r Response) []Difference {
	u := st.users[v.owner]
	switch state := u.sessions[v.session].state; {
	case state == No && !u.lives() && !r.Refused():
		return []Difference{{Rule: "sessions.deleted-user", At: rules.DeleteMe, key: v.key("", fmt.Sprint("session ", v.session)),
			Expected: fmt.Sprintf("401 for a session of user %d, which was deleted", v.owner), Actual: fmt.Sprint(r.Status)}}
	case state == No && u.lives() && r.Status != 401:
		return []Difference{{Rule: "sessions.logout.destroys", At: rules.Logout, key: v.key("", fmt.Sprint("session ", v.session)),
			Expected: fmt.Sprintf("401 for a session that user %d ended", v.owner), Actual: fmt.Sprint(r.Status)}}
	case state == Yes && v.at == rules.GetMe && r.OK() && idText(r.object()["id"]) != idText(u.id):
		rule, at := "users.me.get", rules.GetMe
		if s := u.sessions[v.session]; !s.used { // it was not this user's from the beginning
			rule, at = s.rule, s.at
		}
		return []Difference{{Rule: rule, At: at, key: v.key("", fmt.Sprint("session ", v.session)),
			Expected: "a session of user " + idText(u.id), Actual: "a session of user " + idText(r.object()["id"])}}
	}
	return nil
}

// judgeLogin judges a login that must not work: a deleted user's.
func (st *State) judgeLogin(v view, r Response) []Difference {
	if r.Refused() || idText(r.object()["id"]) != idText(st.users[v.owner].id) {
		return nil // a new user of the name may log in
	}
	return []Difference{{Rule: "sessions.deleted-user", At: rules.DeleteMe, key: v.key("", ""),
		Expected: fmt.Sprintf("no login of user %d, which was deleted", v.owner), Actual: fmt.Sprint(r.Status)}}
}
