package wire

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// slowError reports that an attempt took longer than it may.
type slowError struct{ limit time.Duration }

func (e slowError) Error() string { return fmt.Sprintf("no complete answer within %s", e.limit) }

// breaker remembers which endpoints leave requests unanswered, so that one of
// them does not stall the run.
type breaker struct {
	mu   sync.Mutex
	rows map[rules.Endpoint]*slowRow
}

// slowRow counts successive attempts that took too long. Those that were under way at the same
// time are one round.
type slowRow struct {
	attempts int
	rounds   int
	over     time.Time // when the latest round ended
	limit    time.Duration
}

// broken reports whether an endpoint with such a row is not to be tried again. One pause of
// the target, which all attempts under way meet, is one round.
func (r *slowRow) broken() bool {
	return r != nil && r.attempts >= mostSlow && r.rounds >= fewestRounds
}

const (
	mostSlow     = 3 // attempts in a row that an endpoint leaves unanswered before no more are made
	fewestRounds = 2 // in which these were made
)

// open is the reason not to try an endpoint again, nil while there is none. In a hurry one attempt
// that took too long is enough.
func (b *breaker) open(e rules.Endpoint, hurried bool) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	row := b.rows[e]
	if row == nil || !row.broken() && !hurried {
		return nil
	}
	return brokenError{e, min(row.attempts, mostSlow), row.limit}
}

// brokenError reports that a request was not sent, since the endpoint left so many in a row
// unanswered.
type brokenError struct {
	at       rules.Endpoint
	attempts int
	limit    time.Duration
}

func (e brokenError) Error() string {
	return fmt.Sprintf("not sent: %s left %s in a row without a complete answer within %s", e.at, result.Plural(e.attempts, "request"), e.limit)
}

// LeftUnanswered reports whether the exchange's endpoint gave it no complete answer within the
// limit of a request, or had left too many others so for it to be sent.
func (x *Exchange) LeftUnanswered() bool {
	return x.Endpoint != rules.NoEndpoint && (errors.As(x.Err, new(slowError)) || errors.As(x.Err, new(brokenError)))
}

// record counts an attempt.
func (b *breaker) record(x *Exchange) {
	b.mu.Lock()
	defer b.mu.Unlock()
	late := new(slowError)
	if !errors.As(x.Err, late) || x.Endpoint == rules.NoEndpoint {
		delete(b.rows, x.Endpoint)
		return
	}
	if b.rows == nil {
		b.rows = map[rules.Endpoint]*slowRow{}
	}
	row := b.rows[x.Endpoint]
	if row == nil {
		row = &slowRow{}
		b.rows[x.Endpoint] = row
	}
	row.attempts++
	row.limit = late.limit
	if !x.started.Before(row.over) {
		row.rounds++
		row.over = time.Now()
	}
}
