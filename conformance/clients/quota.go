package clients

import (
	"slices"
	"time"
)

// quota counts the requests within a minute less the skew: the first of them may have been
// sent that much earlier than it arrived.
type quota struct {
	span  time.Duration
	lanes *bounded[digest, *lane]
}

// lane is the latest requests of one category by one application from one address.
type lane struct {
	starts []time.Time // at most limit+1, in order
	over   bool        // the limit was exceeded within the last minute
}

// limit is how many requests a minute the contract allows in each category.
const limit = 1000

func newQuota(skew time.Duration) *quota {
	return &quota{time.Minute - skew, newBounded[digest, *lane](500)}
}

func (q *quota) within(r *request) finding {
	key := digestOf(r.auth.app, r.Client, r.category())
	l, ok := q.lanes.get(key)
	if !ok {
		l = &lane{}
		q.lanes.put(key, l)
	}
	at, _ := slices.BinarySearchFunc(l.starts, r.Start, time.Time.Compare)
	l.starts = slices.Insert(l.starts, at, r.Start)
	newest := l.starts[len(l.starts)-1]
	stale, _ := slices.BinarySearchFunc(l.starts, newest.Add(-q.span), time.Time.Compare)
	l.starts = l.starts[max(stale, len(l.starts)-limit-1):]
	if len(l.starts) <= limit {
		l.over = false
		return kept
	}
	if l.over { // one violation for each time it is exceeded
		return kept
	}
	l.over = true
	return violation("more than %d requests of %s within %s", limit, r.category(), rounded(newest.Sub(l.starts[0])))
}
