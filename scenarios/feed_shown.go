package scenarios

import (
	"slices"

	"github.com/onsi/gomega"
	"github.com/onsi/gomega/types"
	. "github.com/socialfeed/conform/conformance"
	. "github.com/socialfeed/conform/conformance/rules"
)

func shownEvents(s *Suite) {
	// feed.follow.new-events: An event that a followed user creates after the follow appears in the follower's feed.
	// feed.merge: The events of all followed users are in one feed, each of them once.
	// feed.event-shape: An event in a feed is the same event that its creator got back.
	// feed.update-visible (should): An event that was changed shows its new values in the feeds.
	// feed.event-delete: A deleted event is gone from the feed of every follower.
	s.ScenarioWithRecheck("an event is in every follower's feed as its creator got it back, changes there, and goes when it is deleted",
		Covers("feed.event-shape", "feed.update-visible", "feed.merge", "feed.follow.new-events", "feed.event-delete"), eventShown)
}

func eventShown(t *T) {
	author, first, last, friend := t.Actor(), t.Actor(), t.Actor(), t.Actor()
	readers := []*Actor{first, last}
	first.Follow(author)
	last.Follow(author)
	later := fullEvent(t)
	later["metadata"] = Fields{"mood": "good", "language": "none", "priority": "none", "location": "none", "verb": "none", "id": "0", "user_id": "0"}
	before, event, after := author.Post(nil), author.Post(fullEvent(t)), author.Post(Fields{"object": later["object"]})
	for _, reader := range readers {
		t.Require("feed.follow.new-events", feedOf(t, reader), haveEvents(before.ID(), event.ID(), after.ID()))
	}
	t.Judge("feed.event-shape", func(c *Check) {
		for _, reader := range readers {
			likeItsCreator(t, c, event, reader)
		}
	})
	changesShown(t, author, event, readers...)
	t.Judge("feed.merge", func(c *Check) { c.Eventually(feedOf(t, first), repeatNoEvent()) })
	t.Judge("feed.follow.new-events", func(c *Check) { // which the event is, changed or not
		for _, reader := range readers {
			c.Eventually(feedOf(t, reader), haveEvents(event.ID()))
		}
	})
	friend.Befriend(author) // who may see events from before that
	author.Remove(event)
	t.Judge("feed.event-delete", func(c *Check) {
		for _, reader := range append(readers, friend) { // before anything else is written, which may bring a feed up to date
			c.Eventually(feedOf(t, reader), lackEvents(event.ID()))
		}
	})
	befriended := author.Post(later) // newer than the friendship; must bring nothing back
	t.Judge("feed.event-shape", func(c *Check) {
		t.Require("feed.friends", feedOf(t, friend), haveEvents(befriended.ID()))
		likeItsCreator(t, c, befriended, friend)
	})
	t.Judge("feed.event-delete", func(c *Check) {
		for _, reader := range readers {
			c.EventuallyStays(feedOf(t, reader), gomega.And(lackEvents(event.ID()), haveEvents(before.ID(), after.ID())))
		}
		t.Require("feed.friends", feedOf(t, friend), haveEvents(befriended.ID()))
		author.Remove(befriended)
		c.EventuallyStays(feedOf(t, friend), lackEvents(befriended.ID()))
		c.Eventually(feedOf(t, first), haveEvents(before.ID(), after.ID())) // one of the same object too
	})
}

// changesShown judges that readers see each change of an event.
func changesShown(t *T, author *Actor, event Record, readers ...*Actor) {
	t.Judge("feed.update-visible", func(c *Check) {
		// Fields that feeds show in another form are judged by feed.event-shape.
		var faithful [][]string
		for _, reader := range readers {
			faithful = append(faithful, faithfulTo(event, shownEvent(t, reader, event.ID())))
		}
		changed := changedThroughout(t, author, event)
		for i, reader := range readers {
			t.Require("feed.follow.new-events", feedOf(t, reader), haveEvents(event.ID()))
			c.Eventually(feedOf(t, reader), showChanged(event, changed, faithful[i]))
		}
		t.Send(author, UpdateEvent, IDText(event.ID()), JSON(Fields{"location": ""})) // for the passive rules
		t.Send(readers[0], Feed)
		again := author.Change(event, Fields{"verb": t.Unique()}).Record()
		for i, reader := range readers {
			t.Require("feed.follow.new-events", feedOf(t, reader), haveEvents(event.ID()))
			c.Eventually(feedOf(t, reader), showChanged(event, again, faithful[i]))
		}
	})
}

// likeItsCreator judges that a feed shows an event as the answer to its create did.
func likeItsCreator(t *T, c *Check, event Record, reader *Actor) {
	fields := present(event, "id", "user_id", "verb", "language",
		"priority", "location", "latitude", "longitude", "metadata", "object", "enabled", "created_at", "updated_at")
	if event["enabled"] != true { // which events.create.enabled judges
		fields = slices.DeleteFunc(fields, func(name string) bool { return name == "enabled" })
	}
	c.Eventually(feedOf(t, reader), showing(event, "the event "+event.ID()+" in the feed", fields...))
}

// changedThroughout updates every field of an event; the answer must have the new values.
func changedThroughout(t *T, author *Actor, event Record) Record {
	changed := update(t, author, event, otherEvent(t)).Record()
	for _, name := range changeable() {
		if sameField(event, changed, name) {
			t.Blocked("events.update.applies", "needs a new %s in the answer to an update, and got the old one", name)
		}
	}
	return changed
}

// faithfulTo names the fields of an event that a feed shows unchanged.
func faithfulTo(event, shown Record) []string {
	return slices.DeleteFunc(changeable(), func(name string) bool { return !sameField(event, shown, name) })
}

func changeable() []string {
	return []string{"verb", "language", "priority", "location", "latitude", "longitude", "metadata", "object"}
}

func endedFollows(s *Suite) {
	// feed.follow.earlier-events: Events that a user created before it was followed appear in the follower's feed too.
	// feed.update-visible (should): An event that was changed shows its new values in the feeds.
	// feed.unfollow: After an unfollow the events of that user are gone from the feed.
	// feed.refollow (should): After a user is followed again its events are back in the feed.
	// feed.event-delete: A deleted event is gone from the feed of every follower.
	s.ScenarioWithRecheck("after an unfollow the events of that user are gone from the feed, new ones too, and a follow brings them back",
		Covers("feed.unfollow", "feed.refollow", "feed.follow.earlier-events", "feed.event-delete", "feed.update-visible"), unfollowedThenRefollowed)
}

func unfollowedThenRefollowed(t *T) {
	reader, sole, author, other := t.Actor(), t.Actor(), t.Actor(), t.Actor()
	reader.Follow(author)
	reader.Follow(other)
	sole.Follow(author) // nobody else, so that the feed becomes empty
	first, removed := author.Post(nil), author.Post(nil)
	before := []string{first.ID(), author.Post(nil).ID(), author.Post(nil).ID()}
	for _, each := range []*Actor{reader, sole} {
		t.Require("feed.follow.new-events", feedOf(t, each), haveEvents(before...))
	}
	author.Change(first, Fields{"priority": "high"})
	showsChanges := false
	for _, each := range []*Actor{reader, sole} {
		feed := t.Send(each, Feed) // perhaps with the change: the latest feed is the one that may be cached
		showsChanges = isList(feed) && eventIn(feed.Records(), first.ID())["priority"] == "high"
		each.Disconnect(author)
	}
	needsEnd := func(each *Actor) {
		if !matches(lackEvents(before...), feedOf(t, each)()) {
			t.Require("connections.delete.removes", listAt(t, each, MyFollows), lackUsers(author))
		}
	}
	t.Judge("feed.unfollow", func(c *Check) {
		for _, each := range []*Actor{reader, sole} { // before anything else is written
			needsEnd(each)
			c.Eventually(feedOf(t, each), lackEvents(before...))
		}
	})
	low := author.Change(first, Fields{"priority": "low"})
	author.Remove(removed) // while nobody follows
	after, control := author.Post(nil).ID(), other.Post(nil).ID()
	t.Judge("feed.unfollow", func(c *Check) {
		t.Require("feed.follow.new-events", feedOf(t, reader), haveEvents(control))
		needsEnd(reader)
		c.EventuallyStays(feedOf(t, reader), gomega.And(lackEvents(append(before, after)...), haveEvents(control)))
		c.Eventually(feedOf(t, sole), lackEvents(append(before, after)...))
	})
	t.Require("feed.unfollow", feedOf(t, sole), lackEvents(before...))
	returned := broughtBack(t, sole, author, before[1:], after, removed.ID()) // the first was changed, which has a rule of its own
	changedMeanwhile(t, sole, first, low, returned && showsChanges)
	// At the second look at the reader's feed nobody follows the author: strangers that
	// others follow belong to feed.only-connected.
	t.Send(sole, DeleteConnection, ID(author.ID))
}

// changedMeanwhile judges that a second follow brings an event back as it was changed meanwhile, to low
// priority. It needs a feed that showed changes before, and has its events again.
func changedMeanwhile(t *T, reader *Actor, event Record, low *Answer, shows bool) {
	t.Judge("feed.update-visible", func(c *Check) {
		if !shows {
			t.Skip("needs a feed that showed a change, and has its events again after a second follow")
		}
		if got := low.Record()["priority"]; got != "low" {
			t.Blocked("events.update.applies", "needs a new priority in the answer to an update, and got %v", got)
		}
		t.Require("feed.refollow", feedOf(t, reader), haveEvents(event.ID()))
		c.Eventually(feedOf(t, reader), showing(Record{"id": event["id"], "priority": "low"}, "the event "+event.ID()+" in the feed", "priority"))
	})
}

// broughtBack judges the reader's feed after a second follow: it has the earlier events, and those
// made meanwhile, but none that was removed. It reports whether the earlier ones came back.
func broughtBack(t *T, reader, author *Actor, earlier []string, meanwhile, removed string) (returned bool) {
	t.Judge("feed.refollow", func(c *Check) {
		reader.Follow(author)
		back := haveEvents(earlier...)
		if !matches(back, feedOf(t, reader)()) {
			control := t.Actor() // who never followed the author
			control.Follow(author)
			t.Require("feed.follow.earlier-events", feedOf(t, control), back)
			control.Disconnect(author)
		}
		c.Eventually(feedOf(t, reader), back)
		returned = true
	})
	for _, then := range []struct {
		rule string
		feed types.GomegaMatcher
	}{{"feed.follow.earlier-events", haveEvents(meanwhile)}, {"feed.event-delete", lackEvents(removed)}} {
		t.Judge(then.rule, func(c *Check) {
			if !returned {
				t.Skip("needs a feed after a second follow")
			}
			c.Eventually(feedOf(t, reader), then.feed)
		})
	}
	return returned
}
