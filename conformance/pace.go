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
	for range requests {
		for {
			delay := p.reserve(c, time.Now())
			if delay <= 0 {
				break
			}
			if err := pause(ctx, delay); err != nil {
				return err
			}
		}
	}
	return ctx.Err()
}

// reserve books a request now, or tells how long until one may be asked for again.
func (p *pacer) reserve(c Category, now time.Time) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	if c == Uncounted || p.perMinute <= 0 {
		return 0
	}
	recent := p.sent[c]
	for len(recent) > 0 && now.Sub(recent[0]) >= time.Minute {
		recent = recent[1:]
	}
	if len(recent) >= p.perMinute {
		p.sent[c] = recent
		return time.Minute - now.Sub(recent[0])
	}
	p.sent[c] = append(recent, now)
	return 0
}

// turnstile lets the requests of one process through: with leave, which it asks
// for a few at a time, and not while the target has asked for a pause.
type turnstile struct {
	permit Permit

	mu     sync.Mutex
	leave  [categories]int
	paused [categories]time.Time
}

// askFor is how many requests leave is asked for at a time: asking may mean a
// word with another process, and what is not used is lost to the others.
const askFor = 5

// pass returns when a request of the category may be sent.
func (s *turnstile) pass(ctx context.Context, c Category) error {
	s.mu.Lock()
	until, leave := s.paused[c], s.leave[c] > 0
	if leave {
		s.leave[c]--
	}
	s.mu.Unlock()
	if wait := time.Until(until); wait > 0 {
		if err := pause(ctx, wait); err != nil {
			return err
		}
	}
	if leave || c == Uncounted {
		return ctx.Err()
	}
	if err := s.permit(ctx, c, askFor); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.leave[c] += askFor - 1
	return ctx.Err()
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
