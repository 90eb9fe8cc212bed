package scenarios

import (
	"fmt"
	"net/http"

	. "github.com/socialfeed/conform/conformance"
)

func deletedEvents(s *Suite) {
	s.Scenario("an event is deleted and changed by its owner alone, not even by its followers and friends",
		Judges("events.delete.status", "events.delete.unknown", "events.delete.others", "events.update.others", "events.update.unknown"), func(t *Trial) {
			owner, friend, reader := t.Actor(), t.Actor(), t.Actor()
			reader.Follow(owner)
			own := owner.Post(nil)
			deleted := t.Send(owner, DeleteEvent, IDText(own.ID()))
			t.Judge("events.delete.status", func(c *Check) { c.Status(deleted, OneOf(http.StatusNoContent)) })
			t.Judge("events.delete.unknown", func(c *Check) {
				deleted.Done()
				answer := t.Send(owner, DeleteEvent, ID(unusedEvent(t, owner, own)))
				c.Status(answer, OneOf(http.StatusNotFound).Tolerating(http.StatusNoContent).ToleratingRefusals())
				again := t.Send(owner, DeleteEvent, IDText(own.ID()))
				c.Status(again, OneOf(http.StatusNotFound).Tolerating(http.StatusNoContent).ToleratingRefusals())
				for _, odd := range oddIDs() {
					t.Send(owner, DeleteEvent, IDText(odd)) // for the rules that look at every response
				}
			})
			t.Judge("events.update.unknown", func(c *Check) {
				deleted.Done()
				answer := update(t, owner, own, Fields{"verb": t.Unique()})
				c.True(!answer.Succeeded(), "no update of a deleted event", fmt.Sprint(answer.Status()))
			})
			changed, removed := owner.Post(fullEvent(t)), owner.Post(nil)
			t.Await("feed.follow.new-events", holds(feedOf(t, reader), "event", changed.ID(), removed.ID()))
			before := entryOf(t, reader, changed.ID())
			// What comes through later than the attempts shows that the feed has caught up with them.
			caughtUp := func() {
				t.Await("feed.follow.new-events", holds(feedOf(t, reader), "event", owner.Post(nil).ID()))
			}
			t.Judge("events.update.others", func(c *Check) {
				friend.Befriend(owner)
				for _, intruder := range []*Actor{friend, reader} {
					c.Status(update(t, intruder, changed, Fields{"verb": t.Unique()}), OneOf(http.StatusForbidden, http.StatusNotFound))
				}
				caughtUp()
				c.EventuallyForGood(unchanged(t, reader, before))
			})
			t.Judge("events.delete.others", func(c *Check) {
				deleted.Done()
				for _, intruder := range []*Actor{friend, reader} {
					answer := t.Send(intruder, DeleteEvent, IDText(removed.ID()))
					c.Status(answer, OneOf(http.StatusForbidden, http.StatusNotFound))
				}
				caughtUp()
				c.EventuallyForGood(holds(feedOf(t, reader), "event", removed.ID()))
			})
		})
}
