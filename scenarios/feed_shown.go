package scenarios

import (
	"net/http"
	"slices"

	. "github.com/socialfeed/conform/conformance"
)

func shownEvents(s *Suite) {
	s.Scenario("an event is in every follower's feed as its creator got it back, changes there, and goes when it is deleted",
		Judges("feed.event-shape", "feed.update-visible", "feed.event-delete"), func(t *Trial) {
			author, first, last, friend := t.Actor(), t.Actor(), t.Actor(), t.Actor()
			readers := []*Actor{first, last}
			first.Follow(author)
			last.Follow(author)
			before, event, after := author.Post(nil), author.Post(fullEvent(t)), author.Post(nil)
			for _, reader := range readers {
				t.Await("feed.follow.new-events", holds(feedOf(t, reader), "event", before.ID(), event.ID(), after.ID()))
			}
			t.Judge("feed.event-shape", func(c *Check) {
				for _, reader := range readers {
					likeItsCreator(t, c, event, reader)
				}
			})
			t.Judge("feed.update-visible", func(c *Check) {
				// A field that feeds do not show as it was is feed.event-shape's to blame.
				faithful := [][]string{faithfulTo(event, entryOf(t, first, event.ID())), faithfulTo(event, entryOf(t, last, event.ID()))}
				changed := changedThroughout(t, author, event)
				for i, reader := range readers {
					c.Eventually(showing(t, reader, event.ID(), changed, faithful[i]))
				}
			})
			author.Remove(event)
			friend.Befriend(author)
			befriended := author.Post(fullEvent(t)) // which must bring nothing back, and is no older than the friendship
			t.Judge("feed.event-shape", func(c *Check) {
				t.Await("feed.friends", holds(feedOf(t, friend), "event", befriended.ID()))
				likeItsCreator(t, c, befriended, friend)
			})
			t.Judge("feed.event-delete", func(c *Check) {
				for _, reader := range readers {
					c.EventuallyForGood(both(
						lacks(feedOf(t, reader), "event", event.ID()),
						holds(feedOf(t, reader), "event", before.ID(), after.ID())))
				}
				t.Await("feed.friends", holds(feedOf(t, friend), "event", befriended.ID()))
				author.Remove(befriended)
				c.EventuallyForGood(lacks(feedOf(t, friend), "event", befriended.ID()))
			})
		})
}

// likeItsCreator judges that a feed has an event as its creator got it back.
func likeItsCreator(t *Trial, c *Check, event Record, reader *Actor) {
	problem := difference(event, entryOf(t, reader, event.ID()), present(event, "id", "user_id", "verb", "language",
		"priority", "location", "latitude", "longitude", "metadata", "object", "enabled", "created_at", "updated_at")...)
	c.True(problem == Problem{}, problem.Expected, problem.Actual)
}

// changedThroughout gives an event new values in every field; the answer has to have them.
func changedThroughout(t *Trial, author *Actor, event Record) Record {
	changed := update(t, author, event, otherEvent(t)).Record()
	for _, name := range changeable() {
		if sameField(event, changed, name) {
			t.Blocked("events.update.applies", "needs a new %s in the answer to an update, and got the old one", name)
		}
	}
	return changed
}

// showing looks whether a feed has an event as it was changed, in the fields given.
func showing(t *Trial, reader *Actor, id string, changed Record, fields []string) func() Problem {
	return func() Problem {
		now := entryOf(t, reader, id)
		if now == nil {
			return Problem{Expected: "the changed event " + id + " in the feed", Actual: "a feed without it"}
		}
		return difference(changed, now, fields...)
	}
}

// faithfulTo names the fields of an event that a feed shows as they are.
func faithfulTo(event, shown Record) []string {
	return slices.DeleteFunc(changeable(), func(name string) bool { return !sameField(event, shown, name) })
}

func changeable() []string {
	return []string{"verb", "language", "priority", "location", "latitude", "longitude", "metadata", "object"}
}

func endedFollows(s *Suite) {
	s.Scenario("after an unfollow the events of that user are gone from the feed, new ones too, and a follow brings them back",
		Judges("feed.unfollow", "feed.refollow"), func(t *Trial) {
			reader, sole, author, other := t.Actor(), t.Actor(), t.Actor(), t.Actor()
			reader.Follow(author)
			reader.Follow(other)
			sole.Follow(author) // and nobody else: the feed becomes empty
			before := []string{author.Post(nil).ID(), author.Post(nil).ID()}
			for _, each := range []*Actor{reader, sole} {
				t.Await("feed.follow.new-events", holds(feedOf(t, each), "event", before...))
				each.Disconnect(author)
			}
			after, control := author.Post(nil).ID(), other.Post(nil).ID()
			t.Judge("feed.unfollow", func(c *Check) {
				t.Await("feed.follow.new-events", holds(feedOf(t, reader), "event", control))
				c.EventuallyForGood(both(
					lacks(feedOf(t, reader), "event", append(before, after)...),
					holds(feedOf(t, reader), "event", control)))
				c.Eventually(lacks(feedOf(t, sole), "event", append(before, after)...))
			})
			t.Await("feed.unfollow", lacks(feedOf(t, sole), "event", before...))
			t.Judge("feed.refollow", func(c *Check) {
				again := t.Send(sole, CreateConnection, JSON(Fields{"user_to_id": author.ID, "type": "follow"}))
				if !again.Succeeded() {
					c.Status(again, OneOf(http.StatusCreated))
				}
				c.Eventually(holds(feedOf(t, sole), "event", before...))
			})
		})
}
