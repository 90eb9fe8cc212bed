package store

import (
	"fmt"
	"math/bits"
)

// key makes an index key of words, so that byte order is number order and a key of
// fewer words is a prefix of every key that begins with the same ones. A word is
// written as its length and its hexadecimal digits, one in a byte: the nodes of the
// index then have 16 branches at most, and little is copied to change one.
func key[N ~uint64](app App, words ...N) []byte {
	return appendKey(make([]byte, 0, 8*(1+len(words))), app, words...)
}

func appendKey[N ~uint64](k []byte, app App, words ...N) []byte {
	k = appendWord(k, uint64(app))
	for _, word := range words {
		k = appendWord(k, uint64(word))
	}
	return k
}

func appendWord(k []byte, word uint64) []byte {
	digits := (bits.Len64(word) + 3) / 4
	k = append(k, byte(digits))
	for digits--; digits >= 0; digits-- {
		k = append(k, byte(word>>(4*digits))&0xf)
	}
	return k
}

// byKey gives FromArgs to the indexers below: every argument is a finished key,
// whole or a prefix.
type byKey struct{}

// FromArgs takes one key made by key.
func (byKey) FromArgs(args ...any) ([]byte, error) {
	if len(args) == 1 {
		if k, ok := args[0].([]byte); ok {
			return k, nil
		}
	}
	return nil, fmt.Errorf("an index takes one key, not %d arguments", len(args))
}

// single indexes rows of type T under one key.
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
	return true, x.key(row), nil
}
