package scenarios

import (
	"fmt"

	. "github.com/socialfeed/conform/conformance"
)

// sessionEnds judges when a session token is worth nothing any more (States and
// transitions; Authentication, items 4 and 5).
func sessionEnds(s *Suite) {
	s.Scenario("a logout destroys the session, and the user logs in again",
		Judges("sessions.logout.status", "sessions.logout.destroys", "sessions.logout.relogin"), func(t *Trial) {
			actor := t.Actor()
			session := actor.Session()
			before, ended := t.Send(session, GetMe), t.Send(session, Logout)
			t.Judge("sessions.logout.status", func(c *Check) { c.Status(ended, OneOf(204)) })
			t.Judge("sessions.logout.destroys", func(c *Check) {
				before.Done()
				ended.Done()
				sessionDestroyed(t, c, session)
			})
			t.Judge("sessions.logout.relogin", func(c *Check) {
				ended.Done()
				logsInAgain(t, c, actor)
			})
		})
	s.Scenario("what a logout does to the user's other sessions",
		Judges("sessions.logout.others", "sessions.logout.destroys"), func(t *Trial) {
			actor := t.Actor()
			actor.LogIn()
			first := actor.Session()
			actor.LogIn()
			second := actor.Session()
			single := first == second || !sessionLives(t, first)
			ended := t.Send(second, Logout)
			t.Judge("sessions.logout.destroys", func(c *Check) {
				ended.Done()
				sessionDestroyed(t, c, second)
			})
			t.Judge("sessions.logout.others", func(c *Check) {
				ended.Done()
				switch {
				case single:
					c.Observe("one session at a time")
				case sessionLives(t, first):
					c.Observe("survive")
				}
				c.Observe("end")
			})
		})
	s.Scenario("what a later login does to an earlier session", Judges("sessions.concurrent"), func(t *Trial) {
		actor := t.Actor()
		actor.LogIn()
		first := actor.Session()
		actor.LogIn()
		t.Judge("sessions.concurrent", func(c *Check) {
			if sessionLives(t, first) {
				c.Observe("survives")
			}
			c.Observe("ends")
		})
	})
	s.Scenario("a deleted user has no session and cannot log in", Judges("sessions.deleted-user"), func(t *Trial) {
		actor := t.Actor()
		sessions := []Basic{actor.Session()}
		doors := loginsOf(t, actor)
		for _, door := range doors {
			sessions = append(sessions, door.session)
		}
		deleted := t.Send(sessions[len(sessions)-1], DeleteMe)
		t.JudgeAt(DeleteMe, "sessions.deleted-user", func(c *Check) {
			deleted.Done()
			for _, session := range sessions {
				c.Status(t.Send(session, GetMe), OneOf(401).Tolerating(403, 404))
			}
		})
		t.JudgeAt(Login, "sessions.deleted-user", func(c *Check) {
			deleted.Done()
			for _, door := range doors {
				answer := t.Send(t.AppOnly(), Login, JSON(door.with(actor.Password)))
				c.Status(answer, OneOf(401).Tolerating(400, 403, 404, 422))
			}
		})
	})
}

// sessionDestroyed judges that a session token gets 401 wherever it is used.
func sessionDestroyed(t *Trial, c *Check, session Basic) {
	c.Status(t.Send(session, GetMe), OneOf(401))
	c.Status(t.Send(session, Logout), OneOf(401))
}

// sessionLives tells whether a session token is still served.
func sessionLives(t *Trial, session Basic) bool {
	answer := t.Send(session, GetMe)
	if refusesSession(answer) {
		return false
	}
	answer.Done()
	return true
}

// logsInAgain judges that a user who logged out logs in, by user name or by
// email, and gets a session that works. Where nobody can log in, that is not the
// logout's doing.
func logsInAgain(t *Trial, c *Check, a *Actor) {
	var answer *Answer
	for _, by := range []Fields{{"user_name": a.UserName}, {"email": a.Email}} {
		by["password"] = a.Password
		if answer = t.Send(t.AppOnly(), Login, JSON(by)); answer.Succeeded() {
			ownSession(t, c, answer.Record().Text("session_token"), a)
			return
		}
	}
	loginsOf(t, t.Actor())
	c.Fail("a login after the logout", fmt.Sprint(answer.Status()))
}
