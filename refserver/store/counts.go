package store

import (
	"slices"

	"github.com/hashicorp/go-memdb"
)

// Counts says how many rows the store holds, over all applications.
type Counts struct {
	Users, Sessions, Connections, Events int
}

// Counts counts what can be seen: not what users who are gone have left to be removed.
func (s *Store) Counts() Counts {
	txn := s.read()
	return Counts{
		Users: len(scan[User](txn.Txn, users, byID, nil)), Sessions: s.sessions.count(),
		Connections: len(liveConnections(txn.Txn)), Events: len(txn.events()),
	}
}

// liveConnections are those of users who are there.
func liveConnections(txn *memdb.Txn) []*Connection {
	return slices.DeleteFunc(scan[Connection](txn, connections, byID, nil), func(row *Connection) bool {
		return !there(txn, row.App, row.From) || !there(txn, row.App, row.To)
	})
}

// there reports whether a user is there.
func there(txn *memdb.Txn, app App, id ID) bool {
	return find[User](txn, users, key(app, id)) != nil
}
