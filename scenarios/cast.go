package scenarios

import (
	"sync"

	. "github.com/socialfeed/conform/conformance"
	. "github.com/socialfeed/conform/conformance/rules"
)

// cast is the users of several requests, each created on first use. None of the requests
// can have an effect that passes for that of another one.
type cast struct {
	t        *T
	sender   func() *Actor // of all requests that cannot end its session
	target   func() *Actor // of a new connection; deletes itself
	followed func() *Actor // that the sender follows no more; logs out
}

func newCast(t *T) cast {
	return cast{t: t, sender: sync.OnceValue(t.Actor), target: sync.OnceValue(t.Actor), followed: sync.OnceValue(t.AnyActor)}
}

// validRequestTo makes the valid request to an endpoint, with new users of its own.
func validRequestTo(t *T, at Endpoint) *validRequest { return newCast(t).validRequestTo(at) }

// validRequestBy makes the valid request of an actor to an endpoint that needs a session.
func validRequestBy(t *T, sender *Actor, at Endpoint) *validRequest {
	users := newCast(t)
	users.sender = func() *Actor { return sender }
	return users.validRequestTo(at)
}

// validRequestTo makes the valid request to an endpoint.
func (users cast) validRequestTo(at Endpoint) *validRequest {
	r := &validRequest{t: users.t, at: at}
	by := func(sender *Actor) { r.as, r.sender = sender, sender }
	switch at {
	case CreateUser:
		r.creation()
		return r
	case Login:
		r.login()
		return r
	case Versions:
		r.as = versionsReader(r.t)
		return r
	case Logout:
		by(users.followed())
		r.unchanged = r.stillLoggedIn
		return r
	case DeleteMe:
		by(users.target())
		r.unchanged = r.stillLoggedIn
		return r
	}
	by(users.sender())
	switch at {
	case UpdateMe:
		r.update()
	case GetUser, FollowsOf, FollowersOf, FriendsOf:
		r.id = r.sender.ID.String()
	case SearchUsers:
		r.shape = []With{Query("q", r.sender.UserName)}
	case CreateConnection:
		r.connection(users.target())
	case ConnectSocial:
		r.socialConnection()
	case DeleteConnection:
		r.disconnection(users.followed())
	case CreateEvent:
		r.event()
	case UpdateEvent:
		r.eventChange()
	case DeleteEvent:
		r.eventRemoval()
	}
	return r
}

// newActor is an actor with a new user: it reuses none of another scenario. Users that a scenario
// makes itself have ids in the same order in every run, so a target that depends on that order
// behaves the same in every run.
func newActor(t *T) *Actor { return t.ActorWith(Fields{}) }
