package scenarios

import (
	"fmt"
	"net/http"
	"slices"

	. "github.com/socialfeed/conform/conformance"
)

func purgedFeeds(s *Suite) {
	s.Scenario("the events of a deleted user leave every follower's and friend's feed, and no one else's do",
		Judges("feed.purge.followers", "feed.purge.friends", "feed.purge.keeps-others"), func(t *Trial) {
			p := arrangePurge(t)
			p.leaver.Delete()
			forgotten := false
			t.Judge("feed.purge.followers", func(c *Check) {
				for _, reader := range []*Actor{p.first, p.last} {
					c.EventuallyForGood(lacks(feedOf(t, reader), "event", p.gone...))
				}
				forgotten = true
			})
			t.Judge("feed.purge.friends", func(c *Check) {
				for _, reader := range []*Actor{p.friend, p.asked} {
					c.EventuallyForGood(lacks(feedOf(t, reader), "event", p.gone...))
				}
				if forgotten { // else the followers' rule stands for one who is both
					c.EventuallyForGood(lacks(feedOf(t, p.fan), "event", p.gone...))
				}
			})
			// The second looks come after this, which must bring nothing back.
			p.stays = append(p.stays, p.other.Post(nil).ID())
			p.first.Follow(p.watcher)
			t.Judge("feed.purge.keeps-others", func(c *Check) {
				for _, reader := range []*Actor{p.first, p.friend, p.fan} {
					c.EventuallyForGood(still(t, reader, p.stays...))
				}
				c.EventuallyForGood(still(t, p.watcher, p.own...))
			})
		})
}

func namesakes(s *Suite) {
	s.Scenario("a new user under the name of a deleted one brings none of the old events back",
		Judges("feed.purge.no-return"), func(t *Trial) {
			leaver, reader, former := t.Actor(), t.Actor(), t.Actor()
			control := t.Actor() // is deleted too, and nobody takes its name
			for _, each := range []*Actor{reader, former} {
				each.Follow(leaver)
				each.Follow(control)
			}
			old, controls := leaver.Post(nil).ID(), control.Post(nil).ID()
			for _, each := range []*Actor{reader, former} {
				t.Await("feed.follow.new-events", holds(feedOf(t, each), "event", old, controls))
			}
			leaver.Delete()
			control.Delete()
			for _, each := range []*Actor{reader, former} {
				t.Await("feed.purge.followers", lacks(feedOf(t, each), "event", old, controls))
			}
			t.Judge("feed.purge.no-return", func(c *Check) {
				fields := t.NewUser(Fields{"user_name": leaver.UserName})
				created := t.Send(t.AppOnly(), CreateUser, Query("withLogin", "true"), JSON(fields))
				if created.Status()/100 == 4 {
					t.Skip("the name of a deleted user cannot be used again: %d", created.Status())
				}
				namesake := t.ActorOf(fields, created)
				reader.Follow(namesake)
				event := namesake.Post(nil)
				t.Await("feed.follow.new-events", holds(feedOf(t, reader), "event", event.ID()))
				for _, each := range []*Actor{reader, former} {
					c.EventuallyForGood(func() Problem {
						events := feedOf(t, each)()
						reading := func() []Record { return events }
						if back := lacks(reading, "event", controls)(); back != (Problem{}) {
							t.Blocked("feed.purge.followers", "needs the events of deleted users to be gone, whoever takes their names")
						}
						return lacks(reading, "event", old)()
					})
				}
			})
		})
}

// purge is who and what a deletion concerns.
type purge struct {
	leaver, other            *Actor
	first, last, friend, fan *Actor   // who have the leaver's events in their feeds; the fan is a friend that follows
	asked                    *Actor   // a friend too, whom the leaver asked
	watcher                  *Actor   // follows the first and the friend
	gone, stays              []string // the leaver's events, and the other's
	own                      []string // the first's and the friend's events
}

// arrangePurge has a user's events, older and newer, some of them changed, in
// the feeds of followers and friends, beside those of others.
func arrangePurge(t *Trial) *purge {
	p := &purge{leaver: t.Actor(), other: t.Actor(), watcher: t.Actor(),
		first: t.Actor(), friend: t.Actor(), fan: t.Actor(), asked: t.Actor(), last: t.Actor()}
	early := p.leaver.Post(nil)
	p.first.Follow(p.leaver)
	p.friend.Befriend(p.leaver)
	p.fan.Befriend(p.leaver)
	p.leaver.Befriend(p.asked)
	alsoFollow(t, p.fan, p.leaver)
	p.last.Follow(p.leaver) // of all, so that none but followers is the last
	p.leaver.Follow(p.first)
	for _, reader := range []*Actor{p.first, p.friend, p.fan} {
		reader.Follow(p.other) // but not the last, whose feed becomes empty
	}
	p.watcher.Follow(p.first)
	p.watcher.Follow(p.friend)

	changed := p.leaver.Post(nil)
	p.own = []string{p.first.Post(nil).ID(), p.friend.Post(nil).ID()}
	seen := []string{changed.ID(), p.leaver.Post(nil).ID()}
	p.stays = append(p.stays, p.other.Post(nil).ID())
	p.leaver.Change(early, Fields{"verb": t.Unique()})
	p.leaver.Change(changed, Fields{"verb": t.Unique()})
	p.gone = append(slices.Clone(seen), early.ID())

	t.Await("feed.follow.new-events", holds(feedOf(t, p.first), "event", slices.Concat(seen, p.stays)...))
	t.Await("feed.follow.new-events", holds(feedOf(t, p.last), "event", seen...))
	for _, reader := range []*Actor{p.friend, p.fan} {
		t.Await("feed.friends", holds(feedOf(t, reader), "event", seen...))
		t.Await("feed.follow.new-events", holds(feedOf(t, reader), "event", p.stays...))
	}
	t.Await("feed.friends", holds(feedOf(t, p.asked), "event", seen...))
	t.Await("feed.follow.new-events", holds(feedOf(t, p.watcher), "event", p.own...))
	return p
}

// still looks whether events are in a feed that must go on being served.
func still(t *Trial, reader *Actor, ids ...string) func() Problem {
	return func() Problem {
		answer := t.Send(reader, Feed)
		if !answer.Succeeded() {
			return Problem{
				Expected: fmt.Sprintf("%d and the events of all others", http.StatusOK),
				Actual:   fmt.Sprintf("%d with %s", answer.Status(), answer.Body()),
			}
		}
		return holds(answer.Records, "event", ids...)()
	}
}
