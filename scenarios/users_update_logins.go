package scenarios

import (
	"fmt"
	"strings"

	. "github.com/socialfeed/conform/conformance"
	. "github.com/socialfeed/conform/conformance/rules"
)

// userCredentialUpdates judges an update of a user's credentials.
func userCredentialUpdates(s *Suite) {
	// sessions.login.user-name: A user logs in with user name and password and gets its id and a session token that works.
	// sessions.login.email: A user logs in with email and password and gets its id and a session token that works.
	// sessions.login.details: With withUserDetails=true the login answers the full User together with id and session_token.
	// sessions.login.unknown-user: A login for a user name that nobody has is refused.
	// users.me.update.applies: An update takes effect, in its own answer and in later reads.
	s.Scenario("an update changes user name and email, and the user logs in by the new ones", Covers("users.me.update.applies",
		"sessions.login.user-name", "sessions.login.email", "sessions.login.unknown-user", "sessions.login.details"), loginsByNewNames)
	// users.me.update.password: After a change of password only the new password logs in.
	s.Scenario("after a change of password only the new one logs in", Covers("users.me.update.password"), newPasswordAlone)
}

func loginsByNewNames(t *T) {
	actor := t.AnyActor()
	former := []identifier{{field: "user_name", value: actor.UserName}, {field: "email", value: actor.Email}}
	before, fields := t.Send(actor, GetMe), t.NewUser(nil)
	fields["password"] = actor.Password
	updated := t.Send(actor, UpdateMe, JSON(fields))
	if updated.Succeeded() {
		actor.UserName, actor.Email = fields["user_name"].(string), fields["email"].(string)
	}
	delete(fields, "password")
	userUpdate{sent: fields, before: before, answer: updated, after: []*Answer{ownAfter(t, actor, updated)}}.applied(t, actor)
	loginsFollow(t, actor, former, updated)
}

func newPasswordAlone(t *T) {
	actor := t.AnyActor()
	identifiers := loginsOf(t, actor)
	former := []string{actor.Password, t.Password()}
	password := t.Secret(otherCase(former[1])) // which is another one, too
	t.Judge("users.me.update.password", func(c *Check) {
		between := Fields{"password": former[1]}
		if len(identifiers) > 1 { // then the email may change meanwhile
			between["email"] = t.Unique() + "@example.com"
		}
		for _, next := range []Fields{between, {"password": password}, {"password": password}} { // the same once more stays the password
			actor.Update(next).Done()
			actor.Password = next["password"].(string) // which the target may ask for, if the change ends the session
			if email, changed := next["email"].(string); changed {
				actor.Email = email
			}
		}
		for _, identifier := range identifiers {
			if identifier.field == "email" && len(identifiers) > 1 {
				identifier.value = actor.Email
				if !t.Send(t.AppOnly(), Login, JSON(identifier.with(password))).Succeeded() {
					continue // which sessions.login.email judges
				}
			}
			latestAlone(t, c, identifier, former, password)
		}
	})
	t.Send(actor, GetUser, ID(actor.ID)) // for the passive rules: a password that was changed is kept elsewhere, perhaps
}

// latestAlone judges that none of the earlier passwords logs in, before the new one is used and does.
func latestAlone(t *T, c *Check, identifier identifier, earlier []string, latest string) {
	for _, password := range earlier {
		old := t.Send(t.AppOnly(), Login, JSON(identifier.with(password)))
		if old.Succeeded() {
			needWrongRefused(t, identifier)
			half := len(latest) / 2
			other := t.Secret(strings.ToLower(latest[:half]) + latest[half:])
			if strings.EqualFold(password, latest) && t.Send(t.AppOnly(), Login, JSON(identifier.with(other))).Succeeded() {
				t.Blocked("sessions.login.wrong-password", "needs a password in another case to be refused, and it got a session")
			}
			c.Fail("no login with an old password", fmt.Sprint(old.Status()))
		}
		c.Status(old, Refused())
	}
	renewed := t.Send(t.AppOnly(), Login, JSON(identifier.with(latest)))
	c.True(renewed.Succeeded(), "a login with the new password", fmt.Sprint(renewed.Status()))
}

// needSamePasswordKept blocks the check if a user cannot log in after an update with an unchanged
// password and no new name.
func needSamePasswordKept(t *T) {
	user := newActor(t)
	logIn := func() bool {
		return t.Send(t.AppOnly(), Login, JSON(Fields{"user_name": user.UserName, "password": user.Password})).Succeeded()
	}
	if !logIn() || !user.Update(Fields{"password": user.Password}).Succeeded() {
		return
	}
	if !logIn() {
		t.Blocked("users.me.update.password", "needs a user to log in after an update that sends the same password, and the login is refused")
	}
}

// loginsFollow judges that a user logs in by the user name and email of an update, and no
// longer by the former ones.
func loginsFollow(t *T, a *Actor, former []identifier, updated *Answer) {
	changed := func(field, value string) {
		updated.Done()
		if updated.Record().Text(field) != value {
			t.Blocked("users.me.update.applies", "needs an update of %s, and it did not take effect", field)
		}
	}
	var detailed []*Answer
	for _, by := range []struct{ rule, field, value string }{
		{"sessions.login.user-name", "user_name", a.UserName},
		{"sessions.login.email", "email", a.Email},
	} {
		t.Judge(by.rule, func(c *Check) {
			changed(by.field, by.value)
			login := t.Send(t.AppOnly(), Login, JSON(identifier{field: by.field, value: by.value}.with(a.Password)), Query("withUserDetails", "true"))
			if !login.Succeeded() {
				needSamePasswordKept(t)
				c.Decide(login)
			}
			c.True(login.Succeeded(), "a login by the "+by.field+" of an update", fmt.Sprint(login.Status()))
			if login.Succeeded() {
				detailed = append(detailed, login)
			}
		})
	}
	t.Judge("sessions.login.details", func(c *Check) {
		changed("user_name", a.UserName)
		if len(detailed) == 0 {
			t.Skip("needs a login after an update")
		}
		for _, login := range detailed {
			if user := login.Record(); user.Has("user_name") { // whether there are details at all is judged elsewhere
				c.Decide(login)
				c.Fields(user, Fields{"user_name": a.UserName})
			}
		}
	})
	t.Judge("sessions.login.unknown-user", func(c *Check) {
		changed("user_name", a.UserName)
		changed("email", a.Email)
		for _, identifier := range former {
			login := t.Send(t.AppOnly(), Login, JSON(identifier.with(a.Password)))
			c.True(!login.Succeeded(), "no login by the former "+identifier.field, fmt.Sprint(login.Status()))
		}
	})
}
