package model

// forbiddenWrites draws a story in which users with every connection history to an owner try
// what only the owner may do: change or delete its events, and end its follows.
func forbiddenWrites(seed uint64) Story {
	d := newDrawer(seed, "trespasses")
	const owner, friend, follower = 0, 1, 2
	all := append(connectionHistories(), connectionHistory{name: "friends no more", connect: func(who int) []Op {
		return []Op{{Kind: Befriend, A: who, B: owner}, {Kind: Part, A: who, B: owner}}
	}}, connectionHistory{name: "followed by the owner", connect: func(who int) []Op {
		return []Op{{Kind: Follow, A: owner, B: who}}
	}})
	const others = 3
	s := Story{Values: d.values(), Name: "forbidden writes", Slots: others + len(all), Compare: CompareAfterEach, Brief: true, Ops: []Op{
		{Kind: Post, A: owner, V: d.values()}, {Kind: Befriend, A: friend, B: owner}, {Kind: Follow, A: follower, B: owner}, {Kind: Post, A: owner, V: d.values()}}}
	for i, h := range all {
		who := others + i
		if h.connect != nil {
			s.Ops = append(s.Ops, h.connect(who)...)
		}
		s.Ops = append(s.Ops, Op{Kind: Trespass, A: who, B: owner, C: i, V: trespassChange}, Op{Kind: Trespass, A: who, B: owner, C: i, V: trespassRemove}, Op{Kind: Trespass, A: who, B: owner, V: trespassEnd})
	}
	return s
}
