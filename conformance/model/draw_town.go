package model

// Slots of a town besides those of a purge. The readers come after them.
const (
	star     = secondLeaver // has many followers and events, and leaves in the end
	follower = stays + iota // follows whom it finds by social ids
	friend                  // befriends them
	firstTownsman
)

// Town draws the one story that finds most for its requests: a purge among users who
// are many enough to fill a page. Where there are requests enough, one of them leads a
// full life before.
func Town(seed uint64, c Choices, full bool) Story {
	const manyEvents = 16
	d := newDrawer(seed, "town")
	readers := histories()
	d.Shuffle(len(readers), func(i, j int) { readers[i], readers[j] = readers[j], readers[i] })
	s := Story{Values: d.values(), Name: "town", Slots: firstTownsman + len(readers), Brief: true}
	add := func(ops ...Op) { s.Ops = append(s.Ops, ops...) }
	post := func(who int) { add(Op{Kind: Post, A: who, V: d.values()}) }
	for range manyEvents {
		post(star)
	}
	post(leaver)
	for i, h := range readers {
		who := firstTownsman + i
		if h.connect != nil {
			add(frugally(c, h.connect(who))...)
		}
		add(Op{Kind: Follow, A: who, B: star})
		if i == 0 {
			add(Op{Kind: Follow, A: who, B: stays})
		}
		if i == len(readers)/2 {
			add(Op{Kind: Rename, A: leaver, V: d.values()})
		}
	}
	if full {
		add(d.fullLife(stays, firstTownsman)...)
	}
	add(Op{Kind: Gather, A: follower}, Op{Kind: Gather, A: friend, V: 1}, Op{Kind: Follow, A: follower, B: star})
	post(stays)
	post(star)
	for range 2 {
		post(leaver)
	}
	add(Op{Kind: Change, A: leaver, C: 0, V: d.values()}, Op{Kind: Change, A: leaver, C: 2, V: d.values()}, Op{Kind: Remove, A: leaver, C: 1},
		Op{Kind: Change, A: star, C: manyEvents / 2, V: d.values()}, Op{Kind: Remove, A: star, C: manyEvents - 1})
	post(leaver)
	last := s.Slots - 1
	for i, h := range readers {
		if h.connect == nil {
			add(Op{Kind: Follow, A: firstTownsman + i, B: leaver})
		}
	}
	post(firstTownsman)
	post(last)
	add(Op{Kind: Follow, A: leaver, B: stays},
		Op{Kind: Audit, V: feedsAlone}, Op{Kind: Audit, A: follower, B: star, V: ofTwo}, Op{Kind: Audit, A: friend, B: stays, V: ofTwo},
		Op{Kind: Audit, A: follower, B: friend, V: overAndOver}, Op{Kind: End, A: follower, B: last}, Op{Kind: Part, A: friend, B: firstTownsman},
		Op{Kind: LogIn, A: leaver}, Op{Kind: Leave, A: leaver}, Op{Kind: Audit, V: feedsAlone},
		Op{Kind: Haunt, A: leaver, V: d.values()}, Op{Kind: Post, A: stays, V: d.values()}, Op{Kind: Leave, A: star}, Op{Kind: Return, A: leaver, V: d.values()})
	post(leaver)
	return s
}

// frugally leaves out what takes requests and changes nothing on a target: where one
// side makes friends, the other need not ask.
func frugally(c Choices, ops []Op) []Op {
	for i := range ops {
		if ops[i].Kind == Befriend && c.FriendsAtOnce == Yes {
			ops[i].Kind = Ask
		}
	}
	return ops
}

// fullLife is what may happen to a user, and then the same once more or back again.
func (d drawer) fullLife(who, reader int) []Op {
	return []Op{
		{Kind: Edit, A: who, V: d.values()}, {Kind: Edit, A: who, V: d.values()}, {Kind: Revert, A: who}, {Kind: Tweak, A: who},
		{Kind: Post, A: who, V: d.values()}, {Kind: Change, A: who, V: d.values()}, {Kind: Change, A: who, V: d.values()}, {Kind: ChangeBack, A: who}, {Kind: Tweak, A: who, V: 1},
		{Kind: Remove, A: who}, {Kind: Post, A: who, V: d.values()},
		{Kind: Rename, A: who, V: d.values()}, {Kind: Audit, A: who, V: names}, {Kind: Revert, A: who}, {Kind: LogIn, A: who, V: 1},
		{Kind: LogOut, A: who}, {Kind: LogOut, A: who}, {Kind: Edit, A: who, V: d.values()},
		{Kind: End, A: reader, B: who}, {Kind: Follow, A: reader, B: who}, {Kind: End, A: reader, B: who}, {Kind: Follow, A: reader, B: who},
	}
}
