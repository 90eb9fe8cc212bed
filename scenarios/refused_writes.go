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

// refusals sends the valid request to each of several endpoints with the same defect, and
// judges that each was refused and had no effect. The requests share their users and the
// control changes, which are made after all of them.
type refusals struct {
	t         *T
	endpoints []Endpoint
	refused   map[Endpoint]*validRequest
}

// send arranges the request to each endpoint, and calls judge to send it. The answer is
// judged under a rule at the endpoint that place gives.
func (r *refusals) send(rule string, place func(Endpoint) Endpoint, judge func(*Check, *validRequest)) {
	users := newCast(r.t)
	controls := newControls(r.t, users.sender)
	r.refused = map[Endpoint]*validRequest{}
	for _, at := range r.endpoints {
		r.t.JudgeAt(place(at), rule, func(c *Check) {
			request := users.validRequestTo(at)
			request.controls = controls
			judge(c, request)
			r.refused[at] = request
		})
	}
}

// judgeEffects judges that the requests had no effect. One that was not refused is
// the fault of another rule, "" where it was judged under this one.
func (r *refusals) judgeEffects(rule string, place func(Endpoint) Endpoint, owner string) {
	for _, at := range r.endpoints {
		request := r.refused[at]
		if request == nil && owner == "" || request != nil && request.unchanged == nil {
			continue
		}
		r.t.JudgeAt(place(at), rule, func(c *Check) {
			if request == nil {
				r.t.Blocked(owner, "needs a refusal of %s", at)
			}
			request.unchanged(c)
		})
	}
}

// skipEffects says why the effects of the requests cannot be judged.
func (r *refusals) skipEffects(rule string, place func(Endpoint) Endpoint, reason string) {
	for _, at := range r.endpoints {
		r.t.JudgeAt(place(at), rule, func(*Check) { r.t.Skip("%s", reason) })
	}
}

// is reports whether an endpoint is the given one.
func is(one Endpoint) func(Endpoint) bool { return func(at Endpoint) bool { return at == one } }

// itself judges at the endpoint that was tried.
func itself(at Endpoint) Endpoint { return at }

// nearest judges at the endpoint that was tried or, where the catalogue does not list it
// for the rule, at the most similar one that it lists.
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
