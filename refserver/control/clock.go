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
	moved  time.Time // where the clock was moved to; zero: it shows the machine's time
	since  time.Time // the machine's time at that moment
	frozen time.Time // zero while running
}

// latest is the last moment that a clock can be moved to. Times have four digits for the year (RFC
// 3339), also a day later, and if they are written with an offset.
func latest() time.Time { return time.Date(9999, 12, 30, 0, 0, 0, 0, time.UTC) }

// checkMoment refuses a moment that a clock cannot show.
func checkMoment(at time.Time) error {
	if at.After(latest()) {
		return fmt.Errorf("the clock goes to %s at most", latest().Format(time.RFC3339))
	}
	return nil
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
	now := time.Now().Round(0) // a change of the machine's clock counts, too
	if c.moved.IsZero() {
		return now
	}
	return c.moved.Add(now.Sub(c.since))
}

// Frozen reports whether the clock stands still.
func (c *Clock) Frozen() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return !c.frozen.IsZero()
}

// Freeze stops the clock at a time, or at its present time for the zero time. A clock
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
	if err := checkMoment(at); err != nil {
		return err
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
	at := c.now().Add(d)
	if err := checkMoment(at); err != nil {
		return err
	}
	if c.frozen.IsZero() {
		c.moved, c.since = at, time.Now().Round(0)
	} else {
		c.frozen = at
	}
	return nil
}

// Run lets a frozen clock run on from where it stands.
func (c *Clock) Run() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.frozen.IsZero() {
		c.moved, c.since, c.frozen = c.frozen, time.Now().Round(0), time.Time{}
	}
}

// set puts the clock to any time, for a world that is reset: zero is the machine's time, running.
func (c *Clock) set(frozenAt time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.moved, c.since, c.frozen = time.Time{}, time.Time{}, frozenAt
}
