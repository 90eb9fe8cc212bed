package scenarios

import (
	"net/http"

	. "github.com/socialfeed/conform/conformance"
)

func deletedEvents(s *Suite) {
	s.Scenario("an event is deleted once, and one that does not exist is not found",
		Judges("events.delete.status", "events.delete.unknown"), func(t *Trial) {
			owner := t.Actor()
			event := owner.Post(nil)
			deleted := t.Send(owner, DeleteEvent, IDText(event.ID()))
			t.Judge("events.delete.status", func(c *Check) { c.Status(deleted, OneOf(http.StatusNoContent)) })
			t.Judge("events.delete.unknown", func(c *Check) {
				deleted.Done()
				answer := t.Send(owner, DeleteEvent, ID(unusedEvent(t, owner, event)))
				c.Status(answer, OneOf(http.StatusNotFound).Tolerating(http.StatusNoContent).ToleratingRefusals())
			})
		})
}

func othersEvents(s *Suite) {
	s.Scenario("nobody but its owner changes or deletes an event, not even who follows the owner",
		Judges("events.update.others", "events.delete.others"), func(t *Trial) {
			owner, stranger, reader := t.Actor(), t.Actor(), t.Actor()
			reader.Follow(owner)
			own := owner.Post(nil)
			owner.Change(own, Fields{"verb": t.Unique()})
			owner.Remove(own)
			event, second := owner.Post(fullEvent(t)), owner.Post(nil)
			t.Await("feed.follow.new-events", holds(feedOf(t, reader), "event", event.ID(), second.ID()))
			before := entryOf(t, reader, event.ID())
			// What comes through later than the attempt shows that the feed has caught up with it.
			later := func() func() Problem {
				return holds(feedOf(t, reader), "event", owner.Post(nil).ID())
			}
			t.Judge("events.update.others", func(c *Check) {
				for _, intruder := range []*Actor{stranger, reader} {
					answer := update(t, intruder, event, Fields{"verb": t.Unique()})
					c.Status(answer, OneOf(http.StatusForbidden, http.StatusNotFound))
				}
				t.Await("feed.follow.new-events", later())
				c.EventuallyForGood(unchanged(t, reader, before))
			})
			t.Judge("events.delete.others", func(c *Check) {
				for _, intruder := range []*Actor{stranger, reader} {
					answer := t.Send(intruder, DeleteEvent, IDText(second.ID()))
					c.Status(answer, OneOf(http.StatusForbidden, http.StatusNotFound))
				}
				t.Await("feed.follow.new-events", later())
				c.EventuallyForGood(holds(feedOf(t, reader), "event", second.ID()))
			})
		})
}
