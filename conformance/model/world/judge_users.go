package world

import (
	"fmt"
	"slices"

	"github.com/socialfeed/conform/conformance/model/blame"
	"github.com/socialfeed/conform/conformance/model/exchange"
	"github.com/socialfeed/conform/conformance/model/leeway"
	"github.com/socialfeed/conform/conformance/model/value"
	"github.com/socialfeed/conform/conformance/rules"
)

// judgeUser compares a user, as seen by itself or another, with the state.
func (st *State) judgeUser(v View, r exchange.Response) []blame.Difference {
	u := st.Users[v.Owner]
	if v.At == rules.GetMe && v.Session >= 0 {
		return st.judgeSession(v, r)
	}
	if !u.Lives() {
		if r.Refused() {
			return nil
		}
		return []blame.Difference{{Rule: "users.me.delete.gone", At: rules.DeleteMe, Key: v.Key("", ""),
			Expected: fmt.Sprintf("404 for user %d, which was deleted", v.Owner), Actual: r.Show()}}
	}
	rule, at := "users.me.get", rules.GetMe
	if v.At == rules.GetUser {
		rule, at = "users.get.other", rules.GetUser
	}
	o := r.Object()
	if r.Status == 200 && value.Same(o["user_name"], u.Name) && value.ID(o["id"]) != value.ID(u.ID) {
		rule = "users.id-stable"
	}
	if r.Status != 200 || value.ID(o["id"]) != value.ID(u.ID) {
		_, others := st.UserByID(value.ID(o["id"]))
		return []blame.Difference{{Rule: rule, At: at, Key: v.Key("", ""), Timeless: others && r.Status == 200, Expected: fmt.Sprintf("200 and user %d", v.Owner), Actual: r.Show()}}
	}
	var found []blame.Difference
	for name, want := range u.Fields {
		if v.At == rules.GetUser && (name == "email" || slices.Contains(st.Choices.Hidden, name)) {
			want = want.Or(value.Absent{}) // whether others see it is open
		}
		got := value.Of(o, name)
		if want.Allows(got) {
			continue
		}
		rule, at := blame.Unicode(want, got, v.At, rule)
		switch {
		case got == EndedSessionsValue:
			rule, at = "auth.no-effect", rules.UpdateMe
		case u.ChangedStep > 0:
			rule, at = blame.Unicode(want, got, rules.UpdateMe, "users.me.update.applies")
		}
		found = append(found, blame.Difference{Rule: rule, At: at, Key: v.Key("", name),
			Expected: fmt.Sprintf("user %d with %s %s", v.Owner, name, want.Show()), Actual: value.Show(got)})
	}
	return append(found, st.judgeTimes(v, u, o)...)
}

// judgeTimes compares the timestamps of a user with the state.
func (st *State) judgeTimes(v View, u *User, o value.Fields) []blame.Difference {
	var found []blame.Difference
	if !value.SameInstant(o["created_at"], u.Created) {
		found = append(found, blame.Difference{Rule: "users.me.update.keeps-identity", At: rules.UpdateMe, Key: v.Key("", "created_at"),
			Expected: "created_at " + value.Show(u.Created), Actual: value.Show(value.Of(o, "created_at"))})
	}
	if value.WentBack(u.Updated, o["updated_at"]) {
		found = append(found, blame.Difference{Rule: "users.me.update.updated-at", At: rules.UpdateMe, Key: v.Key("", "updated_at"),
			Expected: "updated_at " + value.Show(u.Updated) + " or later", Actual: value.Show(o["updated_at"])})
	}
	at, ok := value.Instant(o["last_login"])
	if v.At == rules.GetUser && ok && at.Year() <= 1 && u.LoggedIn { // others may not see it at all
		found = append(found, blame.Difference{Rule: "users.get.other", At: rules.GetUser, Key: v.Key("", "last_login"),
			Expected: "last_login as the time of a login", Actual: value.Show(value.Of(o, "last_login"))})
	}
	if v.At == rules.GetMe && u.LoggedIn && (!ok || at.Year() <= 1) {
		found = append(found, blame.Difference{Rule: "sessions.login.last-login", At: rules.GetMe, Key: v.Key("", "last_login"),
			Expected: "last_login as the time of a login", Actual: value.Show(value.Of(o, "last_login"))})
	}
	return found
}

// judgeSession checks that a session works as long as it must, and no longer.
func (st *State) judgeSession(v View, r exchange.Response) []blame.Difference {
	u := st.Users[v.Owner]
	switch state := u.Sessions[v.Session].State; {
	case state == leeway.No && !u.Lives() && !r.Refused():
		return []blame.Difference{{Rule: "sessions.deleted-user", At: rules.DeleteMe, Key: v.Key("", fmt.Sprint("session ", v.Session)),
			Expected: fmt.Sprintf("401 for a session of user %d, which was deleted", v.Owner), Actual: fmt.Sprint(r.Status)}}
	case state == leeway.No && u.Lives() && r.Status != 401:
		return []blame.Difference{{Rule: "sessions.logout.destroys", At: rules.Logout, Key: v.Key("", fmt.Sprint("session ", v.Session)),
			Expected: fmt.Sprintf("401 for a session that user %d ended", v.Owner), Actual: fmt.Sprint(r.Status)}}
	case state == leeway.Yes && v.At == rules.GetMe && r.OK() && value.ID(r.Object()["id"]) != value.ID(u.ID):
		rule, at := "users.me.get", rules.GetMe
		if s := u.Sessions[v.Session]; !s.Used { // it was not this user's from the beginning
			rule, at = s.Rule, s.At
		}
		return []blame.Difference{{Rule: rule, At: at, Key: v.Key("", fmt.Sprint("session ", v.Session)),
			Expected: "a session of user " + value.ID(u.ID), Actual: "a session of user " + value.ID(r.Object()["id"])}}
	}
	return nil
}

// judgeLogin judges a login that must not work: a deleted user's.
func (st *State) judgeLogin(v View, r exchange.Response) []blame.Difference {
	if r.Refused() || value.ID(r.Object()["id"]) != value.ID(st.Users[v.Owner].ID) {
		return nil // a new user of the name may log in
	}
	return []blame.Difference{{Rule: "sessions.deleted-user", At: rules.DeleteMe, Key: v.Key("", ""),
		Expected: fmt.Sprintf("no login of user %d, which was deleted", v.Owner), Actual: fmt.Sprint(r.Status)}}
}
