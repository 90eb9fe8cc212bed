package conformance

import (
	"context"
	"net/http"
	"sync"
	"time"
)

// Category is what the contract's part Limits counts requests by.
type Category int

// The categories. Uncounted are the methods that the contract does not list.
const (
	Querying Category = iota
	Writing
	Deleting
	Uncounted
	categories
)

func categoryOf(method string) Category {
	switch method {
	case http.MethodGet:
		return Querying
	case http.MethodPost, http.MethodPut:
		return Writing
	case http.MethodDelete:
		return Deleting
	}
	return Uncounted
}

// Permit asks for leave to send a number of requests of a category, and returns
// when it is given.
type Permit func(ctx context.Context, c Category, requests int) error

// pacer keeps each category under a number of requests in any minute.
type pacer struct {
	perMinute int

	mu   sync.Mutex
	sent [categories][]time.Time // within the last minute, oldest first
}

// permit is a Permit.
func (p *pacer) permit(ctx context.Context, c Category, requests int) error {
	for {
		delay := p.reserve(c, requests, time.Now())
		if delay <= 0 {
			return ctx.Err()
		}
		if err := pause(ctx, delay); err != nil {
			return err
		}
	}
}

// reserve books requests now, or tells how long until they may be asked for again.
// What is booked may be sent a little later, so that it counts for that longer.
func (p *pacer) reserve(c Category, requests int, now time.Time) time.Duration {
	const counts = time.Minute + leaveLasts
	p.mu.Lock()
	defer p.mu.Unlock()
	if c == Uncounted || p.perMinute <= 0 {
		return 0
	}
	recent := p.sent[c]
	for len(recent) > 0 && now.Sub(recent[0]) >= counts {
		recent = recent[1:]
	}
	p.sent[c] = recent
	requests = min(requests, p.perMinute)
	if over := len(recent) + requests - p.perMinute; over > 0 {
		return counts - now.Sub(recent[over-1])
	}
	for range requests {
		p.sent[c] = append(p.sent[c], now)
	}
	return 0
}

// turnstile lets the requests of one process through: with leave, which it asks
// for a few at a time, and not while the target has asked for a pause.
type turnstile struct {
	permit Permit
	askFor int // requests at a time

	mu     sync.Mutex
	leave  [categories]int
	since  [categories]time.Time
	paused [categories]time.Time
}

// leaveLasts is how long leave to send holds good.
const leaveLasts = 2 * time.Second

// newTurnstile asks for leave a few requests at a time where the rate is high:
// asking may mean a word with another process, and what is not used is lost to
// the others.
func newTurnstile(permit Permit, perMinute int) *turnstile {
	return &turnstile{permit: permit, askFor: max(1, min(perMinute/60, 5))}
}

// pass returns when a request of the category may be sent.
func (s *turnstile) pass(ctx context.Context, c Category) error {
	s.mu.Lock()
	until := s.paused[c]
	s.mu.Unlock()
	if wait := time.Until(until); wait > 0 {
		if err := pause(ctx, wait); err != nil {
			return err
		}
	}
	if c == Uncounted || s.take(c) {
		return ctx.Err()
	}
	if err := s.permit(ctx, c, s.askFor); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.leave[c], s.since[c] = s.askFor-1, time.Now()
	return ctx.Err()
}

// take uses leave that was given before and still holds good.
func (s *turnstile) take(c Category) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.leave[c] == 0 || time.Since(s.since[c]) >= leaveLasts {
		return false
	}
	s.leave[c]--
	return true
}

// hold stops a category until the given time.
func (s *turnstile) hold(c Category, until time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if until.After(s.paused[c]) {
		s.paused[c] = until
	}
}

// pause waits, or ends early with the context's error.
func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
