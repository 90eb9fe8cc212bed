package observed

import (
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/socialfeed/conform/conformance/internal/wire"
	"github.com/socialfeed/conform/conformance/rules"
)

// SignIns is what sign-ups and logins cost on the target, beside its other answers: most services hash
// passwords slowly on purpose, and a run signs hundreds of users up and in.
type SignIns struct {
	mu            sync.Mutex
	hashing, rest tookTime
}

// tookTime adds up how long answers took.
type tookTime struct {
	answers int
	sum     time.Duration
}

func (t tookTime) mean() time.Duration { return t.sum / time.Duration(max(t.answers, 1)) }

const (
	slowSignIn   = 100 * time.Millisecond // from which on one is worth a word
	slowerBy     = 4                      // than other answers
	signInsEach  = 3                      // of a scenario, on average
	longAnnounce = 15 * time.Second       // from which on all of them together are worth a word
)

// Count counts an answer, by whether the target had to hash a password for it.
func (s *SignIns) Count(x *wire.Exchange) {
	if x.Err != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	at := &s.rest
	if hashes := x.Endpoint == rules.CreateUser || x.Endpoint == rules.Login; hashes && x.Status/100 == 2 {
		at = &s.hashing
	} else if hashes && x.Status == http.StatusUnauthorized {
		return // it depends on what was wrong
	}
	at.answers++
	at.sum += x.Took
}

func (s *SignIns) seen() (hashing, rest tookTime) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.hashing, s.rest
}

// slow reports whether sign-ups and logins are what takes the time.
func (s *SignIns) slow() (each time.Duration, slow bool) {
	hashing, rest := s.seen()
	each = hashing.mean()
	return each, hashing.answers > 0 && each > slowSignIn && each > slowerBy*rest.mean()
}

// Announcement says how long the sign-ups and logins of so many scenarios will take, blank where they are not slow.
func (s *SignIns) Announcement(scenarios, jobs int) string {
	each, slow := s.slow()
	all := time.Duration(signInsEach*scenarios) * each
	if !slow || all < longAnnounce {
		return ""
	}
	_, rest := s.seen()
	return fmt.Sprintf("a sign-up takes %s on this target, a plain request %s: about %d sign-ups and logins will take between %s and %s, by how many it works on at a time",
		each.Round(10*time.Millisecond), rest.mean().Round(time.Millisecond), signInsEach*scenarios,
		(all / time.Duration(jobs)).Round(time.Second), all.Round(time.Second))
}

// Note says that sign-ups and logins took most of the time, blank where they did not.
func (s *SignIns) Note() string {
	each, slow := s.slow()
	hashing, rest := s.seen()
	if !slow || hashing.sum < longAnnounce || hashing.sum < rest.sum {
		return ""
	}
	return fmt.Sprintf("the target's own work took most of the time: %d sign-ups and logins, of %s each on average (other requests: %s); a cheaper hash of passwords where you test makes a run shorter",
		hashing.answers, each.Round(10*time.Millisecond), rest.mean().Round(time.Millisecond))
}
