package refserver

import (
	"errors"
	"math"
	"net/http"
	"strings"

	"github.com/socialfeed/conform/refserver/store"
)

// loginView is the answer to a login without the user's details.
type loginView struct {
	ID           string `json:"id"`
	SessionToken string `json:"session_token"`
}

// login is endpoint 2. Its id is a string, whatever form ids have elsewhere.
func (s *Server) login(q *request) (reply, error) {
	f := s.fields(q)
	f.only([]string{"user_name", "email", "password"}, nil)
	userName, _ := f.text("user_name")
	email, _ := f.text("email")
	password, _ := f.text("password")
	if password == "" {
		f.missing("password")
	}
	if strings.TrimSpace(userName+email) == "" {
		f.missing("user_name or email")
	}
	if f.wrong != nil {
		return reply{}, f.wrong
	}
	hashes, err := s.passwords.hashes(password, math.MaxInt)
	if err != nil {
		return reply{}, err
	}
	var token string
	var user store.User
	err = s.store.Atomically(func() (err error) {
		if user, err = s.identify(q.app, userName, email, hashes); err == nil {
			token, user, err = s.store.OpenSession(q.app, user.ID, user.Password)
		}
		return err
	})
	if err != nil {
		return reply{}, err
	}
	id := s.userIDs.text(user.ID)
	if !q.asks("withUserDetails") {
		return reply{http.StatusOK, loginView{id, token}}, nil
	}
	view := s.userView(user, user.ID)
	view.ID, view.SessionToken = id, token
	return reply{http.StatusOK, view}, nil
}

// identify finds the user with these names and one of these password hashes. If
// names are not unique, the password selects the user.
func (s *Server) identify(app store.App, userName, email string, hashes [][]byte) (store.User, error) {
	for _, hash := range hashes {
		user, err := s.store.Identify(app, userName, email, hash)
		if !errors.Is(err, store.ErrNotFound) {
			return user, err
		}
	}
	return store.User{}, badCredentials("no user has this name and this password")
}

// logout is endpoint 3.
func (s *Server) logout(q *request) (reply, error) {
	return noContent(s.act(q, func() error { return s.store.CloseSession(q.app, q.sessionToken) }))
}
