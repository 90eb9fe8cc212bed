package scenarios

import (
	"fmt"
	"net/http"
	"slices"

	"github.com/onsi/gomega/types"
	. "github.com/socialfeed/conform/conformance"
	. "github.com/socialfeed/conform/conformance/rules"
)

// isolation judges that applications are kept apart. Ids may be each
// application's own, so users are told apart by their names.
func isolation(s *Suite) {
	const rule = "auth.app-isolation"
	// auth.app-isolation: Applications are kept apart. A session of one is no session of another, and the users
	//   of one are unknown to the other.
	s.ScenarioWithRecheck("one application's sessions and users are unknown to another", Covers(rule), func(t *T) {
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
			t.Require("search.exact", userList(t, finder, SearchUsers, Query("q", here.UserName)), haveUserNamed(here.UserName))
			c.EventuallyStays(userList(t, elsewhere, SearchUsers, Query("q", here.UserName)), lackForeignUser(here.UserName))
		})
	})
}

// lackForeignUser asks for results without the user of that name.
func lackForeignUser(name string) types.GomegaMatcher {
	return Condition(func(results []Record) Mismatch {
		if !slices.ContainsFunc(results, named(name)) {
			return Mismatch{}
		}
		return Mismatch{Expected: "results without user " + name + " of another application", Actual: "that user among them"}
	})
}
