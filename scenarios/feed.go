package scenarios

import . "github.com/socialfeed/conform/conformance"

// feed judges the contract's part Endpoints, rules 3 to 5, and what deleting a
// user does to the feeds of others.
func feed(s *Suite) {
	s.Scenario("an event posted before the follow appears in the follower's feed",
		Judges("feed.follow.earlier-events"), func(t *Trial) {
			reader, author := t.Actor(), t.Actor()
			event := author.Post(nil)
			reader.Follow(author)
			t.Judge("feed.follow.earlier-events", func(c *Check) {
				c.Eventually(holds(feedOf(t, reader), "event", event.ID()))
			})
		})
	s.Scenario("the events of a deleted user leave every follower's and friend's feed",
		Judges("feed.purge.followers", "feed.purge.friends", "feed.purge.keeps-others"), func(t *Trial) {
			leaver, other := t.Actor(), t.Actor()
			first, last, friend := t.Actor(), t.Actor(), t.Actor()
			for _, reader := range []*Actor{first, last} {
				reader.Follow(leaver)
				reader.Follow(other)
			}
			friend.Befriend(leaver)
			friend.Follow(other)
			gone, stays := leaver.Post(nil), other.Post(nil)
			for _, reader := range []*Actor{first, last} {
				t.Await("feed.follow.new-events", holds(feedOf(t, reader), "event", gone.ID(), stays.ID()))
			}
			t.Await("feed.friends", holds(feedOf(t, friend), "event", gone.ID(), stays.ID()))

			leaver.Delete()

			t.Judge("feed.purge.followers", func(c *Check) {
				c.EventuallyForGood(both(
					lacks(feedOf(t, first), "event", gone.ID()),
					lacks(feedOf(t, last), "event", gone.ID())))
			})
			t.Judge("feed.purge.friends", func(c *Check) {
				c.EventuallyForGood(lacks(feedOf(t, friend), "event", gone.ID()))
			})
			t.Judge("feed.purge.keeps-others", func(c *Check) {
				for _, reader := range []*Actor{first, last, friend} {
					c.EventuallyForGood(holds(feedOf(t, reader), "event", stays.ID()))
				}
			})
		})
}
