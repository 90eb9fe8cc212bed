package main

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"

	"go.etcd.io/bbolt"
	_ "modernc.org/sqlite" // the driver
)

// store keeps texts by their keys. What a transaction writes is there as a whole or not at all.
type store interface {
	do(write bool, act func(tx) error) error
	close() error
}

// tx is a transaction.
type tx interface {
	get(key string) ([]byte, error) // nil where there is none
	put(key string, value []byte) error
	remove(key string) error
	keys(prefix string) ([]string, error) // in their order
}

// sqlite is one table.
type sqlite struct{ db *sql.DB }

func openSQLite(path, synchronous string) (store, error) {
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=journal_mode(WAL)&_pragma=busy_timeout(5000)&_pragma=synchronous("+synchronous+")&_txlock=immediate")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	if _, err := db.Exec("CREATE TABLE IF NOT EXISTS kept (key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID"); err != nil {
		return nil, errors.Join(fmt.Errorf("making the table: %w", err), db.Close())
	}
	return sqlite{db}, nil
}

func (s sqlite) close() error { return s.db.Close() }

func (s sqlite) do(_ bool, act func(tx) error) error {
	t, err := s.db.Begin()
	if err != nil {
		return err
	}
	if err := act(sqliteTx{t}); err != nil {
		return errors.Join(err, t.Rollback())
	}
	return t.Commit()
}

type sqliteTx struct{ *sql.Tx }

func (t sqliteTx) get(key string) ([]byte, error) {
	var value []byte
	err := t.QueryRow("SELECT value FROM kept WHERE key = ?", key).Scan(&value)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return value, err
}

func (t sqliteTx) put(key string, value []byte) error {
	_, err := t.Exec("INSERT INTO kept VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value", key, value)
	return err
}

func (t sqliteTx) remove(key string) error {
	_, err := t.Exec("DELETE FROM kept WHERE key = ?", key)
	return err
}

func (t sqliteTx) keys(prefix string) ([]string, error) {
	rows, err := t.Query("SELECT key FROM kept WHERE key >= ? AND key < ? ORDER BY key", prefix, prefix+"\xff")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []string
	for rows.Next() {
		var key string
		if err := rows.Scan(&key); err != nil {
			return nil, err
		}
		all = append(all, key)
	}
	return all, rows.Err()
}

// bolt is one bucket.
type bolt struct{ db *bbolt.DB }

func openBolt(path string, noSync bool) (store, error) {
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{NoSync: noSync})
	if err != nil {
		return nil, err
	}
	err = db.Update(func(t *bbolt.Tx) error {
		_, err := t.CreateBucketIfNotExists([]byte("kept"))
		return err
	})
	return bolt{db}, err
}

func (b bolt) close() error { return b.db.Close() }

func (b bolt) do(write bool, act func(tx) error) error {
	begin := b.db.View
	if write {
		begin = b.db.Update
	}
	return begin(func(t *bbolt.Tx) error { return act(boltTx{t.Bucket([]byte("kept"))}) })
}

type boltTx struct{ *bbolt.Bucket }

func (t boltTx) get(key string) ([]byte, error)     { return t.Get([]byte(key)), nil }
func (t boltTx) put(key string, value []byte) error { return t.Put([]byte(key), value) }
func (t boltTx) remove(key string) error            { return t.Delete([]byte(key)) }

func (t boltTx) keys(prefix string) ([]string, error) {
	var all []string
	c := t.Cursor()
	for key, _ := c.Seek([]byte(prefix)); key != nil && strings.HasPrefix(string(key), prefix); key, _ = c.Next() {
		all = append(all, string(key))
	}
	return all, nil
}

// file is everything in memory, which each transaction writes to a file.
type file struct {
	mu   *sync.Mutex
	path string
	kept map[string][]byte
	save func(path string, content []byte) error
}

func openFile(path string, save func(string, []byte) error) (store, error) {
	f := file{&sync.Mutex{}, path, map[string][]byte{}, save}
	content, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return f, nil
	}
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(content, &f.kept); err != nil {
		return nil, fmt.Errorf("reading %s: %w", path, err)
	}
	return f, nil
}

func writeInPlace(path string, content []byte) error { return os.WriteFile(path, content, 0o600) }

func writeAndRename(path string, content []byte) error {
	if err := os.WriteFile(path+".new", content, 0o600); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}

func (f file) close() error { return nil }

func (f file) do(write bool, act func(tx) error) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	before := maps.Clone(f.kept)
	err := act(fileTx(f.kept))
	if err == nil && write {
		var content []byte
		if content, err = json.Marshal(f.kept); err == nil {
			err = f.save(f.path, content)
		}
	}
	if err != nil {
		clear(f.kept)
		maps.Copy(f.kept, before)
	}
	return err
}

type fileTx map[string][]byte

func (t fileTx) get(key string) ([]byte, error) { return t[key], nil }

func (t fileTx) put(key string, value []byte) error {
	t[key] = value
	return nil
}

func (t fileTx) remove(key string) error {
	delete(t, key)
	return nil
}

func (t fileTx) keys(prefix string) ([]string, error) {
	var all []string
	for key := range t {
		if strings.HasPrefix(key, prefix) {
			all = append(all, key)
		}
	}
	slices.Sort(all)
	return all, nil
}
