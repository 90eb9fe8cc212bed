package model

// positions draws a story of users who have several events, follows, friends, followers and sessions, of
// which the first, one in the middle and the last are taken away in turns: the others must stay, and stay usable.
func positions(seed uint64) Story {
	const owner, reader, first, several, slots = 0, 1, 2, 3, 5
	d := newGenerator(seed, "positions")
	s := Story{Values: d.values(), Name: "first, middle and last", Slots: slots, Compare: CompareAfterEach, ShortAudit: true}
	add := func(ops ...Op) { s.Ops = append(s.Ops, ops...) }
	add(Op{Kind: Follow, Actor: reader, Other: owner})
	for range several {
		add(Op{Kind: Post, Actor: owner, Values: d.values()})
	}
	for which := range several {
		add(Op{Kind: Remove, Actor: owner, Event: which}, Op{Kind: Change, Actor: owner, Event: 1, Values: d.values()}, Op{Kind: Change, Actor: owner, Values: d.values()}, Op{Kind: Post, Actor: owner, Values: d.values()})
	}
	of := [several]int{first, first + 2, first + 2} // whoever is added again is the last then
	for _, connection := range []func(other int) (made, ended Op){
		func(other int) (Op, Op) {
			return Op{Kind: Follow, Actor: owner, Other: other}, Op{Kind: End, Actor: owner, Other: other}
		},
		func(other int) (Op, Op) {
			return Op{Kind: Follow, Actor: other, Other: reader}, Op{Kind: End, Actor: other, Other: reader}
		},
		func(other int) (Op, Op) {
			return Op{Kind: RequestMutually, Actor: reader, Other: other}, Op{Kind: DisconnectBoth, Actor: reader, Other: other}
		},
	} {
		for other := first; other < first+several; other++ {
			made, _ := connection(other)
			add(made)
		}
		for _, other := range of {
			made, ended := connection(other)
			add(ended, Op{Kind: Audit, Actor: owner, Other: reader, Extent: AuditPair}, made)
		}
	}
	for which := range several {
		add(Op{Kind: LogIn, Actor: owner}, Op{Kind: LogIn, Actor: owner, ByEmail: true}, Op{Kind: LogOut, Actor: owner, Session: which}, Op{Kind: UseEnded, Actor: owner, Variant: d.values()})
	}
	return s
}
