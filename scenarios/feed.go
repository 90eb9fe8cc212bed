package scenarios

import (
	"net/http"

	. "github.com/socialfeed/conform/conformance"
)

// feed judges the contract's part Endpoints, rules 3 to 5, and what deleting a
// user does to the feeds of others.
func feed(s *Suite) {
	readFeeds(s)
	connectedFeeds(s)
	mergedFeeds(s)
	shownEvents(s)
	endedFollows(s)
	purgedFeeds(s)
	namesakes(s)
}

func readFeeds(s *Suite) {
	s.Scenario("a new user's feed is empty, and a follower's has the events from before and after the follow",
		Judges("feed.status", "feed.empty", "feed.own-events", "feed.follow.earlier-events", "feed.follow.new-events"), func(t *Trial) {
			author, first, last, newcomer := t.Actor(), t.Actor(), t.Actor(), t.Actor()
			own := first.Post(nil)
			earlier := []string{author.Post(nil).ID(), author.Post(nil).ID()}
			first.Follow(author)
			last.Follow(author)
			later := author.Post(fullEvent(t)) // whatever it has
			t.Judge("feed.status", func(c *Check) { arrayOfEvents(t, c, first, later) })
			t.Judge("feed.empty", func(c *Check) {
				t.Send(first, Feed).Done()
				answer := t.Send(newcomer, Feed)
				if !answer.Succeeded() {
					c.Status(answer, OneOf(http.StatusOK))
				}
				c.True(len(c.Array(answer)) == 0, "[]", string(answer.Body()))
			})
			t.Judge("feed.follow.earlier-events", func(c *Check) {
				c.Eventually(holds(feedOf(t, first), "event", earlier...))
				c.Eventually(holds(feedOf(t, last), "event", earlier...))
			})
			t.Judge("feed.follow.new-events", func(c *Check) {
				c.Eventually(holds(feedOf(t, first), "event", later.ID()))
				c.Eventually(holds(feedOf(t, last), "event", later.ID()))
			})
			t.Judge("feed.own-events", func(c *Check) {
				t.Await("feed.follow.new-events", holds(feedOf(t, first), "event", later.ID()))
				if entryOf(t, first, own.ID()) != nil {
					c.Observe("there")
				}
				c.Observe("not there")
			})
		})
}

// arrayOfEvents judges a feed, when it is empty and when it has an event.
func arrayOfEvents(t *Trial, c *Check, reader *Actor, event Record) {
	t.Await("feed.follow.new-events", func() Problem {
		answer := t.Send(reader, Feed)
		c.Status(answer, OneOf(http.StatusOK))
		events := c.Array(answer)
		for _, each := range events {
			c.Present(each, "id", "user_id", "verb")
		}
		return holds(func() []Record { return events }, "event", event.ID())()
	})
}

func connectedFeeds(s *Suite) {
	s.Scenario("friends see each other's events, and each once where one follows the other too",
		Judges("feed.friends", "feed.no-duplicates"), func(t *Trial) {
			one, other := t.Actor(), t.Actor()
			one.Befriend(other)
			ones, others := one.Post(nil), other.Post(nil)
			t.Judge("feed.friends", func(c *Check) {
				c.Eventually(holds(feedOf(t, one), "event", others.ID()))
				c.Eventually(holds(feedOf(t, other), "event", ones.ID()))
			})
			t.Judge("feed.no-duplicates", func(c *Check) {
				alsoFollow(t, one, other)
				later := other.Post(nil)
				t.Await("feed.friends", holds(feedOf(t, one), "event", others.ID(), later.ID()))
				c.Eventually(once(feedOf(t, one), "event", others.ID(), later.ID()))
			})
		})
	s.Scenario("a feed holds no events of those whom the reader neither follows nor has as friends",
		Judges("feed.only-connected", "feed.order"), func(t *Trial) {
			reader, followed, friend := t.Actor(), t.Actor(), t.Actor()
			stranger, admirer, followedByBoth, friendOfFriend := t.Actor(), t.Actor(), t.Actor(), t.Actor()
			reader.Follow(followed)
			reader.Befriend(friend)
			admirer.Follow(reader)
			followed.Follow(followedByBoth)
			friend.Follow(followedByBoth)
			friend.Befriend(friendOfFriend)
			var foreign []string
			for _, author := range []*Actor{stranger, admirer, followedByBoth, friendOfFriend} {
				foreign = append(foreign, author.Post(nil).ID())
			}
			followeds, friends, last := followed.Post(nil), friend.Post(nil), followed.Post(nil)
			t.Await("feed.follow.new-events", holds(feedOf(t, reader), "event", followeds.ID(), last.ID()))
			t.Await("feed.friends", holds(feedOf(t, reader), "event", friends.ID()))
			t.Judge("feed.only-connected", func(c *Check) {
				c.EventuallyForGood(lacks(feedOf(t, reader), "event", foreign...))
			})
			t.Judge("feed.order", func(c *Check) { newestFirst(t, c, feedOf(t, reader)()) }) // whoever is a friend
		})
}

// alsoFollow makes a follower of a friend. A target may hold the one connection
// to be in the way of the other, and refuse the second as a conflict.
func alsoFollow(t *Trial, reader, author *Actor) {
	answer := t.Send(reader, CreateConnection, JSON(Fields{"user_to_id": author.ID, "type": "follow"}))
	if answer.Status() != http.StatusConflict {
		answer.Done()
	}
}
