package wire

import (
	"context"
	"math"
	"net/http"
	"sync"
	"time"
)

// category is what the contract's part Limits counts requests by.
type category int

// The categories. Uncounted are the methods that the contract does not list.
const (
	querying category = iota
	writing
	deleting
	uncounted
	categories
)

func categoryOf(method string) category {
	switch method {
	case http.MethodGet:
		return querying
	case http.MethodPost, http.MethodPut:
		return writing
	case http.MethodDelete:
		return deleting
	}
	return uncounted
}

// Limiter keeps each category under a number of requests in any minute, and
// stops one for as long as the target asks for a pause.
type Limiter struct {
	PerMinute int    // 0: as many as there are
	Setting   string // what sets PerMinute, as the reader calls it; "" for nothing

	mu     sync.Mutex
	lifted bool                    // until the target asks for a pause
	sent   [categories][]time.Time // within the last minute, oldest first
	paused [categories]time.Time
	vain   [categories]bool // waited for as long as the judge waits, and not served since
}

// reserve counts a request now, or says how long until it may be asked for again, and whether the
// target asked for that.
func (l *Limiter) reserve(c category, now time.Time) (delay time.Duration, asked bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if wait := l.paused[c].Sub(now); wait > 0 {
		return wait, true
	}
	if l.unlimited(c) {
		return 0, false
	}
	recent := l.recent(c, now)
	if over := len(recent) + 1 - l.PerMinute; over > 0 {
		l.sent[c] = recent
		return time.Minute - now.Sub(recent[over-1]), false
	}
	l.sent[c] = append(recent, now)
	return 0, false
}

// recent is when the requests of a category within the last minute were sent.
func (l *Limiter) recent(c category, now time.Time) []time.Time {
	recent := l.sent[c]
	for len(recent) > 0 && now.Sub(recent[0]) >= time.Minute {
		recent = recent[1:]
	}
	return recent
}

// Room is how many requests of a method can be sent at this time without a wait.
func (l *Limiter) Room(method string, now time.Time) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	c := categoryOf(method)
	switch {
	case l.paused[c].After(now):
		return 0
	case l.unlimited(c):
		return math.MaxInt
	}
	return max(l.PerMinute-len(l.recent(c, now)), 0)
}

func (l *Limiter) unlimited(c category) bool { return c == uncounted || l.PerMinute <= 0 || l.lifted }

// Lift lets requests go out as fast as they come, until the target asks for a pause.
func (l *Limiter) Lift() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lifted = true
}

// pauseUntil stops a category until the given time.
func (l *Limiter) pauseUntil(c category, until time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lifted = false
	if until.After(l.paused[c]) {
		l.paused[c] = until
	}
}

// giveUp records that waiting did not help a category.
func (l *Limiter) giveUp(c category) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.vain[c] = true
}

// served records that a category is served, so that it is worth a wait again.
func (l *Limiter) served(c category) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.vain[c] = false
}

// worthAWait reports whether waiting may help a category that is refused.
func (l *Limiter) worthAWait(c category) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return !l.vain[c]
}

// Pause waits, or ends early with the context's cause.
func Pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
