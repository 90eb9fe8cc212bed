package scenarios

import (
	"fmt"

	"github.com/onsi/gomega/types"
	. "github.com/socialfeed/conform/conformance"
	. "github.com/socialfeed/conform/conformance/rules"
)

func (r *validRequest) connection(target *Actor) {
	r.shape = []With{JSON(Fields{"user_to_id": target.ID, "type": "follow"})}
	r.unchanged = r.notFollowing(target)
}

func (r *validRequest) socialConnection() {
	t, network := r.t, "facebook"
	account := t.Unique()
	target := t.ActorWith(Fields{"social_ids": Fields{network: account}})
	r.shape = []With{JSON(Fields{
		"platform": network, "type": "follow", "platform_user_id": t.Unique(), "connection_ids": []string{account},
	})}
	r.unchanged = r.notFollowing(target)
}

// notFollowing judges that the sender does not follow the target, once a later
// follow shows.
func (r *validRequest) notFollowing(target *Actor) func(*Check) {
	return func(c *Check) {
		r.controls.follow()
		c.EventuallyStays(r.follows, r.unlessTaken(lackUsers(target)))
	}
}

func (r *validRequest) disconnection(target *Actor) {
	r.sender.Follow(target)
	r.t.Require(MyFollows.BlockingRule(), r.follows, haveUsers(target)) // the control: it shows before the refused request
	r.id = target.ID.String()
	r.unchanged = func(c *Check) {
		r.controls.unfollow()
		c.EventuallyStays(r.follows, r.unlessTaken(haveUsers(target)))
	}
}

func (r *validRequest) follows() []Record { return r.t.Send(r.sender, MyFollows).Records() }

func (r *validRequest) event() {
	t, verb := r.t, r.t.Unique()
	r.shape = []With{JSON(Fields{"verb": verb})}
	r.unchanged = func(c *Check) {
		c.EventuallyStays(feedOf(t, r.controls.post()), r.unlessTaken(Condition(func(feed []Record) Mismatch {
			for _, event := range feed {
				if event.Text("verb") == verb {
					return Mismatch{Expected: "no event created by the refused request", Actual: "event " + event.ID() + " with its verb in a follower's feed"}
				}
			}
			return Mismatch{}
		})))
	}
}

// unlessTaken applies the matcher until a target accepts the request under a further rule: then that
// rule is broken, and an effect is to be expected.
func (r *validRequest) unlessTaken(m types.GomegaMatcher) types.GomegaMatcher {
	if r.taken == nil {
		return m
	}
	return unlessTaken{m, r.taken, r.taken()}
}

type unlessTaken struct {
	types.GomegaMatcher
	now    func() string
	judged string
}

// Match implements types.GomegaMatcher.
func (m unlessTaken) Match(actual any) (bool, error) {
	if now := m.now(); now != "" && now != m.judged {
		return true, nil
	}
	return m.GomegaMatcher.Match(actual)
}

// Unwrap returns the matcher that writes the message.
func (m unlessTaken) Unwrap() types.GomegaMatcher { return m.GomegaMatcher }

func (r *validRequest) eventChange() {
	verb, event := r.t.Unique(), r.sender.Post(nil)
	r.id, r.shape = event.ID(), []With{JSON(Fields{"verb": verb})}
	r.unchanged = func(c *Check) {
		// The answer to a change of another field shows the event as it is now, without lag.
		shown := r.sender.Change(event, Fields{"priority": "high"}).Record()
		c.True(shown.Text("verb") != verb, "the event's verb as before the refused request", "the verb as the request sent it")
	}
}

// controlChange sees that the sender can change an event that it posted in an earlier session.
func (r *validRequest) controlChange() {
	control := r.sender.Post(nil)
	r.sender.LogOut()
	r.sender.LogIn()
	r.sender.Change(control, Fields{"priority": "high"}).Done()
}

func (r *validRequest) eventRemoval() {
	event := r.sender.Post(nil)
	r.id = event.ID()
	r.unchanged = func(c *Check) {
		changed := r.sender.Change(event, Fields{"priority": "high"})
		if changed.Status()/100 == 4 {
			r.controlChange()
			c.Fail("the event to be there after the refused request", fmt.Sprintf("%s answers %d to its id", UpdateEvent, changed.Status()))
		}
		changed.Done()
	}
}
