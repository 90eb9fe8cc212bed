package model

// positions draws a story of users who have several events, follows, friends, followers and sessions, of
// which the first, one in the middle and the last are taken away in turns: the others must stay, and stay usable.
func positions(seed uint64) Story {
	const owner, reader, first, several, slots = 0, 1, 2, 3, 5
	d := newDrawer(seed, "positions")
	s := Story{Values: d.values(), Name: "first, middle and last", Slots: slots, Compare: CompareAfterEach, Brief: true}
	add := func(ops ...Op) { s.Ops = append(s.Ops, ops...) }
	add(Op{Kind: Follow, A: reader, B: owner})
	for range several {
		add(Op{Kind: Post, A: owner, V: d.values()})
	}
	for which := range several {
		add(Op{Kind: Remove, A: owner, C: which}, Op{Kind: Change, A: owner, C: 1, V: d.values()}, Op{Kind: Change, A: owner, C: 0, V: d.values()}, Op{Kind: Post, A: owner, V: d.values()})
	}
	of := [several]int{first, first + 2, first + 2} // whoever is added again is the last then
	for _, connection := range []func(other int) (made, ended Op){
		func(other int) (Op, Op) {
			return Op{Kind: Follow, A: owner, B: other}, Op{Kind: End, A: owner, B: other}
		},
		func(other int) (Op, Op) {
			return Op{Kind: Follow, A: other, B: reader}, Op{Kind: End, A: other, B: reader}
		},
		func(other int) (Op, Op) {
			return Op{Kind: Befriend, A: reader, B: other}, Op{Kind: Part, A: reader, B: other}
		},
	} {
		for other := first; other < first+several; other++ {
			made, _ := connection(other)
			add(made)
		}
		for _, other := range of {
			made, ended := connection(other)
			add(ended, Op{Kind: Audit, A: owner, B: reader, V: auditPair}, made)
		}
	}
	for which := range several {
		add(Op{Kind: LogIn, A: owner}, Op{Kind: LogIn, A: owner, V: 1}, Op{Kind: LogOut, A: owner, C: which}, Op{Kind: UseEnded, A: owner, V: d.values()})
	}
	return s
}
