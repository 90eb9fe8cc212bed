package await

import "time"

// The pauses between reads grow, so that a target that lags a little is not waited for too long, and one that lags for
// seconds is not asked a hundred times.
const (
	Shortest = 15 * time.Millisecond
	longest  = 200 * time.Millisecond
)

// Next is the pause that follows one of the given length, 0 for none yet.
func Next(pause time.Duration) time.Duration {
	return min(max(2*pause, Shortest), longest)
}

// Lag is how much longer to wait, on a target that was seen to lag, until a write may be visible: reading earlier costs
// requests and proves nothing.
func Lag(seen time.Duration, wrote time.Time) time.Duration {
	const most = 500 * time.Millisecond
	return max(0, min(seen, most)-time.Since(wrote))
}
