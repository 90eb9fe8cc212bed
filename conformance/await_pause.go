package conformance

import "time"

// The pauses between readings grow, so that a target that lags a little is not
// waited for too long, and one that lags for seconds is not asked a hundred times.
const (
	firstPause = 15 * time.Millisecond
	lastPause  = 200 * time.Millisecond
)

// nextPause is the pause that follows one of the given length, 0 for none yet.
func nextPause(pause time.Duration) time.Duration {
	return min(max(2*pause, firstPause), lastPause)
}
