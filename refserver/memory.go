package refserver

import (
	"fmt"
	"net/http"
	"runtime"
	"runtime/metrics"
	"sync"
	"time"

	"github.com/KimMachineGun/automemlimit/memlimit"
)

// quarterOfMachine is the default of Options.MaxMemory: of the memory that the
// machine, or its container, has.
func quarterOfMachine() int64 {
	const unknown = 1 << 30
	total, err := memlimit.ApplyFallback(memlimit.FromCgroup, memlimit.FromSystem)()
	if err != nil || total == 0 {
		return unknown
	}
	return int64(total / 4)
}

// budget reports when the process's heap exceeds its limit.
type budget struct {
	limit uint64

	mu        sync.Mutex
	measured  time.Time
	collected time.Time     // when garbage was last collected to make room
	took      time.Duration // how long that took
	over      bool
}

// exceeded reports whether the budget is used up. Deleted data frees its share at
// once; its garbage is collected only when the budget would be exceeded.
func (b *budget) exceeded() bool {
	const fresh, rest = 5 * time.Millisecond, 10
	b.mu.Lock()
	defer b.mu.Unlock()
	if time.Since(b.measured) < fresh {
		return b.over
	}
	b.over = heapInUse() > b.limit
	if b.over && time.Since(b.collected) > rest*b.took {
		began := time.Now()
		runtime.GC()
		b.collected, b.took = time.Now(), time.Since(began)
		b.over = heapInUse() > b.limit
	}
	b.measured = time.Now()
	return b.over
}

func heapInUse() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// checkMemory refuses writes while the heap exceeds its limit, before their body is read.
// Reading and deleting go on.
func (s *Server) checkMemory(_ http.ResponseWriter, q *request) error {
	if s.budget == nil || !takesBody(q.Method) || !s.budget.exceeded() {
		return nil
	}
	p := &problem{status: http.StatusServiceUnavailable, code: codeMemory,
		message: fmt.Sprintf("the memory budget of %d MiB is used up; reading and deleting go on", s.budget.limit>>20)}
	return p.with("Retry-After", "5")
}
