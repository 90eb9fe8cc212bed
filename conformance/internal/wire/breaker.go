package wire

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/socialfeed/conform/conformance/rules"
)

// slowError tells that an attempt took longer than it may.
type slowError struct{ limit time.Duration }

func (e slowError) Error() string { return fmt.Sprintf("no complete answer within %s", e.limit) }

// breaker remembers which endpoints leave requests unanswered, so that one of
// them does not stall the run.
type breaker struct {
	mu  sync.Mutex
	row map[rules.Endpoint]int // attempts in a row that took too long
}

// mostSlow is how many attempts in a row an endpoint may leave unanswered before
// no more are made.
const mostSlow = 3

// open is the reason not to try an endpoint again, nil while there is none.
func (s *breaker) open(e rules.Endpoint) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.row[e] < mostSlow {
		return nil
	}
	return fmt.Errorf("not sent: %s left %d requests in a row without a complete answer", e, mostSlow)
}

// record counts an attempt.
func (s *breaker) record(x *Exchange) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if late := new(slowError); !errors.As(x.Err, late) || x.Endpoint == rules.NoEndpoint {
		delete(s.row, x.Endpoint)
		return
	}
	if s.row == nil {
		s.row = map[rules.Endpoint]int{}
	}
	s.row[x.Endpoint]++
}
