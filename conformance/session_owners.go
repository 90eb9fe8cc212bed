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

func (s *sessionOwners) record(session Basic, a *account) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.first == nil {
		s.first, s.shared = map[Basic]*account{}, map[Basic]bool{}
	}
	if other := s.first[session]; other != nil && other != a {
		s.shared[session] = true
		return
	}
	s.first[session] = a
}

// isShared reports whether a session was given to two users.
func (s *sessionOwners) isShared(session Basic) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.shared[session]
}
