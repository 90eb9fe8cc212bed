package store

import (
	"fmt"

	"github.com/hashicorp/go-memdb"
)

// Connect makes a connection from the acting user to another, or returns the
// one that stands. The second result says whether it is new.
func (s *Store) Connect(app App, from, to ID, typ ConnectionType) (Connection, bool, error) {
	var connection Connection
	var created bool
	err := s.write(func(t *tx) error {
		if _, err := t.acting(app, from); err != nil {
			return err
		}
		if _, err := existing(t.users, app, to); err != nil {
			return err
		}
		row, isNew, err := t.connect(app, from, to, typ)
		if err == nil {
			connection, created = *row, isNew
		}
		return err
	})
	return connection, created, err
}

// Disconnect ends the acting user's connections of the given types to another.
// A friendship belongs to both, so its end takes away the other side's half too;
// a follow belongs to the follower alone.
func (s *Store) Disconnect(app App, from, to ID, types ...ConnectionType) error {
	return s.write(func(t *tx) error {
		if _, err := existing(t.users, app, to); err != nil { // see DeleteUser
			return fmt.Errorf("connection %w", ErrNotFound)
		}
		ended := false
		for _, typ := range types {
			halves := [][]byte{edge(app, from, typ, to)}
			if typ == Friend && from != to {
				halves = append(halves, edge(app, to, typ, from))
			}
			for _, half := range halves {
				ended = t.drop(connections, half) || ended
			}
		}
		if !ended {
			return fmt.Errorf("connection %w", ErrNotFound)
		}
		return nil
	})
}

func (t *tx) connect(app App, from, to ID, typ ConnectionType) (*Connection, bool, error) {
	if standing := find[Connection](t.Txn, connections, edge(app, from, typ, to)); standing != nil {
		return standing, false, nil
	}
	if err := t.settleKinds(app, from, to); err != nil {
		return nil, false, err
	}
	row := &Connection{App: app, From: from, To: to, Type: typ, CreatedAt: t.now, UpdatedAt: t.now}
	if typ == Friend {
		if err := t.confirm(row); err != nil {
			return nil, false, err
		}
	}
	t.put(connections, row)
	return row, true, nil
}

// settleKinds does to a connection of the other kind what the policy says.
func (t *tx) settleKinds(app App, from, to ID) error {
	for _, kind := range []ConnectionType{Follow, Friend} {
		other := edge(app, from, kind, to)
		switch policy := t.store.policy; {
		case policy.OneKind:
			t.drop(connections, other)
		case policy.SecondKindConflicts && find[Connection](t.Txn, connections, other) != nil:
			return fmt.Errorf("a connection of the other kind %w", ErrConflict)
		}
	}
	return nil
}

// confirm sets a new friend connection's confirmed_at, where the policy has it confirmed already.
func (t *tx) confirm(row *Connection) error {
	reverse := find[Connection](t.Txn, connections, edge(row.App, row.To, Friend, row.From))
	if !t.store.policy.MutualFriends {
		if reverse != nil && t.store.policy.OneFriendConnection {
			return fmt.Errorf("the friendship %w", ErrConflict)
		}
		row.ConfirmedAt = t.now
		return nil
	}
	if reverse == nil {
		return nil
	}
	row.ConfirmedAt = t.now
	confirmed := *reverse
	confirmed.ConfirmedAt, confirmed.UpdatedAt = t.now, t.now
	t.put(connections, &confirmed)
	return nil
}

// peers returns the users at the other end of a user's connections of one type:
// those it goes to (index byID) or comes from (index byTarget). A friend
// connection counts once it is confirmed.
func peers(txn *memdb.Txn, index string, app App, id ID, typ ConnectionType) []ID {
	rows := scan[Connection](txn, connections, index, edge(app, id, typ))
	ids := make([]ID, 0, len(rows))
	for _, row := range rows {
		switch {
		case typ == Friend && row.ConfirmedAt.IsZero():
		case index == byTarget:
			ids = append(ids, row.From)
		default:
			ids = append(ids, row.To)
		}
	}
	return ids
}
