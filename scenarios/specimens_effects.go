package scenarios

import (
	"fmt"

	. "github.com/socialfeed/conform/conformance"
)

func (s *specimen) connection() {
	target := s.trial.Actor()
	s.shape = []With{JSON(Fields{"user_to_id": target.ID, "type": "follow"})}
	s.unchanged = s.notFollowing(target)
}

func (s *specimen) socialConnection() {
	t, network := s.trial, "facebook"
	account := t.Unique()
	target := t.ActorWith(Fields{"social_ids": Fields{network: account}})
	s.shape = []With{JSON(Fields{
		"platform": network, "type": "follow", "platform_user_id": t.Unique(), "connection_ids": []string{account},
	})}
	s.unchanged = s.notFollowing(target)
}

// notFollowing judges that the sender does not follow the target, once a later
// follow shows.
func (s *specimen) notFollowing(target *Actor) func(*Check) {
	return func(c *Check) {
		control := s.trial.Actor()
		s.sender.Follow(control)
		s.trial.Await(MyFollows.Home(), holds(s.follows, "user", control.ID.String()))
		c.EventuallyForGood(lacks(s.follows, "user", target.ID.String()))
	}
}

func (s *specimen) disconnection() {
	target := s.trial.Actor()
	s.sender.Follow(target)
	s.id = target.ID.String()
	s.unchanged = func(c *Check) {
		control := s.trial.Actor()
		s.sender.Follow(control)
		s.trial.Await(MyFollows.Home(), holds(s.follows, "user", control.ID.String()))
		s.sender.Disconnect(control)
		s.trial.Await("connections.delete.removes", lacks(s.follows, "user", control.ID.String()))
		c.EventuallyForGood(holds(s.follows, "user", target.ID.String()))
	}
}

func (s *specimen) follows() []Record { return s.trial.Send(s.sender, MyFollows).Records() }

func (s *specimen) event() {
	t, verb := s.trial, s.trial.Unique()
	s.shape = []With{JSON(Fields{"verb": verb})}
	s.unchanged = func(c *Check) {
		reader := t.Actor()
		reader.Follow(s.sender)
		control := s.sender.Post(nil)
		t.Await("feed.follow.new-events", holds(feedOf(t, reader), "event", control.ID()))
		c.EventuallyForGood(func() Problem {
			for _, event := range feedOf(t, reader)() {
				if event.Text("verb") == verb {
					return Problem{Expected: "no event created by the refused request", Actual: "event " + event.ID() + " with its verb in a follower's feed"}
				}
			}
			return Problem{}
		})
	}
}

func (s *specimen) eventChange() {
	verb, event := s.trial.Unique(), s.sender.Post(nil)
	s.id, s.shape = event.ID(), []With{JSON(Fields{"verb": verb})}
	s.unchanged = func(c *Check) {
		// A change of another field shows the event as it stands, and does not lag.
		shown := s.trial.Send(s.sender, UpdateEvent, IDText(event.ID()), JSON(Fields{"priority": "high"})).Record()
		c.True(shown.Text("verb") != verb, "the event's verb as before the refused request", "the verb as the request sent it")
	}
}

func (s *specimen) eventRemoval() {
	event := s.sender.Post(nil)
	s.id = event.ID()
	s.unchanged = func(c *Check) {
		changed := s.trial.Send(s.sender, UpdateEvent, IDText(event.ID()), JSON(Fields{"priority": "high"}))
		if changed.Status()/100 == 4 {
			s.sender.Change(s.sender.Post(nil), Fields{"priority": "high"}) // changing an event works on this target
			c.Fail("the event to be there after the refused request", fmt.Sprintf("%s answers %d to its id", UpdateEvent, changed.Status()))
		}
		changed.Done()
	}
}
