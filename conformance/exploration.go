package conformance

import "sync"

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
