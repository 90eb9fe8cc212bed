package model

// forbiddenWrites draws a story in which users with every connection history to an owner try
// what only the owner may do: change or delete its events, and end its follows.
func forbiddenWrites(seed uint64) Story {
	d := newGenerator(seed, "trespasses")
	const owner, friend, follower = 0, 1, 2
	all := append(connectionHistories(), connectionHistory{name: "friends no more", connect: func(who int) []Op {
		return []Op{{Kind: RequestMutually, Actor: who, Other: owner}, {Kind: DisconnectBoth, Actor: who, Other: owner}}
	}}, connectionHistory{name: "followed by the owner", connect: func(who int) []Op {
		return []Op{{Kind: Follow, Actor: owner, Other: who}}
	}})
	const others = 3
	s := Story{Values: d.values(), Name: "forbidden writes", Slots: others + len(all), Compare: CompareAfterEach, ShortAudit: true, Ops: []Op{
		{Kind: Post, Actor: owner, Values: d.values()}, {Kind: RequestMutually, Actor: friend, Other: owner}, {Kind: Follow, Actor: follower, Other: owner}, {Kind: Post, Actor: owner, Values: d.values()}}}
	for i, h := range all {
		who := others + i
		if h.connect != nil {
			s.Ops = append(s.Ops, h.connect(who)...)
		}
		s.Ops = append(s.Ops, Op{Kind: WriteForeign, Actor: who, Other: owner, Event: i}, Op{Kind: WriteForeign, Actor: who, Other: owner, Event: i, Write: DeleteForeignEvent}, Op{Kind: WriteForeign, Actor: who, Other: owner, Write: EndForeignFollow})
	}
	return s
}
