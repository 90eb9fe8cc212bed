package await

import (
	"sync"
	"time"
)

// Patience is what a run has seen of how late the target is, by which it decides how long to wait.
type Patience struct {
	mu       sync.Mutex
	lag      time.Duration   // the longest time after which something promised was there, 0 where all was at once
	timedOut map[string]bool // rules that were waited for in vain
	watched  time.Duration   // the shortest time after which a deletion was re-checked
}

// RecordLag records how long something promised was not there.
func (p *Patience) RecordLag(d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lag = max(p.lag, d)
}

// Lagged is how long the target was seen to lag, 0 where it was not.
func (p *Patience) Lagged() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.lag
}

// PatienceFor is how long to wait for what a rule promises: the settle time, and no
// longer than one reading once the rule has timed out: a broken rule must not delay
// every scenario that needs it.
func (p *Patience) PatienceFor(rule string, settle time.Duration) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.timedOut[rule] {
		return 0
	}
	return settle
}

// GiveUp records that a rule was waited for in vain.
func (p *Patience) GiveUp(rule string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.timedOut == nil {
		p.timedOut = map[string]bool{}
	}
	p.timedOut[rule] = true
}

// RecordWatch records after how long a deletion was re-checked.
func (p *Patience) RecordWatch(d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.watched == 0 {
		p.watched = d
	}
	p.watched = min(p.watched, d)
}

// WatchedFor is the shortest time after which a deletion was re-checked, 0 where none was.
func (p *Patience) WatchedFor() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.watched
}
