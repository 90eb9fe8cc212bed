package story

import (
	"net/http"
	"slices"

	"github.com/socialfeed/conform/conformance/rules"
)

// sessionActions are those that begin and end sessions: endpoints 2 and 3.
func sessionActions() []*Action {
	return []*Action{
		{Name: "log in", Weight: 2, At: rules.Login, Plans: planLogin, Request: requestLogin, Expect: expectLogin, Apply: applyLogin, Compare: compareLogin, Views: viewsOfLogin,
			Required: map[string]string{"password": "sessions.login.password-required"},
			Say: func(s Step) string {
				if s.By == "email" {
					return "logs in by email" + variant(s)
				}
				return "logs in" + variant(s)
			}},
		{Name: "log out", Weight: 1, At: rules.Logout, Plans: planLogout, Request: requestPlain(rules.Logout), Expect: succeeds(204, "sessions.logout.status", rules.Logout),
			Apply: applyLogout, Views: viewsOfLogout, Say: func(Step) string { return "logs out" }},
	}
}

// requestLogin returns the request of a login: of the user that has a role, or had it before.
func requestLogin(w *World, s Step) (Request, bool) {
	who, there := w.who(s.User, s.Former)
	if !there {
		return Request{}, false
	}
	u := &w.users[who]
	by, value, password := "user_name", u.name, u.password
	if s.By == "email" {
		by, value = "email", u.email
	}
	if s.How == formerSecret {
		if len(u.passwords) == 0 || u.passwords[len(u.passwords)-1] == u.password {
			return Request{}, false
		}
		password = u.passwords[len(u.passwords)-1]
	}
	if value == "" || password == "" {
		return Request{}, false
	}
	r := Request{Endpoint: rules.Login, Body: Fields{by: value, "password": password}}
	if s.How == details {
		r.Query = map[string]string{"withUserDetails": "true"}
	}
	return r, true
}

// loginOf returns the user that a login is of: whoever has the name and the password in the
// application that it is sent to; false for nobody.
func (w *World) loginOf(s Step) (int, bool) {
	r, ok := requestLogin(w, s)
	who, _ := w.who(s.User, s.Former)
	if s.sent != nil {
		r.Body = s.sent
	} else if !ok {
		return -1, false
	}
	app := w.users[who].app
	if s.In > 0 {
		app = s.In - 1
	}
	i := slices.IndexFunc(w.users, func(u user) bool {
		named := r.Body["user_name"] == u.name || u.email != "" && r.Body["email"] == u.email
		return u.app == app && u.lives() && named && r.Body["password"] == u.password
	})
	return i, i >= 0
}

func expectLogin(w *World, s Step) Expect {
	who, _ := w.who(s.User, s.Former)
	u := &w.users[who]
	if _, lets := w.loginOf(s); !lets {
		switch {
		case !u.lives():
			return Expect{Rule: "sessions.deleted-user", At: rules.DeleteMe}
		case s.In > 0 && s.In-1 != u.app:
			return Expect{Rule: isolation, At: rules.GetMe}
		}
		return Expect{Rule: "users.me.update.password", At: rules.UpdateMe}
	}
	rule, at, name := "sessions.login.user-name", rules.Login, u.name
	if s.By == "email" {
		rule, name = "sessions.login.email", u.email
	}
	switch loggedOut := slices.ContainsFunc(w.past, func(p past) bool { return p.do == "log out" && p.user == who }); {
	case loggedOut && (u.changed == 0 || slices.Contains(u.loginNames, name)):
		rule, at = "sessions.logout.relogin", rules.Logout
	case len(u.passwords) > 0 && !slices.Contains(u.loginNames, name): // it worked with the password before
		rule, at = "users.me.update.password", rules.UpdateMe
	}
	return Expect{Status: http.StatusOK, Rule: rule, At: at}
}

func applyLogin(w *World, c call) {
	who, there := w.loginOf(c.Step)
	if !there { // a user that was deleted at the same time
		return
	}
	o := c.answer.object()
	rule := "sessions.login.user-name"
	if c.By == "email" {
		rule = "sessions.login.email"
	}
	if token, _ := o["session_token"].(string); token != "" {
		w.loggedIn(who, c.Step.Session, token, rules.Place{Rule: rule, At: rules.Login})
	}
	u := &w.users[who]
	u.loggedIn = true
	name := u.name
	if c.By == "email" {
		name = u.email
	}
	u.loginNames = append(slices.Clip(u.loginNames), name)
	w.record(past{do: "log in", user: who, other: -1, event: -1})
}

func compareLogin(w *World, c call) []Diff {
	who, there := w.loginOf(c.Step)
	if !there {
		return nil
	}
	o, d := c.answer.object(), c.diff(w, who)
	d.Got = valueOf(o, "id")
	if token, _ := o["session_token"].(string); token == "" {
		d.Kind = NoSession
		return []Diff{d}
	}
	if id := idText(o["id"]); id != idText(w.users[who].id) {
		d.Kind = OtherSession
		if id == "" {
			d.Kind = NoSession
		}
		return []Diff{d}
	}
	return nil
}

func applyLogout(w *World, c call) {
	who, _ := w.who(c.User, false)
	u := &w.users[who]
	if i := slices.IndexFunc(u.sessions, func(s session) bool { return s.token == c.Request.Session }); i >= 0 {
		w.loggedOut(who, i)
	}
}
