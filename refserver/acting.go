package refserver

import (
	"errors"

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

// EndSession ends the one session of a user that a token opens.
func (s *Server) EndSession(app store.App, id store.ID, token string) error {
	if of, err := s.memory.Session(app, token); err != nil || of != id {
		return errNotTheirs
	}
	return s.memory.CloseSession(app, token)
}

var errNotTheirs = errors.New("the token opens no session of this user")

// EndSessions ends all sessions of a user.
func (s *Server) EndSessions(app store.App, id store.ID) error { return s.memory.EndSessions(app, id) }
