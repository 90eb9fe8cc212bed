package refserver

import (
	"errors"
	"fmt"

	"github.com/socialfeed/conform/refserver/store"
)

// ErrNoMemory reports that the memory budget is used up.
var ErrNoMemory = errors.New("the memory budget is used up")

// State is everything the server holds. Its rows are shared and must not be changed.
func (s *Server) State() store.State {
	return s.memory.State()
}

// Restore replaces everything the server holds. Rows of applications that the
// server has no token for are refused.
func (s *Server) Restore(state store.State) error {
	for _, app := range state.Apps() {
		if app == 0 || app > store.App(len(s.appTokens)) {
			return fmt.Errorf("the state has %d applications, the server has %d app tokens", app, len(s.appTokens))
		}
	}
	for i, row := range state.Connections {
		if row.From == row.To && !s.choices.AllowSelf {
			return fmt.Errorf("at Connections[%d]: user %d is connected to itself, which is refused here", i, row.From)
		}
	}
	if s.budget != nil && s.budget.exceeded() {
		return fmt.Errorf("%w: it is %d MiB", ErrNoMemory, s.budget.limit>>20)
	}
	s.passwords.learn(state.Users)
	return s.memory.Restore(state)
}

// UserID is the form of a user's id in paths.
func (s *Server) UserID(id store.ID) string { return s.userIDs.text(id) }

// EventID is the form of an event's id in paths.
func (s *Server) EventID(id store.ID) string { return s.eventIDs.text(id) }

// SessionUser returns the user whose session the token opens in the application,
// or false.
func (s *Server) SessionUser(app store.App, token string) (store.User, bool) {
	id, err := s.memory.Session(app, token)
	if err != nil {
		return store.User{}, false
	}
	user, err := s.memory.User(app, id)
	return user, err == nil
}
