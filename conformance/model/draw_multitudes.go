package model

// multitude draws a story of more users, events and connections than servers keep in one page,
// batch or cache. Some lists are so long that a server may truncate them, others are just short
// of that.
func multitude(seed uint64) Story {
	const hub, star, gatherer, late, first = 0, 1, 2, 3, 4
	const followers, followed, friends, posts = 34, promisedLength - 2, promisedLength - 3, 55
	const firstFriend = first + followers
	d := newDrawer(seed, "multitude")
	s := Story{Values: d.values(), Name: "multitude", Slots: firstFriend + friends, SharedNames: promisedLength - 3, Brief: true}
	add := func(ops ...Op) { s.Ops = append(s.Ops, ops...) }
	for i := range followers {
		who := first + i
		add(Op{Kind: Follow, A: who, B: star})
		if i < followed {
			add(Op{Kind: Post, A: who, V: d.values()}, Op{Kind: Follow, A: hub, B: who})
		}
	}
	for i := range friends {
		add(Op{Kind: Befriend, A: star, B: firstFriend + i}, Op{Kind: Follow, A: firstFriend + i, B: hub})
	}
	both := Op{Kind: Audit, A: hub, B: star, V: auditPair}
	add(Op{Kind: Follow, A: star, B: first}, Op{Kind: Follow, A: star, B: first + 1}, Op{Kind: Audit, V: auditSharedName}, both)
	for range posts {
		add(Op{Kind: Post, A: star, V: d.values()})
	}
	const reader = first + followers - 2 // of the star alone
	add(Op{Kind: Follow, A: late, B: star}, Op{Kind: Audit, A: reader, B: late, V: auditPair}, Op{Kind: Follow, A: hub, B: star}, Op{Kind: Gather, A: gatherer}, both, Op{Kind: Post, A: star, V: d.values()},
		Op{Kind: Change, A: star, C: posts / 2, V: d.values()}, Op{Kind: Change, A: star, C: posts - 2, V: d.values()}, Op{Kind: Remove, A: star, C: posts - 1}, Op{Kind: Remove, A: star, C: 0},
		Op{Kind: End, A: hub, B: first + followed - 1}, Op{Kind: End, A: firstFriend - 1, B: star}, both, Op{Kind: Audit, V: auditFeeds},
		Op{Kind: Leave, A: first + 2}, Op{Kind: Leave, A: star}, Op{Kind: Audit, A: hub, B: gatherer, V: auditPair})
	return s
}
