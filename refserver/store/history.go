package store

import (
	"slices"
	"time"
)

// history holds the states that a lagging reader may still see, oldest first.
// A snapshot of the store costs only the rows changed since.
type history []moment

type moment struct {
	at    time.Duration // on the store's stopwatch
	state *snapshot
}

func (h *history) add(at time.Duration, state *snapshot) {
	*h = append(*h, moment{at, state})
}

// prune forgets all states but the one that stood at the given time and those
// after it, and returns the former.
func (h *history) prune(at time.Duration) *snapshot {
	states := *h
	last := len(states) - 1
	for last > 0 && states[last].at > at {
		last--
	}
	*h = slices.Delete(states, 0, last)
	return (*h)[0].state
}
