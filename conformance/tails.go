package conformance

import (
	"net/http"
	"sync"
)

// tails remembers which endpoints send something behind a 204. It would be taken
// for the answer to the next request on the connection, so a DELETE has one of
// its own: at an endpoint that does so always, at the others only until a few
// answers were seen to end where they should.
type tails struct {
	mu    sync.Mutex
	clean map[Endpoint]int
	stray map[Endpoint]bool
}

// enoughClean is how many answers without a tail speak for an endpoint.
const enoughClean = 2

// apart tells whether a request to the endpoint should be the last on its connection.
func (t *tails) apart(e Endpoint) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.stray[e] || t.clean[e] < enoughClean
}

// remember takes down how an exchange ended.
func (t *tails) remember(x *exchange) {
	if x.method != http.MethodDelete || x.status != http.StatusNoContent || x.stray == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.clean == nil {
		t.clean, t.stray = map[Endpoint]int{}, map[Endpoint]bool{}
	}
	if len(x.stray.behindHeaders()) > 0 {
		t.stray[x.endpoint] = true
	}
	t.clean[x.endpoint]++
}
