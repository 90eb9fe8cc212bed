package conformance

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

func sortedKeys(fields Fields) []string { return slices.Sorted(maps.Keys(fields)) }

func showField(r Record, name string) string {
	if !r.Has(name) {
		return "absent"
	}
	return show(r[name])
}

// sameNumber compares two JSON numbers, which may be written differently (1e-9 and
// 0.000000001) and mean the same. Integers are compared by their digits: a float
// loses those beyond 2^53.
func sameNumber(a, b json.Number) bool {
	if isInteger(a) && isInteger(b) {
		return a == b || isZero(a) && isZero(b)
	}
	x, errX := a.Float64()
	y, errY := b.Float64()
	return errX == nil && errY == nil && x == y || a == b
}

func isInteger(n json.Number) bool { return !strings.ContainsAny(n.String(), ".eE") }

func isZero(n json.Number) bool { return n == "0" || n == "-0" }
