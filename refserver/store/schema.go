package store

import "github.com/hashicorp/go-memdb"

// The tables, and the indexes besides each table's "id". Users and timelines are rows
// beside them. Sessions, names, social ids and the ids of events, which nobody reads as they were, are kept in maps.
const (
	connections = "connections"

	byID     = "id"
	byTarget = "target"
)

func schema() *memdb.DBSchema {
	return &memdb.DBSchema{Tables: map[string]*memdb.TableSchema{
		connections: table(connections, func(c *Connection) []byte { return edge(c.App, c.From, c.Type, c.To) },
			unique(byTarget, single[Connection]{key: func(c *Connection) []byte { return edge(c.App, c.To, c.Type, c.From) }}),
		),
	}}
}

func table[T any](name string, id func(*T) []byte, indexes ...*memdb.IndexSchema) *memdb.TableSchema {
	t := &memdb.TableSchema{Name: name, Indexes: map[string]*memdb.IndexSchema{byID: unique(byID, single[T]{key: id})}}
	for _, index := range indexes {
		t.Indexes[index.Name] = index
	}
	return t
}

func unique(name string, indexer memdb.Indexer) *memdb.IndexSchema {
	return &memdb.IndexSchema{Name: name, Unique: true, Indexer: indexer}
}

// edge keys a connection as seen from one of its ends: all of a user's, or all of
// one type, are a prefix of it.
func edge(app App, near ID, typ ConnectionType, far ...ID) []byte {
	word := ID(1)
	if typ == Friend {
		word = 2
	}
	return key(app, append([]ID{near, word}, far...)...)
}
