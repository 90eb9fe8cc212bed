package conformance

import (
	"cmp"
	"sync"
)

// session is a session of an application.
type session struct{ App, Token string }

// sessionOwners records for which user each session was opened. If a target gives one session
// to two users, cleaning up by it could delete the other one, whose scenario may still be
// running.
type sessionOwners struct {
	mu         sync.Mutex
	first      map[session]*account
	shared     map[session]string // the rule of the request that gave it to a second user
	foreign    int                // logins for cleaning up, in a row, that gave another user's session
	mixedUp    bool               // a session showed another user than the one it was opened for
	unreliable bool               // so did one that is surely its user's own: what shows users is wrong, and says nothing
}

// recordForeign records that a session showed another user than the one it was opened for, and
// whether it is surely that one's own.
func (s *sessionOwners) recordForeign(own bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mixedUp, s.unreliable = s.mixedUp || !own, s.unreliable || own
}

// suspicions reports whether a session was given to two users, whether any was another user's than
// the one's it was opened for, and whether what a session shows can be relied on.
func (s *sessionOwners) suspicions(in session) (shared, mixedUp, reliable bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.shared[in] != "", s.mixedUp, !s.unreliable
}

// record records a session that was opened for a user, by a request that is the rule's to judge.
func (s *sessionOwners) record(in session, a *account, rule string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.first == nil {
		s.first, s.shared = map[session]*account{}, map[session]string{}
	}
	if other := s.first[in]; other != nil && other != a {
		s.shared[in] = cmp.Or(s.shared[in], rule)
		return
	}
	s.first[in] = a
}

// isShared reports whether a session was given to two users.
func (s *sessionOwners) isShared(in session) bool { return s.sharedBy(in) != "" }

// sharedBy is the rule of the request that gave a session to a second user, "" where none did.
func (s *sessionOwners) sharedBy(in session) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.shared[in]
}

// maxForeign is after how many logins in a row that gave another user's session no further one is
// tried to clean up: such a target has one session for all, and each user would cost two logins.
const maxForeign = 8

// recordLogin records a session that a login gave for cleaning up.
func (s *sessionOwners) recordLogin(in session) {
	shared := s.isShared(in)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.foreign++; !shared {
		s.foreign = 0
	}
}

// worthLogin reports whether a login may give a user's own session.
func (s *sessionOwners) worthLogin() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.foreign < maxForeign
}
