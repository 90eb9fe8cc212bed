package observed

import (
	"net/http"
	"slices"
	"sync"

	"github.com/socialfeed/conform/conformance/internal/wire"
	"github.com/socialfeed/conform/conformance/rules"
)

// Answers records which endpoints ever did what was asked of them.
type Answers struct {
	mu        sync.Mutex
	succeeded map[rules.Endpoint]bool
	absent    map[rules.Endpoint]bool // answered as if there were nothing, at least once
	timedOut  map[rules.Endpoint]bool // answered 404 for as long as anything may lag
	LookedFor sync.Once               // others than the first of those that timed out
}

// NewAnswers returns Answers of a target that has answered nothing.
func NewAnswers() *Answers {
	return &Answers{succeeded: map[rules.Endpoint]bool{}, absent: map[rules.Endpoint]bool{}, timedOut: map[rules.Endpoint]bool{}}
}

// Record records an exchange.
func (a *Answers) Record(x *wire.Exchange) {
	if x.Err != nil || x.Endpoint == rules.NoEndpoint {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case x.Status/100 == 2:
		a.succeeded[x.Endpoint] = true
	case SaysAbsent(x.Status):
		a.absent[x.Endpoint] = true
	}
}

// Served reports whether an endpoint has done what was asked of it.
func (a *Answers) Served(at rules.Endpoint) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.succeeded[at]
}

// MayAppear reports whether a 404 of an endpoint may be a matter of time.
func (a *Answers) MayAppear(at rules.Endpoint) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.succeeded[at] || !a.timedOut[at]
}

// RecordTimedOut records that an endpoint answered 404 for as long as anything may lag.
func (a *Answers) RecordTimedOut(at rules.Endpoint) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.timedOut[at] = true
}

// SaysAbsent reports whether a status is one that a server has for what it does not have.
func SaysAbsent(status int) bool {
	return status == http.StatusNotFound || status == http.StatusMethodNotAllowed || status == http.StatusNotImplemented
}

// Silent are the endpoints that never succeeded: all of them, or in a run that was
// narrowed those that at least once answered as if there were nothing.
func (a *Answers) Silent(narrowed bool) []rules.Endpoint {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.DeleteFunc(rules.Endpoints(), func(e rules.Endpoint) bool {
		return a.succeeded[e] || narrowed && !a.absent[e]
	})
}
