// Package store keeps the reference server's users, sessions, connections and
// events in memory. Every mutation is one write transaction that checks and
// acts inside it; every reading sees one state of the whole store.
//
// Nothing here waits for anything but the writer before it, so no method takes a context.
package store

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/hashicorp/go-memdb"
)

// Policy is what the store does where the contract is silent. The zero value
// is the reference server's default.
type Policy struct {
	UniqueUserName bool // a second user with the same user_name is refused with ErrConflict
	UniqueEmail    bool // the same for email
	UniqueCustomID bool // the same for custom_id

	OneSession           bool // a login ends the user's earlier sessions
	LogoutEndsAll        bool // a logout ends all of the user's sessions
	PasswordEndsSessions bool // a changed password ends all of the user's sessions
	UpdateEndsSessions   bool // any update of the user does

	MutualFriends       bool // a friend connection is confirmed only by the other side's own
	OneFriendConnection bool // where one side suffices, the other side's own is refused with ErrConflict
	FriendsFollow       bool // friends are among follows and followers too
	OneKind             bool // a connection of the other kind takes the place of the one that stands

	OwnEvents bool          // a user's feed holds its own events too
	Lag       time.Duration // how long feeds, lists and search stay behind
}

// Store is safe for concurrent use.
type Store struct {
	policy Policy
	clock  func() time.Time
	db     *memdb.MemDB

	mu        sync.Mutex // held by the one writer; guards what follows
	now       time.Time
	lastUser  ID
	lastEvent ID
	history   history
}

// New makes an empty store. Times are taken from clock, cut to microseconds,
// and never go back.
func New(policy Policy, clock func() time.Time) (*Store, error) {
	db, err := memdb.NewMemDB(schema())
	if err != nil {
		return nil, fmt.Errorf("making the store: %w", err)
	}
	s := &Store{policy: policy, clock: clock, db: db}
	s.history.add(time.Time{}, db)
	return s, nil
}

// tx is a write transaction at one moment.
type tx struct {
	*memdb.Txn
	store *Store
	now   time.Time
}

// write runs change in a write transaction: all of it happens, or none.
func (s *Store) write(change func(*tx) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if now := s.clock().UTC().Truncate(time.Microsecond); now.After(s.now) {
		s.now = now
	}
	txn := s.db.Txn(true)
	defer txn.Abort()
	if err := change(&tx{Txn: txn, store: s, now: s.now}); err != nil {
		return err
	}
	txn.Commit()
	if s.policy.Lag > 0 {
		s.history.add(s.now, s.db)
		s.history.prune(s.now.Add(-s.policy.Lag))
	}
	return nil
}

// read opens the state as it stands.
func (s *Store) read() *memdb.Txn {
	return s.db.Txn(false)
}

// readLagged opens the state that feeds, lists and search show.
func (s *Store) readLagged() *memdb.Txn {
	if s.policy.Lag == 0 {
		return s.read()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.history.prune(s.clock().Add(-s.policy.Lag)).Txn(false)
}

// Counts counts the rows of all applications.
func (s *Store) Counts() (Counts, error) {
	txn := s.read()
	var counts Counts
	var errs []error
	for table, count := range map[string]*int{
		users: &counts.Users, sessions: &counts.Sessions, connections: &counts.Connections, events: &counts.Events,
	} {
		it, err := txn.Get(table, byID)
		if err != nil {
			errs = append(errs, fmt.Errorf("counting %s: %w", table, err))
			continue
		}
		for it.Next() != nil {
			*count++
		}
	}
	return counts, errors.Join(errs...)
}

// find returns the row under a whole key, or nil.
func find[T any](txn *memdb.Txn, table string, id []byte) (*T, error) {
	row, err := txn.First(table, byID, id)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", table, err)
	}
	if row == nil {
		return nil, nil
	}
	return row.(*T), nil
}

// scan returns the rows under a key or a prefix of one, in the order of the index.
func scan[T any](txn *memdb.Txn, table, index string, prefix []byte) ([]*T, error) {
	it, err := txn.Get(table, index, prefix)
	if err != nil {
		return nil, fmt.Errorf("reading %s by %s: %w", table, index, err)
	}
	var rows []*T
	for row := it.Next(); row != nil; row = it.Next() {
		rows = append(rows, row.(*T))
	}
	return rows, nil
}

// put writes a row. The caller gives it away: rows in the store never change.
func (t *tx) put(table string, row any) error {
	if err := t.Insert(table, row); err != nil {
		return fmt.Errorf("writing to %s: %w", table, err)
	}
	return nil
}

// drop deletes the rows under a key or a prefix of one and says how many they were.
func (t *tx) drop(table, index string, prefix []byte) (int, error) {
	n, err := t.DeleteAll(table, index, prefix)
	if err != nil {
		return n, fmt.Errorf("deleting from %s by %s: %w", table, index, err)
	}
	return n, nil
}
