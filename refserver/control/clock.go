package control

import (
	"fmt"
	"sync"
	"time"
)

// Clock is a world's time: it runs with the machine's until it is frozen, and can
// be moved forward either way. Sessions, rate windows, lag and weather follow it.
type Clock struct {
	mu     sync.Mutex
	ahead  time.Duration // of the machine's time, while running
	frozen time.Time     // zero while running
}

// Now is the world's time.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now()
}

func (c *Clock) now() time.Time {
	if !c.frozen.IsZero() {
		return c.frozen
	}
	return time.Now().Add(c.ahead)
}

// Frozen reports whether the clock stands still.
func (c *Clock) Frozen() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return !c.frozen.IsZero()
}

// Freeze stops the clock at a time, or where it is for the zero time. A clock
// does not go back.
func (c *Clock) Freeze(at time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.now()
	if at.IsZero() {
		at = now
	}
	if at.Before(now) {
		return fmt.Errorf("the clock is at %s and does not go back to %s", now.Format(time.RFC3339), at.Format(time.RFC3339))
	}
	c.frozen = at
	return nil
}

// Advance moves the clock forward, whether it runs or stands still.
func (c *Clock) Advance(d time.Duration) error {
	if d < 0 {
		return fmt.Errorf("the clock does not go back by %s", -d)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.frozen.IsZero() {
		c.ahead += d
	} else {
		c.frozen = c.frozen.Add(d)
	}
	return nil
}

// Run lets a frozen clock run on from where it stands.
func (c *Clock) Run() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.frozen.IsZero() {
		c.ahead, c.frozen = time.Until(c.frozen), time.Time{}
	}
}

// set puts the clock to any time, for a world that is reset: zero is the machine's time, running.
func (c *Clock) set(frozenAt time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ahead, c.frozen = 0, frozenAt
}
