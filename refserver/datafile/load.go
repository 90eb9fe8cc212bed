package datafile

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"go.etcd.io/bbolt"

	"github.com/socialfeed/conform/refserver/store"
)

// load reads the data of a file; nil for a new one.
func load(db *bbolt.DB) (*store.State, error) {
	var state *store.State
	err := db.View(func(tx *bbolt.Tx) error {
		meta := tx.Bucket(bucketMeta)
		if meta == nil && isEmpty(tx) {
			return nil
		}
		if meta == nil || string(meta.Get(keyFormat)) != format {
			return errors.New("it holds something else than a server's data, or that of a later version")
		}
		var err error
		state, err = read(tx)
		return err
	})
	return state, err
}

func isEmpty(tx *bbolt.Tx) bool {
	name, _ := tx.Cursor().First()
	return name == nil
}

func read(tx *bbolt.Tx) (*store.State, error) {
	var last store.Progress
	if err := json.Unmarshal(tx.Bucket(bucketMeta).Get(keyProgress), &last); err != nil {
		return nil, fmt.Errorf("reading how far ids have come: %w", err)
	}
	state := &store.State{LastUser: last.LastUser, LastEvent: last.LastEvent, Now: last.Now, Watch: last.Watch}
	var err error
	if state.Users, err = readAll[store.User](tx, bucketUsers); err != nil {
		return nil, err
	}
	if state.Connections, err = readAll[store.Connection](tx, bucketConnections); err != nil {
		return nil, err
	}
	if state.Events, err = readAll[store.Event](tx, bucketEvents); err != nil {
		return nil, err
	}
	if state.Sessions, err = readSessions(tx); err != nil {
		return nil, err
	}
	if state.Reserved, err = readAll[store.ReservedName](tx, bucketReserved); err != nil {
		return nil, err
	}
	dropOrphans(state)
	return state, nil
}

func readAll[T any](tx *bbolt.Tx, name []byte) ([]T, error) {
	var rows []T
	bucket := tx.Bucket(name)
	if bucket == nil { // in a file of an earlier version
		return nil, nil
	}
	err := bucket.ForEach(func(key, text []byte) error {
		var row T
		if err := json.Unmarshal(text, &row); err != nil {
			return fmt.Errorf("reading %s %x: %w", name, key, err)
		}
		rows = append(rows, row)
		return nil
	})
	return rows, err
}

// readSessions reads the sessions in the order in which they were opened.
func readSessions(tx *bbolt.Tx) ([]store.SessionRow, error) {
	type turned struct {
		row  store.SessionRow
		turn uint64
	}
	var all []turned
	err := tx.Bucket(bucketSessions).ForEach(func(key, text []byte) error {
		var value sessionValue
		if err := json.Unmarshal(text, &value); err != nil || len(key) < 8 {
			return fmt.Errorf("a session cannot be read: %w", err)
		}
		all = append(all, turned{store.SessionRow{App: store.App(binary.BigEndian.Uint64(key)), User: value.User, Hash: slices.Clone(key[8:]), Opened: value.Opened}, value.Turn})
		return nil
	})
	slices.SortFunc(all, func(a, b turned) int { return cmp.Compare(a.turn, b.turn) })
	rows := make([]store.SessionRow, 0, len(all))
	for _, s := range all {
		rows = append(rows, s.row)
	}
	return rows, err
}

// dropOrphans drops rows of deleted users: a crash came before they were removed.
func dropOrphans(state *store.State) {
	type user struct {
		app store.App
		id  store.ID
	}
	there := make(map[user]bool, len(state.Users))
	for _, row := range state.Users {
		there[user{row.App, row.ID}] = true
	}
	state.Sessions = slices.DeleteFunc(state.Sessions, func(s store.SessionRow) bool { return !there[user{s.App, s.User}] })
	state.Events = slices.DeleteFunc(state.Events, func(e store.Event) bool { return !there[user{e.App, e.Owner}] })
	state.Connections = slices.DeleteFunc(state.Connections, func(c store.Connection) bool {
		return !there[user{c.App, c.From}] || !there[user{c.App, c.To}]
	})
}
