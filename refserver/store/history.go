package store

import (
	"slices"
	"time"

	"github.com/hashicorp/go-memdb"
)

// history holds the states that a lagging reader may still see, oldest first.
// A snapshot of the store costs nothing but the rows changed since.
type history []moment

type moment struct {
	at    time.Time
	state *memdb.MemDB
}

func (h *history) add(at time.Time, db *memdb.MemDB) {
	*h = append(*h, moment{at, db.Snapshot()})
}

// prune forgets all states but the one that stood at the given time and those
// after it, and returns the former.
func (h *history) prune(at time.Time) *memdb.MemDB {
	states := *h
	last := len(states) - 1
	for last > 0 && states[last].at.After(at) {
		last--
	}
	*h = slices.Delete(states, 0, last)
	return (*h)[0].state
}
