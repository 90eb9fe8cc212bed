package conformance

import (
	"context"
	"net/http"
	"sync"
	"time"
)

// category is what the contract's part Limits counts requests by.
type category int

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

// pacer keeps each category under a number of requests in any minute, and holds
// a category back while the target has asked for a pause.
type pacer struct {
	perMinute int

	mu     sync.Mutex
	sent   [categories][]time.Time // within the last minute, oldest first
	paused [categories]time.Time
}

// wait returns when a request of the category may be sent, and counts it.
func (p *pacer) wait(ctx context.Context, c category) error {
	for {
		delay := p.reserve(c, time.Now())
		if delay <= 0 {
			return ctx.Err()
		}
		if err := pause(ctx, delay); err != nil {
			return err
		}
	}
}

// reserve books a request now, or tells how long until one may be asked for again.
func (p *pacer) reserve(c category, now time.Time) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	if until := p.paused[c].Sub(now); until > 0 {
		return until
	}
	if c == uncounted || p.perMinute <= 0 {
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

// hold stops a category until the given time.
func (p *pacer) hold(c category, until time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if until.After(p.paused[c]) {
		p.paused[c] = until
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
