package conformance

import (
	"encoding/json"
	"maps"
	"slices"
)

func sortedKeys(fields Fields) []string { return slices.Sorted(maps.Keys(fields)) }

func showField(r Record, name string) string {
	if !r.Has(name) {
		return "absent"
	}
	return show(r[name])
}

// bothNumbers reads two JSON numbers, which may be written differently (1e-9 and
// 0.000000001) and mean the same.
func bothNumbers(a, b any) (x, y float64, ok bool) {
	an, aok := a.(json.Number)
	bn, bok := b.(json.Number)
	if !aok || !bok {
		return 0, 0, false
	}
	x, errX := an.Float64()
	y, errY := bn.Float64()
	return x, y, errX == nil && errY == nil
}
