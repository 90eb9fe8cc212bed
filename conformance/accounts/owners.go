package accounts

import (
	"cmp"
	"sync"
)

// Session is a session of an application.
type Session struct{ App, Token string }

// Owners records for which user each session was opened. If a target gives one session
// to two users, cleaning up by it could delete the other one, whose scenario may still be
// running.
type Owners struct {
	mu         sync.Mutex
	first      map[Session]*Account
	shared     map[Session]string // the rule of the request that gave it to a second user
	foreign    int                // logins for cleaning up, in a row, that gave another user's session
	mixedUp    bool               // a session showed another user than the one it was opened for
	unreliable bool               // so did one that is surely its user's own: what shows users is wrong, and says nothing
}

// recordForeign records that a session showed another user than the one it was opened for, and
// whether it is surely that one's own.
func (s *Owners) recordForeign(own bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mixedUp, s.unreliable = s.mixedUp || !own, s.unreliable || own
}

// suspicions reports whether a session was given to two users, whether any was another user's than
// the one's it was opened for, and whether what a session shows can be relied on.
func (s *Owners) suspicions(in Session) (shared, mixedUp, reliable bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.shared[in] != "", s.mixedUp, !s.unreliable
}

// record records a session that was opened for a user, by a request that is the rule's to judge.
func (s *Owners) record(in Session, a *Account, rule string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.first == nil {
		s.first, s.shared = map[Session]*Account{}, map[Session]string{}
	}
	if other := s.first[in]; other != nil && other != a {
		s.shared[in] = cmp.Or(s.shared[in], rule)
		return
	}
	s.first[in] = a
}

// IsShared reports whether a session was given to two users.
func (s *Owners) IsShared(in Session) bool { return s.SharedBy(in) != "" }

// SharedBy is the rule of the request that gave a session to a second user, "" where none did.
func (s *Owners) SharedBy(in Session) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.shared[in]
}

// maxForeign is after how many logins in a row that gave another user's session no further one is
// tried to clean up: such a target has one session for all, and each user would cost two logins.
const maxForeign = 8

// recordLogin records a session that a login gave for cleaning up.
func (s *Owners) recordLogin(in Session) {
	shared := s.IsShared(in)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.foreign++; !shared {
		s.foreign = 0
	}
}

// worthLogin reports whether a login may give a user's own session.
func (s *Owners) worthLogin() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.foreign < maxForeign
}
