package refserver

import (
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
	user, err := s.identify(q.app, userName, email, password)
	if err != nil {
		return reply{}, err
	}
	token, user, err := s.store.OpenSession(q.app, user.ID, user.Password)
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

// identify finds the user with these names and this password. Where names are
// not unique, the password tells their bearers apart.
func (s *Server) identify(app store.App, userName, email, password string) (store.User, error) {
	bearers, err := s.store.UsersNamed(app, userName, email)
	if err != nil {
		return store.User{}, err
	}
	if len(bearers) == 0 {
		bearers = []store.User{{}} // so that an unknown name takes as long as a wrong password
	}
	for _, bearer := range bearers {
		matches, err := s.passwords.match(password, bearer.Password)
		if err != nil {
			return store.User{}, err
		}
		if matches {
			return bearer, nil
		}
	}
	return store.User{}, badCredentials("no user has this name and this password")
}

// logout is endpoint 3.
func (s *Server) logout(q *request) (reply, error) {
	return noContent(s.store.CloseSession(q.app, q.sessionToken))
}
