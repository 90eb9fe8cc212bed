package scenarios

import (
	"fmt"
	"net/http"

	. "github.com/socialfeed/conform/conformance"
	. "github.com/socialfeed/conform/conformance/rules"
)

func deletedEvents(s *Suite) {
	// events.update.unknown: An update of an event that does not exist is answered as not found.
	// events.update.others: A user cannot change another user's event.
	// events.delete.status: Deleting an event answers 204.
	// events.delete.unknown: Deleting an event that does not exist is answered as not found.
	// events.delete.others: A user cannot delete another user's event.
	// feed.event-delete: A deleted event is gone from the feed of every follower.
	s.ScenarioWithRecheck("an event is deleted and changed by its owner alone, not even by its followers and friends",
		Covers("events.delete.status", "events.delete.unknown", "events.delete.others", "events.update.others", "events.update.unknown", "feed.event-delete"), ownerAloneChangesEvent)
}

func ownerAloneChangesEvent(t *T) {
	owner, friend, reader := t.Actor(), t.Actor(), t.Actor()
	reader.Follow(owner)
	owner.Follow(reader)
	own := owner.Post(nil)
	deleted := t.Send(owner, DeleteEvent, IDText(own.ID()))
	t.Judge("events.delete.status", func(c *Check) { c.Status(deleted, OneOf(http.StatusNoContent)) })
	t.Judge("events.delete.unknown", func(c *Check) {
		deleted.Done()
		for _, nobodys := range []With{ID(unusedEvent(t, owner, own)), IDText(own.ID())} {
			answer := t.Send(owner, DeleteEvent, nobodys)
			c.Status(answer, OneOf(http.StatusNotFound).Tolerating(http.StatusNoContent).ToleratingRefusals())
		}
		for _, odd := range oddIDs() {
			t.Send(owner, DeleteEvent, IDText(odd)) // for the passive rules
		}
	})
	t.Judge("events.update.unknown", func(c *Check) {
		deleted.Done()
		answer := update(t, owner, own, Fields{"verb": t.Unique()})
		c.True(!answer.Succeeded(), "no update of a deleted event", fmt.Sprint(answer.Status()))
	})
	changed, removed := owner.Post(fullEvent(t)), owner.Post(nil)
	t.Require("feed.follow.new-events", feedOf(t, reader), haveEvents(changed.ID(), removed.ID()))
	before := shownEvent(t, reader, changed.ID())
	// Made after the attempts: once it shows, the feed is up to date.
	caughtUp := func() {
		t.Require("feed.follow.new-events", feedOf(t, reader), haveEvents(owner.Post(nil).ID()))
	}
	t.Judge("events.update.others", func(c *Check) {
		friend.Befriend(owner)
		for _, intruder := range []*Actor{friend, reader} {
			c.Status(update(t, intruder, changed, Fields{"verb": t.Unique()}), OneOf(http.StatusForbidden, http.StatusNotFound))
		}
		nothing := update(t, friend, changed, Fields{}) // which may be answered as no change, and should not be
		c.Status(nothing, OneOf(http.StatusForbidden, http.StatusNotFound, http.StatusBadRequest, http.StatusUnprocessableEntity).Tolerating(http.StatusOK))
		caughtUp()
		c.EventuallyStays(feedOf(t, reader), haveUnchanged(before, "updated_at"))
	})
	t.Judge("events.delete.others", func(c *Check) {
		deleted.Done()
		for _, intruder := range []*Actor{friend, reader, friend, reader} { // again, since the first refusal may leave something
			answer := t.Send(intruder, DeleteEvent, IDText(removed.ID()))
			c.Status(answer, OneOf(http.StatusForbidden, http.StatusNotFound))
		}
		caughtUp()
		c.EventuallyStays(feedOf(t, reader), haveEvents(removed.ID()))
	})
	t.Judge("feed.event-delete", func(c *Check) { c.EventuallyStays(feedOf(t, reader), lackEvents(own.ID())) })
}
