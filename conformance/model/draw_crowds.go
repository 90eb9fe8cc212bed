package model

import (
	"slices"
)

// crowd draws a story of one user with many follows, followers, friends and events, audited
// before and after small changes.
func crowd(seed uint64, size int) Story {
	d := newDrawer(seed, "crowd")
	const hub, star = 0, 1 // the hub follows many, the star is followed by many
	s := Story{Values: d.values(), Name: "crowd", Slots: size + 2, Brief: true}
	for i := 2; i < size+2; i++ {
		s.Ops = append(s.Ops, Op{Kind: Follow, A: hub, B: i}, Op{Kind: Follow, A: i, B: star})
		if i < 2+promisedLength {
			s.Ops = append(s.Ops, Op{Kind: Post, A: i, V: d.values()})
		}
		if i%3 == 0 {
			s.Ops = append(s.Ops, Op{Kind: Befriend, A: star, B: i})
		}
	}
	for range size {
		s.Ops = append(s.Ops, Op{Kind: Post, A: star, V: d.values()})
	}
	s.Ops = append(s.Ops, Op{Kind: Follow, A: hub, B: star}) // whose many events must not displace those of others
	both := Op{Kind: Audit, A: hub, B: star, V: auditPair}
	s.Ops = append(s.Ops, both, Op{Kind: Remove, A: star, C: size - 1}, Op{Kind: Remove, A: star, C: 0},
		Op{Kind: Change, A: star, C: size / 2, V: d.values()}, Op{Kind: End, A: hub, B: 3}, Op{Kind: End, A: size + 1, B: star},
		Op{Kind: Leave, A: 2 + d.IntN(size)}, both, Op{Kind: Leave, A: star})
	return s
}

// pairsAtOnce draws rounds of two operations that are sent concurrently and may take effect in
// either order. All rounds use the same few users, except those in which one is deleted.
func pairsAtOnce(seed uint64, rounds int) []Story {
	d := newDrawer(seed, "at once")
	couples := [][2]Op{
		{{Kind: Change, A: 1}, {Kind: Change, A: 1}},
		{{Kind: Edit, A: 1}, {Kind: Edit, A: 1}},
		{{Kind: Follow, A: 0, B: 1}, {Kind: End, A: 0, B: 1}},
		{{Kind: Follow, A: 0, B: 1}, {Kind: Post, A: 1}},
		{{Kind: Follow, A: 0, B: 1}, {Kind: Follow, A: 0, B: 1}},
		{{Kind: Post, A: 1}, {Kind: Post, A: 1}},
		{{Kind: Change, A: 1}, {Kind: Remove, A: 1}},
		{{Kind: Ask, A: 0, B: 2}, {Kind: Ask, A: 2, B: 0}},
		{{Kind: End, A: 2, B: 1}, {Kind: Post, A: 1}},
		{{Kind: Remove, A: 1}, {Kind: Remove, A: 1}},
		{{Kind: LogOut, A: 1}, {Kind: Post, A: 1}},
		{{Kind: LogOut, A: 1}, {Kind: LogOut, A: 1}},
		{{Kind: LogIn, A: 0}, {Kind: LogIn, A: 1}},
		{{Kind: Audit, A: 2, V: 0}, {Kind: Post, A: 1}},
		{{Kind: Audit, A: 1, V: 1}, {Kind: Edit, A: 1}},
	}
	begin := []Op{{Kind: Follow, A: 2, B: 1}, {Kind: Post, A: 1, V: d.values()}}
	stay := Story{Values: d.values(), Name: "at once", Slots: 3, Ops: slices.Clone(begin), Brief: true}
	for i := range rounds {
		couple := couples[i%len(couples)]
		if couple[0].AtOnce, couple[1].V = true, d.values(); couple[0].Kind != Audit {
			couple[0].V = d.values()
		}
		if couple[0].Kind == Ask {
			stay.Ops = append(stay.Ops, Op{Kind: Part, A: 0, B: 2})
		}
		switch {
		case couple[1].Kind == Remove:
			stay.Ops = append(stay.Ops, Op{Kind: Post, A: 1, V: d.values()}) // so that there is one
		case couple[0].Kind == End:
			stay.Ops = append(stay.Ops, Op{Kind: Follow, A: 2, B: 1})
		}
		stay.Ops = append(stay.Ops, couple[0], couple[1])
	}
	leaving := []Op{{Kind: Post, A: 1, V: d.values()}, {Kind: Follow, A: 0, B: 1}, {Kind: Change, A: 1, V: d.values()}, {Kind: LogIn, A: 1}}
	d.Shuffle(len(leaving), func(i, j int) { leaving[i], leaving[j] = leaving[j], leaving[i] })
	stories := []Story{stay}
	for _, op := range leaving {
		op.AtOnce = true
		stories = append(stories, Story{Values: d.values(), Name: "at once with the end", Slots: 3, Brief: true, Ops: append(slices.Clone(begin), op, Op{Kind: Leave, A: 1})})
	}
	return append(stories, Story{Values: d.values(), Name: "at once at the beginning", Slots: 4, Ops: []Op{
		{Kind: Join, A: 0, V: 1, AtOnce: true}, {Kind: Join, A: 1, V: 1}, {Kind: Join, A: 2, AtOnce: true}, {Kind: Join, A: 3},
		{Kind: LogIn, A: 0}, {Kind: LogIn, A: 1}, {Kind: LogIn, A: 2}, {Kind: LogIn, A: 3}}})
}
