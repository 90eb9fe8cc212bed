package store

import "time"

// Change is a row as a transaction left it.
type Change struct {
	Row  any  // a *User, *Connection, *Event, *SessionRow or *ReservedName, which must not be changed
	Gone bool // the row was deleted
}

// Progress is how far ids and times have come.
type Progress struct {
	LastUser  ID
	LastEvent ID
	Now       time.Time
	Watch     Reading
}

// Keeper saves a store's data, for example in a file. It is called in the order of the
// transactions, by one writer at a time, which waits meanwhile. Removals of a deleted user's rows
// may come late or never: without their user the rows mean nothing.
type Keeper interface {
	Keep(changes []Change, at Progress)
	Replace(state State)
}

// KeepIn gives the keeper the changes of each transaction from now on. If whole is set, it first
// gives it all data.
func (s *Store) KeepIn(k Keeper, whole bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.keeper = k
	if whole {
		k.Replace(s.all())
	} else {
		k.Keep(nil, s.progress())
	}
}

func (s *Store) progress() Progress {
	return Progress{s.lastUser, s.lastEvent, s.now, s.watch.Reading()}
}

// changed notes a row for the keeper.
func (t *tx) changed(row any, gone bool) {
	if t.noted {
		t.changes = append(t.changes, Change{row, gone})
	}
}

// ended notes sessions that have ended.
func (t *tx) ended(sessions ...*session) {
	for _, s := range sessions {
		t.changed(s.row(), true)
	}
}
