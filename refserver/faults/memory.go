package faults

import (
	"fmt"
	"sync"

	"github.com/socialfeed/conform/refserver/store"
)

// memory is the data that a fault keeps. It is safe for concurrent use, and is emptied
// before it grows large.
type memory[V any] struct {
	mu   sync.Mutex
	kept map[string]V
}

const mostKept = 10_000

// keyOf keys what a fault keeps about a user, or about one user and another.
func keyOf(app store.App, ids ...store.ID) string { return fmt.Sprint(app, ids) }

// get returns what is kept, or the zero value.
func (m *memory[V]) get(key string) V {
	value, _ := m.lookup(key)
	return value
}

func (m *memory[V]) has(key string) bool {
	_, known := m.lookup(key)
	return known
}

func (m *memory[V]) lookup(key string) (V, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	value, ok := m.kept[key]
	return value, ok
}

// keep keeps a value and returns the one before.
func (m *memory[V]) keep(key string, value V) V {
	return m.update(key, func(V) V { return value })
}

// update changes a value and returns the one before.
func (m *memory[V]) update(key string, change func(V) V) V {
	m.mu.Lock()
	defer m.mu.Unlock()
	before := m.kept[key]
	if m.kept == nil || len(m.kept) >= mostKept {
		m.kept = map[string]V{}
	}
	m.kept[key] = change(before)
	return before
}

// others keeps the latest of what users did, and hands each that of another one: what is
// everybody's would be a user's own or not by what other clients do at that moment.
type others[V any] struct {
	mu             sync.Mutex
	id             string // of the user whose is the latest
	latest, before V      // before is that of the latest other one
}

func (o *others[V]) keep(id string, value V) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if id != o.id {
		o.before = o.latest
	}
	o.id, o.latest = id, value
}

// of returns what another user than the given one did last, the zero value before there is any.
func (o *others[V]) of(id string) V {
	o.mu.Lock()
	defer o.mu.Unlock()
	if id == o.id {
		return o.before
	}
	return o.latest
}

// tally counts by key and returns the count.
func tally(counts *memory[int], key string) int {
	return counts.update(key, func(n int) int { return n + 1 }) + 1
}
