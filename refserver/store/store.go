// Package store keeps the reference server's users, sessions, connections and
// events in memory. Every mutation is one write transaction that checks and
// acts inside it; every reading sees one state of the whole store.
//
// Methods wait only for earlier writers, so none takes a context.
package store

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hashicorp/go-memdb"
)

// Policy settles points of the store where the contract is silent. The zero value is the
// reference server's default.
type Policy struct {
	UniqueUserName  bool // a second user with the same user_name is refused with ErrConflict
	ReserveUserName bool // the user_name of a deleted user stays taken; needs UniqueUserName
	UniqueEmail     bool // a second user with the same email is refused with ErrConflict
	UniqueCustomID  bool // the same for custom_id

	MaxSessions          int           // how many sessions a user may have; one more ends the oldest; 0 is any number
	SessionLifetime      time.Duration // how long a session lasts; 0 is for ever
	OneSession           bool          // a login ends the user's earlier sessions
	LogoutEndsAll        bool          // a logout ends all of the user's sessions
	PasswordEndsSessions bool          // a changed password ends all of the user's sessions
	UpdateEndsSessions   bool          // any update of the user does

	MutualFriends       bool // a friend connection is confirmed only by the other side's own
	OneFriendConnection bool // where one side suffices, the other side's own is refused with ErrConflict
	FriendsFollow       bool // friends are among follows and followers too
	OneKind             bool // a connection of the other kind takes the place of the one that stands
	SecondKindConflicts bool // a connection of the other kind is refused with ErrConflict

	OwnEvents bool          // a user's feed holds its own events too
	Lag       time.Duration // how long feeds, lists and search stay behind
	UsersLag  bool          // what ShownUser returns stays behind as well
}

// Store is safe for concurrent use.
type Store struct {
	policy Policy
	clock  func() time.Time
	watch  *Stopwatch
	db     *memdb.MemDB

	sessions *sessionTable
	state    atomic.Pointer[snapshot] // what was committed last

	turn sync.Mutex // held by Atomically

	mu        sync.Mutex // held by the one writer; guards what follows
	still     bool       // now does not move: several mutations are one step
	now       time.Time
	lastUser  ID
	lastEvent ID
	history   history
	names     *names
	socials   *socials
	events    eventTable
	purged    []purged // whose rows are still to be removed
	keeper    Keeper   // nil: what the store holds is lost with it
}

// New makes an empty store. Times are taken from clock, cut to microseconds,
// and never go back.
func New(policy Policy, clock func() time.Time) (*Store, error) {
	db, err := memdb.NewMemDB(schema())
	if err != nil {
		return nil, fmt.Errorf("making the store: %w", err)
	}
	s := &Store{
		policy: policy, clock: clock, watch: NewStopwatch(clock), db: db,
		sessions: newSessionTable(), names: newNames(policy), socials: newSocials(), events: eventTable{},
	}
	s.state.Store(&snapshot{Txn: db.Txn(false), grams: newGrams()})
	s.history.add(0, s.read())
	return s, nil
}

// snapshot is a state of the whole store. Any number may read from it at once.
type snapshot struct {
	*memdb.Txn
	users     rows[User]
	timelines rows[timeline]
	feeds     feeds
	number    uint64 // of the write that made it
	lastUser  ID     // the highest id that was given
	grams     *grams
}

// tx is a write transaction at one moment.
type tx struct {
	*memdb.Txn
	changing  bool // the tables
	users     rows[User]
	timelines rows[timeline]
	grams     *grams
	store     *Store
	now       time.Time
	after     []func()
	noted     bool // changes are noted
	changes   []Change
}

// writable is the transaction of the tables, which begins with the first change of a row in them.
func (t *tx) writable() *memdb.Txn {
	if !t.changing {
		t.Txn, t.changing = t.store.db.Txn(true), true
	}
	return t.Txn
}

// commit makes the changes of the tables those of all, and returns what reads them.
func (t *tx) commit() *memdb.Txn {
	if !t.changing {
		return t.Txn
	}
	t.Commit()
	return t.store.db.Txn(false)
}

// abort undoes what was not committed.
func (t *tx) abort() {
	if t.changing {
		t.Abort()
	}
}

// then has something done once the transaction is committed.
func (t *tx) then(do func()) { t.after = append(t.after, do) }

// write runs change in a write transaction: all of it happens, or none.
func (s *Store) write(change func(*tx) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.still {
		s.tick()
	}
	before := s.read()
	t := &tx{Txn: before.Txn, users: before.users, timelines: before.timelines, grams: before.grams, store: s, now: s.now, noted: s.keeper != nil}
	defer t.abort()
	if err := change(t); err != nil {
		return err
	}
	s.state.Store(&snapshot{Txn: t.commit(), users: t.users, timelines: t.timelines, number: before.number + 1, lastUser: s.lastUser, grams: t.grams})
	for _, do := range t.after {
		do()
	}
	if len(t.changes) > 0 {
		s.keeper.Keep(t.changes, s.progress())
	}
	if s.policy.Lag > 0 {
		at := s.watch.Elapsed()
		s.history.add(at, s.read())
		s.history.prune(at - s.policy.Lag)
	}
	return nil
}

// Atomically runs f, which may read and write. Only one f runs at a time, and all of
// its writes have the same time. A caller that checks before it acts does both in f,
// so that nothing changes between. f must not call Atomically.
func (s *Store) Atomically(f func() error) error {
	s.turn.Lock()
	defer s.turn.Unlock()
	s.setStill(true)
	defer s.setStill(false)
	return f()
}

// setStill moves the store's time on, and lets it stand from then on, or go on.
func (s *Store) setStill(still bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tick()
	s.still = still
}

// tick moves the store's time on.
func (s *Store) tick() {
	if now := s.clock().UTC().Truncate(time.Microsecond); now.After(s.now) {
		s.now = now
	}
}

// read is the state as it stands.
func (s *Store) read() *snapshot {
	return s.state.Load()
}

// Mark identifies a state of the store: as long as it is the same, nothing was written.
type Mark struct{ state *snapshot }

// Mark marks the state as it stands.
func (s *Store) Mark() Mark { return Mark{s.read()} }

// readLagged opens the state that feeds, lists and search show.
func (s *Store) readLagged() *snapshot {
	if s.policy.Lag == 0 {
		return s.read()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.history.prune(s.watch.Elapsed() - s.policy.Lag)
}

// must passes on what go-memdb found or did. The only errors that it has are for a table,
// an index or a type of row that is not in the schema: mistakes of this package.
func must[T any](result T, err error) T {
	if err != nil {
		panic(fmt.Errorf("the store's schema: %w", err))
	}
	return result
}

// find returns the row under a whole key, or nil.
func find[T any](txn *memdb.Txn, table string, id []byte) *T {
	row, _ := must(txn.First(table, byID, id)).(*T)
	return row
}

// scan returns the rows under a key or a prefix of one, in the order of the index.
func scan[T any](txn *memdb.Txn, table, index string, prefix []byte) []*T {
	it := must(txn.Get(table, index, prefix))
	row := it.Next()
	if row == nil {
		return nil
	}
	const some = 16 // so that most are spared growing
	rows := make([]*T, 0, some)
	for ; row != nil; row = it.Next() {
		rows = append(rows, row.(*T))
	}
	return rows
}

// put writes a row. The caller gives it away: rows in the store never change.
func (t *tx) put(table string, row any) {
	must(row, t.writable().Insert(table, row))
	t.changed(row, false)
}

// drop deletes the row under a whole key and reports whether there was one.
func (t *tx) drop(table string, id []byte) bool {
	row := must(t.First(table, byID, id))
	if row == nil {
		return false
	}
	must(row, t.writable().Delete(table, row))
	t.changed(row, true)
	return true
}

// dropSome deletes the first rows under a prefix of a key and says how many they were.
func (t *tx) dropSome(table, index string, prefix []byte, most int) int {
	it := must(t.Get(table, index, prefix))
	var rows []any
	for row := it.Next(); row != nil && len(rows) < most; row = it.Next() {
		rows = append(rows, row)
	}
	for _, row := range rows {
		must(row, t.writable().Delete(table, row))
		t.changed(row, true)
	}
	return len(rows)
}
