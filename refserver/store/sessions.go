package store

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"time"
)

// OpenSession makes a session for the user, whose stored password must still be
// the one that the caller verified, sets last_login, and returns the token. A user
// who has as many sessions as the policy allows loses the oldest.
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
		user = *row
		user.LastLogin = t.now
		if s.policy.OneSession {
			t.endSessions(&user)
		}
		user.opened++
		opened := s.sessions.open(tokenKey(app, token), id, user.opened, s.watch.Elapsed())
		if s.policy.SessionLifetime > 0 {
			t.then(func() { t.ended(s.sessions.expire(s.watch.Elapsed() - s.policy.SessionLifetime)...) })
		}
		if oldest := s.sessions.cap(opened, s.policy.MaxSessions); oldest > user.oldest {
			user.oldest = oldest
			t.then(func() { t.ended(s.sessions.drop(app, id, oldest)...) })
		}
		t.replaceUser(row, &user)
		if t.noted {
			t.changed(opened.row(), false)
		}
		return nil
	})
	return token, user, err
}

// Session returns the user whose session the token opens, or ErrNotFound.
func (s *Store) Session(app App, token string) (ID, error) {
	user, err := s.SessionUser(app, token)
	if err != nil {
		return 0, err
	}
	return user.ID, nil
}

// SessionUser is as Session, and returns the user as it was in the moment in which
// the session was valid. It must not be changed.
func (s *Store) SessionUser(app App, token string) (*User, error) {
	found, ok := s.sessions.find(tokenKey(app, token))
	if !ok || s.policy.SessionLifetime > 0 && s.watch.Elapsed()-found.at >= s.policy.SessionLifetime {
		return nil, errNoSession
	}
	user := s.read().users.get(app, found.user)
	if user == nil || found.serial < user.oldest {
		return nil, errNoSession
	}
	return user, nil
}

var errNoSession = fmt.Errorf("session %w", ErrNotFound)

// CloseSession destroys the session that the token opens; none is ErrStale.
func (s *Store) CloseSession(app App, token string) error {
	return s.write(func(t *tx) error {
		id, err := s.Session(app, token)
		if err != nil {
			return ErrStale
		}
		if !s.policy.LogoutEndsAll {
			t.endSession(tokenKey(app, token))
			return nil
		}
		return t.endAllSessions(app, id)
	})
}

// OpenedSession is a session of a user. Hash identifies it and is the SHA-256 of its token.
type OpenedSession struct {
	Hash   [sha256.Size]byte
	Opened time.Time
}

// Sessions returns the valid sessions of a user, oldest first.
func (s *Store) Sessions(app App, id ID) []OpenedSession {
	user := s.read().users.get(app, id)
	if user == nil {
		return nil
	}
	now := s.watch.Reading()
	var valid []OpenedSession
	for _, one := range s.sessions.of(app, id) {
		age := now.Elapsed - one.at
		if one.serial < user.oldest || s.policy.SessionLifetime > 0 && age >= s.policy.SessionLifetime {
			continue
		}
		valid = append(valid, OpenedSession{one.key.hash, now.At.Add(-age)})
	}
	return valid
}

// EndSession ends one session of a user; none of this hash is ErrNotFound.
func (s *Store) EndSession(app App, id ID, hash [sha256.Size]byte) error {
	return s.write(func(t *tx) error {
		key := sessionKey{app, hash}
		if found, ok := s.sessions.find(key); !ok || found.user != id {
			return errNoSession
		}
		t.endSession(key)
		return nil
	})
}

// endSession ends a session with the transaction.
func (t *tx) endSession(key sessionKey) {
	t.then(func() { t.ended(t.store.sessions.close(key)...) })
}

// EndSessions ends all sessions of a user.
func (s *Store) EndSessions(app App, id ID) error {
	return s.write(func(t *tx) error { return t.endAllSessions(app, id) })
}

// endAllSessions ends all sessions of a user and writes the user.
func (t *tx) endAllSessions(app App, id ID) error {
	row, err := t.acting(app, id)
	if err != nil {
		return err
	}
	user := *row
	t.endSessions(&user)
	t.replaceUser(row, &user)
	return nil
}

// endSessions ends all sessions of a user, who is about to be written: those
// opened so far are then older than the oldest that is valid.
func (t *tx) endSessions(user *User) {
	user.oldest = user.opened + 1
	app, id, oldest := user.App, user.ID, user.oldest
	t.then(func() { t.ended(t.store.sessions.drop(app, id, oldest)...) })
}

// tokenKey is the key of a session; the token itself is not kept.
func tokenKey(app App, token string) sessionKey {
	return sessionKey{app, sha256.Sum256([]byte(token))}
}
