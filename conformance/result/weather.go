package result

import (
	"fmt"
	"strings"
	"time"
)

// Weather is what a lawful service, or the network before it, did to a run: it is
// waited out, and nobody is blamed for it.
type Weather struct {
	Throttled    int   `json:"throttled"`    // answers of 429
	Unavailable  int   `json:"unavailable"`  // answers of 503
	Intermediary int   `json:"intermediary"` // answers of a gateway that could not reach the service
	Repeated     int   `json:"repeated"`     // requests sent again after their connection was lost
	WaitedMS     int64 `json:"waited_ms"`    // in which at least one request waited
}

// Any reports whether there was any.
func (w Weather) Any() bool { return w != Weather{} }

// Add adds another run's.
func (w Weather) Add(other Weather) Weather {
	return Weather{
		Throttled: w.Throttled + other.Throttled, Unavailable: w.Unavailable + other.Unavailable,
		Intermediary: w.Intermediary + other.Intermediary, Repeated: w.Repeated + other.Repeated,
		WaitedMS: w.WaitedMS + other.WaitedMS,
	}
}

// String describes it in one line.
func (w Weather) String() string {
	var said []string
	for _, each := range []struct {
		n    int
		what string
	}{
		{w.Throttled, "× 429"}, {w.Unavailable, "× 503"}, {w.Intermediary, "× no answer from a gateway's upstream"},
		{w.Repeated, "× a connection lost"},
	} {
		if each.n > 0 {
			said = append(said, fmt.Sprintf("%d %s", each.n, each.what))
		}
	}
	if wait := (time.Duration(w.WaitedMS) * time.Millisecond).Round(100 * time.Millisecond); wait > 0 {
		said = append(said, fmt.Sprintf("waited %s to retry", wait))
	}
	return strings.Join(said, ", ")
}

// shortest is the shorter of two times, of which 0 is none at all.
func shortest(a, b int64) int64 {
	if a == 0 || b == 0 {
		return max(a, b)
	}
	return min(a, b)
}
