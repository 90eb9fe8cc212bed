package store

import "github.com/hashicorp/go-memdb"

// Counts says how many rows the store holds, over all applications.
type Counts struct {
	Users, Sessions, Connections, Events int
}

// Counts counts what can be seen: not what users who are gone have left to be removed.
func (s *Store) Counts() (Counts, error) {
	txn := s.read()
	counts := Counts{Sessions: s.sessions.count()}
	everyone, err := scan[User](txn.Txn, users, byID, nil)
	if err != nil {
		return counts, err
	}
	counts.Users = len(everyone)
	joined, err := liveConnections(txn.Txn)
	if err != nil {
		return counts, err
	}
	counts.Connections = len(joined)
	counts.Events = len(txn.events())
	return counts, nil
}

// liveConnections are those of users who are there.
func liveConnections(txn *memdb.Txn) ([]*Connection, error) {
	rows, err := scan[Connection](txn, connections, byID, nil)
	if err != nil {
		return nil, err
	}
	var live []*Connection
	for _, row := range rows {
		from, to := userKey{row.App, row.From}, userKey{row.App, row.To}
		if there, err := allThere(txn, from, to); err != nil {
			return nil, err
		} else if there {
			live = append(live, row)
		}
	}
	return live, nil
}

func allThere(txn *memdb.Txn, keys ...userKey) (bool, error) {
	for _, k := range keys {
		if user, err := find[User](txn, users, key(k.app, k.id)); user == nil || err != nil {
			return false, err
		}
	}
	return true, nil
}
