package scenarios

import (
	"fmt"

	. "github.com/socialfeed/conform/conformance"
	. "github.com/socialfeed/conform/conformance/rules"
)

// loginDetails judges withUserDetails=true and last_login (Endpoints, row 2; User, row
// last_login). The logins judged are the first ones of their users.
func loginDetails(s *Suite) {
	for _, by := range loginFields() {
		// sessions.login.details: With withUserDetails=true the login answers the full User together with id and session_token.
		// sessions.login.last-login: After a login the user's last_login is a real time.
		// sessions.logout.destroys: A session token is invalid after its logout.
		s.Scenario("a login by "+by.field+" with details answers the full user",
			Covers("sessions.login.details", "sessions.login.last-login", "sessions.logout.destroys"), by.answersDetails)
	}
}

func (by loginField) answersDetails(t *T) {
	sent := t.NewUser(userProfile(t))
	created := createUser(t, sent)
	created.Done()
	detailed := by.login(t, sent, Query("withUserDetails", "true"))
	if !detailed.Succeeded() && !by.login(t, sent).Succeeded() {
		t.Blocked(by.rule, "needs a login by %s, which got %d", by.field, detailed.Status())
	}
	t.Judge("sessions.login.details", func(c *Check) {
		was := created.Record()
		c.Status(detailed, OneOf(200))
		user := c.Object(detailed)
		c.Present(user, "id", "session_token")
		c.Fields(user, storedFields(sent, was))
		own := by.ownRecord(t, user.Text("session_token"), t.UserOf(sent, created)).Record()
		for _, name := range []string{"enabled", "created_at", "updated_at"} {
			if was.Has(name) && (own.Has(name) || !own.Has("user_name")) {
				c.Present(user, name) // a target may tell it of new users alone
			}
		}
		if order, ok := own.CompareInstant("created_at", user); ok && own.Text("user_name") == user.Text("user_name") {
			c.True(order == 0, fmt.Sprintf("created_at %v as the user's own record has it", own["created_at"]), user.Shown("created_at"))
		}
	})
	t.JudgeAt(Login, "sessions.login.last-login", func(c *Check) {
		if user, _ := detailed.Value().(map[string]any); !detailed.Succeeded() || user["user_name"] == nil {
			t.Blocked("sessions.login.details", "needs a user from a login with details, which got %d", detailed.Status())
		}
		justLoggedIn(t, c, recordOf(c, detailed))
	})
	by.setsLastLogin(t)
	if detailed.Succeeded() {
		endedLikeAny(t, Basic{App: t.AppToken(), Session: detailed.Record().Text("session_token")}, t.UserOf(sent, created))
	}
}

// endedLikeAny judges that a logout destroys a session that came with the user's details.
func endedLikeAny(t *T, session Basic, user *Actor) {
	t.JudgeAt(Logout, "sessions.logout.destroys", func(c *Check) {
		if !t.Send(session, Logout).Succeeded() {
			t.Skip("needs a session from a login with details that works until its logout")
		}
		destroyed{session, user.ID, OneOf(401)}.refusedAt(t, c, GetMe)
	})
}

// setsLastLogin judges that the session's user has just logged in.
func (by loginField) setsLastLogin(t *T) {
	t.JudgeAt(GetMe, "sessions.login.last-login", func(c *Check) {
		fields := t.NewUser(nil)
		created := createUser(t, fields)
		created.Done()
		var details []With
		if by.field == "email" {
			details = []With{Query("withUserDetails", "true")} // of a user with few of them
		}
		entered := by.login(t, fields, details...)
		if !entered.Succeeded() {
			t.Blocked(by.rule, "needs a login by %s, which got %d", by.field, entered.Status())
		}
		own := by.ownRecord(t, entered.Record().Text("session_token"), t.UserOf(fields, created))
		if refusesSession(own) {
			t.Blocked(by.rule, "needs a session that works from a login by %s", by.field)
		}
		user := recordOf(c, own)
		if user.Text("user_name") != fields["user_name"] {
			t.Blocked(GetMe.BlockingRule(), "needs the user %s from %s, and got %q", fields["user_name"], GetMe, user.Text("user_name"))
		}
		justLoggedIn(t, c, user)
	})
}

// ownRecord reads a user's record in its only session. A session of another user blocks the
// check.
func (by loginField) ownRecord(t *T, token string, user *Actor) *Answer {
	session := Basic{App: t.AppToken(), Session: token}
	own := t.Send(session, GetMe)
	if opensOthers(t, session, own, user) {
		t.Blocked(by.rule, "needs a login by %s to give a session of the user's own", by.field)
	}
	return own
}

// login logs a user in by this field.
func (by loginField) login(t *T, user Fields, with ...With) *Answer {
	return t.Send(t.AppOnly(), Login, append(with, JSON(Fields{by.field: user[by.field], "password": user["password"]}))...)
}

// justLoggedIn judges that last_login is a real time. Texts that are not times
// belong to the rule about timestamps.
func justLoggedIn(t *T, c *Check, user Record) {
	if _, is := user.Instant("last_login"); !is && user.Text("last_login") != "" {
		t.Blocked("transport.timestamps", "needs last_login in RFC 3339, and got %s", user.Shown("last_login"))
	}
	c.True(user.Happened("last_login"), "last_login as the time of the login", user.Shown("last_login"))
}
