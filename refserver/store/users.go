package store

import (
	"bytes"
	"crypto/subtle"
	"fmt"
)

// CreateUser stores a new user and returns it with id, created_at and updated_at.
// A last_login that is not zero becomes the same moment: a session follows at once.
func (s *Store) CreateUser(app App, user User) (User, error) {
	user.App = app
	user.fold()
	err := s.write(func(t *tx) error {
		user.ID = s.lastUser + 1
		user.CreatedAt, user.UpdatedAt = t.now, t.now
		if !user.LastLogin.IsZero() {
			user.LastLogin = t.now
		}
		user.opened, user.oldest, user.encoding = 0, 0, nil
		if err := t.putUser(nil, &user); err != nil {
			return err
		}
		s.lastUser = user.ID
		return nil
	})
	return user, err
}

// User returns a user, or ErrNotFound.
func (s *Store) User(app App, id ID) (User, error) {
	user, err := existing(s.read().users, app, id)
	if err != nil {
		return User{}, err
	}
	return *user, nil
}

// ShownUser returns a user as its readers see it, or ErrNotFound.
func (s *Store) ShownUser(app App, id ID) (User, error) {
	if !s.policy.UsersLag {
		return s.User(app, id)
	}
	user, err := existing(s.readLagged().users, app, id)
	if err != nil {
		return User{}, err
	}
	return *user, nil
}

// Identify returns the user with these names and this password, or ErrNotFound. A blank
// name is ignored. The cost does not depend on the number of users of a name.
func (s *Store) Identify(app App, userName, email string, password []byte) (User, error) {
	by, name := byUserName, userName
	if userName == "" {
		by, name = byEmail, email
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	k, _ := s.names.key(app, by, name, password)
	for _, id := range s.names.bearers[k] {
		user, err := existing(s.read().users, app, id)
		if err != nil {
			return User{}, err
		}
		if len(password) > 0 && (email == "" || user.Email == email) && subtle.ConstantTimeCompare(user.Password, password) == 1 {
			return *user, nil
		}
	}
	return User{}, fmt.Errorf("user %w", ErrNotFound)
}

// UpdateUser lets change alter the user; it may be called more than once. Identity
// and created_at stay; a user who is gone is ErrStale, since only the user itself
// can update it.
func (s *Store) UpdateUser(app App, id ID, change func(*User)) (User, error) {
	draft, err := s.User(app, id)
	if err != nil {
		return User{}, ErrStale
	}
	before := draft
	change(&draft)
	draft.App = app
	draft.fold(&before)
	var user User
	err = s.write(func(t *tx) error {
		before, err := t.acting(app, id)
		if err != nil {
			return err
		}
		user = *before
		change(&user)
		user.App, user.ID, user.CreatedAt, user.UpdatedAt = app, id, before.CreatedAt, t.now
		user.opened, user.oldest, user.encoding = before.opened, before.oldest, nil
		user.fold(&draft, before)
		newPassword := !bytes.Equal(before.Password, user.Password)
		if s.policy.UpdateEndsSessions || newPassword && s.policy.PasswordEndsSessions {
			t.endSessions(&user)
		}
		return t.putUser(before, &user)
	})
	return user, err
}

// putUser writes the user in the place of the one before, unless a name that must
// be unique is another's.
func (t *tx) putUser(before, user *User) error {
	if err := t.store.names.clash(user); err != nil {
		return err
	}
	t.then(func() { t.store.names.replace(before, user) })
	t.replaceUser(before, user)
	return nil
}

// replaceUser writes a new state of a user with unchanged names.
func (t *tx) replaceUser(before, user *User) {
	user.encoding = new(encoding)
	row := *user
	if before != nil && !before.findableAlike(user) {
		t.grams.note(user.App, user.ID)
	}
	t.then(func() { t.store.socials.replace(before, &row) })
	t.users = t.users.with(row.App, row.ID, &row)
	t.changed(&row, false)
}

// existing returns the user, or ErrNotFound.
func existing(users rows[User], app App, id ID) (*User, error) {
	user := users.get(app, id)
	if user == nil {
		return nil, fmt.Errorf("user %w", ErrNotFound)
	}
	return user, nil
}

// acting returns the user a request acts for, or ErrStale: it was there when the
// request was admitted, and may have been deleted since.
func (t *tx) acting(app App, id ID) (*User, error) {
	user := t.users.get(app, id)
	if user == nil {
		return nil, ErrStale
	}
	return user, nil
}
