package scenarios

import (
	"fmt"
	"net/http"

	. "github.com/socialfeed/conform/conformance"
)

// isolation judges that applications are kept apart. Ids may be each
// application's own, so users are told apart by their names.
func isolation(s *Suite) {
	const rule = "auth.app-isolation"
	s.Scenario("one application's sessions and users are unknown to another", Judges(rule), func(t *Trial) {
		here, finder, elsewhere := t.Actor(), t.Actor(), t.ActorElsewhere()
		t.JudgeAt(GetMe, rule, func(c *Check) {
			for _, crossed := range []Basic{
				{App: elsewhere.Session().App, Session: here.Token()},
				{App: here.Session().App, Session: elsewhere.Token()},
			} {
				c.Status(t.Send(crossed, GetMe), OneOf(http.StatusUnauthorized))
			}
			for _, field := range []string{"user_name", "email"} {
				stranger := t.Send(Basic{App: elsewhere.Session().App}, Login, JSON(Fields{field: here.Required(nil)[field], "password": here.Password}))
				c.True(!stranger.Succeeded(), "no login of one application's user by "+field+" to another", fmt.Sprint(stranger.Status()))
			}
		})
		t.JudgeAt(GetUser, rule, func(c *Check) {
			t.Send(finder, GetUser, ID(here.ID)).Done()
			answer := t.Send(elsewhere, GetUser, ID(here.ID))
			if answer.Succeeded() && answer.Record().Text("user_name") != here.UserName {
				return // the other application's own user, under the same id
			}
			c.Status(answer, OneOf(http.StatusNotFound).Tolerating(http.StatusBadRequest, http.StatusUnprocessableEntity))
		})
		t.JudgeAt(SearchUsers, rule, func(c *Check) {
			t.Await("search.exact", foundBy(t, finder, here.UserName, true))
			c.EventuallyForGood(foundBy(t, elsewhere, here.UserName, false))
		})
	})
}

// foundBy looks whether an actor's search for a name has the user of that name.
func foundBy(t *Trial, searcher *Actor, name string, wanted bool) func() Problem {
	return func() Problem {
		found := false
		for _, user := range t.Send(searcher, SearchUsers, Query("q", name)).Records() {
			found = found || user.Text("user_name") == name
		}
		switch {
		case wanted && !found:
			return Problem{Expected: "user " + name + " among the results", Actual: "results without it"}
		case found && !wanted:
			return Problem{Expected: "results without user " + name + " of another application", Actual: "that user among them"}
		}
		return Problem{}
	}
}
