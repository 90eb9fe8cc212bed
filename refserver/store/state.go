package store

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// State is everything that a store holds, for a file or for another store. Its
// rows are shared with the store and must not be changed.
type State struct {
	Users       []User
	Sessions    []SessionRow
	Connections []Connection
	Events      []Event
	Reserved    []ReservedName `json:",omitempty"`
	LastUser    ID             // the highest id ever given, so that no id is given twice
	LastEvent   ID
	Now         time.Time // the store's time, which never goes back
	// Watch measures the ages of sessions. Without it, as in files of earlier versions,
	// sessions count as opened now.
	Watch Reading `json:",omitzero"`
}

// Progress is how far the state's ids and times have come.
func (s State) Progress() Progress { return Progress{s.LastUser, s.LastEvent, s.Now, s.Watch} }

// SessionRow is a session. It is kept under the hash of its token; the token
// itself is nowhere.
type SessionRow struct {
	App  App
	User ID
	Hash []byte
	// Opened is when it was opened, on the store's stopwatch.
	Opened time.Duration `json:",omitzero"`
}

// ReservedName is the user_name of a deleted user that no other user may take.
type ReservedName struct {
	App      App
	UserName string
}

// Apps lists the applications that have rows, each once.
func (s State) Apps() []App {
	var apps []App
	for _, row := range s.Users {
		apps = append(apps, row.App)
	}
	for _, row := range s.Sessions {
		apps = append(apps, row.App)
	}
	for _, row := range s.Connections {
		apps = append(apps, row.App)
	}
	for _, row := range s.Events {
		apps = append(apps, row.App)
	}
	for _, row := range s.Reserved {
		apps = append(apps, row.App)
	}
	slices.Sort(apps)
	return slices.Compact(apps)
}

// State reads everything in one moment.
func (s *Store) State() State {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.all()
}

// all is State for a caller that holds the writers' lock.
func (s *Store) all() State {
	txn := s.read()
	state := State{LastUser: s.lastUser, LastEvent: s.lastEvent, Now: s.now}
	posted := txn.events()
	slices.SortFunc(posted, func(a, b *Event) int { return cmp.Compare(a.ID, b.ID) })
	state.Users, state.Connections, state.Events = values(slices.Collect(txn.users.all())), values(txn.liveConnections()), values(posted)
	state.Sessions, state.Reserved, state.Watch = s.sessions.rows(), s.names.reservations(), s.watch.Reading()
	return state
}

func values[T any](rows []*T) []T {
	list := make([]T, 0, len(rows))
	for _, row := range rows {
		list = append(list, *row)
	}
	return list
}

// Restore replaces everything in one transaction, or nothing where a row is one that no store
// could have given away. The error names it.
func (s *Store) Restore(state State) error {
	if err := state.check(); err != nil {
		return fmt.Errorf("restoring a state: %w", err)
	}
	if err := s.write(state.replace); err != nil {
		return fmt.Errorf("restoring a state: %w", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.history = nil // a lagging reader sees what was restored at once
	s.history.add(0, s.read())
	if s.keeper != nil {
		s.keeper.Replace(s.all())
	}
	return nil
}

// openedSessions are the sessions in the order in which they were opened: where the state does not
// say when, at the given moment of the stopwatch.
func (s State) openedSessions(at time.Duration) []SessionRow {
	rows := slices.Clone(s.Sessions)
	for i := range rows {
		if s.Watch.At.IsZero() {
			rows[i].Opened = at
		}
	}
	slices.SortStableFunc(rows, func(a, b SessionRow) int { return cmp.Compare(a.Opened, b.Opened) })
	return rows
}

func (s State) replace(t *tx) error {
	t.noted = false // the keeper gets everything anew
	must(t.writable().DeleteAll(connections, byID))
	t.users, t.timelines, t.grams = rows[User]{}, rows[timeline]{}, newGrams()
	sessions, opened := restored(s.openedSessions(t.store.watch.Elapsed()))
	names := newNames(t.store.policy)
	names.reserve(s.Reserved...)
	t.then(func() {
		if !s.Watch.At.IsZero() {
			t.store.watch.Resume(s.Watch)
		}
		t.store.sessions.adopt(sessions)
		t.store.names, t.store.socials, t.store.events = names, newSocials(), eventTable{}
	})
	for _, row := range s.Users {
		row.opened, row.oldest = opened[userKey{row.App, row.ID}], 0
		row.fold()
		if err := names.clash(&row); err != nil {
			return err
		}
		names.replace(nil, &row)
		t.replaceUser(nil, &row)
	}
	for _, row := range s.Connections {
		t.put(connections, &row)
	}
	inOrder := slices.SortedFunc(slices.Values(s.Events), func(a, b Event) int { return cmp.Compare(a.ID, b.ID) })
	for _, row := range inOrder {
		row.encoding = new(encoding)
		t.addEvent(&row)
	}
	// Nothing fails from here on.
	t.store.purged = nil // a purged user may be there again
	t.store.lastUser, t.store.lastEvent = s.LastUser, s.LastEvent
	if s.Now.After(t.store.now) {
		t.store.now = s.Now
	}
	return nil
}
