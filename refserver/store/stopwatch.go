package store

import (
	"math"
	"sync"
	"time"
)

// longestStep is the most that counts of one leap of the clock, so that a sum of leaps is a
// duration still. By then whatever a duration bounds is over.
const longestStep = 10 * 365 * 24 * time.Hour

// Stopwatch measures how long a clock has run. If the clock is set back, both
// the time before and the time after count.
type Stopwatch struct {
	clock func() time.Time

	mu      sync.Mutex
	last    time.Time
	elapsed time.Duration
}

// NewStopwatch starts at 0.
func NewStopwatch(clock func() time.Time) *Stopwatch {
	return &Stopwatch{clock: clock, last: clock()}
}

// Reading is the time on a stopwatch, and the time on its clock at that moment.
type Reading struct {
	Elapsed time.Duration
	At      time.Time
}

// Reading reads both at once.
func (w *Stopwatch) Reading() Reading {
	elapsed := w.Elapsed()
	w.mu.Lock()
	defer w.mu.Unlock()
	return Reading{max(elapsed, w.elapsed), w.last}
}

// Resume has the stopwatch go on from a reading, such as one that an earlier process took. The time
// since then counts.
func (w *Stopwatch) Resume(from Reading) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.elapsed, w.last = from.Elapsed, from.At
}

// Elapsed never goes back, but by Resume.
func (w *Stopwatch) Elapsed() time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := w.clock()
	step := min(max(0, now.Sub(w.last)), longestStep)
	w.elapsed += min(step, math.MaxInt64-w.elapsed)
	w.last = now
	return w.elapsed
}
