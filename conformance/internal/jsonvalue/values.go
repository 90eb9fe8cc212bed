package jsonvalue

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// SortedKeys are the names of fields, in order.
func SortedKeys[M ~map[string]any](fields M) []string {
	return slices.Sorted(maps.Keys(fields))
}

// sameNumber compares two JSON numbers, which may be written differently (1e-9 and
// 0.000000001) and mean the same. Integers are compared by their digits: a float
// loses those beyond 2^53.
func sameNumber(a, b json.Number) bool {
	if IsInteger(a) && IsInteger(b) {
		return a == b || isZero(a) && isZero(b)
	}
	x, errX := a.Float64()
	y, errY := b.Float64()
	return errX == nil && errY == nil && x == y || a == b
}

func IsInteger(n json.Number) bool { return !strings.ContainsAny(n.String(), ".eE") }

func isZero(n json.Number) bool { return n == "0" || n == "-0" }

// Equal reports whether two decoded values are the same: numbers by their value.
func Equal(a, b any) bool {
	an, aok := a.(json.Number)
	bn, bok := b.(json.Number)
	if aok && bok {
		return sameNumber(an, bn)
	}
	al, aok := a.([]any)
	bl, bok := b.([]any)
	if aok && bok {
		return slices.EqualFunc(al, bl, Equal)
	}
	am, aok := a.(map[string]any)
	bm, bok := b.(map[string]any)
	if aok && bok {
		return maps.EqualFunc(am, bm, Equal)
	}
	return reflect.DeepEqual(a, b)
}
