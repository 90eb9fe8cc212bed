package store

import (
	"cmp"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestRowsAreAsInAMap changes rows at random, and holds each state against a map of then, also later.
func TestRowsAreAsInAMap(t *testing.T) {
	type at struct {
		app App
		id  ID
	}
	type state struct {
		rows rows[int]
		want map[at]*int
	}
	draw := rand.New(rand.NewPCG(1, 2))
	now := state{want: map[at]*int{}}
	var states []state
	for n := range 3000 {
		k := at{App(draw.IntN(3) + 1), ID(draw.Uint64() >> (draw.IntN(60) + 4))}
		if n%3 == 0 && len(now.want) > 0 {
			k = slices.SortedFunc(maps.Keys(now.want), func(a, b at) int { return cmp.Compare(a.id, b.id) })[draw.IntN(len(now.want))]
		}
		now.want = maps.Clone(now.want)
		if draw.IntN(3) == 0 {
			delete(now.want, k)
			now.rows = now.rows.with(k.app, k.id, nil)
		} else {
			now.want[k] = &n
			now.rows = now.rows.with(k.app, k.id, &n)
		}
		if n%100 == 0 {
			states = append(states, now)
		}
	}
	for _, s := range states {
		keys := slices.SortedFunc(maps.Keys(s.want), func(a, b at) int { return cmp.Or(cmp.Compare(a.app, b.app), cmp.Compare(a.id, b.id)) })
		var want []*int
		for _, k := range keys {
			want = append(want, s.want[k])
			if got := s.rows.get(k.app, k.id); got != s.want[k] {
				t.Fatalf("%v is %v", k, got)
			}
			if got := s.rows.get(k.app, k.id+1); got != s.want[at{k.app, k.id + 1}] {
				t.Fatalf("after %v is %v", k, got)
			}
		}
		if got := slices.Collect(s.rows.all()); !slices.Equal(got, want) {
			t.Fatalf("%d rows, want %d", len(got), len(want))
		}
		from := keys[draw.IntN(len(keys))]
		from.id += ID(draw.IntN(2))
		first := slices.IndexFunc(keys, func(k at) bool { return k.app == from.app && k.id >= from.id })
		var after []*int
		for first >= 0 && first < len(keys) && keys[first].app == from.app {
			after, first = append(after, want[first]), first+1
		}
		if got := slices.Collect(s.rows.from(from.app, from.id)); !slices.Equal(got, after) {
			t.Fatalf("from %v: %d rows, want %d", from, len(got), len(after))
		}
	}
}
