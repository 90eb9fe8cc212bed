package conformance

import (
	"errors"
	"fmt"
	"sync"
	"time"
)

// errSlow tells that an attempt took longer than it may.
type errSlow struct{ limit time.Duration }

func (e errSlow) Error() string { return fmt.Sprintf("no complete answer within %s", e.limit) }

// slowness remembers which endpoints leave requests unanswered, so that one of
// them does not stall the run.
type slowness struct {
	mu  sync.Mutex
	row map[Endpoint]int // attempts in a row that took too long
}

// mostSlow is how many attempts in a row an endpoint may leave unanswered before
// no more are made.
const mostSlow = 3

// givenUp is the reason not to try an endpoint again, nil while there is none.
func (s *slowness) givenUp(e Endpoint) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.row[e] < mostSlow {
		return nil
	}
	return fmt.Errorf("not sent: %s left %d requests in a row without a complete answer", e, mostSlow)
}

// remember counts an attempt.
func (s *slowness) remember(x *exchange) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if late := new(errSlow); !errors.As(x.err, late) || x.endpoint == NoEndpoint {
		delete(s.row, x.endpoint)
		return
	}
	if s.row == nil {
		s.row = map[Endpoint]int{}
	}
	s.row[x.endpoint]++
}
