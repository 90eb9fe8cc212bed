package conformance

import (
	"errors"
	"net/http"
	"slices"
	"sync"

	"github.com/socialfeed/conform/client"
	"github.com/socialfeed/conform/conformance/rules"
)

// friendship is how users become friends on a target: by one asking, or after the other
// has asked back. The contract leaves it open; the first two who are made friends show it.
type friendship struct {
	exploration
	suffices bool // that one side asks
}

// oneSided reports whether users are friends when one has asked, as the first two show.
func (f *friendship) oneSided(show func() bool) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.found {
		f.found, f.suffices = true, show()
	}
	return f.suffices
}

// Befriend makes friends of the two: each asks, unless one side suffices on this
// target. The second may be refused as a conflict.
func (a *Actor) Befriend(other *Actor) {
	done := a.t.run.friends.explore()
	defer done()
	a.connect(other, "friend", "connections.create.friend")
	if a.t.run.friends.oneSided(func() bool { return a.listsFriend(other) && other.listsFriend(a) }) {
		return
	}
	sent, err := other.request(client.Request{Method: http.MethodPost, Path: rules.CreateConnection.Path(),
		Body: Fields{"user_to_id": a.ID, "type": "friend"}}, nil)
	if !errors.Is(err, client.ErrConflict) {
		a.t.need("connections.create.friend", sent, err)
	}
}

// listsFriend reports whether the actor's friends are known to have another one among them.
func (a *Actor) listsFriend(other *Actor) bool {
	var friends []createdUser
	_, err := a.request(client.Request{Method: http.MethodGet, Path: rules.MyFriends.Path()}, &friends)
	return err == nil && slices.ContainsFunc(friends, func(f createdUser) bool { return f.ID == other.ID })
}

// exploration lets one actor at a time find out how a target does something, until one has
// succeeded; the rest of the run relies on the result.
type exploration struct {
	first sync.Mutex // held while it is found out

	mu    sync.Mutex // of what was found
	found bool
}

// explore waits for the turn to find out. The returned function ends the turn; it does nothing
// if the result is known already.
func (e *exploration) explore() (done func()) {
	e.first.Lock()
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.found {
		e.first.Unlock()
		return func() {}
	}
	return e.first.Unlock
}
