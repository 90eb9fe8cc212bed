package conformance

import "sync"

// sessionOwners records for which user each session was opened. If a target gives one session
// to two users, cleaning up by it could delete the other one, whose scenario may still be
// running.
type sessionOwners struct {
	mu     sync.Mutex
	first  map[Basic]*account
	shared map[Basic]bool
}

func (h *sessionOwners) record(session Basic, a *account) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.first == nil {
		h.first, h.shared = map[Basic]*account{}, map[Basic]bool{}
	}
	if other := h.first[session]; other != nil && other != a {
		h.shared[session] = true
		return
	}
	h.first[session] = a
}

// isShared reports whether a session was given to two users.
func (h *sessionOwners) isShared(session Basic) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.shared[session]
}
