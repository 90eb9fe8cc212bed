package scenarios

import (
	"net/http"

	. "github.com/socialfeed/conform/conformance"
	. "github.com/socialfeed/conform/conformance/rules"
)

// feed judges the contract's part Endpoints, rules 3 to 5, and the effect of a deleted
// user on the feeds of others.
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
	// feed.status: The feed answers 200 and an array of events.
	// feed.empty: The feed of a new user is an empty array.
	// feed.follow.new-events: An event that a followed user creates after the follow appears in the follower's feed.
	// feed.follow.earlier-events: Events that a user created before it was followed appear in the follower's feed too.
	// feed.own-events (choice): Whether a user's own events are in its feed is left open.
	s.Scenario("a new user's feed is empty, and a follower's has the events from before and after the follow",
		Covers("feed.status", "feed.empty", "feed.own-events", "feed.follow.earlier-events", "feed.follow.new-events"), func(t *T) {
			custom := t.CustomID()
			author, first, newcomer := t.Actor(), t.ActorWith(Fields{"custom_id": custom}), t.Actor()
			own := first.Post(nil)
			earlier := []string{author.Post(Fields{"verb": "follow"}).ID(), author.Post(Fields{"verb": "friend"}).ID()} // words of the service itself
			// Who is younger than these events sees them, too.
			last := newActor(t)
			first.Follow(author)
			last.Follow(author)
			later := author.Post(joined(fullEvent(t), aboutUser(custom))) // with every field, and about who reads it
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
				c.Eventually(feedOf(t, first), haveEvents(earlier...))
				c.Eventually(feedOf(t, last), haveEvents(earlier...))
				newcomer.Follow(author) // whose empty feed a target may remember
				c.Eventually(feedOf(t, newcomer), haveEvents(earlier...))
			})
			t.Judge("feed.follow.new-events", func(c *Check) {
				c.Eventually(feedOf(t, first), haveEvents(later.ID()))
				c.Eventually(feedOf(t, last), haveEvents(later.ID()))
			})
			t.Judge("feed.own-events", func(c *Check) {
				t.Require("feed.follow.new-events", feedOf(t, first), haveEvents(later.ID()))
				if entryOf(t, first, own.ID()) != nil {
					c.Observe("there")
				}
				c.Observe("not there")
			})
		})
}

// arrayOfEvents judges a feed, when it is empty and when it has an event.
func arrayOfEvents(t *T, c *Check, reader *Actor, event Record) {
	t.Require("feed.follow.new-events", func() []Record {
		answer := t.Send(reader, Feed)
		c.Status(answer, OneOf(http.StatusOK))
		events := c.Array(answer)
		for _, each := range events {
			c.Present(each, "id", "user_id", "verb")
		}
		return events
	}, haveEvents(event.ID()))
}

func connectedFeeds(s *Suite) {
	// feed.friends: Friends see each other's events.
	// feed.no-duplicates (should): A user who is both friend and followed brings each event into the feed once.
	s.Scenario("friends see each other's events, and each once where one follows the other too",
		Covers("feed.friends", "feed.no-duplicates"), func(t *T) {
			one, other := t.Actor(), t.Actor()
			one.Follow(other) // and no more: the feed must still be correct
			one.Disconnect(other)
			one.Befriend(other)
			ones, others := one.Post(nil), other.Post(nil)
			t.Judge("feed.friends", func(c *Check) {
				c.Eventually(feedOf(t, one), haveEvents(others.ID()))
				c.Eventually(feedOf(t, other), haveEvents(ones.ID()))
			})
			t.Judge("feed.no-duplicates", func(c *Check) {
				alsoFollow(t, one, other)
				later := other.Post(nil)
				t.Require("feed.friends", feedOf(t, one), haveEvents(others.ID(), later.ID()))
				c.Eventually(feedOf(t, one), haveEventsOnce(others.ID(), later.ID()))
			})
		})
	// feed.only-connected: A feed holds nothing from users that the reader neither follows nor has as friends.
	// feed.order (should): A feed is in order of time over all users in it, the newest event first.
	s.ScenarioWithRecheck("a feed holds only events of users that the reader follows, and of friends",
		Covers("feed.only-connected", "feed.order"), func(t *T) {
			custom := t.Unique()
			reader, followed, friend := t.ActorWith(Fields{"custom_id": custom}), t.Actor(), t.Actor()
			stranger, admirer, followedByBoth, friendOfFriend := t.Actor(), t.Actor(), t.Actor(), t.Actor()
			reader.Follow(followed)
			reader.Befriend(friend)
			admirer.Follow(reader)
			followed.Follow(followedByBoth)
			friend.Follow(followedByBoth)
			friend.Befriend(friendOfFriend)
			var foreign []string
			for i, author := range []*Actor{stranger, admirer, followedByBoth, friendOfFriend} { // an event about a user is none of that user's feed
				about := []string{custom, reader.UserName, reader.ID.String()}[i%3]
				mention := Fields{"location": "@" + reader.UserName, "metadata": Fields{"to": reader.ID.String(), "text": "Hi @" + reader.UserName + ", " + reader.Email}}
				foreign = append(foreign, author.Post(joined(aboutUser(about), mention)).ID())
			}
			followeds, friends, last := followed.Post(nil), friend.Post(nil), followed.Post(nil)
			t.Require("feed.follow.new-events", feedOf(t, reader), haveEvents(followeds.ID(), last.ID()))
			t.Require("feed.friends", feedOf(t, reader), haveEvents(friends.ID()))
			t.Judge("feed.only-connected", func(c *Check) {
				c.EventuallyStays(feedOf(t, reader), lackEvents(foreign...))
				known := []string{followeds.ID(), friends.ID(), last.ID()}
				c.Expect(feedOf(t, reader)(), ownedBy([]*Actor{reader, followed, friend}, known))
			})
			t.Judge("feed.order", func(c *Check) { newestFirst(t, c, feedOf(t, reader)()) })
		})
}

// alsoFollow has a friend follow, too. A target may refuse the second connection between
// two users as a conflict.
func alsoFollow(t *T, reader, author *Actor) {
	answer := t.Send(reader, CreateConnection, JSON(Fields{"user_to_id": author.ID, "type": "follow"}))
	if answer.Status() != http.StatusConflict {
		answer.Done()
	}
}
