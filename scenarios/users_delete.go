package scenarios

import (
	"fmt"

	. "github.com/socialfeed/conform/conformance"
	. "github.com/socialfeed/conform/conformance/rules"
)

// userDeletes judges the contract's part Endpoints, row 6.
func userDeletes(s *Suite) {
	// users.me.delete.status: Deleting the own record answers 204.
	// users.me.delete.gone: A deleted user can no longer be found by its id.
	s.ScenarioWithRecheck("a deleted user is gone", Covers("users.me.delete.status", "users.me.delete.gone"), func(t *T) {
		reader, leaver := t.AnyActor(), t.Actor()
		t.Send(reader, SearchUsers, Query("q", leaver.UserName)) // what a search found may be kept
		there := t.Send(reader, GetUser, ID(leaver.ID))
		deleted := t.Send(leaver.Session(), DeleteMe)
		t.Judge("users.me.delete.status", func(c *Check) { c.Status(deleted, OneOf(204)) })
		t.Judge("users.me.delete.gone", func(c *Check) {
			there.Done()
			deleted.Done()
			gone := func(a *Answer) bool { return !a.Succeeded() } // a record may lag
			c.Status(t.SendUntil(gone, reader, GetUser, ID(leaver.ID)), OneOf(404).Tolerating(403, 410))
			c.EventuallyStays(answerOf(t, reader, GetUser, ID(leaver.ID)), beUnsuccessful("no record of a deleted user"))
			connected := t.Send(reader, CreateConnection, connection(leaver, "follow"))
			if connected.Succeeded() && t.Send(reader, CreateConnection, JSON(Fields{"user_to_id": UnusedID(reader.ID), "type": "follow"})).Succeeded() {
				t.Blocked("connections.create.unknown-target", "needs a connection to nobody to be refused, and it was made")
			}
			c.True(!connected.Succeeded(), "no connection to a deleted user", fmt.Sprint(connected.Status()))
		})
	})
}
