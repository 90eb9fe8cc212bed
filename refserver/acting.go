package refserver

import (
	"crypto/sha256"

	"github.com/socialfeed/conform/refserver/store"
)

// LogInAs opens a session of a user without the password, for the console, and returns its token.
func (s *Server) LogInAs(app store.App, id store.ID) (token string, err error) {
	err = s.store.Atomically(func() error {
		user, err := s.memory.User(app, id)
		if err != nil {
			return err
		}
		token, _, err = s.store.OpenSession(app, id, user.Password)
		return err
	})
	return token, err
}

// Sessions returns the valid sessions of a user, oldest first.
func (s *Server) Sessions(app store.App, id store.ID) []store.OpenedSession {
	return s.memory.Sessions(app, id)
}

// EndSession ends one session of a user by the hash of its token.
func (s *Server) EndSession(app store.App, id store.ID, hash [sha256.Size]byte) error {
	return s.memory.EndSession(app, id, hash)
}

// EndSessions ends all sessions of a user.
func (s *Server) EndSessions(app store.App, id store.ID) error { return s.memory.EndSessions(app, id) }
