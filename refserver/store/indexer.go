package store

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
)

// key makes an index key of big-endian words, so that byte order is number order
// and a key of fewer words is a prefix of every key that begins with the same ones.
func key[N ~uint64](app App, words ...N) []byte {
	k := make([]byte, 0, 8*(1+len(words)))
	k = binary.BigEndian.AppendUint64(k, uint64(app))
	for _, word := range words {
		k = binary.BigEndian.AppendUint64(k, uint64(word))
	}
	return k
}

// textKey makes a key of fixed size from texts of any length: hashed, so that
// "ann" is no prefix of "anna", and each with its length, so that no two lists of texts meet.
func textKey(app App, texts ...string) []byte {
	digest := sha256.New()
	for _, text := range texts {
		fmt.Fprintf(digest, "%d:%s", len(text), text)
	}
	return digest.Sum(key[ID](app))
}

// byKey gives fromArgs to the indexers below: every argument is a finished key,
// whole or a prefix.
type byKey struct{}

// FromArgs takes one key made by key or textKey.
func (byKey) FromArgs(args ...any) ([]byte, error) {
	if len(args) == 1 {
		if k, ok := args[0].([]byte); ok {
			return k, nil
		}
	}
	return nil, fmt.Errorf("an index takes one key, not %d arguments", len(args))
}

// single indexes rows of type T under one key; a nil key leaves the row out.
type single[T any] struct {
	byKey
	key func(*T) []byte
}

// FromObject makes the row's key.
func (x single[T]) FromObject(raw any) (bool, []byte, error) {
	row, ok := raw.(*T)
	if !ok {
		return false, nil, fmt.Errorf("a row of type %T in a table of %T", raw, row)
	}
	k := x.key(row)
	return k != nil, k, nil
}

// multi indexes rows of type T under any number of keys.
type multi[T any] struct {
	byKey
	keys func(*T) [][]byte
}

// FromObject makes the row's keys.
func (x multi[T]) FromObject(raw any) (bool, [][]byte, error) {
	row, ok := raw.(*T)
	if !ok {
		return false, nil, fmt.Errorf("a row of type %T in a table of %T", raw, row)
	}
	keys := x.keys(row)
	return len(keys) > 0, keys, nil
}
