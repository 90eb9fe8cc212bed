package main

import "sync"

// lastActs are done at every end of the program, also an end without clean-up: each
// takes a moment, and waits for nobody.
type lastActs struct {
	mu   sync.Mutex
	next int
	acts map[int]func()
}

// add adds an act, until it is forgotten. Without lastActs nothing is done.
func (l *lastActs) add(act func()) (forget func()) {
	if l == nil {
		return func() {}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.acts == nil {
		l.acts = map[int]func(){}
	}
	l.next++
	key := l.next
	l.acts[key] = act
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.acts, key)
	}
}

// do does them, with the lock held: nothing is added any more.
func (l *lastActs) do() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, act := range l.acts {
		act()
	}
}
