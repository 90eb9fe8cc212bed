package scenarios

import (
	"fmt"
	"strings"

	. "github.com/socialfeed/conform/conformance"
)

// loginRefusals judges which logins give no session (Authentication, item 5;
// Endpoints, row 2).
func loginRefusals(s *Suite) {
	s.Scenario("a wrong password does not log in", Judges("sessions.login.wrong-password"), func(t *Trial) {
		actors := t.Actors(2) // one for each identifier: a target may lock an account after many failures
		t.Judge("sessions.login.wrong-password", func(c *Check) {
			for i, actor := range actors {
				doors := loginsOf(t, actor)
				door := doors[min(i, len(doors)-1)]
				for _, wrong := range wrongPasswords(t, actor, actors[1-i]) {
					answer := t.Send(t.AppOnly(), Login, JSON(door.with(wrong.password)))
					expected := fmt.Sprintf("401 for a login by %s with %s", door.field, wrong.what)
					c.True(!answer.Succeeded(), expected, fmt.Sprint(answer.Status()))
					c.Status(answer, wrong.want)
				}
			}
		})
	})
	s.Scenario("a login needs a user, an identifier and a password",
		Judges("sessions.login.unknown-user", "sessions.login.password-required", "sessions.login.identifier-required"), func(t *Trial) {
			actor := t.Actor()
			doors := loginsOf(t, actor)
			t.Judge("sessions.login.unknown-user", func(c *Check) {
				for _, door := range doors {
					door.value = t.Unique() + strings.TrimPrefix(door.value, actor.UserName) // nobody's, in the same form
					answer := t.Send(t.AppOnly(), Login, JSON(door.with(actor.Password)))
					c.Status(answer, OneOf(401).Tolerating(400, 403, 404, 422))
				}
			})
			t.Judge("sessions.login.password-required", func(c *Check) {
				for _, door := range doors {
					answer := t.Send(t.AppOnly(), Login, JSON(Fields{door.field: door.value}))
					c.Status(answer, OneOf(400, 422).Tolerating(401))
				}
			})
			t.Judge("sessions.login.identifier-required", func(c *Check) {
				answer := t.Send(t.AppOnly(), Login, JSON(Fields{"password": actor.Password}))
				c.Status(answer, OneOf(400, 422).Tolerating(401, 404))
			})
		})
}

// wrongPassword is a password that is not the user's.
type wrongPassword struct {
	what, password string
	want           Want
}

// wrongPasswords are near and far from the right one. A blank may be refused as
// what no password can be.
func wrongPasswords(t *Trial, actor, other *Actor) []wrongPassword {
	right := actor.Password
	last := "0"
	if strings.HasSuffix(right, last) {
		last = "1"
	}
	wrong := []wrongPassword{
		{"a password that nobody has", t.Password(), OneOf(401)},
		{"another user's password", other.Password, OneOf(401)},
		{"the password but for its last character", right[:len(right)-1] + last, OneOf(401)},
		{"a blank as the password", " ", Refused()},
	}
	if upper := strings.ToUpper(right); upper != right {
		wrong = append(wrong, wrongPassword{"the password in upper case", upper, OneOf(401)})
	}
	return wrong
}
