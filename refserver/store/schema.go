package store

import "github.com/hashicorp/go-memdb"

// The tables, and the indexes besides each table's "id".
const (
	users       = "users"
	sessions    = "sessions"
	connections = "connections"
	events      = "events"

	byID       = "id"
	byUserName = "user_name"
	byEmail    = "email"
	byCustomID = "custom_id"
	bySocialID = "social_id"
	byUser     = "user"
	byTarget   = "target"
	byOwner    = "owner"
)

func schema() *memdb.DBSchema {
	return &memdb.DBSchema{Tables: map[string]*memdb.TableSchema{
		users: table(users, func(u *User) []byte { return key(u.App, u.ID) },
			optional(byUserName, single[User]{key: func(u *User) []byte { return textKeyUnlessBlank(u.App, u.UserName) }}),
			optional(byEmail, single[User]{key: func(u *User) []byte { return textKeyUnlessBlank(u.App, u.Email) }}),
			optional(byCustomID, single[User]{key: func(u *User) []byte { return textKeyUnlessBlank(u.App, u.CustomID) }}),
			optional(bySocialID, multi[User]{keys: socialKeys}),
		),
		sessions: table(sessions, func(s *session) []byte { return sessionKey(s.app, s.hash) },
			optional(byUser, single[session]{key: func(s *session) []byte { return key(s.app, s.user) }}),
		),
		connections: table(connections, func(c *Connection) []byte { return edge(c.App, c.From, c.Type, c.To) },
			unique(byTarget, single[Connection]{key: func(c *Connection) []byte { return edge(c.App, c.To, c.Type, c.From) }}),
		),
		events: table(events, func(e *Event) []byte { return key(e.App, e.ID) },
			unique(byOwner, single[Event]{key: timeline}),
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

// optional indexes what may be missing, and what several rows may share.
func optional(name string, indexer memdb.Indexer) *memdb.IndexSchema {
	return &memdb.IndexSchema{Name: name, AllowMissing: true, Indexer: indexer}
}

func textKeyUnlessBlank(app App, text string) []byte {
	if text == "" {
		return nil
	}
	return textKey(app, text)
}

func socialKeys(u *User) [][]byte {
	keys := make([][]byte, 0, len(u.SocialIDs))
	for platform, id := range u.SocialIDs {
		keys = append(keys, textKey(u.App, platform, id))
	}
	return keys
}

func sessionKey(app App, hash [32]byte) []byte {
	return append(key[ID](app), hash[:]...)
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

// timeline keys an event by owner, then time, then id: read backwards it is
// newest first, with equal times in a stable order.
func timeline(e *Event) []byte {
	const sign = 1 << 63 // flips the sign bit, so that times before 1970 sort before those after
	return key(e.App, e.Owner, ID(uint64(e.CreatedAt.UnixMicro())^sign), e.ID)
}
