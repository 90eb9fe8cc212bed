package scenarios

import (
	"maps"
	"net/http"

	. "github.com/socialfeed/conform/conformance"
)

func shownEvents(s *Suite) {
	s.Scenario("an event in a feed is the one that its creator got back",
		Judges("feed.event-shape"), func(t *Trial) {
			author, first, last := t.Actor(), t.Actor(), t.Actor()
			first.Follow(author)
			last.Follow(author)
			event := author.Post(fullEvent(t))
			author.Post(nil)
			t.Judge("feed.event-shape", func(c *Check) {
				for _, reader := range []*Actor{first, last} {
					t.Await("feed.follow.new-events", holds(feedOf(t, reader), "event", event.ID()))
					problem := difference(event, entryOf(t, reader, event.ID()), present(event, "id", "user_id", "verb", "language",
						"priority", "location", "latitude", "longitude", "metadata", "object", "enabled", "created_at", "updated_at")...)
					c.True(problem == Problem{}, problem.Expected, problem.Actual)
				}
			})
		})
	s.Scenario("a changed event shows its new values in every follower's feed",
		Judges("feed.update-visible"), func(t *Trial) {
			author, first, last := t.Actor(), t.Actor(), t.Actor()
			first.Follow(author)
			last.Follow(author)
			event := author.Post(fullEvent(t))
			for _, reader := range []*Actor{first, last} {
				t.Await("feed.follow.new-events", holds(feedOf(t, reader), "event", event.ID()))
			}
			sent := otherEvent(t)
			changed := update(t, author, event, sent).Record()
			want := Record(maps.Clone(sent))
			delete(want, "object")
			for name := range want {
				if sameField(event, changed, name) {
					t.Blocked("events.update.applies", "needs a new %s in the answer to an update, and got the old one", name)
				}
			}
			t.Judge("feed.update-visible", func(c *Check) {
				for _, reader := range []*Actor{first, last} {
					c.Eventually(func() Problem {
						now := entryOf(t, reader, event.ID())
						if now == nil {
							return Problem{Expected: "the changed event " + event.ID() + " in the feed", Actual: "a feed without it"}
						}
						return difference(changed, now, present(changed, "verb", "language", "priority", "location", "latitude",
							"longitude", "metadata", "object")...)
					})
				}
			})
		})
	s.Scenario("a deleted event is gone from the feed of every follower and friend",
		Judges("feed.event-delete"), func(t *Trial) {
			author, first, last, friend := t.Actor(), t.Actor(), t.Actor(), t.Actor()
			first.Follow(author)
			last.Follow(author)
			friend.Befriend(author)
			stays, goes := author.Post(nil), author.Post(nil)
			for _, reader := range []*Actor{first, last} {
				t.Await("feed.follow.new-events", holds(feedOf(t, reader), "event", stays.ID(), goes.ID()))
			}
			t.Await("feed.friends", holds(feedOf(t, friend), "event", stays.ID(), goes.ID()))
			author.Remove(goes)
			t.Judge("feed.event-delete", func(c *Check) {
				for _, reader := range []*Actor{first, last, friend} {
					c.EventuallyForGood(both(lacks(feedOf(t, reader), "event", goes.ID()), holds(feedOf(t, reader), "event", stays.ID())))
				}
			})
		})
}

func endedFollows(s *Suite) {
	s.Scenario("after an unfollow the events of that user are gone from the feed, and new ones stay away",
		Judges("feed.unfollow"), func(t *Trial) {
			reader, author, other := t.Actor(), t.Actor(), t.Actor()
			reader.Follow(author)
			reader.Follow(other)
			before, others := author.Post(nil), other.Post(nil)
			t.Await("feed.follow.new-events", holds(feedOf(t, reader), "event", before.ID(), others.ID()))
			reader.Disconnect(author)
			after, control := author.Post(nil), other.Post(nil)
			t.Judge("feed.unfollow", func(c *Check) {
				t.Await("feed.follow.new-events", holds(feedOf(t, reader), "event", control.ID()))
				c.EventuallyForGood(both(
					lacks(feedOf(t, reader), "event", before.ID(), after.ID()),
					holds(feedOf(t, reader), "event", others.ID(), control.ID())))
			})
		})
	s.Scenario("after a user is followed again its events are back in the feed",
		Judges("feed.refollow"), func(t *Trial) {
			reader, author := t.Actor(), t.Actor()
			reader.Follow(author)
			events := []string{author.Post(nil).ID(), author.Post(nil).ID()}
			t.Await("feed.follow.new-events", holds(feedOf(t, reader), "event", events...))
			reader.Disconnect(author)
			t.Await("feed.unfollow", lacks(feedOf(t, reader), "event", events...))
			t.Judge("feed.refollow", func(c *Check) {
				again := t.Send(reader, CreateConnection, JSON(Fields{"user_to_id": author.ID, "type": "follow"}))
				if !again.Succeeded() {
					c.Status(again, OneOf(http.StatusCreated))
				}
				c.Eventually(holds(feedOf(t, reader), "event", events...))
			})
		})
}
