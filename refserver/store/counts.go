package store

import (
	"iter"
	"slices"
)

// Counts says how many rows the store holds, over all applications.
type Counts struct {
	Users, Sessions, Connections, Events int
}

// Counts counts visible data, without rows of deleted users that are still to be removed.
func (s *Store) Counts() Counts {
	txn := s.read()
	return Counts{
		Users: count(txn.users.all()), Sessions: s.sessions.count(),
		Connections: len(txn.liveConnections()), Events: len(txn.events()),
	}
}

// liveConnections counts the connections between existing users.
func (s *snapshot) liveConnections() []*Connection {
	return slices.DeleteFunc(scan[Connection](s.Txn, connections, byID, nil), func(row *Connection) bool {
		return s.users.get(row.App, row.From) == nil || s.users.get(row.App, row.To) == nil
	})
}

// count is how many rows there are.
func count[T any](rows iter.Seq[*T]) int {
	n := 0
	for range rows {
		n++
	}
	return n
}
