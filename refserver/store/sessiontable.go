package store

import (
	"container/list"
	"slices"
	"sync"
	"time"
)

// sessionTable holds the sessions. An update or a deletion
// of the user ends sessions through the user's row, at the moment of that change;
// this table then only frees their memory.
type sessionTable struct {
	mu     sync.RWMutex
	byKey  map[sessionKey]*session
	byUser map[userKey][]*session // oldest first
	all    *list.List             // of *session, oldest first, for those that expire
}

type sessionKey struct {
	app  App
	hash [32]byte
}

type userKey struct {
	app App
	id  ID
}

type session struct {
	key    sessionKey
	user   ID
	serial uint64        // how many sessions the user had opened, with this one
	at     time.Duration // when it was opened, on the store's stopwatch
	place  *list.Element // among all
}

func (s *session) row() *SessionRow {
	return &SessionRow{App: s.key.app, User: s.user, Hash: slices.Clone(s.key.hash[:]), Opened: s.at}
}

func newSessionTable() *sessionTable {
	return &sessionTable{byKey: make(map[sessionKey]*session), byUser: make(map[userKey][]*session), all: list.New()}
}

func (x *sessionTable) find(key sessionKey) (session, bool) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	found, ok := x.byKey[key]
	if !ok {
		return session{}, false
	}
	return *found, true
}

func (x *sessionTable) open(key sessionKey, user ID, serial uint64, at time.Duration) *session {
	x.mu.Lock()
	defer x.mu.Unlock()
	opened := &session{key: key, user: user, serial: serial, at: at}
	opened.place = x.all.PushBack(opened)
	x.byKey[key] = opened
	owner := userKey{key.app, user}
	x.byUser[owner] = append(x.byUser[owner], opened)
	return opened
}

// cap returns the serial of the oldest session that the user may keep, if it may
// have no more than most.
func (x *sessionTable) cap(of *session, most int) uint64 {
	x.mu.RLock()
	defer x.mu.RUnlock()
	open := x.byUser[userKey{of.key.app, of.user}]
	if most == 0 || len(open) <= most {
		return 0
	}
	return open[len(open)-most].serial
}

// close removes a session, and returns it if it was there.
func (x *sessionTable) close(key sessionKey) []*session {
	x.mu.Lock()
	defer x.mu.Unlock()
	ended, ok := x.byKey[key]
	if !ok {
		return nil
	}
	x.remove(ended)
	return []*session{ended}
}

// drop removes the user's sessions below a serial, and returns them.
func (x *sessionTable) drop(app App, user ID, serial uint64) []*session {
	x.mu.Lock()
	defer x.mu.Unlock()
	owner := userKey{app, user}
	open := x.byUser[owner]
	ended := slices.IndexFunc(open, func(s *session) bool { return s.serial >= serial })
	if ended < 0 {
		ended = len(open)
	}
	gone := slices.Clone(open[:ended])
	for _, session := range gone {
		x.unlink(session)
	}
	x.keep(owner, slices.Delete(open, 0, ended))
	return gone
}

// expire removes a few of the sessions that were opened before a moment, and returns them.
func (x *sessionTable) expire(before time.Duration) (gone []*session) {
	const few = 8
	x.mu.Lock()
	defer x.mu.Unlock()
	for range few {
		oldest := x.all.Front()
		if oldest == nil || oldest.Value.(*session).at > before {
			return gone
		}
		x.remove(oldest.Value.(*session))
		gone = append(gone, oldest.Value.(*session))
	}
	return gone
}

func (x *sessionTable) remove(ended *session) {
	x.unlink(ended)
	owner := userKey{ended.key.app, ended.user}
	x.keep(owner, slices.DeleteFunc(x.byUser[owner], func(s *session) bool { return s == ended }))
}

func (x *sessionTable) keep(owner userKey, open []*session) {
	if len(open) == 0 {
		delete(x.byUser, owner)
		return
	}
	x.byUser[owner] = open
}

// of returns the sessions of a user, oldest first.
func (x *sessionTable) of(app App, user ID) []session {
	x.mu.RLock()
	defer x.mu.RUnlock()
	var list []session
	for _, one := range x.byUser[userKey{app, user}] {
		list = append(list, *one)
	}
	return list
}

func (x *sessionTable) unlink(ended *session) {
	delete(x.byKey, ended.key)
	x.all.Remove(ended.place)
}

func (x *sessionTable) count() int {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return len(x.byKey)
}

// rows are the sessions, oldest first.
func (x *sessionTable) rows() []SessionRow {
	x.mu.RLock()
	defer x.mu.RUnlock()
	var rows []SessionRow
	for e := x.all.Front(); e != nil; e = e.Next() {
		rows = append(rows, *e.Value.(*session).row())
	}
	return rows
}

// restored makes a table of sessions from elsewhere, oldest first, and says how many each user has.
func restored(rows []SessionRow) (*sessionTable, map[userKey]uint64) {
	table, opened := newSessionTable(), make(map[userKey]uint64)
	for _, row := range rows {
		owner := userKey{row.App, row.User}
		opened[owner]++
		table.open(sessionKey{row.App, [32]byte(row.Hash)}, row.User, opened[owner], row.Opened)
	}
	return table, opened
}

// adopt takes the place of all sessions with those of another table.
func (x *sessionTable) adopt(other *sessionTable) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.byKey, x.byUser, x.all = other.byKey, other.byUser, other.all
}
