package main

import (
	"hash/maphash"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// refuse answers in the way of an intermediary that is busy, and says for how long.
func refuse(w http.ResponseWriter, status int) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Retry-After", "1")
	w.WriteHeader(status)
	w.Write([]byte(`{"error":"come back later"}`))
}

// TestBusyTargetIsWaitedFor has a good server behind something that says 503 now
// and then: it asks for patience, and is no breach.
func TestBusyTargetIsWaitedFor(t *testing.T) {
	t.Parallel()
	good := reference(t, nil)
	var asked, refused atomic.Int64
	const every, most = 97, 12
	o := judged(t, serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if asked.Add(1)%every == 0 && refused.Add(1) <= most {
			refuse(w, http.StatusServiceUnavailable)
			return
		}
		good.ServeHTTP(w, r)
	}))...)
	o.wants(t, exitConformant)
	if refused.Load() < most {
		t.Errorf("only %d requests were refused", refused.Load())
	}
	noBlame(t, o)
	empty(t, good)
}

func noBlame(t *testing.T, o outcome) {
	t.Helper()
	if blamed := o.blamed(); len(blamed) > 0 {
		t.Errorf("a good server is blamed at %v\n%v", blamed, o.troubles())
	}
}

// TestRateLimitIsWaitedOut scales the contract's limit down to 300 requests for
// each category, and a second of refusals when they are used up.
func TestRateLimitIsWaitedOut(t *testing.T) {
	t.Parallel()
	good := reference(t, nil)
	limit := &limiter{next: good, most: 300, rest: time.Second, served: map[string]int{}, until: map[string]time.Time{}}
	o := judged(t, serve(t, limit)...)
	o.wants(t, exitConformant)
	if limit.refused == 0 {
		t.Error("nothing was refused")
	}
	noBlame(t, o)
	empty(t, good)
}

// limiter serves a number of requests of each category, then none for a while,
// and so on: however fast they come.
type limiter struct {
	next http.Handler
	most int
	rest time.Duration

	mu      sync.Mutex
	served  map[string]int
	until   map[string]time.Time // the end of a rest
	refused int
}

// ServeHTTP passes the request on, or answers 429.
func (l *limiter) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	category := r.Method
	if category == http.MethodPut {
		category = http.MethodPost
	}
	if !l.leave(category) {
		refuse(w, http.StatusTooManyRequests)
		return
	}
	l.next.ServeHTTP(w, r)
}

func (l *limiter) leave(category string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	if l.served[category] == l.most {
		l.served[category], l.until[category] = 0, now.Add(l.rest)
	}
	if now.Before(l.until[category]) {
		l.refused++
		return false
	}
	l.served[category]++
	return true
}

// TestSessionsMayEnd has a server end each session after a few uses, which the
// contract leaves open: nothing is to be blamed for it.
func TestSessionsMayEnd(t *testing.T) {
	t.Parallel()
	const rounds = 2 // each ends other sessions
	for round := range rounds {
		t.Run("round "+strconv.Itoa(round+1), func(t *testing.T) {
			t.Parallel()
			short := &shortSessions{uses: map[string]int{}, seed: maphash.MakeSeed()}
			good := reference(t, func(o *refserver.Options) {
				o.RateLimit = -1
				o.WrapStore = func(s refserver.Store) refserver.Store { short.Store = s; return short }
			})
			o := judged(t, append(serve(t, good), "--second-app-token", secondAppToken, "--rate", "10000")...)
			o.wants(t, exitConformant, exitNoVerdict)
			if short.ended == 0 {
				t.Error("no session was ended")
			}
			noBlame(t, o)
			empty(t, good)
		})
	}
}

// shortSessions is a store that ends a session after 4 to 9 uses.
type shortSessions struct {
	refserver.Store
	seed maphash.Seed

	mu    sync.Mutex
	uses  map[string]int
	ended int
}

// Session counts a use of the session.
func (s *shortSessions) Session(app store.App, token string) (store.ID, error) {
	user, err := s.Store.Session(app, token)
	if err != nil {
		return user, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	const fewest, spread = 4, 6
	s.uses[token]++
	if s.uses[token] <= fewest+int(maphash.String(s.seed, token)%spread) {
		return user, nil
	}
	s.ended++
	if err := s.CloseSession(app, token); err != nil {
		return 0, err
	}
	return s.Store.Session(app, token)
}

// TestFarTarget adds what a long way adds to each request.
func TestFarTarget(t *testing.T) {
	t.Parallel()
	good := reference(t, nil)
	const far = 50 * time.Millisecond
	o := judged(t, append(serve(t, slowed(far, good)), "--jobs", "8")...)
	o.wants(t, exitConformant)
	noBlame(t, o)
	empty(t, good)
}

// TestFailingIntermediaryIsTold has something before a good server answer 502
// with HTML now and then, where asking again is safe: the run says so, and judges.
func TestFailingIntermediaryIsTold(t *testing.T) {
	t.Parallel()
	good := reference(t, nil)
	var asked atomic.Int64
	const every = 50
	o := judged(t, serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet && asked.Add(1)%every == 0 {
			w.Header().Set("Content-Type", "text/html")
			w.WriteHeader(http.StatusBadGateway)
			w.Write([]byte(htmlPage))
			return
		}
		good.ServeHTTP(w, r)
	}))...)
	o.wants(t, exitConformant)
	noBlame(t, o)
	if w := o.report.Weather; w == nil || w.Intermediary == 0 || !strings.Contains(o.stdout, "no answer from a gateway's upstream") {
		t.Errorf("the report tells %+v of the intermediary: %.300s", w, o.stdout)
	}
	empty(t, good)
}
