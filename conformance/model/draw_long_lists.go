package model

// longLists draws a story with more users, events and connections than servers keep in one page,
// batch or cache. Some lists are so long that a server may truncate them, others are just short
// of that.
func longLists(seed uint64) Story {
	const followsMany, popular, socialFollower, late, first = 0, 1, 2, 3, 4
	const followers, followed, friends, posts = 34, promisedLength - 2, promisedLength - 3, 55
	const firstFriend = first + followers
	d := newDrawer(seed, "multitude")
	s := Story{Values: d.values(), Name: "long lists", Slots: firstFriend + friends, SharedNames: promisedLength - 3, Brief: true}
	add := func(ops ...Op) { s.Ops = append(s.Ops, ops...) }
	for i := range followers {
		who := first + i
		add(Op{Kind: Follow, A: who, B: popular})
		if page := 10; (i+1)%page == 0 { // as servers cut lists into
			add(Op{Kind: Audit, A: popular, V: auditOwnFollowers})
		}
		if i < followed {
			add(Op{Kind: Post, A: who, V: d.values()}, Op{Kind: Follow, A: followsMany, B: who})
		}
	}
	for i := range friends {
		add(Op{Kind: Befriend, A: popular, B: firstFriend + i}, Op{Kind: Follow, A: firstFriend + i, B: followsMany}, Op{Kind: Post, A: firstFriend + i, V: d.values()}, Op{Kind: Audit, A: firstFriend + i, V: auditOwnFriends})
	}
	both := Op{Kind: Audit, A: followsMany, B: popular, V: auditPair}
	add(Op{Kind: Follow, A: popular, B: first}, Op{Kind: Follow, A: popular, B: first + 1}, Op{Kind: Audit, V: auditSharedName}, both)
	for range posts {
		add(Op{Kind: Post, A: popular, V: d.values()})
	}
	const reader = first + followers - 2 // of the star alone
	add(Op{Kind: Follow, A: late, B: popular}, Op{Kind: Audit, A: reader, B: late, V: auditPair}, Op{Kind: Follow, A: followsMany, B: popular}, Op{Kind: Gather, A: socialFollower}, both, Op{Kind: Post, A: popular, V: d.values()},
		Op{Kind: Change, A: popular, C: posts / 2, V: d.values()}, Op{Kind: Change, A: popular, C: posts - 2, V: d.values()}, Op{Kind: Remove, A: popular, C: posts - 1}, Op{Kind: Remove, A: popular, C: 0},
		Op{Kind: Audit, A: followsMany, B: late, V: auditPair})
	for range posts / 4 {
		add(Op{Kind: Remove, A: popular, C: 2})
	}
	add(Op{Kind: Audit, A: reader, B: late, V: auditPair}, Op{Kind: End, A: followsMany, B: first + followed - 1}, Op{Kind: End, A: firstFriend - 1, B: popular}, both, Op{Kind: Audit, V: auditFeeds},
		Op{Kind: Leave, A: first + 2}, Op{Kind: Leave, A: popular}, Op{Kind: Audit, A: followsMany, B: socialFollower, V: auditPair},
		Op{Kind: Leave, A: followsMany}, Op{Kind: Audit, A: first, V: auditOwnFollowers}, Op{Kind: Audit, A: first + followed - 2, V: auditOwnFollowers})
	return s
}

// manyConnections draws a story of a user who follows many and one who has many followers,
// friends and events, audited before and after small changes.
func manyConnections(seed uint64, size int) Story {
	d := newDrawer(seed, "crowd")
	const followsMany, popular = 0, 1
	s := Story{Values: d.values(), Name: "many connections", Slots: size + 2, Brief: true}
	for i := 2; i < size+2; i++ {
		s.Ops = append(s.Ops, Op{Kind: Follow, A: followsMany, B: i}, Op{Kind: Follow, A: i, B: popular})
		if i < 2+promisedLength {
			s.Ops = append(s.Ops, Op{Kind: Post, A: i, V: d.values()})
		}
		if i%3 == 0 {
			s.Ops = append(s.Ops, Op{Kind: Befriend, A: popular, B: i})
		}
	}
	for range size {
		s.Ops = append(s.Ops, Op{Kind: Post, A: popular, V: d.values()})
	}
	s.Ops = append(s.Ops, Op{Kind: Follow, A: followsMany, B: popular}) // whose many events must not displace those of others
	both := Op{Kind: Audit, A: followsMany, B: popular, V: auditPair}
	s.Ops = append(s.Ops, both, Op{Kind: Remove, A: popular, C: size - 1}, Op{Kind: Remove, A: popular, C: 0},
		Op{Kind: Change, A: popular, C: size / 2, V: d.values()}, Op{Kind: End, A: followsMany, B: 3}, Op{Kind: End, A: size + 1, B: popular},
		Op{Kind: Leave, A: 2 + d.IntN(size)}, both, Op{Kind: Leave, A: popular})
	return s
}
