package scenarios

import (
	"fmt"
	"strings"

	. "github.com/socialfeed/conform/conformance"
	. "github.com/socialfeed/conform/conformance/rules"
)

// loginRefusals judges which logins give no session (Authentication, item 5;
// Endpoints, row 2).
func loginRefusals(s *Suite) {
	// sessions.login.wrong-password: A login with a wrong password gets 401.
	s.Scenario("a wrong password does not log in", Covers("sessions.login.wrong-password"), func(t *T) {
		const few = 3 // failures in a row: a target may lock an account after many
		actors := t.Actors(2)
		t.Judge("sessions.login.wrong-password", func(c *Check) {
			for i, actor := range actors { // one for each identifier
				identifiers := loginsOf(t, actor)
				identifier := identifiers[min(i, len(identifiers)-1)]
				for n, wrong := range wrongPasswords(t, actor, actors[1-i]) {
					if n == few {
						t.Send(t.AppOnly(), Login, JSON(identifier.with(actor.Password)))
					}
					refusedLogin(t, c, identifier, wrong)
				}
			}
		})
	})
	// sessions.login.wrong-password: A login with a wrong password gets 401.
	s.Scenario("a long password counts to its last character", Covers("sessions.login.wrong-password"), func(t *T) {
		long := t.Password() + t.Password()
		fields := t.NewUser(Fields{"password": long})
		created := createUser(t, fields, Query("withLogin", "true"))
		t.Judge("sessions.login.wrong-password", func(c *Check) {
			if !created.Succeeded() {
				createPlainUser(t)
				return // how long passwords may be is left open
			}
			identifier := loginsOf(t, t.ActorOf(fields, created))[0]
			refusedLogin(t, c, identifier, wrongPassword{"a long password but for its last character", otherEnding(long), OneOf(401)})
		})
	})
	// sessions.login.unknown-user: A login for a user name that nobody has is refused.
	// sessions.login.password-required: A login without a password is refused.
	// sessions.login.identifier-required: A login that names neither a user name nor an email is refused.
	s.Scenario("a login needs a user, an identifier and a password",
		Covers("sessions.login.unknown-user", "sessions.login.password-required", "sessions.login.identifier-required"), func(t *T) {
			actor := t.Actor()
			identifiers := loginsOf(t, actor)
			t.Judge("sessions.login.unknown-user", func(c *Check) {
				for _, identifier := range identifiers {
					_, host, isEmail := strings.Cut(identifier.value, "@")
					if identifier.value = t.Unique(); isEmail && identifier.field == "email" { // nobody's, in the same form
						identifier.value += "@" + host
					}
					answer := t.Send(t.AppOnly(), Login, JSON(identifier.with(actor.Password)))
					c.Status(answer, OneOf(401).Tolerating(400, 403, 404, 422))
				}
			})
			t.Judge("sessions.login.password-required", func(c *Check) {
				for _, identifier := range identifiers {
					answer := t.Send(t.AppOnly(), Login, JSON(Fields{identifier.field: identifier.value}))
					c.Status(answer, OneOf(400, 422).Tolerating(401))
					blank := t.Send(t.AppOnly(), Login, JSON(identifier.with(""))) // which may count as a wrong one
					c.Status(blank, Refused())
				}
			})
			t.Judge("sessions.login.identifier-required", func(c *Check) {
				answer := t.Send(t.AppOnly(), Login, JSON(Fields{"password": actor.Password}))
				c.Status(answer, OneOf(400, 422).Tolerating(401, 404))
			})
		})
}

// refusedLogin judges a login with a wrong password.
func refusedLogin(t *T, c *Check, identifier identifier, wrong wrongPassword) {
	answer := t.Send(t.AppOnly(), Login, JSON(identifier.with(wrong.password)))
	expected := fmt.Sprintf("401 for a login by %s with %s", identifier.field, wrong.what)
	c.True(!answer.Succeeded(), expected, fmt.Sprint(answer.Status()))
	c.Status(answer, wrong.want)
}

// wrongPassword is a password that is not the user's.
type wrongPassword struct {
	what, password string
	want           StatusMatcher
}

// wrongPasswords are near and far from the right one.
func wrongPasswords(t *T, actor, other *Actor) []wrongPassword {
	right := actor.Password
	wrong := []wrongPassword{
		{"the password between blanks", " " + right + " ", OneOf(401)},
		{"another user's password", other.Password, OneOf(401)},
		{"the password but for its last character", otherEnding(right), OneOf(401)},
		{"the password with a character more", right + "0", OneOf(401)},
	}
	if upper := strings.ToUpper(right); upper != right {
		wrong = append(wrong, wrongPassword{"the password in upper case", upper, OneOf(401)})
	}
	return wrong
}

// otherEnding is a password with another last character.
func otherEnding(password string) string {
	head := password[:len(password)-1]
	if strings.HasSuffix(password, "0") {
		return head + "1"
	}
	return head + "0"
}
