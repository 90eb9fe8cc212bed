package refserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/socialfeed/conform/refserver/store"
)

// createUser is endpoint 1.
func (s *Server) createUser(q *request) (reply, error) {
	input, err := s.readUser(q)
	if err != nil {
		return reply{}, err
	}
	var user store.User
	input.apply(&user)
	if input.password != "" {
		if user.Password, err = s.passwords.hash(input.password); err != nil {
			return reply{}, err
		}
	}
	withLogin := q.asks("withLogin")
	if withLogin {
		user.LastLogin = time.Now() // any will do, see CreateUser
	}
	var token string
	err = s.store.Atomically(func() (err error) {
		if user, err = s.store.CreateUser(q.app, user); err == nil && withLogin {
			token, user, err = s.store.OpenSession(q.app, user.ID, user.Password)
		}
		return err
	})
	return s.newUserReply(&user, token, err)
}

// newUserReply answers a create, with a session if one was asked for.
func (s *Server) newUserReply(user *store.User, token string, err error) (reply, error) {
	if err != nil {
		return reply{}, err
	}
	view := s.userView(*user, user.ID)
	view.CreatedAt, view.UpdatedAt, view.SessionToken = s.freshTime(user.CreatedAt, view.CreatedAt), s.freshTime(user.UpdatedAt, view.UpdatedAt), token
	return reply{http.StatusCreated, view}, nil
}

func (s *Server) userReply(status int, user *store.User, viewer store.ID, err error) (reply, error) {
	if err != nil {
		return reply{}, err
	}
	return reply{status, s.userText(user, viewer)}, nil
}

// getMe is endpoint 4.
func (s *Server) getMe(q *request) (reply, error) {
	if s.choices.RecordsLag { // a lagging replica may not know the user of a session that was just opened
		if user, err := s.memory.ShownUser(q.app, q.user); err == nil {
			return s.userReply(http.StatusOK, &user, q.user, nil)
		}
	}
	if q.self != nil {
		return reply{http.StatusOK, s.userText(q.self, q.user)}, nil
	}
	user, err := s.me(q)
	return s.userReply(http.StatusOK, &user, q.user, err)
}

// updateMe is endpoint 5.
func (s *Server) updateMe(q *request) (reply, error) {
	input, err := s.readUser(q)
	if err != nil {
		return reply{}, err
	}
	var password []byte
	if input.password != "" {
		if password, err = s.passwords.hash(input.password); err != nil {
			return reply{}, err
		}
	}
	if err := s.refuseFormer(q, password); err != nil {
		return reply{}, err
	}
	user, err := written(s, q, func() (store.User, error) {
		return s.store.UpdateUser(q.app, q.user, func(user *store.User) {
			switch {
			case s.choices.ClearOmittedUserFields:
				*user = store.User{Password: user.Password, Former: user.Former, LastLogin: user.LastLogin}
			case s.choices.ClearOmittedPlaces:
				user.URL = ""
			}
			input.apply(user)
			if password != nil {
				if s.choices.RefuseFormerPasswords && !bytes.Equal(password, user.Password) {
					user.Former = append(slices.Clip(user.Former), user.Password)
				}
				user.Password = password
			}
		})
	})
	return s.userReply(http.StatusCreated, &user, q.user, err)
}

// refuseFormer refuses a password that the session's user had before, where the server does.
func (s *Server) refuseFormer(q *request, password []byte) error {
	if !s.choices.RefuseFormerPasswords || password == nil {
		return nil
	}
	user, err := s.me(q)
	if err == nil && !bytes.Equal(password, user.Password) && slices.ContainsFunc(user.Former, func(former []byte) bool { return bytes.Equal(former, password) }) {
		return &problem{status: http.StatusUnprocessableEntity, code: codeFormer, message: "the password was used before"}
	}
	return err
}

// deleteMe is endpoint 6: the purge.
func (s *Server) deleteMe(q *request) (reply, error) {
	if err := s.act(q, func() error { return s.store.DeleteUser(q.app, q.user) }); err != nil {
		return reply{}, err
	}
	s.memory.Sweep()
	return noContent(nil)
}

// getUser is endpoint 7.
func (s *Server) getUser(q *request) (reply, error) {
	id, err := pathID(s.userIDs, "user", q.PathValue("UserID"))
	if err != nil {
		return reply{}, err
	}
	user, err := s.shown(q.app, id)
	return s.userReply(http.StatusOK, &user, q.user, err)
}

// shown reads a user as others see it.
func (s *Server) shown(app store.App, id store.ID) (store.User, error) {
	if s.choices.RecordsLag {
		return s.memory.ShownUser(app, id)
	}
	return s.store.User(app, id)
}

// me reads the session's user, who may have been deleted since the admission.
func (s *Server) me(q *request) (store.User, error) {
	user, err := s.store.User(q.app, q.user)
	if errors.Is(err, store.ErrNotFound) {
		err = store.ErrStale
	}
	return user, err
}

// userInput holds the fields of a user in a request, and its password separately.
type userInput struct {
	password string
	texts    [6]userText
	set      []func(*store.User) // the other fields
}

// userText is a text of the request and its field.
type userText struct {
	field func(*store.User) *string // nil for none
	value string
}

func (in *userInput) apply(user *store.User) {
	for _, text := range in.texts {
		if text.field != nil {
			*text.field(user) = text.value
		}
	}
	for _, set := range in.set {
		set(user)
	}
}

// readUser reads the fields of endpoints 1 and 5 (endpoint rule 1).
func (s *Server) readUser(q *request) (*userInput, error) {
	f, in := s.fields(q), &userInput{}
	f.only([]string{"custom_id", "social_ids", "user_name", "password", "first_name", "last_name", "email", "url", "metadata", "activated"},
		[]string{"id", "enabled", "last_login", "image", "created_at", "updated_at", "session_token"})
	text := func(i int, name string, field func(*store.User) *string) string {
		value, sent := f.text(name)
		if sent {
			in.texts[i] = userText{field, value}
		}
		return value
	}
	userName := text(0, "user_name", func(user *store.User) *string { return &user.UserName })
	email := text(1, "email", func(user *store.User) *string { return &user.Email })
	text(2, "custom_id", func(user *store.User) *string { return &user.CustomID })
	text(3, "first_name", func(user *store.User) *string { return &user.FirstName })
	text(4, "last_name", func(user *store.User) *string { return &user.LastName })
	text(5, "url", func(user *store.User) *string { return &user.URL })
	in.password, _ = f.text("password")
	if ids, sent := f.socialIDs(); sent {
		in.set = append(in.set, func(user *store.User) { user.SocialIDs = f.merged(user.SocialIDs, ids) })
	}
	if metadata, sent := f.metadata(); sent {
		in.set = append(in.set, func(user *store.User) { user.Metadata = f.merged(user.Metadata, metadata) })
	}
	if activated, sent := f.activated(); sent {
		in.set = append(in.set, func(user *store.User) { user.Activated = activated })
	}
	f.requireText("user_name", userName)
	if s.choices.RequireCredentials {
		f.requireText("email", email)
		f.requireText("password", in.password)
	}
	return in, f.wrong
}

// socialIDs reads a map, or an array as the parameter list has it, whose ids are
// then keyed by their position.
func (f *fields) socialIDs() (map[string]string, bool) {
	raw, _ := f.raw("social_ids")
	if len(raw) == 0 || raw[0] != '[' || f.choices.RefuseSocialIDsArray {
		return f.texts("social_ids")
	}
	list, sent := f.list("social_ids")
	ids := make(map[string]string, len(list))
	for position, id := range list {
		ids[strconv.Itoa(position)] = id
	}
	return ids, sent
}

// activated reads a string, as the parameter list has it, or a boolean, as the
// user object has it. A blank string unsets it.
func (f *fields) activated() (*bool, bool) {
	raw, _ := f.raw("activated")
	if raw == nil {
		return nil, false
	}
	var activated bool
	if !f.choices.RefuseActivatedBoolean && json.Unmarshal(raw, &activated) == nil {
		return &activated, true
	}
	text, sent := f.text("activated")
	if text == "" {
		return nil, sent
	}
	activated, err := strconv.ParseBool(text)
	if err != nil {
		f.fail(wrongType("activated", `"true" or "false"`))
	}
	return &activated, sent
}
