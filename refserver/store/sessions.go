package store

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
)

// OpenSession makes a session for the user, whose stored password must still be
// the one that the caller verified, sets last_login, and returns the token.
func (s *Store) OpenSession(app App, id ID, verified []byte) (token string, user User, err error) {
	token = rand.Text()
	err = s.write(func(t *tx) error {
		row, err := t.acting(app, id)
		if err != nil {
			return err
		}
		if !bytes.Equal(row.Password, verified) {
			return ErrStale
		}
		if s.policy.OneSession {
			if _, err := t.drop(sessions, byUser, key(app, id)); err != nil {
				return err
			}
		}
		user = *row
		user.LastLogin = t.now
		updated := user
		if err := t.put(users, &updated); err != nil {
			return err
		}
		return t.put(sessions, &session{app: app, user: id, hash: sha256.Sum256([]byte(token))})
	})
	return token, user, err
}

// Session returns the user whose session the token opens, or ErrNotFound.
func (s *Store) Session(app App, token string) (ID, error) {
	hash := sha256.Sum256([]byte(token))
	row, err := find[session](s.read(), sessions, sessionKey(app, hash))
	if err != nil {
		return 0, err
	}
	if row == nil || subtle.ConstantTimeCompare(row.hash[:], hash[:]) != 1 {
		return 0, fmt.Errorf("session %w", ErrNotFound)
	}
	return row.user, nil
}

// CloseSession destroys the session that the token opens; none is ErrStale.
func (s *Store) CloseSession(app App, token string) error {
	return s.write(func(t *tx) error {
		id := sessionKey(app, sha256.Sum256([]byte(token)))
		row, err := find[session](t.Txn, sessions, id)
		if err != nil {
			return err
		}
		if row == nil {
			return ErrStale
		}
		if s.policy.LogoutEndsAll {
			_, err = t.drop(sessions, byUser, key(app, row.user))
		} else {
			_, err = t.drop(sessions, byID, id)
		}
		return err
	})
}
