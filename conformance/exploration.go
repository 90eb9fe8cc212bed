package conformance

import "sync"

// exploration has actors find out one after another how a target does something, until one
// has found it; the rest of the run relies on that.
type exploration struct {
	first sync.Mutex // held while it is found out

	mu    sync.Mutex // of what was found
	found bool
}

// explore takes the turn to find out, or waits for it. The actor that holds the turn
// gives it back by the returned function, which does nothing where all is known.
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
