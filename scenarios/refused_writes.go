package scenarios

import (
	"sync"

	. "github.com/socialfeed/conform/conformance"
	. "github.com/socialfeed/conform/conformance/rules"
)

// sessionWrites are the endpoints that write in a session and whose refused request
// can be seen to have changed nothing.
func sessionWrites() []Endpoint {
	return []Endpoint{UpdateMe, CreateConnection, ConnectSocial, DeleteConnection, CreateEvent, UpdateEvent, DeleteEvent, Logout, DeleteMe}
}

// refusals sends the valid request to each of several endpoints with some defect, once or with
// one defect after another, and judges that each was refused and had no effect. The requests
// share their users and the control changes, which are made after all of them.
type refusals struct {
	t        *T
	users    cast
	controls *controls
	requests map[Endpoint]*validRequest
	taken    map[Endpoint]string // the rule under which one was not refused, or had an effect
}

func newRefusals(t *T) *refusals {
	users := newCast(t)
	return &refusals{t: t, users: users, controls: newControls(t, users.sender), requests: map[Endpoint]*validRequest{}, taken: map[Endpoint]string{}}
}

// send arranges the request to each endpoint, and calls judge to send it. The answer is
// judged under a rule at the endpoint that place gives.
func (r *refusals) send(endpoints []Endpoint, rule string, place func(Endpoint) Endpoint, judge func(*Check, *validRequest)) {
	for _, at := range endpoints {
		r.t.JudgeAt(place(at), rule, func(c *Check) {
			if r.taken[at] == "" {
				r.taken[at] = rule
			}
			if r.requests[at] == nil {
				r.requests[at] = r.users.validRequestTo(at)
				r.requests[at].controls = r.controls
				r.requests[at].taken = func() string { return r.taken[at] }
			}
			judge(c, r.requests[at])
			if r.taken[at] == rule {
				delete(r.taken, at)
			}
		})
	}
}

// judgeEffects judges that the requests so far had no effect. A request
// that was accepted, or had an effect, fails the rule under which it was sent.
func (r *refusals) judgeEffects(endpoints []Endpoint, rule string, place func(Endpoint) Endpoint) {
	for _, at := range endpoints {
		request, owner := r.requests[at], r.taken[at]
		if owner == rule || owner == "" && (request == nil || request.unchanged == nil) {
			continue
		}
		r.t.JudgeAt(place(at), rule, func(c *Check) {
			if owner != "" {
				r.t.BlockedAt(at, owner, "needs a refusal of %s", at)
			}
			r.taken[at] = rule
			if request.sender != nil {
				request.sender.InSession() // else the effect of its logout would look like one of the request
			}
			request.unchanged(c)
			delete(r.taken, at) // a later rule may have it
		})
	}
}

// is reports whether an endpoint is the given one.
func is(one Endpoint) func(Endpoint) bool { return func(at Endpoint) bool { return at == one } }

// itself judges at the endpoint that was tried.
func itself(at Endpoint) Endpoint { return at }

// nearest judges at the endpoint of the request. If the catalogue does not list it for
// the rule, nearest judges at its closest relative in the list.
func nearest(at Endpoint) Endpoint {
	switch at {
	case ConnectSocial:
		return CreateConnection
	case Logout:
		return DeleteMe
	}
	return at
}

// controls are changes that are not refused, each made once, on first use. When they show,
// an effect of the refused requests would show, too.
type controls struct {
	follow   func() *Actor // a follow that shows among the sender's, and who is followed
	unfollow func()        // the same one, ended, which shows no more
	post     func() *Actor // an event that shows in the feed of a follower, who is returned
}

func newControls(t *T, sender func() *Actor) *controls {
	follows := func() []Record { return t.Send(sender(), MyFollows).Records() }
	follow := sync.OnceValue(func() *Actor {
		control := t.Actor()
		sender().Follow(control)
		t.Require(MyFollows.BlockingRule(), follows, haveUsers(control))
		return control
	})
	return &controls{
		follow: follow,
		unfollow: sync.OnceFunc(func() {
			control := follow()
			sender().Disconnect(control)
			t.Require("connections.delete.removes", follows, lackUsers(control))
		}),
		post: sync.OnceValue(func() *Actor {
			reader := follow()
			reader.Follow(sender())
			control := sender().Post(nil)
			t.Require("feed.follow.new-events", feedOf(t, reader), haveEvents(control.ID()))
			return reader
		}),
	}
}
