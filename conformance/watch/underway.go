package watch

import (
	"sync"
	"time"

	"github.com/socialfeed/conform/conformance/clients"
)

// underway are the requests that change something and were not reported yet. Its zero value has none.
type underway struct {
	mu   sync.Mutex
	from map[*clients.Exchange]time.Time
}

// begin adds an exchange that begins now. None that is added later begins before it.
func (u *underway) begin(x *clients.Exchange) {
	if !x.Changes() {
		return
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.from == nil {
		u.from = map[*clients.Exchange]time.Time{}
	}
	x.Start = time.Now()
	u.from[x] = x.Start
}

// end drops an exchange that was reported.
func (u *underway) end(x *clients.Exchange) {
	u.mu.Lock()
	defer u.mu.Unlock()
	delete(u.from, x)
}

// oldest is when the oldest began, now if there is none.
func (u *underway) oldest() time.Time {
	u.mu.Lock()
	defer u.mu.Unlock()
	oldest := time.Now()
	for _, from := range u.from {
		if from.Before(oldest) {
			oldest = from
		}
	}
	return oldest
}
