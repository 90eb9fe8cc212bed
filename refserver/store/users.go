package store

import (
	"bytes"
	"fmt"

	"github.com/hashicorp/go-memdb"
)

// CreateUser stores a new user and returns it with id, created_at and updated_at.
func (s *Store) CreateUser(app App, user User) (User, error) {
	err := s.write(func(t *tx) error {
		s.lastUser++
		user.App, user.ID = app, s.lastUser
		user.CreatedAt, user.UpdatedAt = t.now, t.now
		return t.putUser(user)
	})
	return user, err
}

// User returns a user, or ErrNotFound.
func (s *Store) User(app App, id ID) (User, error) {
	user, err := existing(s.read(), app, id)
	if err != nil {
		return User{}, err
	}
	return *user, nil
}

// UsersNamed returns the users who bear every name given; a blank one does not count.
func (s *Store) UsersNamed(app App, userName, email string) ([]User, error) {
	index, name := byUserName, userName
	if userName == "" {
		index, name = byEmail, email
	}
	if name == "" {
		return nil, nil
	}
	rows, err := scan[User](s.read(), users, index, textKey(app, name))
	if err != nil {
		return nil, err
	}
	var found []User
	for _, row := range rows {
		if email == "" || row.Email == email {
			found = append(found, *row)
		}
	}
	return found, nil
}

// UpdateUser lets change alter the user. Identity and created_at stay; a user
// who is gone is ErrStale, since only the user itself can update it.
func (s *Store) UpdateUser(app App, id ID, change func(*User)) (User, error) {
	var user User
	err := s.write(func(t *tx) error {
		before, err := t.acting(app, id)
		if err != nil {
			return err
		}
		user = *before
		change(&user)
		user.App, user.ID, user.CreatedAt, user.UpdatedAt = app, id, before.CreatedAt, t.now
		if err := t.putUser(user); err != nil {
			return err
		}
		newPassword := !bytes.Equal(before.Password, user.Password)
		if s.policy.UpdateEndsSessions || newPassword && s.policy.PasswordEndsSessions {
			_, err = t.drop(sessions, byUser, key(app, id))
		}
		return err
	})
	return user, err
}

// putUser writes the user, unless a name that must be unique is another's.
func (t *tx) putUser(user User) error {
	for _, name := range []struct {
		unique bool
		index  string
		value  string
	}{
		{t.store.policy.UniqueUserName, byUserName, user.UserName},
		{t.store.policy.UniqueEmail, byEmail, user.Email},
		{t.store.policy.UniqueCustomID, byCustomID, user.CustomID},
	} {
		if !name.unique || name.value == "" {
			continue
		}
		bearers, err := scan[User](t.Txn, users, name.index, textKey(user.App, name.value))
		if err != nil {
			return err
		}
		for _, bearer := range bearers {
			if bearer.ID != user.ID {
				return fmt.Errorf("a user with this %s %w", name.index, ErrConflict)
			}
		}
	}
	user.folded = foldAttributes(&user)
	return t.put(users, &user)
}

// existing returns the user, or ErrNotFound.
func existing(txn *memdb.Txn, app App, id ID) (*User, error) {
	user, err := find[User](txn, users, key(app, id))
	if err == nil && user == nil {
		err = fmt.Errorf("user %w", ErrNotFound)
	}
	return user, err
}

// acting returns the user a request acts for, or ErrStale: it was there when the
// request was admitted, and may have been deleted since.
func (t *tx) acting(app App, id ID) (*User, error) {
	user, err := find[User](t.Txn, users, key(app, id))
	if err == nil && user == nil {
		err = ErrStale
	}
	return user, err
}
